"""Gemini CLI: a `BeforeTool` hook in its `settings.json`. Timeouts count milliseconds."""

from __future__ import annotations

import os
from typing import Any

from askfirst.install.installer import Installer, Trouble
from askfirst.install.json_hooks import HookFileInstaller, register_mcp_with


class GeminiInstaller(HookFileInstaller):
    name = "gemini"

    def settings_path(self, scope: str, project: str) -> str:
        return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".gemini", "settings.json")

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        return {"BeforeTool": {"matcher": "*", "hooks": [self.named_hook(scope)]}}

    def install_mcp(self, scope: str, project: str) -> str:
        return register_mcp_with(f"gemini mcp add --scope {scope} askfirst")

    def warnings(self) -> tuple[str, ...]:
        return ("in a folder that Gemini does not trust, it runs no hooks: only its own questions are left there",)

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        found = []
        for seen in self.looks(project).values():
            switch = seen.settings.get("hooksConfig")
            switch = switch if isinstance(switch, dict) else {}
            if switch.get("enabled") is False:
                found.append(Trouble(f"{seen.path}: `hooksConfig.enabled` is false, so no hook runs", "remove it"))
            disabled = switch.get("disabled")
            if isinstance(disabled, list) and any(d == "askfirst" or self.is_our_command(d) for d in disabled):
                found.append(Trouble(f"{seen.path}: `hooksConfig.disabled` turns the gate off", "remove it"))
        return tuple(found)


INSTALLER: Installer = GeminiInstaller()
