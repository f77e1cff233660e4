"""The table of commands.

To add a command: write `askfirst/commands/NAME.py` with `EXAMPLES`, `add_arguments` and `run`, and add its row here.
Its imports all go to the top of its file: the module is loaded only when that command runs. Commands do not import each
other: what several of them share lives in `askfirst/cli`, and what is not about the command line lives a tier below.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Protocol, cast

# Title of a group -> command -> one line of help, in the order of `askfirst --help`.
GROUPS = {
    "start": {
        "demo": "try the gate with a scripted agent; nothing is executed",
        "init": "install the gate into an agent and write the project's rule file",
        "observe": "see what the gate would have decided, and switch to enforcing",
        "doctor": "check the installation; each finding says what to do",
        "uninstall": "undo `init` exactly",
    },
    "answer": {
        "watch": "answer requests in this terminal",
        "serve": "answer requests on a local page",
        "pending": "list the requests that wait for an answer",
        "approve": "allow a waiting request",
        "deny": "deny a waiting request",
        "pause": "deny every call of every agent for a while",
        "resume": "end a pause",
        "status": "show approvers, waiting requests, pause, alerts, grants and the log's head",
    },
    "a team": {
        "team": "let a team answer, through a PostgreSQL database",
    },
    "rules": {
        "explain": "show what would happen to a command, and why",
        "allowed": "list the rules in force, with their source",
        "check": "validate the rule files and run their examples",
        "migrate": "write a rule file of version 1 as version 2",
        "trust": "review a project's rule file and let it count",
        "grants": "list what people have allowed and denied, and until when",
        "remember": "make a yes count for longer, also one in the agent's own dialog",
        "forget": "take back what was allowed or denied",
        "revoke": "the same as `forget`",
        "import": "take over the rules of AutoForge or Claude Code, each shown with what it becomes",
        "suggest": "suggest the rules that would have saved the most prompts",
        "replay": "judge a transcript or a log by the current rules",
    },
    "contained commands": {
        "box": "what runs contained: list it, stop it, reach a server in it",
    },
    "proposed file changes": {
        "propose": "propose a file's new content",
        "proposals": "list the proposals that wait",
        "apply": "apply a proposal, or what a contained run was kept from writing, once",
        "discard": "discard a proposal",
        "undo": "restore what an applied proposal, or a contained run, replaced",
    },
    "audit log": {
        "log": "read the audit log, one row per call",
        "session": "show one session on one page: what it ran, asked, changed and was denied",
        "audit": "verify, repair or export the audit log",
        "alerts": "list or clear the sessions flagged for review",
        "flow": "list or clear what sessions have seen: strangers' text, secrets, private data",
        "stats": "count prompts, decisions and slow hooks",
    },
    "agents, editors and shells": {
        "outside": "ask, as an agent, to run a command uncontained",
        "resident": "the warm process that judges calls quickly: status, start, stop, build",
        "hook": "judge one tool call of an agent: JSON in, JSON out",
        "mcp": "give an agent tools for files, tests, git and questions, as an MCP server on stdio",
        "statusline": "print one line for the client's status line",
        "schema": "print the JSON Schema of a rule file, for editors",
        "completion": "print the completion script for bash, zsh or fish",
    },
}
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}


class CommandModule(Protocol):
    """What a module in `askfirst/commands` has."""

    EXAMPLES: str  # shown below `askfirst NAME --help`

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int:
        """The exit code: 0 yes, 1 no or not found, 2 wrong use. An AskfirstError brings its own."""


def load_command(name: str) -> CommandModule:
    return cast(CommandModule, import_module(f"askfirst.commands.{name}"))


def command_list() -> str:
    """The commands by group, for `askfirst --help`."""
    width = max(map(len, COMMANDS))
    lines: list[str] = []
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<{width}}  {summary}" for name, summary in group.items())]
    return "\n".join(lines)
