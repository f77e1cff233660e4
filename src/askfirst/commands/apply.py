"""`askfirst apply ID…`: a person applies proposals, all or none, once."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

from askfirst import proposals
from askfirst.approval.person import require_person, who
from askfirst.cli import contained_runs, proposing
from askfirst.cli.prompt import drop_typed_ahead, typed_line
from askfirst.errors import UsageError
from askfirst.files.change import text_of
from askfirst.files.content import look_at
from askfirst.files.merge import choose_line, numbered
from askfirst.files.show import shown
from askfirst.model import Decision, Write
from askfirst.redact import redact
from askfirst.store import ids, proposal_files
from askfirst.text import one_line, visible

EXAMPLES = """examples:
  askfirst apply 7f3a                          show the diff, ask, write
  askfirst apply 7f3a 91bc                     both or none
  askfirst apply 7f3a --path src/app.py        only if it is for this file
  askfirst apply 3k9d                          what a contained run was kept from writing (see `askfirst box list`)
  askfirst apply --batch rename                every waiting proposal of that batch
  askfirst apply 7f3a --strategy append        keep what is there, add the new content at the end
  askfirst apply 7f3a --strategy insert --line 40
  askfirst apply 7f3a --strategy extend        only add new Python functions, methods and classes
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    proposing.add_choice(parser)
    parser.add_argument("--path", default="", help="refuse unless the proposal is for this file")
    parser.add_argument(
        "--strategy",
        choices=("replace", "append", "insert", "extend"),
        default="replace",
        help="how to combine the new content with the old (default: replace)",
    )
    parser.add_argument("--line", type=int, metavar="N", help="with insert: after line N (0: at the top)")
    parser.add_argument("--yes", action="store_true", help="write at once: no diff, no question")
    parser.add_argument("--json", action="store_true", help="print one JSON object per proposal")


def run(args: argparse.Namespace) -> int:
    return proposing.with_json_errors(args, "fs.apply_patch", args.path, lambda: _apply(args))


def _apply(args: argparse.Namespace) -> int:
    require_person("apply")
    try:
        return _apply_proposals(args, proposing.chosen(args))
    except ids.UnknownId:
        if len(args.ids) != 1 or args.batch or args.strategy != "replace":
            raise
        return contained_runs.apply(args.ids[0], yes=args.yes, as_json=args.json)


def _apply_proposals(args: argparse.Namespace, wanted: list[proposal_files.Proposal]) -> int:
    other = [p for p in wanted if not _is_named(p, args.path)]
    if other:
        return _refused(args, [(p, f"{p.path}: is not `{args.path}`; nothing was written") for p in other])
    if args.strategy != "replace" and len(wanted) > 1:
        raise UsageError("--strategy: merge one proposal at a time")
    try:
        # Where a program reads the answer, the person reads the question on the other stream.
        with redirect_stdout(sys.stderr if args.json else sys.stdout):
            contents, warnings = _merged(args, wanted)
            agreed = args.yes or _confirmed(wanted, contents, warnings)
        if not agreed:
            return _refused(args, [(p, f"{p.path}: you said no; nothing was written") for p in wanted])
        done, head = proposal_files.apply(
            wanted, check=lambda p: proposals.refusal(p, contents.get(p.id)), by=who("apply"), contents=contents
        )
    except proposal_files.NotApplied as error:
        return _refused(args, error.problems)
    for proposal in done:
        _report(args, proposal, head)
    return 0


def _report(args: argparse.Namespace, done: proposal_files.Proposal, head: str) -> None:
    data = {
        "path": done.path,
        "created": done.created,
        "before_hash": proposals.prefixed(done.base_hash),
        "after_hash": proposals.prefixed(done.new_hash),
        "hitl_id": done.id,
    }
    answer = proposals.response("allowed", "fs.apply_patch", done.path, data=data, head=head)
    proposing.print_response(answer, args.json, f"applied {done.path}; to undo it: askfirst undo {done.id[:6]}")


def _is_named(proposal: proposal_files.Proposal, path: str) -> bool:
    return not path or os.path.realpath(path) == proposal.full_path or path == proposal.path


def _merged(args: argparse.Namespace, wanted: Sequence[proposal_files.Proposal]) -> tuple[dict[str, bytes], list[str]]:
    """The contents to write, by id, and a merge's warnings. It starts from what the proposal was made against."""
    contents: dict[str, bytes] = {}
    warnings: list[str] = []
    for p in wanted:
        if p.state != proposal_files.PENDING or p.is_expired():
            raise proposal_files.NotApplied([(p, proposal_files.problem_with(p, lambda _: ""))])
        contents[p.id] = proposal_files.new_content(p)
        if args.strategy != "replace":
            contents[p.id], warning = _merge_one(args, p, contents[p.id])
            warnings += [warning] if warning else []
    for warning in warnings if args.yes else ():
        print(f"askfirst apply: {warning}", file=sys.stderr)
    return contents, warnings


def _merge_one(args: argparse.Namespace, proposal: proposal_files.Proposal, new: bytes) -> tuple[bytes, str]:
    old, line = look_at(proposal.full_path).data, args.line
    if args.strategy == "insert" and line is None and old is not None:
        rows = numbered(redact(text_of(old), keep_lines=True))
        print("\n".join(visible(r, tabs=True) for r in rows))
        line = choose_line(typed_line, len(rows))
    return proposals.merged_content(proposal, new, args.strategy, line)


def _confirmed(wanted: Sequence[proposal_files.Proposal], contents: dict[str, bytes], warnings: list[str]) -> bool:
    """Show what goes and what comes, then ask. Above the question of a long diff, what goes is said once more."""
    size = shutil.get_terminal_size()
    said = [f"NOTE {warning}" for warning in warnings]
    _print(said)
    rows = len(said)
    for p in wanted:
        case = proposals.judged(p.project, p.path, p.full_path, contents[p.id], session=p.session)
        (write,) = (f for f in case.facts if isinstance(f, Write))
        seen = shown(write, p.project, proposals.progress)
        head = [f"{'CREATE' if p.created else seen.change} {p.path}", *_losses(seen.deleted)]
        head += [case.verdict.reason] if case.verdict.decision == Decision.ASK else []
        rows += _print(head) + proposing.print_diff(redact(seen.diff), p.path)
        said += head if len(wanted) == 1 else _losses(seen.deleted, f" of {p.path}")
    if rows >= size.lines - 1:
        room = size.lines - 4
        more = len(said) - room
        print()
        _print([f"{len(wanted)} files"] if len(wanted) > 1 else [])
        _print([*said[:room], *([f"… and {more} more like these"] if more > 0 else [])], size.columns - 1)
    return _yes("write this? [y/N] ")


def _losses(deleted: Sequence[str], of: str = "") -> list[str]:
    """What is deleted, on one line: how much, then the names."""
    if not deleted:
        return []
    *names, lines = deleted
    return [f"DELETES {lines}{of}{': ' if names else ''}{', '.join(names)}"]


def _print(rows: Sequence[str], max_columns: int = 2000) -> int:
    """One line each, cut; gives the rows of the terminal that they take."""
    cut = [one_line(redact(row), max_columns) for row in rows]
    for row in cut:
        print(row)
    return sum(1 + len(row) // shutil.get_terminal_size().columns for row in cut)


def _yes(prompt: str) -> bool:
    if sys.stdin.isatty():
        drop_typed_ahead()
    return (typed_line(prompt) or "").strip().lower() in ("y", "yes")


def _refused(args: argparse.Namespace, problems: Sequence[tuple[proposal_files.Proposal, str]]) -> int:
    for proposal, why in problems:
        proposing.refuse("apply", proposal, why, suggestion="propose again", as_json=args.json)
    return 1
