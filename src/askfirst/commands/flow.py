"""`askfirst flow`: what sessions have seen, and the files that keep it."""

from __future__ import annotations

import argparse
from typing import Any

from askfirst import audit, jsontext
from askfirst.approval.person import require_person, who
from askfirst.cli.printing import plain_table
from askfirst.cli.times import log_time
from askfirst.cli.where import directory
from askfirst.errors import AskfirstError, UsageError
from askfirst.store import ids, labels, whole_results
from askfirst.text import console, one_line, visible

EXAMPLES = """examples:
  askfirst flow                     what the sessions that go on have seen, and the files that keep it
  askfirst flow --all               also the sessions that have ended and may be resumed
  askfirst flow clear 7f3a9c01      this label: a person has looked at what was read, or at the file
  askfirst flow clear --files .     every file of this project
  askfirst flow show                results in which secrets were masked, of the last day
  askfirst flow show k7w2m4ad       the whole of the one that shows <redacted:API_KEY#k7w2m4ad>
  askfirst flow --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("list", "clear", "show"), default="list", help="what to do (default: list)"
    )
    parser.add_argument(
        "id",
        nargs="?",
        help="with clear: a label's id, or a session's; with show: a result's, or a placeholder",
    )
    parser.add_argument("--files", metavar="DIR", help="with clear: every labelled file of this project")
    parser.add_argument("--all", action="store_true", help="also sessions that have ended")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    if args.action == "clear":
        return _clear(args)
    if args.action == "show":
        return _show_whole(args) if args.id else _list_masked(as_json=args.json)
    state = _gather(everything=args.all)
    if args.json:
        print(jsontext.dumps(state))
    else:
        _show(state)
    return 0


def _gather(*, everything: bool) -> dict[str, list[dict[str, Any]]]:
    seen_by = [
        {"session": seen.session, "project": seen.project, "ended": bool(seen.ended), **vars(label)}
        for seen in labels.sessions()
        if everything or not seen.ended
        for label in seen.labels.values()
    ]
    files = [{"project": project, **vars(file)} for project in labels.projects() for file in labels.labelled(project)]
    return {"labels": seen_by, "files": files}


def _show(state: dict[str, list[dict[str, Any]]]) -> None:
    out = console()
    if not state["labels"] and not state["files"]:
        print("no session has seen a stranger's text, a secret or private data")
        return
    if state["labels"]:
        table = plain_table("id", "session", "at", "label", "from", "allowed by", unbroken=("id", "at"))
        for row in state["labels"]:
            at = log_time(row["at"]) if row["at"] else ""
            cells = (row["id"], row["session"][:12], at, row["kind"], row["reason"], row["by"])
            table.add_row(*(one_line(cell, 120) for cell in cells))
        out.print(table)
    if state["files"]:
        out.print("" if state["labels"] else None, end="")
        table = plain_table("id", "file", "since", "why", unbroken=("id", "since"))
        for row in state["files"]:
            path = row["path"] + ("/**" if row["below"] else "")
            since = log_time(row["at"]) if row["at"] else ""
            table.add_row(*(one_line(cell, 120) for cell in (row["id"], path, since, row["reason"])))
        out.print(table)
    out.print("\nTo take one back once you have looked: askfirst flow clear ID", soft_wrap=True)


def _list_masked(*, as_json: bool) -> int:
    found = whole_results.everything()
    if as_json:
        rows = [{k: v for k, v in vars(whole).items() if k != "text"} for whole in found]
        print(jsontext.dumps({"masked": rows}))
        return 0
    if not found:
        print("no result of the last day had a secret in it")
        return 0
    table = plain_table("id", "at", "session", "call", "masked", unbroken=("id", "at"))
    known = [whole.id for whole in found]
    for whole in found:
        marks = ", ".join(whole.marks[:3]) + (" ..." if len(whole.marks) > 3 else "")
        cells = (ids.shown(whole.id, known), log_time(whole.at), whole.session[:12], whole.call, marks)
        table.add_row(*(one_line(cell, 120) for cell in cells))
    console().print(table)
    console().print("\nTo see one whole: askfirst flow show ID", soft_wrap=True)
    return 0


def _show_whole(args: argparse.Namespace) -> int:
    """Secrets in clear: for a person at a terminal, and the log says that they looked."""
    require_person("flow show")
    whole = whole_results.find(args.id)
    record = {"session": whole.session, "by": who(), "text": f"a result was shown with its secrets: {whole.call}"}
    audit.append("flow-shown", record, durable=True)
    print(jsontext.dumps(vars(whole)) if args.json else visible(whole.text, newlines=True, tabs=True))
    return 0


def _clear(args: argparse.Namespace) -> int:
    require_person("flow clear")
    if bool(args.id) == bool(args.files):
        raise UsageError("clear: name a label, or a project with --files; see `askfirst flow`")
    if args.files:
        return _clear_files(directory(args.files))
    for kind, row in _meant(args.id):
        if kind == "labels":
            labels.clear_label(row["session"], row["id"], who())
        else:
            labels.clear_files(row["project"], (row["id"],), who())
        print(f"cleared: {row['id']}  {one_line(row['path'] if kind == 'files' else row['reason'], 100)}")
    return 0


def _meant(typed: str) -> list[tuple[str, dict[str, Any]]]:
    """The label whose id begins so, or all of the session whose id does."""
    if len(typed) < 4:
        raise UsageError(f"clear: `{typed}` is too short; type at least four characters")
    rows = [(kind, row) for kind, found in _gather(everything=True).items() for row in found]
    by_id = [(kind, row) for kind, row in rows if row["id"].startswith(typed)]
    by_session = [(kind, row) for kind, row in rows if kind == "labels" and row["session"].startswith(typed)]
    found = by_id or by_session
    if not found:
        raise AskfirstError(f"clear: no label and no session begins with `{typed}`; see `askfirst flow --all`")
    if len(by_id) > 1 or len({row["session"] for _, row in found}) > 1:
        raise AskfirstError(f"clear: {len(found)} labels begin with `{typed}`; type more of the id")
    return found


def _clear_files(project: str) -> int:
    files = labels.labelled(project)
    if not files:
        raise AskfirstError(f"clear: no file of {project} is labelled; see `askfirst flow`")
    labels.clear_files(project, tuple(f.id for f in files), who())
    print(f"cleared: {len(files)} file{'s' if len(files) > 1 else ''} of {project}")
    return 0
