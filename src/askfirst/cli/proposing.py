"""What the commands around proposals share: which proposals are meant, and how they answer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any

from askfirst import jsontext
from askfirst.agents.project import project_of
from askfirst.errors import AskfirstError, UsageError
from askfirst.proposals import record, response
from askfirst.store import proposal_files
from askfirst.text import console, visible
from askfirst.tui.diff import diff_lines


def project_and_cwd() -> tuple[str, str]:
    """The project and the directory that this command was started in."""
    cwd = os.getcwd()
    return project_of(cwd, os.environ.get("CLAUDE_PROJECT_DIR", "")), cwd


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Which proposals: ids, or a batch."""
    parser.add_argument("ids", nargs="*", metavar="ID", help="a proposal's id, or the beginning of it")
    parser.add_argument("--batch", default="", metavar="NAME", help="all waiting proposals of this batch")


def chosen(args: argparse.Namespace) -> list[proposal_files.Proposal]:
    """The proposals that the ids and the batch of `add_choice` name, each once."""
    wanted = {p.id: p for p in map(proposal_files.find, args.ids)}
    if args.batch:
        wanted |= {p.id: p for p in proposal_files.waiting() if p.batch == args.batch and p.id not in wanted}
    if not wanted:
        nothing = f"no proposal of batch `{args.batch}` waits" if args.batch else "name a proposal or a batch"
        raise UsageError(f"{nothing}; see `askfirst proposals`")
    return list(wanted.values())


def with_json_errors(args: argparse.Namespace, method: str, path: str, work: Callable[[], int]) -> int:
    """Run a command. With --json, a failure is a response with status `error` too, and the exit code says so."""
    try:
        return work()
    except AskfirstError as error:
        if not args.json:
            raise
        fields = {"code": type(error).__name__, "message": str(error), "suggestion": ""}
        print(jsontext.dumps(response("error", method, path, error=fields)))
        return error.exit_code


def print_response(answer: dict[str, Any], as_json: bool, text: str) -> None:
    print(jsontext.dumps(answer) if as_json else visible(text, newlines=True))


def refuse(command: str, proposal: proposal_files.Proposal, why: str, *, suggestion: str, as_json: bool) -> None:
    """Record and say that a proposal was not applied, or not undone."""
    # `why` names the path for people; the record has a field for it.
    fields = {"path": proposal.path, "hitl_id": proposal.id, "why": why.removeprefix(f"{proposal.path}: ")}
    head = record("denied", command, fields)
    if as_json:
        error = {"code": "Denied", "message": why, "suggestion": suggestion}
        method = {"apply": "fs.apply_patch", "undo": "fs.undo"}[command]
        print(jsontext.dumps(response("denied", method, proposal.path, error=error, head=head)))
    else:
        print(f"askfirst {command}: {why}", file=sys.stderr)


def print_diff(diff: str, path: str) -> int:
    """As the dialog draws it on a terminal; elsewhere as `patch` reads it. Gives the number of rows."""
    out = console()
    if not out.is_terminal:
        lines = [visible(line, tabs=True) for line in diff.splitlines()]
        print("\n".join(lines))
        return len(lines)
    rows = diff_lines(diff, path, out.width)
    for row in rows:
        out.print(row)
    return len(rows)
