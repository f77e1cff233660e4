"""`askfirst remember`: make an answer that was given once count for longer.

What is remembered is an offer of that very question (policy/offers.py): of the stored request, or, where that is gone,
of the question in the log, if its whole text stands there.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from typing import Any

from askfirst import jsontext
from askfirst.approval import codec
from askfirst.approval.answers import Refused
from askfirst.approval.identity import digest_of
from askfirst.approval.make_question import make_question_and_offers
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.person import require_person, user_name, who
from askfirst.audit.read import read_backwards
from askfirst.cli.answering import answering_manager, print_question
from askfirst.cli.prompt import confirmed
from askfirst.cli.receipts import receipt
from askfirst.cli.times import seconds_of
from askfirst.cli.where import is_here
from askfirst.errors import AskfirstError, UsageError
from askfirst.gate import judged
from askfirst.model import Answer, Decision, Duration, Request
from askfirst.store import clock
from askfirst.store.ids import UnknownId, normal
from askfirst.store.pending import Item
from askfirst.world import World

EXAMPLES = """examples:
  askfirst remember last --session      what you allowed last in this project, until the agent's session ends
  askfirst remember 7f3a --for 2h       for two hours, across sessions
  askfirst remember 7f3a --permanent    for good: adds the entry shown to .askfirst/allowed_commands.yaml
  askfirst remember 7f3a                shows what each choice would cover
It does not matter where the yes was given: in the agent's own dialog, in `askfirst watch`, on the page, in the shell.
"""
LAST = "last"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="the id of a request that was answered (`askfirst log --json`), or `last`")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--session", action="store_true", help="until the agent's session ends")
    how.add_argument("--permanent", action="store_true", help="for this project, in its rule file")
    how.add_argument("--for", dest="time", metavar="TIME", help="for a time: 30m, 2h, 1d")
    parser.add_argument(
        "--scope", type=int, metavar="N", help="scope number N of those that are shown without a choice"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    require_person("remember")
    manager = answering_manager()
    item = _item(manager, args.id)
    question = manager.asked_in(item)
    step = question.step if args.scope is None else args.scope - 1
    if not 0 <= step < max(1, len(question.steps)):
        raise UsageError(f"--scope: it has {len(question.steps)} scopes")
    question = question.at(step)
    answer = _answer(args, step)
    if answer is None:
        return _show(manager, item, as_json=args.json)
    manager.check(question, answer)  # before CONFIRM is asked for
    print_question(question)
    if question.confirm and not confirmed():
        print("not remembered: CONFIRM was not typed", file=sys.stderr)
        return 1
    done = manager.remember(item, replace(answer, digest=question.digest))
    if args.json:
        covers = question.choice(done.duration)
        told = {"id": item.id, "state": done.state, "text": question.text, "until": done.until, "reason": done.reason}
        print(jsontext.dumps({**told, "covers": covers.scope if covers is not None else ""}))
    else:
        print(receipt(question, done))
    return 0


def _answer(args: argparse.Namespace, step: int) -> Answer | None:
    by = who()
    if args.session:
        return Answer(Decision.ALLOW, Duration.SESSION, by=by, step=step)
    if args.permanent:
        return Answer(Decision.ALLOW, Duration.PERMANENT, by=by, step=step)
    if args.time is not None:
        return Answer(Decision.ALLOW, Duration.TIMED, by=by, step=step, until=time.time() + seconds_of(args.time))
    return None


def _show(manager: ApprovalManager, item: Item, *, as_json: bool) -> int:
    """What could be remembered of it."""
    question = manager.asked_in(item)
    if as_json:
        print(jsontext.dumps(codec.question_to(question)))
        return 0
    print_question(question)
    options = {Duration.SESSION: "--session", Duration.TIMED: "--for 2h", Duration.PERMANENT: "--permanent"}
    for number, choices in enumerate(question.steps or (question.choices,), 1):
        for choice in choices:
            option = options.get(Duration(choice.duration), "")
            if option:
                covers = f"not offered: {choice.refused}" if choice.refused else choice.scope
                print(f"  {option:<12} --scope {number}  {covers}")
    return 0


def _item(manager: ApprovalManager, typed: str) -> Item:
    if normal(typed) == normal(LAST):
        found = manager.last_allowed(is_here)
        if found is None:
            raise AskfirstError("nothing was allowed in this project in the last hours; name the request by its id")
        return found
    try:
        return manager.answered(typed)
    except UnknownId:
        record = _question_record(typed)
        if record is None:
            raise
        return _from_log(record)


def _question_record(typed: str) -> dict[str, Any] | None:
    prefix = normal(typed)
    questions = (r for r in read_backwards() if r.get("kind") == "question")
    return next((r for r in questions if str(r.get("id", "")).startswith(prefix)), None)


def _from_log(record: dict[str, Any]) -> Item:
    """The same question, judged by the rules of this moment. The digest says that the log has its whole text."""
    names = ("agent", "session", "cwd", "project", "tool")
    agent, session, cwd, project, tool = (str(record.get(name, "")) for name in names)
    request = Request(agent, session, cwd, project, tool, {"command": str(record.get("text", ""))})
    if digest_of(request) != record.get("digest"):
        raise Refused("the log does not have the whole of this request any more: let the agent ask again")
    case = judged(request, World().layers(request))
    if case.verdict.decision != Decision.ASK:
        raise Refused(f"this is not asked any more: {case.verdict.reason}")
    name, now = str(record["id"]), clock.wall()
    question, found = make_question_and_offers(case, id=name, created=now, deadline=now, approver=user_name())
    return Item(name, case.digest, now, now, 0.0, "", codec.body_to(case, question, found))
