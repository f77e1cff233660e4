"""`askfirst propose PATH < content`: keeps a file's new content for a person to apply. Never writes the file."""

from __future__ import annotations

import argparse
import os
import sys

from askfirst import proposals
from askfirst.cli import proposing
from askfirst.errors import UsageError
from askfirst.files import real_path
from askfirst.model import Decision
from askfirst.redact import redact
from askfirst.store import proposal_files
from askfirst.store.layers import load_layers
from askfirst.text import visible

EXAMPLES = """examples:
  askfirst propose src/app.py < new_app.py
  askfirst propose docs/plan.md --ttl 600 --json < plan.md
  askfirst propose src/app.py --wait < new_app.py     ask a person now, and say what became of it
  askfirst propose a.py --batch rename < a.py.new; askfirst propose b.py --batch rename < b.py.new
then a person runs `askfirst pending` and `askfirst apply ID`; with --wait they are asked in `watch` and on the page

exit code: 0 proposed (with --wait: applied), 1 refused by a rule (with --wait: also by a person, or nobody answered)
"""

MAX_TTL_S = 86400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="the file, inside the project")
    parser.add_argument(
        "--ttl",
        type=int,
        default=int(proposal_files.TTL_S),
        metavar="SECONDS",
        help=f"how long it can be applied (default: {int(proposal_files.TTL_S)})",
    )
    parser.add_argument(
        "--wait", action="store_true", help="ask a person now, wait for the answer, and apply it after a yes"
    )
    parser.add_argument(
        "--batch", default="", metavar="NAME", help="the proposals of a batch are applied all or not at all"
    )
    parser.add_argument("--session", default="", metavar="ID", help="the agent's session, for the log")
    parser.add_argument("--tool-call", default="", metavar="ID", help="the agent's tool call, for the log")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    return proposing.with_json_errors(args, "fs.propose_patch", args.path, lambda: _propose(args))


def _propose(args: argparse.Namespace) -> int:
    if not 1 <= args.ttl <= MAX_TTL_S:
        raise UsageError(f"--ttl: {args.ttl} is not between 1 and {MAX_TTL_S} seconds")
    project, cwd = proposing.project_and_cwd()
    if sys.stdin.isatty():
        print("askfirst propose: type the new content; end it with Ctrl-D", file=sys.stderr)
    # One byte more than the limit is enough to know that it is too large.
    content = sys.stdin.buffer.read(load_layers(project).settings.writes.max_kib * 1024 + 1)
    path = real_path(args.path, cwd)
    if path is None or "\0" in args.path:
        raise UsageError(f"`{args.path!r}` is not a path")
    try:
        by = proposals.Proposer(args.session, args.tool_call, args.batch)
        proposal, verdict, head = proposals.propose(
            project, os.path.join(cwd, args.path), path, content, by, ttl_s=args.ttl
        )
    except proposals.Denied as denied:
        return _denied(args, denied)
    answer = proposals.response(
        "hitl_required",
        "fs.propose_patch",
        proposal.path,
        hitl=proposals.hitl_of(proposal),
        data=proposals.data_of(proposal),
        head=head,
    )
    short = proposal.id[:6]
    text = f"proposed {proposal.path} as {short}; within {args.ttl} s a person can run: askfirst apply {short}"
    if verdict.decision == Decision.ASK:
        text += f"\n  {verdict.reason}"
    if args.wait:
        return _wait(args, proposal, text)
    proposing.print_response(answer, args.json, text)
    return 0


def _wait(args: argparse.Namespace, proposal: proposal_files.Proposal, text: str) -> int:
    """The proposal is a question for as long as this runs; whoever gives up (Ctrl-C) leaves it for `askfirst apply`."""
    if not args.json:
        print(visible(text, newlines=True), file=sys.stderr, flush=True)
    said = proposals.ask(proposal, agent="propose", gone=lambda: False).reason
    current = proposal_files.load(proposal.id) or proposal
    state = "expired" if current.is_expired() else current.state
    applied = state == proposal_files.APPLIED
    data = {**proposals.data_of(current), "hitl_id": current.id, "state": state, "said": redact(said)}
    answer = proposals.response("allowed" if applied else "denied", "fs.apply_patch", current.path, data=data)
    words = f"{state}: {current.path}" + (f" ({redact(said)})" if said and not applied else "")
    proposing.print_response(answer, args.json, words)
    return 0 if applied else 1


def _denied(args: argparse.Namespace, denied: proposals.Denied) -> int:
    error = {"code": "Denied", "message": denied.reason, "suggestion": denied.advice}
    answer = proposals.response("denied", "fs.propose_patch", args.path, error=error, head=denied.head)
    way = f"; {denied.advice}" if denied.advice else ""
    place = "" if denied.reason.startswith(f"{args.path} ") else f"{args.path}: "
    proposing.print_response(answer, args.json, f"denied: {place}{denied.reason}{way}")
    return 1
