"""`askfirst hook`: arguments and help only. The work is in askfirst/hook.py, which is entered without this module."""

from __future__ import annotations

import argparse

from askfirst.agents.table import AGENTS, DEFAULT

EXAMPLES = """\
An agent calls this before it uses a tool; `askfirst init` registers it. By hand:
  echo '{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/tmp",
         "tool_name": "Bash", "tool_input": {"command": "ls"}}' | askfirst hook

It answers with exactly one JSON object on stdout, or with exit code 2 when even that is impossible. Register it as
`… || exit 2`: an agent runs the command when it finds no gate, or a crashed one.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default=DEFAULT, choices=AGENTS, help=f"the agent that calls (default: {DEFAULT})")
    parser.add_argument(
        "--deadline",
        type=float,
        metavar="SECONDS",
        help="answer by then, whatever happens; must lie inside the agent's own timeout",
    )


def run(args: argparse.Namespace) -> int:
    from askfirst.hook import main

    words = ["--agent", args.agent]
    if args.deadline is not None:
        words += ["--deadline", str(args.deadline)]
    return main(words)
