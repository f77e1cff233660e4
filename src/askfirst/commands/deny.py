"""`askfirst deny`: deny a waiting request."""

from __future__ import annotations

import argparse

from askfirst.approval.person import require_person, who
from askfirst.cli.answering import answering_manager, for_each
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import answers_for_team, team_manager
from askfirst.errors import UsageError
from askfirst.model import Answer, Decision
from askfirst.text import one_line

EXAMPLES = """examples:
  askfirst deny 7f3a
  askfirst deny 7f3a --reason "use the staging cluster"     tells the agent why
  askfirst deny --all                                       everything that waits
  askfirst deny --all --session k7m2                        everything of one session
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", help="an id that `askfirst pending` shows, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="everything that waits at this moment")
    parser.add_argument("--session", default="", metavar="ID", help="with --all: only this session's")
    parser.add_argument("--reason", default="", metavar="TEXT", help="tell the agent why")
    parser.add_argument(
        "--team", action="store_true", help=f"{TEAM_HELP} (also without it, where you have joined to answer)"
    )


def run(args: argparse.Namespace) -> int:
    require_person("deny")
    manager = team_manager() if args.team or answers_for_team() else answering_manager()

    def deny(typed: str) -> int:
        question = manager.find(typed)
        manager.respond(question.id, Answer(Decision.DENY, reason=args.reason, by=who(), digest=question.digest))
        times = f"  (×{question.count})" if question.count > 1 else ""
        print(
            f"denied: {one_line(question.text, 200)}{times}; in this session the same call is now denied without asking"
        )
        return 0

    if bool(args.id) == args.all:
        raise UsageError("name one or more ids, or use --all; see `askfirst pending`")
    # Captured once: what comes while this runs has not been thought about.
    ids = [q.id for q in manager.pending() if q.session.startswith(args.session)] if args.all else args.id
    if not ids:
        print("nothing waits")
        return 0
    return for_each(ids, "deny", deny)
