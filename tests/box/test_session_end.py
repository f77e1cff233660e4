"""What a session leaves: nothing that runs, and after a while nothing at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from askfirst.agents.table import DEFAULT
from askfirst.box import health, runs, session
from askfirst.store import clock
from tests.box.conftest import Box
from tests.flow.session import Session
from tests.waiting import until


def test_the_end_of_a_session_ends_what_ran_contained(box: Box) -> None:
    done = box.run("sleep 1000 > /dev/null 2>&1 & echo started", session="s1", agent=DEFAULT)
    place = runs.session_place(done.run.plan)
    other = box.run("echo x > /tmp/kept.txt; sleep 1000 > /dev/null 2>&1 &", session="s2", agent=DEFAULT)
    assert session.active(place) and session.active(runs.session_place(other.run.plan))
    ended = Session(box.project, "s1")
    ended.event("SessionEnd", reason="other")
    until(lambda: not session.active(place), "its processes to end")
    until(lambda: not session.named_process(os.path.join(place, "holder")), "its network to end")
    assert session.active(runs.session_place(other.run.plan)), "another session goes on"
    again = box.run("echo back", session="s1", agent=DEFAULT)
    assert again.out == "back\n", "it may be resumed"


def test_what_nobody_can_undo_any_more_is_removed(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    first = box.run("mkdir d; echo x > d/made.txt; echo y > /tmp/left.txt")
    place = Path(runs.session_place(first.run.plan))
    Session(box.project, "s9").event("SessionStart", source="startup")
    assert Path(first.run.place).exists() and place.exists()
    session.end(str(place))
    until(lambda: not session.named_process(str(place / "holder")), "its network to end")
    late = clock.wall() + runs.KEEP_S + 60
    for path in (place / "used", place):
        os.utime(path, (1, 1))
    monkeypatch.setattr(clock, "wall", lambda: late)
    Session(box.project, "s9").event("SessionStart", source="startup")
    assert not Path(first.run.place).exists() and not place.exists()
    assert health.sessions() == ()
    assert (box.project / "d/made.txt").exists()
