"""`askfirst suggest`: the entries that would have saved the most prompts."""

from __future__ import annotations

import argparse
import os
import time

from askfirst import jsontext
from askfirst.audit.filter import Filter, moment
from askfirst.cli.printing import counted
from askfirst.cli.records import read_with_progress
from askfirst.cli.where import directory
from askfirst.report.rejudge import calls_in_log
from askfirst.report.suggestions import Suggestion, suggestions_of
from askfirst.store.layers import load_layers
from askfirst.store.paths import project_file
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst suggest                    for this project
  askfirst suggest --since 30d -n 3
  askfirst suggest --json

exit code: 0 there are suggestions, 1 none
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="DIR", default=".", help="whose prompts (default: this directory)")
    parser.add_argument("--since", metavar="TIME", help="only prompts not older than `7d`, `2026-11-16`")
    parser.add_argument("-n", "--lines", type=int, default=10, metavar="N", help="at most N entries (default: 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON list")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    layers = load_layers(project, session="", agent="", now=time.time())
    chosen = Filter(project=project, since=moment(args.since) if args.since else 0.0)
    records = (r for r in read_with_progress(quiet=args.json) if chosen.takes(r))
    found = suggestions_of(calls_in_log(records), layers)[: args.lines]
    if args.json:
        print(jsontext.dumps([vars(s) for s in found]))
        return 0 if found else 1
    if not found:
        print("nothing to suggest: no single entry would have saved a prompt in the log")
        return 1
    for suggestion in found:
        _show(suggestion)
    file = os.path.relpath(project_file(project))
    console().print(f"\nadd what you agree with to {file}, then run: askfirst check && askfirst trust", soft_wrap=True)
    return 0


def _show(suggestion: Suggestion) -> None:
    out = console()
    out.print(one_line(suggestion.entry, 300), style="bold", soft_wrap=True)
    saved = counted(suggestion.prompts_saved, "prompt (or unattended denial)", "prompts (or unattended denials)")
    out.print(f"  saves {saved}, for example:", soft_wrap=True)
    for text in suggestion.examples:
        out.print(f"    {one_line(text, 120)}", soft_wrap=True)
    for text in suggestion.also:
        out.print(f"  would also have allowed: {one_line(text, 110)}", style="yellow", soft_wrap=True)
