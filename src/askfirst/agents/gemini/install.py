"""Gemini CLI: a `BeforeTool` hook in its `settings.json`. Timeouts count milliseconds."""

from __future__ import annotations

import os

from askfirst.install import json_hooks

NAME = "Gemini CLI"
SCOPES = ("user", "project")
WAY_OUT = "remove it"  # of what `troubles` finds


def plan() -> json_hooks.Plan:
    hook = {
        "name": "askfirst",
        "type": "command",
        "command": json_hooks.closed_command("gemini"),
        "timeout": json_hooks.TIMEOUT_S * 1000,
    }
    return json_hooks.Plan("gemini", {("hooks", "BeforeTool"): {"matcher": "*", "hooks": [hook]}})


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".gemini", "settings.json")


_file = json_hooks.HookFile(plan, settings_path)
gate_command, install, uninstall, uninstall_mcp = (
    _file.gate_command,
    _file.install,
    _file.uninstall,
    _file.uninstall_mcp,
)
look, registered_commands = _file.look, _file.registered_commands


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line(f"gemini mcp add --scope {scope} askfirst")


def warnings() -> tuple[str, ...]:
    return (
        "in a folder that Gemini does not trust it runs no hooks, not even yours; its own questions are all there is then",
    )


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    found = []
    for where in SCOPES:
        seen = look(where, project)
        switch = seen.settings.get("hooksConfig")
        switch = switch if isinstance(switch, dict) else {}
        if switch.get("enabled") is False:
            found.append(f"{seen.path}: `hooksConfig.enabled` is false: no hook runs, this gate neither")
        disabled = switch.get("disabled")
        if isinstance(disabled, list) and any(
            d == "askfirst" or json_hooks.is_our_command(d, "gemini") for d in disabled
        ):
            found.append(f"{seen.path}: `hooksConfig.disabled` switches the gate off")
    return tuple(found)
