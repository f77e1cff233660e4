"""Commands of its CLI that run contained: changed before the tool, and judged before the shell, where the line that
they were given is known again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.box import runs
from askfirst.hook import respond
from tests.box.conftest import Box
from tests.flow.session import organisation

CLI = {"CURSOR_VERSION": "2026.09.10-fd3934a"}


@pytest.fixture
def app(box: Box) -> Box:
    organisation("version: 2\nbox: unknown\n")
    (box.project / "x.sh").write_text("#!/bin/sh\necho hello > made.txt\n")
    (box.project / "x.sh").chmod(0o755)
    config = box.home / ".cursor/cli-config.json"
    config.parent.mkdir()
    config.write_text('{"version": 1, "sandbox": {"mode": "disabled"}, "permissions": {"allow": [], "deny": []}}')
    return box


def hook(app: Box, name: str, environ: dict[str, str], **more: Any) -> dict[str, Any]:
    given = {"hook_event_name": name, "conversation_id": "c", "workspace_roots": [str(app.project)], "cwd": "", **more}
    reply = respond(wire_of("cursor"), json.dumps(given).encode(), environ)
    answer: dict[str, Any] = json.loads(reply.stdout)
    return answer


def line_for(app: Box, command: str, environ: dict[str, str] = CLI, **more: Any) -> str:
    """What the tool is given in place of a command; "" where it stays."""
    given = {"command": command, "timeout": 5, **more}
    answer = hook(app, "preToolUse", environ, tool_name="Shell", tool_input=given)
    assert answer["permission"] == "allow"
    changed = answer.get("updated_input", {})
    assert not changed or {**changed, "command": ""} == {**given, "command": ""}, "every other key stays"
    return str(changed.get("command", ""))


def before_shell(app: Box, command: str) -> str:
    return str(hook(app, "beforeShellExecution", CLI, command=command)["permission"])


def run(app: Box, line: str) -> None:
    subprocess.run(["/bin/bash", "-c", line], cwd=app.project, check=True, capture_output=True)


def test_a_command_is_changed_once_the_client_has_shown_that_it_runs_what_it_is_given(app: Box) -> None:
    assert line_for(app, "./x.sh") == "" and before_shell(app, "./x.sh") == "deny", "nobody is there to ask"
    allowed = line_for(app, "wc -l x.sh")
    assert before_shell(app, allowed) == "allow"
    run(app, allowed)
    line = line_for(app, "./x.sh")
    assert before_shell(app, line) == "allow"
    run(app, line)
    assert (app.project / "made.txt").read_text() == "hello\n"
    assert before_shell(app, line) == "deny", "it is used once"
    ran = [r.plan.command for r in runs.everything()]
    assert ran == ["./x.sh", "wc -l x.sh"]


def test_a_line_that_was_not_given_is_none(app: Box) -> None:
    line = line_for(app, "wc -l x.sh")
    other = hook(app, "beforeShellExecution", CLI, command=line, conversation_id="other")
    assert other["permission"] == "deny"
    for changed in (f"{line}; sudo id", f"cd /; {line}", line.replace("-I", "-E"), line + " x"):
        assert before_shell(app, changed) == "deny", changed
    assert before_shell(app, line) == "allow"


@pytest.mark.parametrize(
    ("config", "environ"),
    [
        ('{"sandbox": {"mode": "disabled"}}', {"CURSOR_VERSION": "3.9.16"}),
        ('{"sandbox": {"mode": "disabled"}}', {}),
        ('{"sandbox": {"mode": "enabled"}}', CLI),
        ("{}", CLI),
        ("", CLI),
        ('{"sandbox": {"mode": "disabled"}, "permissions": {"deny": ["Shell(rm)"]}}', CLI),
        ('{"sandbox": {"mode": "disabled"}}', {**CLI, "CURSOR_CONFIG_DIR": "/elsewhere"}),
    ],
)
def test_where_its_rules_or_its_sandbox_are_not_known_it_stays(config: str, environ: dict[str, str], app: Box) -> None:
    (app.home / ".cursor/cli-config.json").write_text(config)
    assert line_for(app, "wc -l x.sh", environ) == "" == line_for(app, "./x.sh", environ)


def test_what_the_row_does_not_know_stays(app: Box) -> None:
    assert line_for(app, "wc -l x.sh", required_permissions=["all"]) == ""
    assert line_for(app, "wc -l x.sh", working_directory=str(Path("/"))) == ""


def test_what_failed_contained_is_asked_about_as_it_is(app: Box) -> None:
    answer = hook(app, "beforeShellExecution", CLI, command="askfirst outside -- ./x.sh")
    assert answer["permission"] == "deny" and "run the command itself" in answer["agent_message"]
