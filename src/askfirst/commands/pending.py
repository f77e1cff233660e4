"""`askfirst pending`: requests that wait for an answer."""

from __future__ import annotations

import argparse
import sys
import time

from askfirst import jsontext
from askfirst.cli.answering import ago, answering_manager, remember_shown
from askfirst.text import console, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.approval.question import Question

EXAMPLES = """examples:
  askfirst pending             what waits, with ids to type
  askfirst pending ID          one request, whole
  askfirst pending --json      one JSON object for each card
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="show one request whole")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    manager = answering_manager()
    questions = (manager.find(args.id),) if args.id else manager.pending()
    if args.json:
        from askfirst.approval.codec import question_to

        for question in questions:
            print(jsontext.dumps(question_to(question)))
        return 0
    if not questions:
        print("nothing waits")
        return 0
    if args.id:
        show_whole(questions[0])
    else:
        show_table(questions)
    if sys.stdout.isatty():
        remember_shown(questions)
    return 0


def short_ids(questions: tuple[Question, ...]) -> dict[str, str]:
    from askfirst.store.ids import shown

    known = [i for q in questions for i in q.ids]
    return {q.id: shown(q.id, known) for q in questions}


def show_table(questions: tuple[Question, ...]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", "left", "agent", "project", "command", "why"):
        table.add_column(name, overflow="fold", no_wrap=name in ("id", "left"))
    now, short = time.time(), short_ids(questions)
    for question in questions:
        count = f"  ×{question.count} from {question.agents} agents" if question.count > 1 else ""
        mark = ("FLAGGED FOR REVIEW " if question.flagged else "") + ("DANGER " if question.danger else "")
        text = mark + one_line(question.text, 160) + count
        cells = (short[question.id], ago(question.deadline - now), question.agent, question.project, text, question.why)
        table.add_row(
            *(one_line(cell, 400) for cell in cells), style="red" if question.danger or question.flagged else None
        )
    out = console()
    out.print(table)
    out.print(
        "\nallow: askfirst approve ID [--session|--permanent|--for 2h]   refuse: askfirst deny ID [--reason TEXT]",
        style="dim",
    )


def show_whole(question: Question) -> None:
    from askfirst.model import Duration
    from askfirst.text import visible

    out = console()
    out.print(visible(question.text, newlines=True), style="bold")
    if question.said:
        out.print(f"the agent says: “{one_line(question.said, 500)}”", style="dim")
    out.print(f"\n{visible(question.agent)}, session {visible(question.session)[:16]}, in {visible(question.cwd)}")
    out.print(f"asked because {visible(question.why)}")
    for line in question.lines:
        mark = {"allow": "✓", "ask": "?", "deny": "✗"}.get(line.decision, "?")
        out.print(f"  {mark} {line.kind} {visible(line.text)}   [{visible(line.origin)}]")
    for note in question.notes:
        out.print(f"note: {visible(note)}")
    if question.flagged:
        out.print(
            "FLAGGED FOR REVIEW: this session was refused often and fast; `askfirst alerts` shows why", style="bold red"
        )
    if question.danger:
        out.print(f"DANGER: {visible(question.danger)}", style="bold red")
    names = {
        Duration.ONCE: "--once",
        Duration.SESSION: "--session",
        Duration.TIMED: "--for TIME",
        Duration.PERMANENT: "--permanent",
    }
    out.print("")
    for choice in question.choices:
        wide = f"; --widen: {choice.wide_scope}" if choice.wide_scope else ""
        words = f"no: {choice.refused}" if choice.refused else choice.scope + wide
        out.print(f"{names[choice.duration]:12} {visible(words)}")
        if choice.entry:
            out.print(
                "".join(f"{'':13}{visible(line)}\n" for line in choice.entry.splitlines()).rstrip("\n"), style="dim"
            )
