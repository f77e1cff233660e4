"""`askfirst deny`: deny a waiting request."""

from __future__ import annotations

import argparse

from askfirst.approval.person import require_person, who
from askfirst.cli.answering import answering_manager, for_each
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import answers_for_team, team_manager
from askfirst.model import Answer, Decision
from askfirst.text import one_line

EXAMPLES = """examples:
  askfirst deny 7f3a
  askfirst deny 7f3a --reason "use the staging cluster"     tells the agent why
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="+", help="an id that `askfirst pending` shows, or the beginning of it")
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

    return for_each(args.id, "deny", deny)
