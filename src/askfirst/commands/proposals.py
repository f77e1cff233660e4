"""`askfirst proposals`: what was proposed and waits; with an id, one proposal and its diff."""

from __future__ import annotations

import argparse
import sys

from askfirst import jsontext, proposals
from askfirst.cli import proposing
from askfirst.cli.printing import plain_table
from askfirst.store import clock, ids, proposal_files
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst proposals            what waits
  askfirst proposals 7f3a       one of them, with its diff
  askfirst proposals --all      also what was applied, undone or discarded
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="a proposal's id, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="also those that no longer wait")
    parser.add_argument("--json", action="store_true", help="print one JSON list; with an id, one JSON object")


def run(args: argparse.Namespace) -> int:
    with proposal_files.locked():
        proposal_files.recover()
    if args.id:
        return _show_one(args)
    odd: list[str] = []
    found = proposal_files.everything(odd)
    for why in odd:
        print(f"askfirst proposals: {why}", file=sys.stderr)
    if not args.all:
        found = tuple(p for p in found if proposal_files.is_waiting(p))
    if args.json:
        print(jsontext.dumps([_plain(p) for p in found]))
    elif found:
        _show_table(found)
    else:
        print("no proposals" if args.all else "no proposal waits")
    return 0


def _show_table(found: tuple[proposal_files.Proposal, ...]) -> None:
    table = plain_table("id", "path", "change", "state", "batch", "session")
    known = [p.id for p in found]
    for p in found:
        change = "CREATE" if p.created else "MODIFY"
        row = (ids.shown(p.id, known), p.path, change, _state(p), p.batch, p.session[:12])
        table.add_row(*(one_line(cell, 80) for cell in row))
    console().print(table)


def _show_one(args: argparse.Namespace) -> int:
    proposal = proposal_files.find(args.id)
    if args.json:
        print(jsontext.dumps({**_plain(proposal), "diff": proposal.diff}))
        return 0
    print(f"{proposal.id}  {one_line(proposal.path)}  {_state(proposal)}")
    proposing.print_diff(proposal.diff, proposal.path)
    return 0


def _state(proposal: proposal_files.Proposal) -> str:
    if proposal.state != proposal_files.PENDING:
        return proposal.state
    if proposal.is_expired():
        return "expired"
    return f"waits, {max(0, int(proposal.steady_expiry - clock.steady()))} s left"


def _plain(proposal: proposal_files.Proposal) -> dict[str, object]:
    return {
        "hitl_id": proposal.id,
        "state": "expired" if proposal.is_expired() else proposal.state,
        **proposals.data_of(proposal),
        "created_at": proposal.created_at,
        "expires_at": proposal.expires_at,
        "project": proposal.project,
        "batch": proposal.batch,
        "tool_call_id": proposal.tool_call_id,
        "session": proposal.session,
    }
