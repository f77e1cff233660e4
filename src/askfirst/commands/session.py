"""`askfirst session`: one session of an agent in one page, with undo for what it changed."""

from __future__ import annotations

import argparse
import json

from rich.text import Text

from askfirst.approval.person import require_person, who
from askfirst.cli import contained_runs
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.records import read_with_progress
from askfirst.cli.times import log_time
from askfirst.errors import AskfirstError
from askfirst.report.session_page import SessionPage, as_json, markdown, page_of, sections, sessions
from askfirst.store import labels, proposal_files
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst session                    the last one: what it ran, asked, changed, was denied
  askfirst session --list             the sessions in the log
  askfirst session k7m2 --markdown    for a pull request
  askfirst session k7m2 --undo        take back everything that it changed contained or by proposals

exit code: 0, or 1 when there is no such session or something could not be taken back
"""
MAX_LISTED = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", default="", metavar="ID", help="the session, or the beginning of its id")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--list", action="store_true", help="list the sessions in the log")
    how.add_argument("--markdown", action="store_true", help="print it as Markdown")
    how.add_argument("--json", action="store_true", help="print one JSON object")
    how.add_argument("--undo", action="store_true", help="take back all its changes that can be, newest first")


def run(args: argparse.Namespace) -> int:
    records = list(read_with_progress(quiet=args.json or args.markdown))
    known = sessions(records)
    if args.list:
        _list(known)
        return 0 if known else 1
    session = _chosen(args.id, list(known))
    page = page_of(session, records, _seen(session))
    if args.json:
        print(json.dumps(as_json(page), ensure_ascii=False))
    elif args.markdown:
        print(markdown(page))
    elif args.undo:
        return _undo(page)
    else:
        _show(page)
    return 0


def _chosen(typed: str, known: list[str]) -> str:
    found = [name for name in known if name.startswith(typed)]
    if not found:
        raise AskfirstError(f"no session `{typed}` in the log; see `askfirst session --list`")
    if typed and len(found) > 1 and typed not in found:
        raise AskfirstError(f"`{typed}` fits {len(found)} sessions: {', '.join(n[:12] for n in found[-5:])}")
    return typed if typed in found else found[-1]


def _seen(session: str) -> list[str]:
    found = next((s for s in labels.sessions() if s.session == session), None)
    return [f"{m.kind}: {m.reason}" for m in found.labels.values()] if found is not None else []


def _list(known: dict[str, float]) -> None:
    table = plain_table("session", "last heard of", unbroken=("session",))
    for name, at in list(known.items())[-MAX_LISTED:]:
        table.add_row(one_line(name, 40), log_time(at))
    console().print(table)


def _show(page: SessionPage) -> None:
    out = console()
    head = f"session {one_line(page.session, 40)} of {page.agent or 'an agent'} in {page.project}"
    out.print(Text(head, style="bold"), soft_wrap=True)
    out.print(Text(f"{log_time(page.began)} to {log_time(page.ended)}", style="dim"))
    for title, rows in sections(page):
        if not rows:
            continue
        out.print(Text(f"\n{title} ({len(rows)})", style="bold"))
        for row in rows:
            out.print(Text(f"  {one_line(row, 400)}"), soft_wrap=True)
    if any(not change.undone for change in page.changes):
        out.print(Text(f"\ntake all changes back: askfirst session {page.session[:12]} --undo", style="dim"))


def _undo(page: SessionPage) -> int:
    """Newest first: a later change may stand on an earlier one. One that fails does not keep the others."""
    require_person("session --undo")
    open_ = [change for change in reversed(page.changes) if not change.undone and change.id]
    failed = 0
    for change in open_:
        try:
            if change.how == "contained":
                failed |= contained_runs.undo(change.id, as_json=False)
            else:
                done, _ = proposal_files.undo(proposal_files.find(change.id), check=lambda _: "", by=who("undo"))
                print(f"undone: {done.path}")
        except AskfirstError as error:
            print(f"not undone: {', '.join(change.files[:3])}: {error}")
            failed = 1
    print(f"{counted(len(open_), 'change')} looked at" if open_ else "nothing to take back")
    return failed
