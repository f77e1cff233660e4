"""Cline: a hook file of its own, a shell script that turns every failure of the gate into the one answer that this client heeds."""

from __future__ import annotations

import os

from askfirst.agents.claude.install import Change
from askfirst.install import json_hooks
from askfirst.install import owned_file as whole_file

NAME = "Cline"
SCOPES = ("user", "project")
WAY_OUT = "make it executable"  # of what `troubles` finds
SCRIPT = """\
#!/bin/sh
# The gate before Cline's tools, written by `askfirst init`; `askfirst uninstall --agent cline` takes it out again.
# Cline runs the tool when a hook fails, so whatever goes wrong here is answered with `cancel`.
if answer=$({gate}) && [ "${{answer#'{{'}}" != "$answer" ]; then
    printf '%s\\n' "$answer"
else
    printf '%s\\n' '{{"cancel": true, "errorMessage": "askfirst: the gate failed, so it stays closed; see askfirst doctor"}}'
fi
"""


def script() -> bytes:
    return SCRIPT.format(gate=gate_command()).encode()


def gate_command() -> str:
    return json_hooks.gate_command("cline")


def settings_path(scope: str, project: str) -> str:
    return os.path.join(os.path.expanduser("~") if scope == "user" else project, ".cline", "hooks", "PreToolUse.sh")


def install(scope: str, project: str) -> Change:
    return whole_file.install(
        settings_path(scope, project), script(), mode=0o755, inside="" if scope == "user" else project
    )


def uninstall(scope: str, project: str) -> Change:
    return whole_file.uninstall(settings_path(scope, project))


def look(scope: str, project: str) -> json_hooks.Found:
    return whole_file.look(settings_path(scope, project), script())


def registered_commands(scope: str, project: str) -> list[str]:
    from shlex import quote

    return [quote(settings_path(scope, project))]


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line("cline mcp install askfirst --")


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    return ()


def warnings() -> tuple[str, ...]:
    return (
        "Cline waits 120 seconds for a hook, so a person has less than two minutes to answer; a no ends the run with its reason",
        "the extension for editors gives a hook 30 seconds and was not tried; this is for the `cline` program",
    )


def troubles(scope: str, project: str) -> tuple[str, ...]:
    path = settings_path(scope, project)
    return () if os.access(path, os.X_OK) else (f"{path}: is not executable, so Cline may not run it; chmod +x it",)
