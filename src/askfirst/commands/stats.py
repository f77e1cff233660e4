"""`askfirst stats`: the log in figures."""

from __future__ import annotations

import argparse

from rich.console import Console

from askfirst import jsontext
from askfirst.audit.describe import LAYER_WORDS
from askfirst.cli.printing import counted
from askfirst.cli.records import add_filters, filter_of, read_with_progress
from askfirst.report.figures import Figures, figures_of
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst stats                 everything in the log
  askfirst stats --since 7d --project .
  askfirst stats --json
"""
BAR_COLUMNS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filters(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    chosen = filter_of(args)
    figures = figures_of(read_with_progress(quiet=args.json), chosen.takes)
    if args.json:
        print(jsontext.dumps(vars(figures)))
    else:
        _show(console(), figures)
    return 0


def _show(out: Console, figures: Figures) -> None:
    if not figures.verdicts:
        out.print("no calls in the log")
        return
    verdicts, sessions = counted(figures.verdicts, "call"), counted(figures.sessions, "session")
    prompts = f"{counted(figures.prompts, 'prompt')} ({figures.prompts_per_session} per session)"
    out.print(f"{verdicts} in {sessions}, {prompts}", soft_wrap=True)
    out.print(
        f"hooks that asked no one: median {figures.median_ms:.0f} ms, 95 % within {figures.p95_ms:.0f} ms",
        soft_wrap=True,
    )
    for title, rows in (
        ("decisions", figures.decisions),
        ("by layer", {LAYER_WORDS.get(k, k): v for k, v in figures.layers.items()}),
        ("answers", figures.answers),
        ("prompts by day", figures.by_day),
        ("asked most often", dict(figures.asked_for)),
    ):
        if rows:
            out.print(f"\n{title}", style="bold")
            _show_chart(out, rows)
    if figures.slowest:
        out.print("\nslowest hooks", style="bold")
        for ms, text in figures.slowest:
            out.print(f"  {ms:8.0f} ms  {one_line(text, 100)}", soft_wrap=True)


def _show_chart(out: Console, rows: dict[str, int]) -> None:
    longest = max(rows.values())
    width = max(len(one_line(name, 30)) for name in rows)
    for name, count in rows.items():
        bar = "█" * max(1, round(count / longest * BAR_COLUMNS))
        out.print(f"  {one_line(name, 30):<{width}}  {count:>6}  {bar}", soft_wrap=True)
