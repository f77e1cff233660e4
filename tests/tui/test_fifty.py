"""Fifty requests of five sessions, answered by one person in a real terminal: how long it takes, and whether every
answer is the one that was meant. The clock is the real one; the person waits for "ready" like anybody else.

    python -m pytest -m soak tests/tui/test_fifty.py -s -n0
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from askfirst.approval.manager import ApprovalManager
from askfirst.gate import judged
from askfirst.model import Decision, Duration, Request
from askfirst.store.pending import FilePending
from askfirst.world import World
from tests.tui.test_tmux import ASKFIRST, Tmux, environment, tmux

__all__ = ["environment", "tmux"]

pytestmark = [pytest.mark.soak, pytest.mark.needs("tmux")]
SCRIPT = "mytool report <<'EOF'\nfirst line of {0}\nsecond line of {0}\nEOF"


def wanted(session: int) -> list[tuple[str, str]]:
    """What one session asks for, and what the person thinks of it."""
    builds = [(f"hugo build part-{session}-{n}", "session") for n in range(5)]
    pushes = [(f"zola serve --port {session}-{n}", "denied") for n in range(3)]
    return [*builds, *pushes, (SCRIPT.format(session), "once"), (f"npm publish --tag v{session}", "denied")]


def publish(manager: ApprovalManager, project: Path) -> dict[str, tuple[str, str]]:
    meant: dict[str, tuple[str, str]] = {}
    for number in range(10):  # as they come: one of each session, then the next
        for session in range(5):
            command, answer = wanted(session)[number]
            request = Request("claude", f"s-{session}-work", str(project), str(project), "Bash", {"command": command})
            case = judged(request, World().layers(request))
            assert case.verdict.decision == Decision.ASK, command
            meant[manager.request_approval(case)] = (command, answer)
    return meant


def test_fifty_requests_in_a_minute(tmux: Tmux, project: Path) -> None:
    manager = ApprovalManager(FilePending(), timeout_s=1800.0)
    tmux.run("resize-window", "-x", "100", "-y", "36")
    tmux.type(f"{ASKFIRST} watch --no-bell\n")
    tmux.sees("no requests")
    meant = publish(manager, project)
    assert len(meant) == 50

    def left(word: str) -> int:
        return sum(word in question.text for question in manager.pending())

    tmux.until(lambda: "1 of 50" in tmux.frame(), "all of them")
    began = time.monotonic()
    tmux.type("l")
    tmux.sees("50 waiting")
    for word, key in (("hugo", "s"), ("serve", "d"), ("publish", "d")):
        # What is typed while the last answers are being stored is dropped: wait for "ready", as a person does.
        tmux.until(lambda: "● ready" in tmux.frame(), "the list")
        tmux.type("/")
        tmux.sees("filter: ▏")
        tmux.type(word)
        tmux.sees(f"filter: {word}▏")
        tmux.keys("Enter")
        tmux.press(key, lambda word=word: left(word) == 0)  # type: ignore[misc]
    tmux.until(lambda: "● ready" in tmux.frame(), "the list")
    tmux.type("l")
    tmux.press("o", lambda: left("mytool") == 0)  # one after the other, each read as a whole
    took = time.monotonic() - began

    outcomes = {id: manager.outcome(id) for id in meant}
    states = {id: answer.state if answer is not None else "" for id, answer in outcomes.items()}
    wrong = [f"{meant[id][0]}: {state}, not {meant[id][1]}" for id, state in states.items() if state != meant[id][1]]
    assert wrong == []
    assert sum(a is not None and a.duration == Duration.SESSION for a in outcomes.values()) == 25
    print(f"\n50 requests of 5 sessions, all answered as meant, in {took:.1f} s")
    assert took < 60
