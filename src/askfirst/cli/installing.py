"""What `init` and `uninstall` share: which agent is meant, and which of its settings files."""

from __future__ import annotations

import argparse

from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.errors import UsageError
from askfirst.install.installer import installer_of


def add_scope(parser: argparse.ArgumentParser, which: str) -> None:
    parser.add_argument("--agent", default=DEFAULT, choices=AGENTS, help=f"{which} (default: {DEFAULT})")
    scope = parser.add_mutually_exclusive_group()
    for name, text in (
        ("user", "all projects of this user"),
        ("project", "this project, for everyone who works in it"),
        ("local", "this project, on this machine only (the default for agents that have it)"),
    ):
        scope.add_argument(f"--{name}", dest="scope", action="store_const", const=name, help=text)
    parser.add_argument(
        "--dir", default=".", metavar="PROJECT", help="the project's directory (default: the current one)"
    )


def chosen_scope(args: argparse.Namespace) -> str:
    agent = installer_of(args.agent)
    scope = args.scope or next(s for s in ("local", "project", "user") if s in agent.scopes)
    if scope not in agent.scopes:
        raise UsageError(f"{agent.title} has no --{scope}; it has {', '.join('--' + s for s in agent.scopes)}")
    return str(scope)
