"""The command lines that agents' settings hold: the gate, and the MCP server."""

from __future__ import annotations

import os
import sys
from shlex import quote

import askfirst
from askfirst.agents.table import DEFAULT

LAUNCHER = os.path.join(os.path.dirname(os.path.abspath(askfirst.__file__)), "launch.py")


def gate_words(agent: str) -> list[str]:
    """The absolute, isolated interpreter and the launcher."""
    return [sys.executable, "-I", "-S", LAUNCHER, "hook", *_agent_words(agent)]


def gate_command(agent: str) -> str:
    """The same, as a shell reads it."""
    return " ".join(map(quote, gate_words(agent)))


def mcp_words() -> list[str]:
    return [sys.executable, "-I", LAUNCHER, "mcp"]


def init_command(agent: str, scope: str = "") -> str:
    """What a person types to register the gate again."""
    return " ".join(["askfirst", "init", *_agent_words(agent), *([f"--{scope}"] if scope else [])])


def _agent_words(agent: str) -> list[str]:
    return [] if agent == DEFAULT else ["--agent", agent]
