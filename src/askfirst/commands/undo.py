"""`askfirst undo ID`: restore what an applied proposal replaced, if nothing changed since."""

from __future__ import annotations

import argparse
import sys

from askfirst import jsontext, proposals
from askfirst.cli import proposing
from askfirst.store import proposal_files

EXAMPLES = """examples:
  askfirst undo 7f3a            put back what was there; a file that was created is removed
  askfirst proposals --all      shows what was applied
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the beginning of an applied proposal's id")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    return proposing.answered(args, "fs.undo", "", lambda: _undo(args))


def _undo(args: argparse.Namespace) -> int:
    from askfirst.approval.person import require_person, who

    require_person("undo")
    proposal = proposal_files.find(args.id)
    try:
        done, head = proposal_files.undo(proposal, check=lambda p: proposals.refusal(p, None), by=who("undo"))
    except proposal_files.NotApplied as error:
        why = str(error)
        head = proposals.record("denied", "undo", {"path": proposal.path, "hitl_id": proposal.id, "why": why})
        error_fields = {"code": "Denied", "message": why, "suggestion": ""}
        answer = proposals.response("denied", "fs.undo", proposal.path, error=error_fields, head=head)
        print(
            jsontext.dumps(answer) if args.json else f"askfirst undo: {why}",
            file=sys.stdout if args.json else sys.stderr,
        )
        return 1
    data = {
        "path": done.path,
        "before_hash": proposals.prefixed(done.new_hash),
        "after_hash": proposals.prefixed(done.base_hash),
        "hitl_id": done.id,
    }
    answer = proposals.response("allowed", "fs.undo", done.path, data=data, head=head)
    proposing.show(answer, args.json, f"undone: {done.path} is {'gone again' if done.created else 'as it was before'}")
    return 0
