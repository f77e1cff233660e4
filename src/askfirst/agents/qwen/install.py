"""Qwen Code: a `PreToolUse` hook in its `settings.json`. Timeouts count milliseconds."""

from __future__ import annotations

import os

from askfirst.install import json_hooks

NAME = "Qwen Code"
SCOPES = ("user", "project")
WAY_OUT = "remove it"  # of what `troubles` finds


def plan() -> json_hooks.Plan:
    hook = {
        "name": "askfirst",
        "type": "command",
        "command": json_hooks.closed_command("qwen"),
        "timeout": json_hooks.TIMEOUT_S * 1000,
    }
    return json_hooks.Plan("qwen", {("hooks", "PreToolUse"): {"matcher": "*", "hooks": [hook]}})


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".qwen", "settings.json")


_file = json_hooks.HookFile(plan, settings_path)
gate_command, install, uninstall, uninstall_mcp = (
    _file.gate_command,
    _file.install,
    _file.uninstall,
    _file.uninstall_mcp,
)
look, registered_commands = _file.look, _file.registered_commands


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line(f"qwen mcp add --scope {scope} askfirst")


def warnings() -> tuple[str, ...]:
    return ()


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    seen = [look(where, project) for where in SCOPES]
    return tuple(
        f"{s.path}: `disableAllHooks` switches every hook off, this gate too"
        for s in seen
        if s.settings.get("disableAllHooks")
    )
