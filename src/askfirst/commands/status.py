"""`askfirst status`: what is going on."""

from __future__ import annotations

import argparse
import time
from typing import Any

from askfirst import audit, jsontext, proposals
from askfirst.approval.manager import file_manager
from askfirst.approval.presence import approvers
from askfirst.box import engines
from askfirst.cli.printing import counted
from askfirst.cli.times import roughly
from askfirst.errors import AskfirstError
from askfirst.resident import socket_place as place
from askfirst.resident.condition import Condition, look
from askfirst.store import alerts, labels, pause
from askfirst.store.grants import FileGrants
from askfirst.store.layers import flow_settings, org_files, settings_of
from askfirst.store.observe import observing_since
from askfirst.text import one_line

EXAMPLES = """examples:
  askfirst status
  askfirst status --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    state = _gather()
    print(jsontext.dumps(state) if args.json else "\n".join(_lines(state)))
    return 0


def _gather() -> dict[str, Any]:
    number, head = audit.head()
    waiting = file_manager().pending()
    return {
        "approvers": [vars(a) for a in approvers()],
        "waiting": sum(q.count for q in waiting),
        "cards": [{"id": q.id, "text": q.text, "left_s": round(q.deadline - time.time())} for q in waiting],
        "proposals": [
            {"id": p.id, "path": p.path, "created": p.created, "left_s": round(p.expires_at - time.time())}
            for p in proposals.unasked()
        ],
        "paused": pause.why_paused(),
        "observing_since": observing_since(),
        "alerts": [dict(vars(a)) for a in alerts.alerts()],
        "flow": [
            {"session": s.session, "project": s.project, "labels": sorted({label.kind for label in s.labels.values()})}
            for s in labels.sessions()
            if s.labels and not s.ended
        ],
        "masking": flow_settings().redact_output,
        "grants": len(FileGrants().all()),
        "box": _box(),
        "resident": look(place.default()).as_dict(),
        "audit": {"records": number, "head": head},
    }


def _box() -> dict[str, Any]:
    """The mode of the user's file, and the engine; the reason where there is none."""
    try:
        mode = settings_of(org_files()).box
    except AskfirstError as error:
        return {"mode": "off", "engine": "", "problem": str(error)}
    engine = engines.available()
    name = "all" if mode.allowed else "unknown" if mode.unknown else "off"
    return {"mode": name, "engine": engine.name if engine is not None else "", "problem": ""}


def _box_line(box: dict[str, Any]) -> str:
    if box["mode"] == "off":
        return "off" + ("; `askfirst init --box unknown` switches it on" if box["engine"] else "")
    held = f"held by {box['engine']}" if box["engine"] else "no engine here, so it asks: see `askfirst doctor`"
    return f"{box['mode']}, {held}"


def _masking_line(state: dict[str, Any]) -> str:
    if not state["masking"]:
        return "off: results reach the model with their secrets"
    contained = state["box"]["mode"] != "off" and state["box"]["engine"]
    return f"on, but for commands that fail{' and do not run contained' if contained else ''}"


def _proposal_line(proposal: dict[str, Any]) -> str:
    name, left = proposal["id"][:6], roughly(proposal["left_s"])
    what = f"{'CREATE' if proposal['created'] else 'MODIFY'} {one_line(proposal['path'], 100)}"
    return f"proposed   {name}  {left} left  {what}; `askfirst pending {name}`"


def _lines(state: dict[str, Any]) -> list[str]:
    now = time.time()
    there = ", ".join(f"{a['kind']} (pid {a['pid']}, for {roughly(now - a['since'])})" for a in state["approvers"])
    found = [f"approvers  {there or 'none: start `askfirst watch` or `askfirst serve`'}"]
    found.append(f"waiting    {state['waiting'] or 'nothing'}")
    found += [
        f"           {c['id'][:6]}  {roughly(c['left_s'])} left  {one_line(c['text'], 100)}" for c in state["cards"]
    ]
    found += map(_proposal_line, state["proposals"])
    if state["observing_since"]:
        found.append("observing  nothing is enforced; `askfirst observe stop` makes the gate decide")
    found.append(f"pause      {one_line(state['paused'], 300) or 'no'}")
    flagged = ", ".join(
        f"{one_line(a['session'], 12)} ({counted(a['violations'], 'violation')})" for a in state["alerts"]
    )
    found.append(f"alerts     {flagged or 'none'}")
    seen = ", ".join(f"{one_line(s['session'], 12)} ({', '.join(s['labels'])})" for s in state["flow"])
    found.append(f"seen       {seen or 'nothing that matters'}" + ("; `askfirst flow` says what" if seen else ""))
    found.append(f"masking    {_masking_line(state)}")
    found.append(f"box        {_box_line(state['box'])}")
    found.append(f"grants     {state['grants'] or 'none'}")
    found.append(f"resident   {Condition(**state['resident']).words}")
    records = state["audit"]["records"]
    head = f", head {state['audit']['head'][:16]}" if records else ""
    found.append(f"log        {counted(records, 'record')}{head}")
    return found
