"""`askfirst alerts`: sessions that were flagged for review."""

from __future__ import annotations

import argparse

from askfirst import jsontext
from askfirst.approval.person import require_person, who
from askfirst.cli.printing import plain_table
from askfirst.cli.times import log_time
from askfirst.errors import AskfirstError, UsageError
from askfirst.store import alerts
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst alerts                list the flagged sessions
  askfirst alerts clear 7f3a     clear the alert of the session whose id begins with 7f3a
  askfirst alerts clear --all
  askfirst alerts --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("list", "clear"), default="list", help="what to do (default: list)"
    )
    parser.add_argument("session", nargs="?", help="with clear: the session's id, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="with clear: every flagged session")
    parser.add_argument("--json", action="store_true", help="print one JSON list")


def run(args: argparse.Namespace) -> int:
    found = alerts.alerts()
    if args.action == "clear":
        return _clear(args, found)
    if args.json:
        print(jsontext.dumps([vars(a) for a in found]))
    elif found:
        _show(found)
    else:
        print("no session is flagged")
    return 0


def _show(found: tuple[alerts.Alert, ...]) -> None:
    table = plain_table("session", "agent", "since", "violations", "project", "last")
    for alert in found:
        since, count = log_time(alert.since), str(alert.violations)
        row = (alert.session[:12], alert.agent, since, count, alert.project, alert.last)
        table.add_row(*(one_line(cell, 80) for cell in row))
    out = console()
    out.print(table)
    out.print(
        "\nIn a flagged session every unknown command needs CONFIRM, and only Once is offered. "
        "To end that: askfirst alerts clear SESSION"
    )


def _clear(args: argparse.Namespace, found: tuple[alerts.Alert, ...]) -> int:
    require_person("alerts clear")
    if bool(args.session) == args.all:
        raise UsageError("clear: name a session, or use --all; see `askfirst alerts`")
    chosen = [a for a in found if args.all or a.session.startswith(args.session)]
    if not chosen:
        which = "no session is flagged" if args.all else f"no flagged session begins with `{args.session}`"
        raise AskfirstError(f"clear: {which}; see `askfirst alerts`")
    if len(chosen) > 1 and not args.all:
        raise AskfirstError(f"clear: {len(chosen)} flagged sessions begin with `{args.session}`; type more of the id")
    for alert in chosen:
        alerts.clear(alert.session, who())
        print(f"cleared: {one_line(alert.session, 60)}")
    return 0
