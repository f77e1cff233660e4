"""`askfirst import`: take over the rules of another tool, each shown with what it becomes."""

from __future__ import annotations

import argparse
import os
import sys
import time

from rich.text import Text

from askfirst import audit, jsontext
from askfirst.approval.person import require_person, who
from askfirst.cli.printing import counted
from askfirst.cli.prompt import drop_typed_ahead
from askfirst.cli.where import directory
from askfirst.errors import AskfirstError, UsageError
from askfirst.report.imports import LEFT_OUT, NOT_NEEDED, Imported, imported, user_file_of
from askfirst.store import allowlist, atomic, paths
from askfirst.store.layers import load_layers
from askfirst.store.trust import trust
from askfirst.text import console, one_line, visible

EXAMPLES = """examples:
  askfirst import autoforge                     what its files would become here; nothing is written
  askfirst import claude-permissions            the same for `permissions` of this project's .claude/settings*.json
  askfirst import claude-permissions --user     for those of ~/.claude/settings.json, in every project
  askfirst import autoforge --write             show it, ask, and add it to askfirst's own files
  askfirst import autoforge --json

exit code: 0 everything has a place here, 1 something was left out (each with its reason)
"""
ANSWER = "import"
EMPTY = b"version: 2\n"
MARKS = {LEFT_OUT: ("✗", "red"), NOT_NEEDED: ("-", "dim")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", choices=("autoforge", "claude-permissions"), help="whose rules")
    parser.add_argument("--project", metavar="DIR", default=".", help="the project (default: this directory)")
    parser.add_argument(
        "--user", action="store_true", help="claude-permissions: of the user's settings, not the project's"
    )
    parser.add_argument("--write", action="store_true", help="add them to askfirst's files, after a question")
    parser.add_argument("--json", action="store_true", help="print one JSON object per rule, each on a line")


def run(args: argparse.Namespace) -> int:
    if args.json and args.write:
        raise UsageError("--write asks a person; use it without --json")
    if args.user and args.source != "claude-permissions":
        raise UsageError("--user: only for claude-permissions; autoforge's files are read for project and user")
    project = directory(args.project)
    found = imported(args.source, project, user=args.user)
    _print(found, as_json=args.json)
    wanted = [one for one in found if one.entry is not None]
    if args.write and wanted:
        _write(project, wanted, found)
    elif wanted and not args.json:
        print("\nnothing was written; `--write` adds them after a question")
    return 1 if any(one.outcome == LEFT_OUT for one in found) else 0


def _print(found: list[Imported], *, as_json: bool) -> None:
    if as_json:
        for one in found:
            print(jsontext.dumps(vars(one)))
        return
    if not found:
        print("nothing to import: there are no such rules here")
    out = console()
    source = ""
    for one in found:
        if one.source != source:
            source = one.source
            out.print(Text(visible(source), style="bold"), soft_wrap=True)
        mark, style = MARKS.get(one.outcome, ("✓", "green"))
        out.print(Text(f"{mark} {one_line(one.given, 160)}", style=style), soft_wrap=True)
        if one.entry is not None:
            becomes = one_line(one.line.replace("\n", " "), 200)
            out.print(Text(f"    becomes, in `{one.section}`: {becomes}"), soft_wrap=True)
        else:
            out.print(Text(f"    {one.outcome}: {visible(one.why)}"), soft_wrap=True)


def _write(project: str, wanted: list[Imported], found: list[Imported]) -> None:
    require_person("import")
    for one in found:
        if one.outcome == LEFT_OUT and one.section == "blocked_commands":
            raise AskfirstError(
                f"{one.source}: the block `{one.given}` has no place here ({one.why}); nothing was written"
            )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise AskfirstError("--write: there is no terminal to ask on")
    drop_typed_ahead()
    print(
        f"\nType `{ANSWER}` to add {counted(len(wanted), 'entry', 'entries')}, anything else to leave it: ",
        end="",
        flush=True,
    )
    if sys.stdin.readline().strip().lower() != ANSWER:
        print("nothing changed")
        return
    record = {
        "what": "import",
        "file": wanted[0].source,
        "by": who(),
        "entries": [one_line(w.line, 200) for w in wanted],
    }
    audit.append("config", record, durable=True)
    own = [one for one in wanted if one.section == "commands"]
    if own:
        _write_project(project, own)
    if len(own) < len(wanted):
        _write_user([one for one in wanted if one.section != "commands"])


def _write_project(project: str, wanted: list[Imported]) -> None:
    most = load_layers(project, now=time.time()).settings.max_project_commands
    target = os.path.join(project, paths.PROJECT_FILE)
    if not paths.is_there(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        # Its own: where there is none, the other tool's file would be the one that is extended.
        atomic.new_file(target, EMPTY, 0o644)
        trust(target, EMPTY)
    file = allowlist.append(project, [w.entry for w in wanted if w.entry is not None], most=most)
    print(f"written to {visible(file)}")


def _write_user(wanted: list[Imported]) -> None:
    """A file of the organisation's that is there already is not ours to edit."""
    target = os.path.join(paths.user_config_dir(), "config.yaml")
    text = user_file_of(wanted)
    if paths.is_there(target):
        print(f"{visible(target)} is there already; add what you want of this:\n\n{visible(text, newlines=True)}")
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    atomic.new_file(target, text.encode(), 0o644)
    print(f"written to {visible(target)}")
