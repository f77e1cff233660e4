"""`askfirst stats`: the log in figures."""

from __future__ import annotations

import argparse

from askfirst import jsontext
from askfirst.audit.describe import LAYER_WORDS
from askfirst.commands.log import add_filters, filter_of, read_with_progress
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
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    chosen = filter_of(args)
    figures = figures_of(r for r in read_with_progress(quiet=args.json) if chosen.takes(r))
    if args.json:
        print(jsontext.dumps(dict(figures.items())))
        return 0
    show(figures)
    return 0


def show(figures: Figures) -> None:
    out = console()
    if not figures.verdicts:
        out.print("no verdicts in the log yet")
        return
    out.print(
        f"{counted(figures.verdicts, 'verdict')} in {counted(figures.sessions, 'session')}, {counted(figures.prompts, 'prompt')} "
        f"({figures.prompts_per_session} a session)\n"
        f"hooks that waited for nobody: median {figures.median_ms:.0f} ms, 95 % within {figures.p95_ms:.0f} ms",
        soft_wrap=True,
    )
    for title, rows in (
        ("decisions", figures.decisions),
        ("by layer", {LAYER_WORDS.get(k, k): v for k, v in figures.layers.items()}),
        ("answers", figures.answers),
        ("prompts by day", figures.by_day),
        ("asked for most", dict(figures.asked_for)),
    ):
        if rows:
            out.print(f"\n{title}", style="bold")
            chart(rows)
    if figures.slowest:
        out.print("\nslowest hooks", style="bold")
        for ms, text in figures.slowest:
            out.print(f"  {ms:8.0f} ms  {one_line(text, 100)}", soft_wrap=True)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def chart(rows: dict[str, int]) -> None:
    out = console()
    most = max(rows.values())
    width = max(len(one_line(name, 30)) for name in rows)
    for name, count in rows.items():
        bar = "█" * max(1, round(count / most * BAR_COLUMNS))
        out.print(f"  {one_line(name, 30):<{width}}  {count:>6}  {bar}", soft_wrap=True)
