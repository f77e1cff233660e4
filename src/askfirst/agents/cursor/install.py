"""Cursor: `hooks.json`. Without `failClosed` a hook that fails lets the call run."""

from __future__ import annotations

import os

from askfirst.install import json_hooks

NAME = "Cursor"
SCOPES = ("user", "project")
WAY_OUT = "askfirst init --agent cursor"  # of what `troubles` finds
EVENTS = ("beforeShellExecution", "beforeMCPExecution", "preToolUse")


def plan() -> json_hooks.Plan:
    hook = {"command": json_hooks.closed_command("cursor"), "timeout": json_hooks.TIMEOUT_S, "failClosed": True}
    return json_hooks.Plan("cursor", {("hooks", event): hook for event in EVENTS}, {"version": 1})


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".cursor", "hooks.json")


_file = json_hooks.HookFile(plan, settings_path)
gate_command, install, uninstall, uninstall_mcp = (
    _file.gate_command,
    _file.install,
    _file.uninstall,
    _file.uninstall_mcp,
)
look, registered_commands = _file.look, _file.registered_commands


def install_mcp(scope: str, project: str) -> str:
    from sys import executable

    from askfirst import jsontext
    from askfirst.agents.claude.install import LAUNCHER

    server = jsontext.dumps({"askfirst": {"command": executable, "args": ["-I", LAUNCHER, "mcp"]}})
    return f"add this to `mcpServers` in .cursor/mcp.json: {server}"


def warnings() -> tuple[str, ...]:
    return (
        "Cursor was not run with this; its documents say what is written here. Try a denied command once (`sudo true`)",
    )


def troubles(scope: str, project: str) -> tuple[str, ...]:
    return ()
