"""The command lines that agents' settings hold: the gate, and the MCP server.

Files of one machine name the interpreter. Files that a team shares hold the lines of agents/launcher.sh, which look for
the program: one person's interpreter is a path that the next one does not have. They stand in the settings and not in a
script beside them, because a change of settings in mid-session is held up by the gate's ConfigChange hook, and a change
of a script is not (`git checkout` is enough).
"""

from __future__ import annotations

import os
import sys
from shlex import join

import askfirst
from askfirst.agents.registered import portable_words
from askfirst.agents.table import DEFAULT
from askfirst.resident.build import client_path

LAUNCHER = os.path.join(os.path.dirname(os.path.abspath(askfirst.__file__)), "launch.py")


def gate_words(agent: str, scope: str = "") -> list[str]:
    """The fast client, where one was built; else the absolute, isolated interpreter and the launcher. In the files of
    the scope `project`, nothing of this machine."""
    if scope == "project":
        return portable_words("hook", *_agent_words(agent))
    fast = client_path()
    if fast:
        return [fast, "hook", *_agent_words(agent)]
    return [sys.executable, "-I", "-S", LAUNCHER, "hook", *_agent_words(agent)]


def gate_command(agent: str, scope: str = "") -> str:
    """The same, as a shell reads it."""
    return join(gate_words(agent, scope))


def mcp_words(scope: str = "") -> list[str]:
    if scope == "project":
        return portable_words("mcp")
    return [sys.executable, "-I", LAUNCHER, "mcp"]


def init_command(agent: str, scope: str = "") -> str:
    """What a person types to register the gate again."""
    return " ".join(["askfirst", "init", *_agent_words(agent), *([f"--{scope}"] if scope else [])])


def _agent_words(agent: str) -> list[str]:
    return [] if agent == DEFAULT else ["--agent", agent]
