"""`askfirst pending`: requests that wait for an answer, and proposed changes that wait to be applied."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from rich.console import Console

from askfirst import jsontext, proposals
from askfirst.approval.codec import question_to
from askfirst.approval.question import Question
from askfirst.cli.answering import FLAGGED, MAX_LISTED, answering_manager, remember_shown, times_asked
from askfirst.cli.printing import plain_table
from askfirst.cli.proposing import print_diff
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import team_manager
from askfirst.cli.times import roughly
from askfirst.files.related_tests import related_tests
from askfirst.model import Duration
from askfirst.store.ids import shown
from askfirst.store.proposal_files import Proposal
from askfirst.text import console, one_line, visible

EXAMPLES = """examples:
  askfirst pending             what waits, with the ids to type
  askfirst pending 7f3a        one request in full, with the scope of each answer
  askfirst pending --json
  askfirst pending --team      also the team's requests
"""

MAX_TESTS = 5
MARKS = {"allow": "✓", "ask": "?", "deny": "✗"}
OPTIONS = {
    Duration.ONCE: "--once",
    Duration.SESSION: "--session",
    Duration.TIMED: "--for TIME",
    Duration.PERMANENT: "--permanent",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="show this request in full; the beginning of its id is enough")
    parser.add_argument("--json", action="store_true", help="print one JSON object per request, each on a line")
    parser.add_argument("--team", action="store_true", help=TEAM_HELP)


def run(args: argparse.Namespace) -> int:
    manager = team_manager() if args.team else answering_manager()
    proposed = proposals.unasked()
    mine = [p for p in proposed if args.id and p.id.startswith(args.id.lower())]
    if len(mine) == 1:
        return _show_proposal(mine[0], as_json=args.json)
    questions = (manager.find(args.id),) if args.id else manager.pending()
    if args.json:
        rows = [*map(question_to, questions), *map(_plain, () if args.id else proposed)]
        print("".join(f"{jsontext.dumps(row)}\n" for row in rows), end="")
        return 0
    if args.id:
        _show_in_full(questions[0])
    else:
        _show_all(questions, proposed)
    if sys.stdout.isatty():
        remember_shown(questions)
    return 0


def _show_all(questions: tuple[Question, ...], proposed: tuple[Proposal, ...]) -> None:
    if not questions and not proposed:
        print("nothing waits")
    if questions:
        _show_table(questions)
    if proposed:
        _show_proposals(proposed)


def _show_table(questions: tuple[Question, ...]) -> None:
    table = plain_table("id", "left", "agent", "project", "command", "why", unbroken=("id", "left"))
    now, known = time.time(), [i for q in questions for i in q.ids]
    for q in questions:
        mark = ("FLAGGED FOR REVIEW " if q.flagged else "") + ("DANGER " if q.danger else "")
        text = f"{mark}{one_line(q.text, MAX_LISTED)}  {times_asked(q)}".rstrip()
        cells = (shown(q.id, known), roughly(q.deadline - now), q.agent, q.project, text, q.why)
        table.add_row(*(one_line(cell, 400) for cell in cells), style="red" if mark else None)
    out = console()
    out.print(table)
    out.print(
        "\nallow: askfirst approve ID [--session|--permanent|--for 2h]   deny: askfirst deny ID [--reason TEXT]",
        style="dim",
    )


def _plain(proposal: Proposal) -> dict[str, Any]:
    return {"proposal": proposal.id, **proposals.data_of(proposal), "project": proposal.project, "diff": proposal.diff}


def _show_proposals(proposed: tuple[Proposal, ...]) -> None:
    table = plain_table("id", "left", "proposal", "project", unbroken=("id", "left"))
    known = [p.id for p in proposed]
    for p in proposed:
        what = f"{'CREATE' if p.created else 'MODIFY'} {p.path}"
        row = (shown(p.id, known), roughly(p.expires_at - time.time()), what, p.project)
        table.add_row(*(one_line(cell, 400) for cell in row))
    out = console()
    out.print(table)
    out.print("\nread it: askfirst pending ID   then: askfirst apply ID, askfirst discard ID", style="dim")


def _show_proposal(proposal: Proposal, *, as_json: bool) -> int:
    if as_json:
        print(jsontext.dumps(_plain(proposal)))
        return 0
    print(f"{'CREATE' if proposal.created else 'MODIFY'} {one_line(proposal.path)}, in {one_line(proposal.project)}")
    for test in related_tests(proposal.project, proposal.path)[:MAX_TESTS]:
        print(f"note: tested by {one_line(test.path)} ({test.why})")
    print_diff(proposal.diff, proposal.path)
    return 0


def _show_in_full(question: Question) -> None:
    out = console()
    out.print(visible(question.text, newlines=True), style="bold")
    if question.said:
        out.print(f"the agent says: “{one_line(question.said, 500)}”", style="dim")
    out.print(f"\n{visible(question.agent)}, session {visible(question.session)[:16]}, in {visible(question.cwd)}")
    out.print(f"asked because {visible(question.why)}")
    for line in question.lines:
        mark = MARKS.get(line.decision, "?")
        out.print(f"  {mark} {line.kind} {visible(line.text)}   [{visible(line.origin)}]")
    for note in question.notes:
        out.print(f"note: {visible(note)}")
    if question.diff:
        out.print("")
        print_diff(question.diff, question.text)
    if question.flagged:
        out.print(FLAGGED, style="bold red")
    if question.danger:
        out.print(f"DANGER: {visible(question.danger)}", style="bold red")
    _show_choices(out, question)


def _show_choices(out: Console, question: Question) -> None:
    out.print("")
    for choice in question.choices:
        words = f"no: {choice.refused}" if choice.refused else choice.scope
        out.print(f"{OPTIONS[choice.duration]:12} {visible(words)}")
        for line in choice.entry.splitlines():
            out.print(f"{'':13}{visible(line)}", style="dim")
        for text in choice.also if choice.duration == Duration.SESSION else ():
            out.print(f"{'':13}would also have allowed {one_line(text, 160)}", style="dim")
    if question.can_widen():
        out.print("\nscopes for --session, --for and --permanent, narrowest first (--scope N):")
    for number, choices in enumerate(question.steps if question.can_widen() else (), 1):
        session = next((c.scope for c in choices if c.duration == Duration.SESSION), "")
        shown_now = "  (shown above)" if number - 1 == question.step else ""
        out.print(f"{number:4} {visible(session)}{shown_now}")
