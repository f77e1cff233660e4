"""`askfirst suggest`: the entries that would have saved the most prompts."""

from __future__ import annotations

import argparse
import os
import sys
import time

from askfirst import jsontext
from askfirst.approval.person import require_person, who
from askfirst.approval.remember import store_offer
from askfirst.audit.filter import Filter, moment
from askfirst.cli.printing import counted
from askfirst.cli.prompt import drop_typed_ahead, typed_line
from askfirst.cli.records import read_with_progress
from askfirst.cli.where import directory
from askfirst.errors import AskfirstError
from askfirst.model import Decision
from askfirst.report.rejudge import calls_in_log, case_of
from askfirst.report.suggestions import Suggestion, suggestions_of, taken_back
from askfirst.store.grants import FileGrants
from askfirst.store.layers import load_layers
from askfirst.store.paths import project_file
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst suggest                    for this project
  askfirst suggest --since 30d -n 3
  askfirst suggest --apply            shows one after the other, and adds those that you say `yes` to
  askfirst suggest --json

What you took back with `askfirst revoke` is not suggested again.

exit code: 0 there are suggestions, 1 none
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="DIR", default=".", help="whose prompts (default: this directory)")
    parser.add_argument("--since", metavar="TIME", help="only prompts not older than `7d`, `2026-11-16`")
    parser.add_argument("-n", "--lines", type=int, default=10, metavar="N", help="at most N entries (default: 10)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--apply", action="store_true", help="ask for each, and add it to the project's rule file")
    how.add_argument("--json", action="store_true", help="print one JSON list")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    layers = load_layers(project, session="", agent="", now=time.time())
    chosen = Filter(project=project, since=moment(args.since) if args.since else 0.0)
    records = [r for r in read_with_progress(quiet=args.json) if chosen.takes(r)]
    found = suggestions_of(calls_in_log(records), layers, taken_back(records))[: args.lines]
    if args.json:
        print(jsontext.dumps([s.as_json() for s in found]))
        return 0 if found else 1
    if not found:
        print("nothing to suggest: no single entry would have saved a prompt in the log")
        return 1
    if args.apply:
        return _apply(found, project)
    for suggestion in found:
        _show(suggestion)
    file = os.path.relpath(project_file(project))
    console().print(f"\n`askfirst suggest --apply` adds what you agree with to {file}, one by one", soft_wrap=True)
    return 0


def _apply(found: list[Suggestion], project: str) -> int:
    """One by one, as P would: shown, asked, stored with its record. Whatever is not `yes` leaves it."""
    require_person("suggest --apply")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise AskfirstError("--apply: there is no terminal to ask on")
    if found[0].case.layers.untrusted_note:
        raise AskfirstError("the project's rule file is not trusted: look at it with `askfirst trust`, then try again")
    added = 0
    for number, suggestion in enumerate(found, 1):
        if _is_answered(suggestion, project):
            continue  # by an entry that was just added
        _show(suggestion)
        drop_typed_ahead()
        said = typed_line(f"  {number} of {len(found)}: type `yes` to add it, `quit` to stop, Enter to leave it: ")
        if said is None or said.strip().lower() in ("q", "quit"):
            break
        if said.strip().lower() != "yes":
            continue
        store_offer(FileGrants(), suggestion.case, suggestion.offer, who("suggest"))
        added += 1
    file = os.path.relpath(project_file(project))
    print(f"{counted(added, 'entry', 'entries')} added to {file}; see `askfirst grants`, undo with `askfirst revoke`")
    return 0


def _is_answered(suggestion: Suggestion, project: str) -> bool:
    layers = load_layers(project, session="", agent="", now=time.time())
    return case_of(suggestion.case.request, layers).verdict.decision == Decision.ALLOW


def _show(suggestion: Suggestion) -> None:
    out = console()
    out.print(one_line(suggestion.entry, 300), style="bold", soft_wrap=True)
    saved = counted(suggestion.prompts_saved, "prompt (or unattended denial)", "prompts (or unattended denials)")
    out.print(f"  saves {saved}, for example:", soft_wrap=True)
    for text in suggestion.examples:
        out.print(f"    {one_line(text, 120)}", soft_wrap=True)
    for text in suggestion.also:
        out.print(f"  would also have allowed: {one_line(text, 110)}", style="yellow", soft_wrap=True)
