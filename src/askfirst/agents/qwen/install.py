"""Qwen Code: a `PreToolUse` hook in its `settings.json`. Timeouts count milliseconds."""

from __future__ import annotations

import os
from typing import Any

from askfirst.install.installer import Installer, Trouble
from askfirst.install.json_hooks import HookFileInstaller, register_mcp_with


class QwenInstaller(HookFileInstaller):
    name = "qwen"

    def settings_path(self, scope: str, project: str) -> str:
        return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".qwen", "settings.json")

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        return {"PreToolUse": {"matcher": "*", "hooks": [self.named_hook(scope)]}}

    def install_mcp(self, scope: str, project: str) -> str:
        return register_mcp_with(f"qwen mcp add --scope {scope} askfirst")

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        return tuple(
            Trouble(f"{seen.path}: `disableAllHooks` turns every hook off, this gate too", "remove it")
            for seen in self.looks(project).values()
            if seen.settings.get("disableAllHooks")
        )


INSTALLER: Installer = QwenInstaller()
