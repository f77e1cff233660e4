"""`askfirst approve`: allow a waiting request."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

from askfirst.approval.answers import AlreadyDecided, Refused
from askfirst.approval.limits import LATE_S
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.person import require_person, who
from askfirst.approval.question import Question
from askfirst.cli.answering import MAX_LISTED, answering_manager, for_each, just_shown, print_question
from askfirst.cli.prompt import confirmed
from askfirst.cli.receipts import receipt
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import answers_for_team, team_manager
from askfirst.cli.times import clock_time, seconds_of
from askfirst.errors import AskfirstError, UsageError
from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible

NEW = "it is new"
EXAMPLES = """examples:
  askfirst approve 7f3a                 this one call
  askfirst approve 7f3a --session       what the request shows as its scope, until the agent's session ends
  askfirst approve 7f3a --for 2h        the same for two hours, across sessions
  askfirst approve 7f3a --permanent     for good: adds the entry shown to .askfirst/allowed_commands.yaml
  askfirst approve --all --session      everything that `askfirst pending` has just shown in this terminal in full,
                                        by its exact words; what needs CONFIRM or does not offer it keeps waiting
  askfirst approve 7f3a --keep          the request has expired: let the agent try once more within ten minutes
  askfirst approve 7f3a                 of a denied one: takes the no back, and the agent may try once more
`askfirst pending ID` shows the scope of each choice.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", help="an id that `askfirst pending` shows, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="what `askfirst pending` has just shown in this terminal")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--once", action="store_true", help="this one call (the default)")
    how.add_argument("--session", action="store_true", help="until the agent's session ends")
    how.add_argument("--permanent", action="store_true", help="for this project, in its rule file")
    how.add_argument("--for", dest="time", metavar="TIME", help="for a time: 30m, 2h, 1d")
    parser.add_argument("--widen", action="store_true", help="the next wider scope that `askfirst pending ID` shows")
    parser.add_argument(
        "--scope", type=int, metavar="N", help="scope number N of those that `askfirst pending ID` shows"
    )
    parser.add_argument("--keep", action="store_true", help="if it has expired: allow one more try within ten minutes")
    parser.add_argument(
        "--team", action="store_true", help=f"{TEAM_HELP} (also without it, where you have joined to answer)"
    )


def run(args: argparse.Namespace) -> int:
    require_person("approve")
    if bool(args.id) == args.all:
        raise UsageError("name one or more ids, or use --all; see `askfirst pending`")
    answer = _answer(args, who())
    manager = team_manager() if args.team or answers_for_team() else answering_manager()
    if args.all:
        return _approve_shown(manager, answer)
    return for_each(args.id, "approve", lambda typed: _approve(manager, typed, answer, args))


def _answer(args: argparse.Namespace, by: str) -> Answer:
    duration, until = Duration.ONCE, 0.0
    if args.session:
        duration = Duration.SESSION
    elif args.permanent:
        duration = Duration.PERMANENT
    elif args.time is not None:
        duration, until = Duration.TIMED, time.time() + seconds_of(args.time)
    return Answer(Decision.ALLOW, duration, by=by, until=until)


def _approve(manager: ApprovalManager, typed: str, answer: Answer, args: argparse.Namespace) -> int:
    try:
        question = manager.find(typed)
        answer = replace(answer, step=_step(question, args))
        question = question.at(answer.step)
        print_question(question)
        manager.check(question, answer)  # before CONFIRM is asked for
        if question.confirm and not confirmed():
            print("not allowed: CONFIRM was not typed", file=sys.stderr)
            return 1
        done = manager.respond(question.id, replace(answer, digest=question.digest))
    except AlreadyDecided as error:
        denied = error.answer.state == "denied" and error.answer.by != "rule"
        if not (denied or error.is_late):
            raise
        return _approve_late(manager, typed, error, answer, keep=args.keep or denied)
    print(receipt(question, done))
    return 0


def _step(question: Question, args: argparse.Namespace) -> int:
    """Which of the question's scopes is meant."""
    step = question.step + bool(args.widen) if args.scope is None else args.scope - 1
    if step == question.step or 0 <= step < len(question.steps):
        return step
    raise Refused("this cannot be widened" if args.widen else f"--scope: it has {len(question.steps)} scopes")


def _approve_shown(manager: ApprovalManager, answer: Answer) -> int:
    """Only what this person has just been shown, and nothing that needs CONFIRM."""
    shown = just_shown()
    if not shown:
        raise AskfirstError("--all: nothing was shown here in the last five minutes; run `askfirst pending` first")
    failed = 0
    for question in manager.pending():
        text = one_line(question.text, 100)
        why = _why_not(question, shown)
        if why:
            print(f"still waiting, because {why}: {text}", file=sys.stderr)
            failed |= why != NEW
            continue
        # The list shows the words and nothing wider, so nothing wider is remembered.
        narrow = question.at(0)
        given = replace(answer, step=narrow.step, digest=question.digest)
        try:
            print(receipt(narrow, manager.respond(question.id, given)))
        except AskfirstError as error:
            print(f"still waiting: {text}: {error}", file=sys.stderr)
            failed = 1
    return failed


def _why_not(question: Question, shown: dict[str, str]) -> str:
    if any(shown.get(waiting) != question.digest for waiting in question.ids):
        return NEW
    if question.confirm:
        return "it needs CONFIRM"
    is_whole = "\n" not in question.text and len(visible(question.text)) <= MAX_LISTED
    return (
        ""
        if is_whole and not question.change
        else f"the list does not show all of it (askfirst pending {question.id[:6]})"
    )


def _approve_late(manager: ApprovalManager, typed: str, error: AskfirstError, answer: Answer, *, keep: bool) -> int:
    """What was denied, or not answered in time: the agent has moved on, and may try again."""
    if answer.duration != Duration.ONCE:
        raise AskfirstError(f"{error}; to allow it from now on: askfirst remember {typed} --session")
    if not keep:
        again = f"to allow one more try within ten minutes: askfirst approve {typed} --keep"
        raise AskfirstError(f"{error}; the agent has moved on; {again}")
    question = manager.late(typed)
    print_question(question)
    if question.confirm and not confirmed():
        print("not kept: CONFIRM was not typed", file=sys.stderr)
        return 1
    manager.keep_late(question.id, answer.by)
    until = clock_time(time.time() + LATE_S)
    print(f"kept: the same request is allowed once until {until}: {one_line(question.text, 200)}")
    return 0
