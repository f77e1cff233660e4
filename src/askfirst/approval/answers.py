"""Answers that are not a person's, and what is said to a person whose answer does not count."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.store import clock

_STATES = {Duration.ONCE: "once", Duration.SESSION: "session", Duration.TIMED: "timed", Duration.PERMANENT: "permanent"}
# A yes that has not ended the matter, where a team answers.
UNSETTLED = {"counted": "your yes counts, and it still waits", "refused": "not taken by the asking machine"}
_WORDS = {
    **UNSETTLED,
    "once": "allowed once",
    "session": "allowed for its session",
    "timed": "allowed for a time",
    "permanent": "allowed permanently",
    "denied": "denied",
    "expired": "too late: it expired",
    "cancelled": "withdrawn",
}


CLIENT_DIALOG = "the client's dialog"


class NotPending(AskfirstError):
    """No such request waits."""


class Refused(AskfirstError):
    """This answer is not one of those that are offered."""


class AlreadyDecided(NotPending):
    """Somebody, or time, was first. Says who and what."""

    def __init__(self, answer: Answer, question: Mapping[str, Any]) -> None:
        self.answer, self.question = answer, question
        super().__init__(f"already decided: {describe(answer)}")

    @property
    def is_late(self) -> bool:
        """Whether the approval may be kept for one use: nobody decided, the time was over or the asker gone."""
        return self.answer.state in ("expired", "cancelled")


def describe(answer: Answer) -> str:
    at = time.strftime("%H:%M:%S", time.localtime(answer.at)) if answer.at else ""
    words = _WORDS.get(answer.state, answer.state)
    by = f" by {answer.by}" if answer.by and answer.by not in ("timeout", "cancelled") else ""
    return f"{words}{by}{f' at {at}' if at else ''}" + (f" ({answer.reason})" if answer.reason else "")


def denied_before(reason: str) -> str:
    return f"a person denied exactly this earlier in this session{f': {reason}' if reason else ''}"


def state_of(answer: Answer) -> str:
    return _STATES[answer.duration] if answer.decision == Decision.ALLOW else "denied"


def client_yes(digest: str) -> Answer:
    """A person said yes in the dialog that the agent's client draws itself."""
    return Answer(Decision.ALLOW, Duration.ONCE, "", CLIENT_DIALOG, "once", clock.wall(), digest=digest)


def deny(state: str, by: str, reason: str, digest: str = "") -> Answer:
    return Answer(Decision.DENY, Duration.ONCE, reason, by, state, clock.wall(), digest=digest)
