"""`askfirst hook`: arguments and help only. The work is in askfirst/hook.py, which is entered without this module."""

from __future__ import annotations

import argparse

from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.hook import main

EXAMPLES = """\
An agent calls this before it uses a tool; `askfirst init` registers it. To try it by hand:
  echo '{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/tmp", "tool_name": "Bash",
         "tool_input": {"command": "ls"}}' | askfirst hook

It prints exactly one JSON object; the exit code is 2 when even that is impossible. Register it as `… || exit 2`:
an agent that finds no gate, or a crashed one, runs the command.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default=DEFAULT, choices=AGENTS, help=f"the agent that calls (default: {DEFAULT})")
    parser.add_argument(
        "--deadline",
        type=float,
        metavar="SECONDS",
        help="answer within this time, whatever happens; must be shorter than the agent's own timeout",
    )


def run(args: argparse.Namespace) -> int:
    words = ["--agent", args.agent]
    if args.deadline is not None:
        words += ["--deadline", str(args.deadline)]
    return main(words)
