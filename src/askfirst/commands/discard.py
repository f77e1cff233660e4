"""`askfirst discard ID…`: drop proposals; their files are not touched."""

from __future__ import annotations

import argparse

from askfirst import proposals
from askfirst.cli import proposing
from askfirst.store import proposal_files

EXAMPLES = """examples:
  askfirst discard 7f3a
  askfirst discard --batch rename
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    proposing.add_choice(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per proposal")


def run(args: argparse.Namespace) -> int:
    return proposing.with_json_errors(args, "fs.discard", "", lambda: _discard(args))


def _discard(args: argparse.Namespace) -> int:
    for proposal in proposing.chosen(args):
        gone = proposal_files.discard(proposal)
        data = {"path": gone.path, "hitl_id": gone.id}
        head = proposals.record("denied", "discard", data)
        answer = proposals.response("denied", "fs.discard", gone.path, data=data, head=head)
        proposing.print_response(answer, args.json, f"discarded the proposal for {gone.path}; the file is unchanged")
    return 0
