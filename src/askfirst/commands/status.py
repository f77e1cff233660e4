"""`askfirst status`: what is going on."""

from __future__ import annotations

import argparse
import time
from typing import Any

from askfirst import jsontext
from askfirst.cli.answering import ago
from askfirst.text import one_line

EXAMPLES = """examples:
  askfirst status
  askfirst status --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    state = gather()
    if args.json:
        print(jsontext.dumps(state))
        return 0
    for line in lines(state):
        print(line)
    return 0


def gather() -> dict[str, Any]:
    from askfirst import audit
    from askfirst.approval.manager import file_manager
    from askfirst.approval.presence import approvers
    from askfirst.store import alerts, pause
    from askfirst.store.grants import FileGrants

    number, head = audit.head()
    waiting = file_manager().pending()
    return {
        "approvers": [dict(a.items()) for a in approvers()],
        "waiting": sum(q.count for q in waiting),
        "cards": [{"id": q.id, "text": q.text, "left_s": round(q.deadline - time.time())} for q in waiting],
        "paused": pause.why_paused(),
        "alerts": [dict(a.items()) for a in alerts.alerts()],
        "grants": len(FileGrants().all()),
        "audit": {"records": number, "head": head},
    }


def lines(state: dict[str, Any]) -> list[str]:
    now = time.time()
    there = ", ".join(f"{a['kind']} (pid {a['pid']}, for {ago(now - a['since'])})" for a in state["approvers"])
    found = [f"approvers  {there or 'none: start `askfirst watch` or `askfirst serve`'}"]
    found.append(f"waiting    {state['waiting'] or 'nothing'}")
    found += [f"           {c['id'][:6]}  {ago(c['left_s'])} left  {one_line(c['text'], 100)}" for c in state["cards"]]
    found.append(f"pause      {one_line(state['paused'], 300) or 'no'}")
    flagged = ", ".join(f"{one_line(a['session'], 12)} ({a['violations']} violations)" for a in state["alerts"])
    found.append(f"alerts     {flagged or 'none'}")
    found.append(f"grants     {state['grants']}")
    found.append(f"log        {state['audit']['records']} records, head {state['audit']['head'][:16]}")
    return found
