"""Askers and answers, for the tests of a team."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from askfirst.approval.identity import digest_of
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.model import Answer, Decision, Duration
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.policy.rules import Label, TeamSettings
from askfirst.store.pending import FilePending
from askfirst.team.desk import Desk
from tests.approval.support import command, layers, request
from tests.waiting import PATIENCE_S, until

OTHERS = TeamSettings(self_approval=())
TWO = TeamSettings(danger_approvals=2)


def case(
    text: str, project: Path, *, team: TeamSettings | None = None, danger: str = "", session: str = "s1", **more: Any
) -> Case:
    """A command as the gate hands it to the manager."""
    asked = request(text, project, session=session)
    seen = (Label("untrusted", "`gh issue view 12`"),)
    rules = replace(layers(project, session=session, team=team, **more), digest=digest_of(asked), labels=seen)
    fact = command(text, project, danger=danger)
    return Case(asked, rules, (fact,), judge((fact,), rules))


class Asker(threading.Thread):
    """A hook that asks and waits, in a thread."""

    def __init__(self, what: Case, *, there: bool = True, timeout_s: float = 60) -> None:
        super().__init__(daemon=True)
        self.manager = ApprovalManager(FilePending(), timeout_s=timeout_s)
        self.id = ""
        self._case, self._there = what, there
        self._answer: list[Answer | None] = []
        self.start()

    def run(self) -> None:
        def note(asked: str) -> None:
            self.id = asked

        self._answer.append(self.manager.ask(self._case, there=lambda: self._there, waiting=note))

    def waits(self) -> str:
        until(lambda: self.id or self._answer, "the question")
        assert not self._answer, self._answer
        return self.id

    def outcome(self) -> Answer | None:
        """None: nobody could be asked."""
        self.join(PATIENCE_S)
        assert self._answer, "nobody answered"
        return self._answer[0]

    def answer(self) -> Answer:
        found = self.outcome()
        assert found is not None
        return found


def card(desk: Desk) -> Question:
    found: tuple[Question, ...] = until(desk.questions, "the team's card")
    return found[0]


def yes(question: Question, duration: Duration = Duration.ONCE, **more: Any) -> Answer:
    return Answer(Decision.ALLOW, duration, by="x", digest=question.digest, **more)


def no(question: Question, reason: str = "") -> Answer:
    return Answer(Decision.DENY, reason=reason, by="x", digest=question.digest)
