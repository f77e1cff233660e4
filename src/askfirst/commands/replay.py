"""`askfirst replay`: what the current rules would say to past calls, and how often a person would be asked."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from askfirst import jsontext
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.where import directory
from askfirst.errors import UsageError
from askfirst.model import Verdict
from askfirst.policy.rules import BOXES
from askfirst.report.history import PastSession, calls_of, sessions_of
from askfirst.report.rejudge import PastCall, judge_again, origin_text
from askfirst.report.simulate import MODES, Tally, as_plain, simulate
from askfirst.store.layers import load_layers
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst replay ~/.claude/projects/-src-app/4f….jsonl    a transcript of Claude Code
  askfirst log --json -n 0 > log.jsonl && askfirst replay log.jsonl
                                                           edit the YAML and see the effect before you commit
  askfirst replay commands.jsonl --all --json              lines of {"command": "…"}
  askfirst replay --simulate session ~/.claude/projects/-src-app/*.jsonl
                                                           how often you would have been asked, and about what
  askfirst replay --simulate permanent logs/pre_tool_use.json --tool Bash
                                                           the log of another hook; commands only

  askfirst replay --simulate session --box unknown ~/.claude/projects/-src-app/*.jsonl
                                                           the same, with what would run contained

--simulate answers each question by itself: `once` remembers nothing, `session` presses S, `permanent` presses P where
it is offered and S where not, `widest` presses W to its end and then S. Nothing is stored, and nothing runs.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", help='a transcript, a log, a hook\'s log, or lines of {"command": …}')
    parser.add_argument("--project", metavar="DIR", default=".", help="whose rules to use (default: this directory)")
    parser.add_argument("--simulate", metavar="ANSWER", choices=MODES, help=f"count prompts: {', '.join(MODES)}")
    parser.add_argument("--tool", metavar="NAME", action="append", help="with --simulate: only calls of this tool")
    parser.add_argument(
        "--box", metavar="MODE", choices=BOXES, help="with --simulate: as if `box` were unknown, or all"
    )
    parser.add_argument("--all", action="store_true", help="show every call, not only what would change or ask")
    parser.add_argument("--json", action="store_true", help="print JSON: an object per call, or one for --simulate")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    if args.simulate:
        return _simulate(args, project)
    if args.tool or args.box:
        raise UsageError(f"{'--tool' if args.tool else '--box'} goes with --simulate")
    return _judge_again(args, project)


def _judge_again(args: argparse.Namespace, project: str) -> int:
    layers = load_layers(project, session="", agent="", now=time.time())
    counts: Counter[str] = Counter()
    rows: list[tuple[str, str, str, str]] = []
    for call in (call for file in args.file for call in calls_of(file, project=project)):
        verdict = judge_again(call, layers)
        now = verdict.decision.name.lower()
        # What a person allowed then and the rules would ask for now is no change of the rules.
        then = "ask" if call.asked or call.then == "contain" else call.then
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


def _simulate(args: argparse.Namespace, project: str) -> int:
    sessions = [session for file in args.file for session in sessions_of(file, project=project)]
    bar = Progress(
        TextColumn("judging"), BarColumn(), MofNCompleteColumn(), console=console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task("", total=len(sessions))

        def each() -> Iterator[PastSession]:
            for session in sessions:
                yield session
                bar.advance(task)

        tally = simulate(each(), args.simulate, tools=tuple(args.tool or ()), box=BOXES.get(args.box))
    if args.json:
        print(jsontext.dumps(as_plain(tally)))
    else:
        _show_tally(tally, everything=args.all)
    return 0


def _show_tally(tally: Tally, *, everything: bool) -> None:
    out = console()
    if everything and tally.prompts:
        table = plain_table("session", "cause", "again", "answered", "what")
        for prompt in tally.prompts:
            again = "again" if prompt.repeats else ""
            table.add_row(prompt.session, prompt.cause, again, prompt.answer, one_line(prompt.text, 90))
        out.print(table)
        out.print()
    mean, median, ninetieth = tally.per_session()
    out.print(f"{counted(tally.calls, 'call')} in {counted(len(tally.sessions), 'session')}, answering `{tally.mode}`")
    out.print(f"asked        {len(tally.prompts)} ({tally.asked_percent:.1f} %), denied {len(tally.denied)}")
    out.print(
        f"a session    {mean:.2f} prompts on average, {median:g} in the median, {ninetieth:g} at the 90th percentile"
    )
    if tally.contained or tally.failed:
        out.print(
            f"contained    {len(tally.contained)}, and {len(tally.failed)} that would fail for want of something "
            "outside: asked then"
        )
        (percent, prompts), rest = tally.by_repository(), tally.without_largest()
        out.print(
            f"elsewhere    {rest.asked_percent:.1f} % and {rest.per_session()[0]:.2f} without the largest session, "
        )
        out.print(f"             {percent:.1f} % and {prompts:.2f} with one vote for each repository")
    out.print(f"again        {tally.repeats_percent:.1f} % of the prompts repeat a shape that was answered before")
    if tally.left_out:
        out.print(f"left out     {counted(tally.left_out, 'call')} of other tools, or whose input was not recorded")
    if tally.prompts:
        out.print()
        table = plain_table("cause", "prompts", "again")
        for cause, prompts, repeats in tally.by_cause():
            table.add_row(cause, str(prompts), str(repeats))
        out.print(table)


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
