"""Two registrations of the gate judge and record a call once, and never open it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from askfirst.agents.event import Reply
from askfirst.store import paths, twice
from tests.hook.process import event, run


def start(project: Path, times: int) -> None:
    for _ in range(times):
        begun = {"hook_event_name": "SessionStart", "session_id": "session", "cwd": str(project), "source": "startup"}
        run(begun, cwd=project)


def records() -> list[str]:
    log = Path(paths.state_dir()) / "audit/current.jsonl"
    return [line for line in log.read_text().splitlines() if '"verdict"' in line] if log.exists() else []


@pytest.mark.parametrize(("starts", "recorded"), [(1, 2), (2, 1), (3, 1)])
def test_a_call_that_comes_twice_is_recorded_once(project: Path, home: Path, starts: int, recorded: int) -> None:
    start(project, starts)
    call = event(cwd=project, command="ls") | {"session_id": "session", "tool_use_id": "one"}
    first, second = run(call, cwd=project), run(call, cwd=project)
    assert first.value == second.value and first.decision == "allow"
    assert len(records()) == recorded
    run(call | {"tool_use_id": "two"}, cwd=project)
    assert len(records()) == recorded + 1
    run({"hook_event_name": "SessionEnd", "session_id": "session", "cwd": str(project), "reason": "other"}, cwd=project)
    assert os.listdir(os.path.join(paths.state_dir(), "calls")) == []


def test_the_second_waits_for_the_first_and_judges_itself_when_that_one_fails(project: Path, home: Path) -> None:
    twice.note_start("s")
    twice.note_start("s")
    assert twice.comes_twice("s") and not twice.comes_twice("other")
    judging, go_on, waited = threading.Event(), threading.Event(), threading.Event()

    def dies() -> Reply:
        judging.set()
        assert go_on.wait(30)
        raise MemoryError

    def first() -> None:
        with pytest.raises(MemoryError):
            twice.once("s", {"a": 1}, dies, None)

    one = threading.Thread(target=first)
    one.start()
    assert judging.wait(30)
    answers: list[Reply] = []
    denied = Reply(b"denied\n")
    two = threading.Thread(target=lambda: answers.append(twice.once("s", {"a": 1}, lambda: denied, waited.set)))
    two.start()
    assert waited.wait(30)
    go_on.set()
    one.join()
    two.join()
    assert answers == [denied]
    # From then on the answer is there, and it is the whole one.
    assert twice.once("s", {"a": 1}, dies, None) == denied


def test_an_answer_of_earlier_is_no_answer(home: Path) -> None:
    twice.note_start("s")
    twice.note_start("s")
    replies = iter([Reply(b"one\n"), Reply(b"two\n", 2, "no")])
    assert twice.once("s", {"a": 1}, lambda: next(replies), None).stdout == b"one\n"
    (place,) = Path(paths.state_dir(), "calls").iterdir()
    for file in place.iterdir():
        os.utime(file, (1, 1))
    assert twice.once("s", {"a": 1}, lambda: next(replies), None) == Reply(b"two\n", 2, "no")
    for file in place.iterdir():
        file.write_text("{")
    assert twice.once("s", {"a": 1}, lambda: Reply(b"three\n"), None).stdout == b"three\n"


def test_without_a_place_each_judges_for_itself(home: Path) -> None:
    assert twice.once("nobody", {}, lambda: Reply(b"mine\n"), None).stdout == b"mine\n"
