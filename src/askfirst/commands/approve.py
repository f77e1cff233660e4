"""`askfirst approve`: allow a waiting request."""

from __future__ import annotations

import argparse
import sys
import time

from askfirst.cli.answering import answering_manager, for_each, just_shown, print_question, seconds_of, until_words
from askfirst.errors import AskfirstError, UsageError
from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.approval.manager import ApprovalManager
    from askfirst.approval.question import Question

EXAMPLES = """examples:
  askfirst approve 7f3a                 this one call
  askfirst approve 7f3a --session       and the like of it, until the agent's session ends
  askfirst approve 7f3a --for 2h        for two hours, across sessions
  askfirst approve 7f3a --permanent     for good: appends the shown entry to .askfirst/allowed_commands.yaml
  askfirst approve --all                everything that `askfirst pending` has just shown in this terminal
  askfirst approve 7f3a --keep          it came too late: allow one more try within ten minutes
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", help="ids as shown by `askfirst pending`, or the beginning of one")
    parser.add_argument("--all", action="store_true", help="what `askfirst pending` has just shown in this terminal")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--once", action="store_true", help="this one call (the default)")
    how.add_argument("--session", action="store_true", help="until the agent's session ends")
    how.add_argument("--permanent", action="store_true", help="for this project, in its rule file")
    how.add_argument("--for", dest="time", metavar="TIME", help="for a time: 30m, 2h, 1d")
    parser.add_argument("--widen", action="store_true", help="the wider scope that `askfirst pending ID` shows")
    parser.add_argument(
        "--keep", action="store_true", help="if it comes too late: keep it for one use within ten minutes"
    )


def run(args: argparse.Namespace) -> int:
    from askfirst.approval.person import require_person, who

    require_person("approve")
    if bool(args.id) == args.all:
        raise UsageError("name one or more ids, or --all; see `askfirst pending`")
    answer = wanted(args, who())
    manager = answering_manager()
    if args.all:
        return approve_shown(manager, answer)
    return for_each(args.id, "approve", lambda typed: approve(manager, typed, answer, keep=args.keep))


def wanted(args: argparse.Namespace, by: str) -> Answer:
    until = time.time() + seconds_of(args.time) if args.time is not None else 0.0
    duration = (
        Duration.SESSION
        if args.session
        else Duration.PERMANENT
        if args.permanent
        else Duration.TIMED
        if until
        else Duration.ONCE
    )
    return Answer(Decision.ALLOW, duration, by=by, until=until, widen=args.widen)


def approve(manager: ApprovalManager, typed: str, answer: Answer, *, keep: bool) -> int:
    from askfirst.approval.answers import AlreadyDecided

    try:
        question = manager.find(typed)
        print_question(question)
        manager.check(question, answer)  # before CONFIRM is asked for
        if question.confirm and not confirmed():
            print("not allowed: CONFIRM was not typed", file=sys.stderr)
            return 1
        done = manager.respond(question.id, answer.replace(digest=question.digest))
    except AlreadyDecided as error:
        if not error.is_late:
            raise
        return late(manager, typed, error, answer.by, keep=keep)
    print(receipt(question, done))
    return 0


def approve_shown(manager: ApprovalManager, answer: Answer) -> int:
    """Only what this person has just been shown, and nothing that wants CONFIRM."""
    shown = just_shown()
    if not shown:
        raise AskfirstError("nothing was shown here in the last five minutes; run `askfirst pending` first")
    failed = 0
    for question in manager.pending():
        if any(shown.get(waiting) != question.digest for waiting in question.ids):
            print(f"left waiting, it is new: {one_line(question.text, 100)}", file=sys.stderr)
        elif question.confirm:
            print(f"left waiting, it wants CONFIRM: {one_line(question.text, 100)}", file=sys.stderr)
            failed = 1
        else:
            try:
                print(receipt(question, manager.respond(question.id, answer.replace(digest=question.digest))))
            except AskfirstError as error:
                print(f"{one_line(question.text, 100)}: {error}", file=sys.stderr)
                failed = 1
    return failed


def late(manager: ApprovalManager, typed: str, error: AskfirstError, by: str, *, keep: bool) -> int:
    if not keep:
        more = f"the agent has moved on. To allow one more try within ten minutes: askfirst approve {typed} --keep"
        print(f"askfirst approve: {error}; {more}", file=sys.stderr)
        return 1
    question = manager.late(typed)
    print_question(question)
    if question.confirm and not confirmed():
        print("not kept: CONFIRM was not typed", file=sys.stderr)
        return 1
    manager.keep_late(question.id, by)
    print(f"kept: the same request passes once until {until_words(time.time() + 600)}: {one_line(question.text, 200)}")
    return 0


def confirmed() -> bool:
    """CONFIRM typed in full, on a line of its own, after what was typed ahead is thrown away."""
    import termios

    try:
        termios.tcflush(0, termios.TCIFLUSH)  # before the prompt: what a person types at the prompt counts
    except termios.error:
        return False
    sys.stderr.write("Type CONFIRM to allow it: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == "CONFIRM"


def receipt(question: Question, answer: Answer) -> str:
    named = {"once": "once", "session": "for its session", "permanent": "permanently"}
    words = named.get(answer.state) or f"until {until_words(answer.until)}"
    choice = question.choice(answer.duration)
    scope = (
        (choice.wide_scope if answer.widen else choice.scope) if choice is not None and answer.state != "once" else ""
    )
    lines = [
        f"allowed {words}: {one_line(question.text, 200)}" + (f"  (×{question.count})" if question.count > 1 else "")
    ]
    if scope:
        lines.append(f"  covers {visible(scope)}")
    if answer.reason:
        lines.append(f"  {visible(answer.reason, newlines=True)}")
    elif answer.state == "permanent" and choice is not None:
        lines.append(f"  stored in {visible(choice.file)}")
    return "\n".join(lines)
