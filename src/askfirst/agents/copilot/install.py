"""GitHub Copilot CLI: a file of its own among its hooks. A timeout opens this client's gate, and 30 seconds are its default."""

from __future__ import annotations

import os

from askfirst.install import json_hooks

NAME = "GitHub Copilot CLI"
SCOPES = ("user", "project")
WAY_OUT = "remove it"  # of what `troubles` finds


def plan() -> json_hooks.Plan:
    hook = {"type": "command", "bash": json_hooks.closed_command("copilot"), "timeoutSec": json_hooks.TIMEOUT_S}
    return json_hooks.Plan("copilot", {("hooks", "preToolUse"): hook}, {"version": 1})


def settings_path(scope: str, project: str) -> str:
    if scope == "user":
        return os.path.join(
            os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot"), "hooks", "askfirst.json"
        )
    return os.path.join(project, ".github", "hooks", "askfirst.json")


_file = json_hooks.HookFile(plan, settings_path)
gate_command, install, uninstall, uninstall_mcp = (
    _file.gate_command,
    _file.install,
    _file.uninstall,
    _file.uninstall_mcp,
)
look, registered_commands = _file.look, _file.registered_commands


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line("copilot mcp add askfirst --")


def warnings() -> tuple[str, ...]:
    return ()


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    found = look(scope, project)
    return (f"{found.path}: `disableAllHooks` switches its hooks off",) if found.settings.get("disableAllHooks") else ()
