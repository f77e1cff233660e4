"""`askfirst undo ID`: restore what an applied proposal or a contained run replaced, if it has not changed since."""

from __future__ import annotations

import argparse

from askfirst import proposals
from askfirst.approval.person import require_person, who
from askfirst.cli import contained_runs, proposing
from askfirst.store import ids, proposal_files

EXAMPLES = """examples:
  askfirst undo 7f3a            put back what was there; remove a file that was created
  askfirst proposals --all      shows what was applied
  askfirst box list             shows what ran contained: `undo` takes a whole run back
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="the id of an applied proposal, or of a contained run, or its beginning"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    return proposing.with_json_errors(args, "fs.undo", "", lambda: _undo(args))


def _undo(args: argparse.Namespace) -> int:
    require_person("undo")
    try:
        proposal = proposal_files.find(args.id)
    except ids.UnknownId:
        return contained_runs.undo(args.id, as_json=args.json)
    try:
        done, head = proposal_files.undo(proposal, check=lambda p: proposals.refusal(p, None), by=who("undo"))
    except proposal_files.NotApplied as error:
        proposing.refuse("undo", proposal, str(error), suggestion="", as_json=args.json)
        return 1
    data = {
        "path": done.path,
        "before_hash": proposals.prefixed(done.new_hash),
        "after_hash": proposals.prefixed(done.base_hash),
        "hitl_id": done.id,
    }
    answer = proposals.response("allowed", "fs.undo", done.path, data=data, head=head)
    now = "is gone again" if done.created else "is as it was before"
    proposing.print_response(answer, args.json, f"undone: {done.path} {now}")
    return 0
