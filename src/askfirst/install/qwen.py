"""Qwen Code: a `PreToolUse` hook in its `settings.json`. Timeouts count milliseconds."""

from __future__ import annotations

import os

from askfirst.install import json_hooks
from askfirst.install.claude import Change

NAME = "Qwen Code"
SCOPES = ("user", "project")
WAY_OUT = "remove it"  # of what `troubles` finds


def plan() -> json_hooks.Plan:
    hook = {"name": "askfirst", "type": "command", "command": json_hooks.closed_command("qwen"), "timeout": json_hooks.TIMEOUT_S * 1000}
    return json_hooks.Plan("qwen", {("hooks", "PreToolUse"): {"matcher": "*", "hooks": [hook]}})


def gate_command() -> str:
    return json_hooks.gate_command("qwen")


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".qwen", "settings.json")


def install(scope: str, project: str) -> Change:
    return json_hooks.install(plan(), settings_path(scope, project), inside="" if scope == "user" else project)


def uninstall(scope: str, project: str) -> Change:
    return json_hooks.uninstall(plan(), settings_path(scope, project))


def look(scope: str, project: str) -> json_hooks.Found:
    return json_hooks.look(plan(), settings_path(scope, project))


def registered_commands(scope: str, project: str) -> list[str]:
    return json_hooks.commands_in(look(scope, project), plan())


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line(f"qwen mcp add --scope {scope} askfirst")


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    return ()


def warnings() -> tuple[str, ...]:
    return ()


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    seen = [look(where, project) for where in SCOPES]
    return tuple(f"{s.path}: `disableAllHooks` switches every hook off, this gate too" for s in seen if s.settings.get("disableAllHooks"))
