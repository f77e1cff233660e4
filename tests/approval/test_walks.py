"""How often a request is looked at on its way through the gate: judged once, and asked about once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from askfirst import gate, world
from askfirst.approval import manager
from askfirst.approval.manager import ApprovalManager
from askfirst.model import Answer, Decision, Duration, Request
from askfirst.policy.case import Case
from askfirst.world import World
from tests.approval.support import request, say


class Answering(World):
    """Somebody is there, and says yes for the session as soon as the question waits."""

    def is_there(self, case: Case) -> bool:
        return True

    def wait(self, manager: ApprovalManager, asked: str, request: Request) -> Answer:
        (question,) = manager.pending()
        manager.respond(asked, say(question, duration=Duration.SESSION))
        return super().wait(manager, asked, request)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """name -> how often it was called."""
    counts: Counter[str] = Counter()
    for place, name in (
        (world, "load_layers"),
        (gate, "analyze"),
        (gate, "judge"),
        (world, "judge"),
        (ApprovalManager, "known_answer"),
        (manager, "make_question_and_offers"),
    ):
        original = getattr(place, name)

        def counted(*given: Any, _name: str = name, _original: Any = original, **more: Any) -> Any:
            counts[_name] += 1
            return _original(*given, **more)

        monkeypatch.setattr(place, name, counted)
    return counts


def test_an_allowed_command_is_looked_at_once(looked: Counter[str], project: Path) -> None:
    assert gate.decide(request("ls -la", project), World()).decision == Decision.ALLOW
    assert looked == {"load_layers": 1, "analyze": 1, "judge": 1}


def test_an_asked_command_is_judged_once_and_asked_once(looked: Counter[str], project: Path) -> None:
    assert gate.decide(request("frobnicate now", project), Answering()).decision == Decision.ALLOW
    # Rules and grants are loaded again once the question waits: an answer may have come before it.
    assert looked == {
        "load_layers": 2,
        "analyze": 1,
        "judge": 1,
        "known_answer": 1,
        "make_question_and_offers": 1,
    }
    looked.clear()
    assert gate.decide(request("frobnicate now", project), Answering()).decision == Decision.ALLOW
    assert looked == {"load_layers": 1, "analyze": 1, "judge": 1}, "the yes was for the session"
