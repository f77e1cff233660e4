"""A client that loses what the hook put in a command's place is believed once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.agents.table import DEFAULT
from askfirst.approval import person
from askfirst.box import dropped
from askfirst.cli import main
from askfirst.install import doctor
from askfirst.store import alerts
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
