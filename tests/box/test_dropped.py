"""A client that loses what the hook put in a command's place is believed once; one that tells nobody what has run shows
first that it runs it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.agents.table import DEFAULT, ROWS
from askfirst.approval import person
from askfirst.box import dropped
from askfirst.cli import main
from askfirst.hook import respond
from askfirst.install import doctor
from askfirst.install.installer import installer_of
from askfirst.store import alerts, paths
from tests.box.conftest import Box
from tests.flow.session import Session, organisation


@pytest.fixture
def session(box: Box, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(type(wire_of(DEFAULT)), "own_rules", lambda *_: "")  # there is no client to look at
    organisation("version: 2\nbox: unknown\n")
    (box.project / "x.sh").write_text("#!/bin/sh\necho hello\n")
    (box.project / "x.sh").chmod(0o755)
    return Session(box.project)


def call(session: Session, number: int, *, loses: bool) -> dict[str, Any]:
    about = {"tool_name": "Bash", "tool_input": {"command": "./x.sh"}, "tool_use_id": f"toolu_{number}"}
    output: dict[str, Any] = session.event("PreToolUse", **about)["hookSpecificOutput"]
    if "updatedInput" in output and not loses:
        about["tool_input"] = output["updatedInput"]
    session.event("PostToolUse", tool_response={"stdout": "hello"}, **about)
    return output


def test_a_client_that_ran_it_as_it_was_is_not_believed_again(session: Session, box: Box) -> None:
    assert "box/start.py" in call(session, 1, loses=False)["updatedInput"]["command"]
    assert not dropped.known(DEFAULT) and not alerts.is_flagged("s1")
    assert "box/start.py" in call(session, 2, loses=True)["updatedInput"]["command"]
    assert dropped.known(DEFAULT) == "./x.sh" and alerts.is_flagged("s1")
    asked = call(Session(box.project, "s2"), 3, loses=True)
    assert asked["permissionDecision"] == "ask" and "updatedInput" not in asked
    assert any(c.level == "fail" and "./x.sh" in c.text for c in doctor.box(str(box.project)))


def test_a_person_tries_it_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    dropped.note(DEFAULT, "./x.sh")
    assert main(["box", "status", "--try"]) != 0, "an agent does not"
    assert dropped.known(DEFAULT)
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setattr(person, "ancestors", lambda: ())
    main(["box", "status", "--try"])
    assert not dropped.known(DEFAULT)


def test_what_cannot_be_read_counts(session: Session) -> None:
    dropped.note(DEFAULT, "./x.sh")
    place = Path(dropped._folder()) / DEFAULT
    place.unlink()
    place.mkdir()
    assert dropped.known(DEFAULT)


SHOWING = [
    row.name
    for row in ROWS
    if row.name != DEFAULT and wire_of(row.name).changes_commands and not wire_of(row.name).changes_before
]


def line_for(agent: str, project: Path, command: str) -> str:
    """What the agent's client is given in place of a command; "" for none, "-" where it may not run."""
    wire = wire_of(agent)
    reply = respond(wire, json.dumps(wire.sample(str(project), command)).encode(), {})
    said = reply.stdout.decode()
    if wire.decision_in(said) != "allow":
        return "-"
    found = [text for text in strings(json.loads(said)) if "box/start.py" in text]
    return found[0] if found else ""


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("agent", SHOWING)
def test_an_agent_whose_hook_does_not_hear_what_ran_shows_it_first(
    agent: str, session: Session, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(wire_of(agent)), "own_rules", lambda *_: "")
    monkeypatch.setattr(type(installer_of(agent)), "has_gate", lambda *_: True)

    def notes() -> list[str]:
        title = next(row.title for row in ROWS if row.name == agent)
        return [c.level for c in doctor.box(str(box.project)) if c.text.startswith(title)]

    assert line_for(agent, box.project, "./x.sh") == "-" and notes() == ["note"]
    lost = line_for(agent, box.project, "wc -l x.sh")
    assert lost, "a command that is allowed anyhow is the one to try it with"
    assert line_for(agent, box.project, "./x.sh") == "-" and notes() == ["warn"], "the client lost it"
    assert line_for(agent, box.project, "wc -l x.sh") == "", "it may refuse what is changed: one in an hour tries it"
    given = Path(paths.private_dir("box", "given"), agent)
    os.utime(given, (0, given.stat().st_mtime - 3601))
    taken = line_for(agent, box.project, "wc -l x.sh")
    done = subprocess.run(["/bin/bash", "-c", taken], cwd=box.project, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "x.sh"]
    assert line_for(agent, box.project, "wc -l x.sh") == "", "shown: what is allowed runs as it is"
    assert line_for(agent, box.project, "./x.sh") not in ("", "-") and notes() == ["warn"]
    assert line_for(agent, box.project, "./x.sh") == "-", "that one was not begun: a new version may have lost it"
