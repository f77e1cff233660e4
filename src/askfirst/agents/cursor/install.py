"""Cursor: `hooks.json`. Without `failClosed` a hook that fails lets the call run."""

from __future__ import annotations

import os
from typing import Any

from askfirst import jsontext
from askfirst.agents.wire import TIMEOUT_S
from askfirst.install.command import mcp_words
from askfirst.install.installer import Installer
from askfirst.install.json_hooks import HookFileInstaller

EVENTS = ("beforeShellExecution", "beforeMCPExecution", "preToolUse")


class CursorInstaller(HookFileInstaller):
    name = "cursor"
    seed = {"version": 1}

    def settings_path(self, scope: str, project: str) -> str:
        return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".cursor", "hooks.json")

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        hook = {"command": self.closed_command(scope), "timeout": TIMEOUT_S, "failClosed": True}
        return {event: dict(hook) for event in EVENTS}

    def install_mcp(self, scope: str, project: str) -> str:
        program, *args = mcp_words()
        server = jsontext.dumps({"askfirst": {"command": program, "args": args}})
        return f"add this to `mcpServers` in .cursor/mcp.json: {server}"

    def warnings(self) -> tuple[str, ...]:
        return ("this follows Cursor's documentation and was not tested with Cursor; check that it denies `sudo true`",)


INSTALLER: Installer = CursorInstaller()
