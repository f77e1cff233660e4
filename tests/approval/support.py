"""Requests, facts and layers for the tests of asking, without the analysis: nothing tested here depends on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from askfirst.approval.identity import digest_of
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.model import Action, Answer, Command, Decision, Duration, Kind, Request, Verdict, Word
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings
from tests.waiting import PATIENCE_S


def word(text: str) -> Word:
    return Word(text, text)


def command(
    text: str,
    project: Path | str,
    *,
    kind: Kind = Kind.OTHER,
    key: tuple[str, ...] = (),
    target: str = "",
    cwd: str | None = "",
    danger: str = "",
    program: str | None = "",
    foreign: str = "",
) -> Command:
    words = text.split()
    return Command(
        words[0],
        tuple(word(w) for w in words),
        text,
        str(project) if cwd == "" else cwd,
        program=f"/usr/bin/{words[0]}" if program == "" else program,
        foreign=foreign,
        action=Action(
            key or (words[0],),
            kind,
            rule=" ".join(key or (words[0],)) if kind != Kind.OTHER else "",
            profile="c-dev" if kind == Kind.BUILD else "",  # as the rows have it of all but risky tasks
            target=target,
            danger=danger,
        ),
    )


def layers(project: Path | str, *, session: str = "s1", **settings: Any) -> Layers:
    return Layers(str(project), session=session, agent="claude", now=time.time(), settings=Settings(**settings))


def request(
    text: str, project: Path | str, *, session: str = "s1", agent: str = "claude", cwd: str = "", **more: Any
) -> Request:
    return Request(agent, session, cwd or str(project), str(project), "Bash", {"command": text, **more})


def verdict(text: str, project: Path | str, given: Layers | None = None) -> Verdict:
    return judge((command(text, project),), given or layers(project))


def case(text: str, project: Path | str, *, session: str = "s1", agent: str = "claude", danger: str = "") -> Case:
    """A command as the gate hands it to the manager."""
    asked = request(text, project, session=session, agent=agent)
    rules = replace(layers(project, session=session), digest=digest_of(asked))
    fact = command(text, project, danger=danger)
    return Case(asked, rules, (fact,), judge((fact,), rules))


def publish(
    manager: ApprovalManager, text: str, project: Path | str, *, session: str = "s1", agent: str = "claude"
) -> str:
    return manager.request_approval(case(text, project, session=session, agent=agent))


def say(
    question: Question, decision: Decision = Decision.ALLOW, duration: Duration = Duration.ONCE, **more: Any
) -> Answer:
    return Answer(decision, duration, by="ada at test", digest=question.digest, **more)


class Waiter(threading.Thread):
    """`wait_for_response` in a thread, as a hook would wait in its process."""

    def __init__(self, manager: ApprovalManager, id: str, gone: Callable[[], bool] | None = None) -> None:
        super().__init__(daemon=True)
        self._manager, self._id, self._gone = manager, id, gone
        self._answer: Answer | None = None
        self.start()

    def run(self) -> None:
        self._answer = self._manager.wait_for_response(self._id, gone=self._gone)

    def answer(self) -> Answer:
        self.join(PATIENCE_S)
        assert self._answer is not None, "nobody answered"
        return self._answer
