"""Cline: a hook script of askfirst's own, which turns every failure of the gate into the answer that Cline obeys."""

from __future__ import annotations

import os
from shlex import quote

from askfirst.install.installer import Installer, Trouble
from askfirst.install.json_hooks import register_mcp_with
from askfirst.install.owned_file import OwnedFileInstaller

FAILED = '{"cancel": true, "errorMessage": "askfirst: the gate failed, so it stays closed; see askfirst doctor"}'
SCRIPT = """\
#!/bin/sh
# The gate before Cline's tools, written by `askfirst init`; `askfirst uninstall --agent cline` takes it out again.
# Cline runs the tool when a hook fails, so whatever goes wrong here is answered with `cancel`.
if answer=$({gate}) && [ "${{answer#'{{'}}" != "$answer" ]; then
    printf '%s\\n' "$answer"
else
    printf '%s\\n' '{failed}'
fi
"""


def script(gate: str) -> str:
    return SCRIPT.format(gate=gate, failed=FAILED)


class ClineInstaller(OwnedFileInstaller):
    name = "cline"
    mode = 0o755

    def settings_path(self, scope: str, project: str) -> str:
        base = os.path.expanduser("~") if scope == "user" else project
        return os.path.join(base, ".cline", "hooks", "PreToolUse.sh")

    def content(self, scope: str) -> bytes:
        return script(self.gate_command(scope)).encode()

    def command(self, path: str) -> str:
        return quote(path)

    def install_mcp(self, scope: str, project: str) -> str:
        return register_mcp_with("cline mcp install askfirst --")

    def warnings(self) -> tuple[str, ...]:
        return (
            "Cline waits 120 seconds for a hook, so a person has under two minutes to answer; a denial ends the run",
            "this is for the `cline` program; its extension for editors gives a hook 30 seconds and was not tested",
        )

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        path = self.settings_path(scope, project)
        if os.access(path, os.X_OK):
            return ()
        return (Trouble(f"{path}: is not executable, so Cline may not run it", f"chmod +x {quote(path)}"),)


INSTALLER: Installer = ClineInstaller()
