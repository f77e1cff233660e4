"""`askfirst statusline`: one short line for the client's status line. Only reads; prints nothing where it cannot."""

from __future__ import annotations

import argparse
import json
import sys

from askfirst.approval.presence import approver_alive
from askfirst.errors import AskfirstError
from askfirst.store import labels, pause
from askfirst.store.layers import org_files, settings_of
from askfirst.store.observe import observing_since
from askfirst.store.pending import FilePending

EXAMPLES = """examples:
  in ~/.claude/settings.json:
  {"statusLine": {"type": "command", "command": "askfirst statusline"}}

  askfirst: 2 waiting · box unknown · untrusted
"""
MAX_INPUT = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", default="", metavar="ID", help="the session (default: from the client's input)")


def run(args: argparse.Namespace) -> int:
    try:
        print("askfirst: " + " · ".join(_parts(args.session or _session())))
    except (AskfirstError, OSError):
        print("askfirst: cannot tell; run `askfirst doctor`")
    return 0


def _session() -> str:
    """The client hands its state in on standard input."""
    if sys.stdin.isatty():
        return ""
    try:
        value = json.loads(sys.stdin.read(MAX_INPUT))
    except (ValueError, OSError):
        return ""
    return str(value.get("session_id", "")) if isinstance(value, dict) else ""


def _parts(session: str) -> list[str]:
    found = ["PAUSED"] if pause.why_paused() else []
    if observing_since():
        found.append("observing, nothing is enforced")
    waiting = len(FilePending().items())
    found.append(f"{waiting} waiting" if waiting else "nothing waits")
    if not approver_alive():
        found.append("no one at `watch`")
    box = settings_of(org_files()).box
    mode = "all" if box.allowed else "unknown" if box.unknown else ""
    found += [f"box {mode}"] if mode else []
    seen = next((s for s in labels.sessions() if s.session == session), None) if session else None
    return found + (sorted({label.kind for label in seen.labels.values()}) if seen is not None else [])
