"""What the dialog and the line mode are given: a manager to ask, and what differs from one terminal to the next."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from askfirst.model import Answer

if TYPE_CHECKING:
    from askfirst.approval.memory import MemoryWake
    from askfirst.approval.question import Question
    from askfirst.approval.wake import Wake


class Manager(Protocol):
    """What a terminal needs of an ApprovalManager."""

    def pending(self) -> tuple[Question, ...]: ...
    def respond(self, id: str, answer: Answer) -> Answer: ...


POLL_S = 0.25  # how often the queue is looked at
TICK_S = 0.1  # how long a read waits at most: every step of the readiness must be seen


@dataclass(frozen=True)
class Setting:
    """What differs between the terminal of `askfirst watch`, a question asked in place, and a test."""

    by: str = "person at watch"
    quiet: bool = False  # no bell, no notification
    once: bool = False  # end after the first answer, or when nothing is waiting any more
    idle: str = "no requests · Ctrl-C quits"
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    tick_s: float = TICK_S
    head: Callable[[], str] = lambda: ""  # the audit log's head, for receipts
    wake: Wake | MemoryWake | None = None  # readable when something new waits
    ended: Callable[[str], str] = lambda _id: ""  # how a request ended that was not answered here, in words
    receipts: Callable[[], tuple[str, ...]] = lambda: ()  # lines to print, without one (what ran contained)
    news: Callable[[], tuple[str, ...]] = lambda: ()  # lines to print, each with a bell (sessions that were flagged)
