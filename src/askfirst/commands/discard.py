"""`askfirst discard ID…`: throw proposals away."""

from __future__ import annotations

import argparse

from askfirst import proposals
from askfirst.cli import proposing
from askfirst.commands.apply import chosen
from askfirst.store import proposal_files

EXAMPLES = """examples:
  askfirst discard 7f3a
  askfirst discard --batch rename
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="the beginning of a proposal's id")
    parser.add_argument("--batch", default="", metavar="NAME", help="all waiting proposals of this batch")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    return proposing.answered(args, "fs.discard", "", lambda: _discard(args))


def _discard(args: argparse.Namespace) -> int:
    for proposal in chosen(args):
        gone = proposal_files.discard(proposal)
        head = proposals.record("denied", "discard", {"path": gone.path, "hitl_id": gone.id})
        answer = proposals.response(
            "denied", "fs.discard", gone.path, data={"path": gone.path, "hitl_id": gone.id}, head=head
        )
        proposing.show(answer, args.json, f"discarded the proposal for {gone.path}; the file was not touched")
    return 0
