"""OpenCode: a plugin of its own (plugin.js), which calls the hook and throws to block."""

from __future__ import annotations

import os
import sys

from askfirst import jsontext
from askfirst.agents.claude.install import LAUNCHER, Change
from askfirst.install import json_hooks
from askfirst.install import owned_file as whole_file

NAME = "OpenCode"
SCOPES = ("user", "project")
WAY_OUT = "start OpenCode without it"  # of what `troubles` finds
TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")


def plugin() -> bytes:
    with open(TEMPLATE, encoding="utf-8") as file:
        text = file.read()
    return text.replace(
        "__GATE__", jsontext.dumps([sys.executable, "-I", "-S", LAUNCHER, "hook", "--agent", "opencode"])
    ).encode()


def gate_command() -> str:
    return json_hooks.gate_command("opencode")


def settings_path(scope: str, project: str) -> str:
    if scope == "user":
        config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        return os.path.join(config, "opencode", "plugins", "askfirst.js")
    return os.path.join(project, ".opencode", "plugins", "askfirst.js")


def install(scope: str, project: str) -> Change:
    return whole_file.install(
        settings_path(scope, project), plugin(), mode=0o644, inside="" if scope == "user" else project
    )


def uninstall(scope: str, project: str) -> Change:
    return whole_file.uninstall(settings_path(scope, project))


def look(scope: str, project: str) -> json_hooks.Found:
    return whole_file.look(settings_path(scope, project), plugin())


def registered_commands(scope: str, project: str) -> list[str]:
    return [gate_command()]  # a plugin with another one is not what `init` writes, and `look` says so


def install_mcp(scope: str, project: str) -> str:
    server = jsontext.dumps({"askfirst": {"type": "local", "command": [sys.executable, "-I", LAUNCHER, "mcp"]}})
    return f"add this to `mcp` in opencode.json: {server}"


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    return ()


def warnings() -> tuple[str, ...]:
    return ()


def troubles(scope: str, project: str) -> tuple[str, ...]:
    return ("OPENCODE_PURE is set: OpenCode runs without plugins",) if os.environ.get("OPENCODE_PURE") else ()
