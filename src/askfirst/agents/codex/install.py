"""Codex CLI: `hooks.json` beside its `config.toml`.

The client runs a hook only after a person has trusted it; until then it calls nothing and says so only in its own
screen. So `init` and `doctor` say it too.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any

from askfirst.agents.wire import TIMEOUT_S
from askfirst.install.installer import Installer, Trouble
from askfirst.install.json_hooks import STATUS, HookFileInstaller, register_mcp_with

TRUST_IT = "start `codex`, and trust the hook there (/hooks)"


class CodexInstaller(HookFileInstaller):
    name = "codex"

    def settings_path(self, scope: str, project: str) -> str:
        return os.path.join(_home() if scope == "user" else os.path.join(project, ".codex"), "hooks.json")

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        hook = {
            "type": "command",
            "command": self.closed_command(scope),
            "timeout": TIMEOUT_S,
            "statusMessage": STATUS,
        }
        return {"PreToolUse": {"hooks": [hook]}}

    def install_mcp(self, scope: str, project: str) -> str:
        return register_mcp_with("codex mcp add askfirst --")

    def warnings(self) -> tuple[str, ...]:
        return (
            "Codex runs no hook before a person has trusted it: start `codex`, and trust this one when it asks "
            "(or with /hooks)",
            *(f"{spot.text}: {spot.way_out}" for spot in self.weak_spots()),
        )

    def weak_spots(self) -> tuple[Trouble, ...]:
        file = _config_file()
        try:
            features = _table(_config(), "features")
        except (OSError, tomllib.TOMLDecodeError) as error:
            return (Trouble(f"{file}: cannot be read: {error}", "fix the file"),)
        found = []
        if features.get("hooks") is False:
            found.append(Trouble(f"{file}: `features.hooks = false` turns every hook off, this gate too", "remove it"))
        if features.get("unified_exec_tty") is not False:
            text = "Codex calls no hook for what it types into a program that is already running"
            found.append(Trouble(text, f"set `unified_exec_tty = false` under `[features]` in {file}"))
        return tuple(found)

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        path = self.settings_path(scope, project)
        try:
            trusted = _table(_table(_config(), "hooks"), "state")
        except (OSError, tomllib.TOMLDecodeError):
            trusted = {}
        begins = (path, os.path.realpath(path))
        if any(key.startswith(begins) and _table(trusted, key).get("trusted_hash") for key in trusted):
            return ()
        return (Trouble(f"{path}: no person has trusted the hook yet, so Codex does not run it", TRUST_IT),)


def _home() -> str:
    return os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")


def _config_file() -> str:
    return os.path.join(_home(), "config.toml")


def _config() -> dict[str, Any]:
    try:
        with open(_config_file(), "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}


def _table(settings: dict[str, Any], key: str) -> dict[str, Any]:
    value = settings.get(key)
    return value if isinstance(value, dict) else {}


INSTALLER: Installer = CodexInstaller()
