"""GitHub Copilot CLI: a file of its own among its hooks. A timeout opens this client's gate, and 30 seconds are its default."""

from __future__ import annotations

import os

from askfirst.install import json_hooks
from askfirst.install.claude import Change

NAME = "GitHub Copilot CLI"
SCOPES = ("user", "project")
WAY_OUT = "remove it"  # of what `troubles` finds


def plan() -> json_hooks.Plan:
    hook = {"type": "command", "bash": json_hooks.closed_command("copilot"), "timeoutSec": json_hooks.TIMEOUT_S}
    return json_hooks.Plan("copilot", {("hooks", "preToolUse"): hook}, {"version": 1})


def gate_command() -> str:
    return json_hooks.gate_command("copilot")


def settings_path(scope: str, project: str) -> str:
    if scope == "user":
        return os.path.join(os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot"), "hooks", "askfirst.json")
    return os.path.join(project, ".github", "hooks", "askfirst.json")


def install(scope: str, project: str) -> Change:
    return json_hooks.install(plan(), settings_path(scope, project), inside="" if scope == "user" else project)


def uninstall(scope: str, project: str) -> Change:
    return json_hooks.uninstall(plan(), settings_path(scope, project))


def look(scope: str, project: str) -> json_hooks.Found:
    return json_hooks.look(plan(), settings_path(scope, project))


def registered_commands(scope: str, project: str) -> list[str]:
    return json_hooks.commands_in(look(scope, project), plan())


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line("copilot mcp add askfirst --")


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    return ()


def warnings() -> tuple[str, ...]:
    return ()


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    found = look(scope, project)
    return (f"{found.path}: `disableAllHooks` switches its hooks off",) if found.settings.get("disableAllHooks") else ()
