"""Cursor: `hooks.json`. Without `failClosed` a hook that fails lets the call run."""

from __future__ import annotations

import os

from askfirst.install import json_hooks
from askfirst.install.claude import Change

NAME = "Cursor"
SCOPES = ("user", "project")
WAY_OUT = "askfirst init --agent cursor"  # of what `troubles` finds
EVENTS = ("beforeShellExecution", "beforeMCPExecution", "preToolUse")


def plan() -> json_hooks.Plan:
    hook = {"command": json_hooks.closed_command("cursor"), "timeout": json_hooks.TIMEOUT_S, "failClosed": True}
    return json_hooks.Plan("cursor", {("hooks", event): hook for event in EVENTS}, {"version": 1})


def gate_command() -> str:
    return json_hooks.gate_command("cursor")


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".cursor", "hooks.json")


def install(scope: str, project: str) -> Change:
    return json_hooks.install(plan(), settings_path(scope, project), inside="" if scope == "user" else project)


def uninstall(scope: str, project: str) -> Change:
    return json_hooks.uninstall(plan(), settings_path(scope, project))


def look(scope: str, project: str) -> json_hooks.Found:
    return json_hooks.look(plan(), settings_path(scope, project))


def registered_commands(scope: str, project: str) -> list[str]:
    return json_hooks.commands_in(look(scope, project), plan())


def install_mcp(scope: str, project: str) -> str:
    from sys import executable

    from askfirst import jsontext
    from askfirst.install.claude import LAUNCHER

    server = jsontext.dumps({"askfirst": {"command": executable, "args": ["-I", LAUNCHER, "mcp"]}})
    return f"add this to `mcpServers` in .cursor/mcp.json: {server}"


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    return ()


def warnings() -> tuple[str, ...]:
    return ("Cursor was not run with this; its documents say what is written here. Try a denied command once (`sudo true`)",)


def troubles(scope: str, project: str) -> tuple[str, ...]:
    return ()
