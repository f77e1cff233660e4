"""GitHub Copilot CLI: a file of askfirst's own among its hooks.

A timeout lets the call run, and 30 seconds are its default.
"""

from __future__ import annotations

import os
from typing import Any

from askfirst.agents.wire import TIMEOUT_S
from askfirst.install.installer import Installer, Trouble
from askfirst.install.json_hooks import HookFileInstaller, register_mcp_with


class CopilotInstaller(HookFileInstaller):
    name = "copilot"
    seed = {"version": 1}

    def settings_path(self, scope: str, project: str) -> str:
        home = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
        return os.path.join(home if scope == "user" else os.path.join(project, ".github"), "hooks", "askfirst.json")

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        return {"preToolUse": {"type": "command", "bash": self.closed_command(scope), "timeoutSec": TIMEOUT_S}}

    def install_mcp(self, scope: str, project: str) -> str:
        return register_mcp_with("copilot mcp add askfirst --")

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        found = self.look(scope, project)
        if not found.settings.get("disableAllHooks"):
            return ()
        return (Trouble(f"{found.path}: `disableAllHooks` turns the hooks of this file off", "remove it"),)


INSTALLER: Installer = CopilotInstaller()
