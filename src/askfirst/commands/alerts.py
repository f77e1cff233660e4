"""`askfirst alerts`: sessions that were flagged for review."""

from __future__ import annotations

import argparse

from askfirst import jsontext
from askfirst.commands.log import when
from askfirst.store import alerts
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst alerts                list flagged sessions
  askfirst alerts clear 7f3a     end the alert of the session that begins with 7f3a
  askfirst alerts clear --all
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("list", "clear"), default="list", help="what to do (default: list)"
    )
    parser.add_argument("session", nargs="?", help="with clear: the session's id, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="with clear: every flagged session")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    found = alerts.alerts()
    if args.action == "clear":
        return clear(args, found)
    if args.json:
        print(jsontext.dumps([dict(a.items()) for a in found]))
        return 0
    if not found:
        print("no session is flagged")
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("session", "agent", "since", "violations", "project", "last"):
        table.add_column(name, overflow="fold")
    for alert in found:
        row = (alert.session[:12], alert.agent, when(alert.since), str(alert.violations), alert.project, alert.last)
        table.add_row(*(one_line(cell, 80) for cell in row))
    out = console()
    out.print(table)
    out.print(
        "\nin a flagged session every unknown needs CONFIRM, and only Once is offered; end it: askfirst alerts clear SESSION"
    )
    return 0


def clear(args: argparse.Namespace, found: tuple[alerts.Alert, ...]) -> int:
    from askfirst.approval.person import require_person, who

    require_person("alerts clear")
    if bool(args.session) == args.all:
        print("askfirst alerts clear: name a session, or --all")
        return 2
    chosen = [a for a in found if args.all or a.session.startswith(args.session)]
    if not chosen or (len(chosen) > 1 and not args.all):
        print(
            f"no flagged session begins with `{args.session}`"
            if not chosen
            else f"`{args.session}` is ambiguous: {len(chosen)} sessions"
        )
        return 1
    for alert in chosen:
        alerts.clear(alert.session, who())
        print(f"cleared: {one_line(alert.session, 60)}")
    return 0
