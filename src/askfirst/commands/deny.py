"""`askfirst deny`: refuse a waiting request."""

from __future__ import annotations

import argparse

from askfirst.cli.answering import answering_manager, for_each
from askfirst.model import Answer, Decision
from askfirst.text import one_line

EXAMPLES = """examples:
  askfirst deny 7f3a
  askfirst deny 7f3a --reason "use the staging cluster"     the agent is told
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="+", help="ids as shown by `askfirst pending`, or the beginning of one")
    parser.add_argument("--reason", default="", metavar="TEXT", help="goes to the agent")


def run(args: argparse.Namespace) -> int:
    from askfirst.approval.person import require_person, who

    require_person("deny")
    manager = answering_manager()

    def deny(typed: str) -> int:
        question = manager.find(typed)
        manager.respond(question.id, Answer(Decision.DENY, reason=args.reason, by=who(), digest=question.digest))
        times = f"  (×{question.count})" if question.count > 1 else ""
        print(f"denied: {one_line(question.text, 200)}{times}; the same again in its session is denied without asking")
        return 0

    return for_each(args.id, "deny", deny)
