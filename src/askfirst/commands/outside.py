"""`askfirst outside -- CMD`: how an agent asks for a command to run as it is, after it failed contained. The hook reads
the line before it runs (outside.py); whoever gets here stands before no gate."""

from __future__ import annotations

import argparse

from askfirst.errors import UsageError

EXAMPLES = """examples:
  askfirst outside -- npm test                in an agent's shell: a person is asked about `npm test`, not contained
  askfirst outside -- 'cd web && npm test'    several commands, in quotes

A command that runs contained has no network and sees nothing but the project. Where it failed for want of something
else, its agent asks with this line. A yes runs the command itself, and is remembered like any other.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the command, as it is to run")


def run(args: argparse.Namespace) -> int:
    raise UsageError(
        "outside: this line is for an agent's shell, where the gate reads it; in your own, run the command itself"
    )
