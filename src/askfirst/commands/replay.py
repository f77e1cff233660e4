"""`askfirst replay`: what the current rules would say to past calls."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from askfirst import jsontext
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.where import directory
from askfirst.model import Verdict
from askfirst.report.rejudge import PastCall, calls_of, judge_again, origin_text
from askfirst.store.layers import load_layers
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst replay ~/.claude/projects/-src-app/4f….jsonl    a transcript of Claude Code
  askfirst log --json -n 0 > log.jsonl && askfirst replay log.jsonl
                                                           edit the YAML and see the effect before you commit
  askfirst replay commands.jsonl --all --json              lines of {"command": "…"}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help='a transcript, a log, or lines of {"command": …}')
    parser.add_argument("--project", metavar="DIR", default=".", help="whose rules to use (default: this directory)")
    parser.add_argument("--all", action="store_true", help="show every call, not only what would change or ask")
    parser.add_argument("--json", action="store_true", help="print one JSON object per call, each on a line")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    layers = load_layers(project, session="", agent="", now=time.time())
    counts: Counter[str] = Counter()
    rows: list[tuple[str, str, str, str]] = []
    for call in calls_of(args.file, project=project):
        verdict = judge_again(call, layers)
        now = verdict.decision.name.lower()
        # What a person allowed then and the rules would ask for now is no change of the rules.
        then = "ask" if call.asked else call.then
        counts[now] += 1
        counts["changed"] += bool(then and then != now)
        if args.json:
            print(jsontext.dumps(_plain(call, verdict, then)))
        elif args.all or (then != now if then else now != "allow"):
            by = origin_text(verdict.deciding) or verdict.reason
            rows.append((then or "-", now, one_line(call.text, 120), one_line(by, 60)))
    if not args.json:
        _show(rows, counts)
    return 0


def _plain(call: PastCall, verdict: Verdict, then: str) -> dict[str, object]:
    return {
        "text": call.text,
        "tool": call.tool,
        "then": then,
        "now": verdict.decision.name.lower(),
        "reason": verdict.reason,
        "by": origin_text(verdict.deciding),
    }


def _show(rows: list[tuple[str, str, str, str]], counts: Counter[str]) -> None:
    out = console()
    if rows:
        table = plain_table("then", "now", "what", "by")
        for row in rows:
            table.add_row(*row)
        out.print(table)
        out.print()
    calls = counted(counts["allow"] + counts["ask"] + counts["deny"], "call")
    now = f"{counts['allow']} allowed, {counts['ask']} asked, {counts['deny']} denied"
    out.print(f"{calls}: {now}; {counts['changed']} changed since then")
