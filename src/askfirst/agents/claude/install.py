"""Claude Code: what is registered, and where.

Every part of the registration closes a way in which this client was seen to run a denied or unanswered call: shell
form with `|| exit 2` (a missing or crashing gate), `onFailure: "block"` (the client's own timeout, from 2.1.295 on),
a timeout above the longest approval, and a ConfigChange hook (settings edited in mid-session).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.agents.claude import accepts, checks, mcp, settings, start
from askfirst.agents.claude.client import OLDEST_GOOD, PROGRAM, shown, version_of
from askfirst.agents.wire import TIMEOUT_S
from askfirst.install.check import Check
from askfirst.install.installer import Installer, Registration
from askfirst.install.json_hooks import STATUS, HookFileInstaller
from askfirst.install.undo import Done


def registration(gate: str) -> dict[str, dict[str, Any]]:
    """event -> the group that is appended to it."""
    closed = f"{gate} || exit 2"

    def entry(command: str, **more: Any) -> dict[str, Any]:
        return {"type": "command", "command": command, **more}

    return {
        "PreToolUse": {
            "matcher": "*",
            "hooks": [entry(closed, timeout=TIMEOUT_S, onFailure="block", statusMessage=STATUS)],
        },
        # Exit code 2 decides nothing here, so a failure leaves the client's own dialog to the person.
        "PermissionRequest": {"matcher": "*", "hooks": [entry(gate, timeout=TIMEOUT_S)]},
        "PostToolUse": {"matcher": "*", "hooks": [entry(gate, timeout=60)]},
        "PostToolUseFailure": {"matcher": "*", "hooks": [entry(gate, timeout=60)]},
        "ConfigChange": {"hooks": [entry(closed, timeout=60, onFailure="block")]},
        "SessionStart": {"hooks": [entry(gate, timeout=60)]},
        "SessionEnd": {"hooks": [entry(gate, timeout=5)]},
    }


class ClaudeInstaller(HookFileInstaller):
    name = "claude"
    scopes = settings.SCOPES

    def settings_path(self, scope: str, project: str) -> str:
        return settings.settings_path(scope, project)

    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        return registration(self.gate_command(scope))

    def is_our_command(self, command: Any) -> bool:
        return settings.is_our_command(command)

    def why_dropped(self, settings: Mapping[str, Any]) -> str:
        return accepts.why_dropped(settings)

    def look(self, scope: str, project: str) -> Registration:
        return _registration_in(settings.look(scope, self.settings_path(scope, project)))

    def looks(self, project: str) -> dict[str, Registration]:
        files = settings.settings_files(project)
        return {file.scope if file.scope in self.scopes else file.path: _registration_in(file) for file in files}

    def has_gate(self, project: str) -> bool:
        return super().has_gate(project) or bool(checks.plugin_dirs())

    def held_by_root(self, project: str) -> bool:
        managed = [file for file in settings.settings_files(project) if file.scope == "managed" and file.registered]
        return bool(managed) and all(os.stat(file.path).st_uid == 0 for file in managed)

    def install_mcp(self, scope: str, project: str) -> str:
        return mcp.install_mcp(scope, project)

    def uninstall_mcp(self, scope: str, project: str) -> tuple[Done, ...]:
        return mcp.uninstall_mcp(scope, project)

    def warnings(self) -> tuple[str, ...]:
        found = version_of(PROGRAM)
        if found is None:
            return (f"the `{PROGRAM}` program is not on the PATH, so its version was not checked",)
        path, version = found
        if version >= OLDEST_GOOD:
            return ()
        return (
            f"{path} is {shown(version)}: before {shown(OLDEST_GOOD)} the client ignores `onFailure`, so only "
            "`|| exit 2` closes the gate on a failure; update it (with Node 20, npm silently installs an old one)",
        )

    def checks(self, project: str) -> Iterator[Check]:
        """Also where it does not have the gate: what a repository makes this client run is worth knowing anyway."""
        files = settings.settings_files(project)
        yield from checks.client()
        yield from checks.plugin(project)
        yield from super().checks(project)
        yield from checks.managed_only(files)
        yield from checks.switched_off(files)
        yield from checks.unseen(files)
        yield from checks.servers(project)
        yield from checks.slash_commands(project)
        if self.has_gate(project):
            yield from self.proof(project)

    def proof(self, project: str) -> Iterator[Check]:
        yield from start.check(project)


def _registration_in(file: settings.SettingsFile) -> Registration:
    return Registration(file.path, file.exists, file.broken, file.registered, file.weak, file.commands)


INSTALLER: Installer = ClaudeInstaller()
