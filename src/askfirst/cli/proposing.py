"""What the commands around proposals share: where they were started, and how they answer."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from askfirst import jsontext
from askfirst.agents.project import project_of
from askfirst.errors import AskfirstError
from askfirst.proposals import response
from askfirst.text import console, visible
from askfirst.tui.diff import diff_lines


def here() -> tuple[str, str]:
    """The project and the directory this command was started in."""
    cwd = os.getcwd()
    return project_of(cwd, os.environ.get("CLAUDE_PROJECT_DIR", "")), cwd


def answered(args: argparse.Namespace, method: str, path: str, work: Callable[[], int]) -> int:
    """Run a command. With --json, what goes wrong is a response with status `error` too, and the exit code says so."""
    try:
        return work()
    except AskfirstError as error:
        if not args.json:
            raise
        fields = {"code": type(error).__name__, "message": str(error), "suggestion": ""}
        print(jsontext.dumps(response("error", method, path, error=fields)))
        return error.exit_code


def show(answer: dict[str, Any], as_json: bool, text: str) -> None:
    print(jsontext.dumps(answer) if as_json else visible(text, newlines=True))


def print_diff(diff: str, path: str) -> int:
    """As the dialog draws it on a terminal; elsewhere as `patch` reads it. How many rows that were."""
    out = console()
    if not out.is_terminal:
        lines = [visible(line, tabs=True) for line in diff.splitlines()]
        print("\n".join(lines))
        return len(lines)
    rows = diff_lines(diff, path, out.width)
    for row in rows:
        out.print(row)
    return len(rows)
