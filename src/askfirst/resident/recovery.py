"""The cold hook after the warm process: a reply that was lost, and a call that both judge so that they can be compared.

Effects happen once. What the warm process has decided stands: its reply is found, or, where it died before it could
keep one, the call is judged again and what the log has already is not recorded a second time.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from askfirst.agents.event import BEFORE_TOOL, Reply
from askfirst.agents.wire import Wire
from askfirst.audit.read import read_backwards
from askfirst.box.plan import Plan
from askfirst.box.runs import line_of, root
from askfirst.errors import HookInputError, StoreError
from askfirst.hook import Around, HandedOver, Options, respond
from askfirst.model import Decision, Verdict
from askfirst.policy.case import Case
from askfirst.resident import protocol
from askfirst.resident import socket_place as places
from askfirst.resident.start import is_running, pid_behind, stop
from askfirst.resident.thin import Exchange
from askfirst.store import alerts, atomic, ids
from askfirst.world import FLAGGED, World

KEPT_S = 1.0  # how long a living process has to keep its reply
GONE_S = 2.0
SKEW_S = 1.0  # the log rounds its times
_RUN = re.compile(rb"box/runs/[%b]{%d}" % (ids.ALPHABET.encode(), ids.LENGTH))
UNKNOWN = "the warm gate ended while it judged this call, and what became of it cannot be told"


@dataclass(frozen=True)
class Lost:
    """A call that a warm process has taken, and whose reply did not arrive."""

    key: bytes
    pid: int
    since: float

    @classmethod
    def of(cls, text: str) -> Lost:
        key, pid, since = text.split(":")
        return cls(bytes.fromhex(key), int(pid), float(since))


def recovered(options: Options, words: list[str], agent: Wire, raw: bytes, judged: Callable[..., Reply]) -> Reply:
    """`judged` is the whole cold hook, in a world of the caller's choice."""
    if not options.place:
        return judged()
    if options.lost:
        return after_loss(options.place, Lost.of(options.lost), judged)
    return compared(options, words, agent, raw, judged)


# A reply that was lost


def after_loss(place: str, lost: Lost, judged: Callable[..., Reply]) -> Reply:
    return reply_kept(place, lost) or judged(partial(AfterLoss, since=lost.since))


def reply_kept(place: str, lost: Lost) -> Reply | None:
    """The reply that the process has left; None when it died without one, and it is certain that it is dead."""
    path = f"{places.replies_path(place)}/{lost.key.hex()}"
    give_up = time.monotonic() + KEPT_S
    while True:
        found = _reply_in(path, lost.key)
        if found is not None:
            return found
        if not _is_at_work(place, lost.pid):
            return _reply_in(path, lost.key)
        if time.monotonic() > give_up:
            break
        time.sleep(0.005)
    # It is stopped, or hangs, with the call in its hands: it must not go on with it later.
    os.kill(lost.pid, signal.SIGKILL)
    give_up = time.monotonic() + GONE_S
    while _is_at_work(place, lost.pid):
        if time.monotonic() > give_up:
            raise StoreError(UNKNOWN)
        time.sleep(0.005)
    return _reply_in(path, lost.key)


def _is_at_work(place: str, pid: int) -> bool:
    """Whether that process still lives. Another one in its place has never heard of the call."""
    return is_running(place) and pid_behind(place) in (pid, 0) and _lives(pid)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] != [b"Z"]
    except ProcessLookupError:
        return False
    except OSError:
        return True


def _reply_in(path: str, key: bytes) -> Reply | None:
    try:
        found = protocol.answer_in(atomic.read_private(path, protocol.MAX_REPLY_BYTES), key)
    except (OSError, ValueError, StoreError):
        return None
    return _as_reply(found)


def _as_reply(found: protocol.Answered) -> Reply:
    return Reply(found.stdout, found.exit_code, found.stderr.decode("utf-8", "replace").removesuffix("\n"))


class AfterLoss(World):
    """Judges a call of which the log may have a record already."""

    def __init__(self, *, since: float, **options: Any) -> None:
        super().__init__(**options)
        self._since = since

    def record(self, case: Case) -> None:
        if not self._has_record(case):
            super().record(case)

    def count(self, case: Case) -> Verdict:
        """What was recorded is counted, or lost at a kill between two system calls."""
        if not self._has_record(case):
            return super().count(case)
        return _flagged(case.request.session, case.verdict)

    def _has_record(self, case: Case) -> bool:
        request = case.request
        wanted = {
            "kind": "verdict",
            "digest": case.digest,
            "session": request.session,
            "decision": case.verdict.decision.name.lower(),
            **({"call": request.tool_use_id} if request.tool_use_id else {}),
        }
        return any(r.items() >= wanted.items() for r in _records_since(self._since))

    def note_settings_change(self, record: dict[str, Any]) -> None:
        wanted = {"kind": "settings-change", **record}
        if not any(r.items() >= wanted.items() for r in _records_since(self._since)):
            super().note_settings_change(record)


def _records_since(since: float) -> Iterator[dict[str, Any]]:
    for record in read_backwards():
        at = record.get("time")
        if isinstance(at, (int, float)) and at < since - SKEW_S:
            return
        if isinstance(at, (int, float)) and at >= since - 0.001:
            yield record


def _flagged(session: str, verdict: Verdict) -> Verdict:
    if not alerts.is_flagged(session):
        return verdict
    return replace(verdict, notes=(*verdict.notes, FLAGGED))


# A sample


class Dry(World):
    """Judges, and leaves no trace. What a person would have to answer is not compared."""

    def ask(self, case: Case) -> Case:
        raise HandedOver("a person would be asked")

    def line_in_box(self, plan: Plan) -> str:
        return line_of(f"{root()}/{'0' * ids.LENGTH}", plan.agent)

    def record(self, case: Case) -> None:
        pass

    def note_observed(self, case: Case) -> None:
        pass

    def count(self, case: Case) -> Verdict:
        verdict = case.verdict
        return verdict if verdict.decision == Decision.ALLOW else _flagged(case.request.session, verdict)


def compared(options: Options, words: list[str], agent: Wire, raw: bytes, judged: Callable[..., Reply]) -> Reply:
    """The warm process's answer, held against this process's own. It judges before and after: effects of the call, or a
    person who changes a rule in between, are no difference."""
    try:
        if agent.read(raw, os.environ).name != BEFORE_TOOL:
            return judged()
        before = respond(agent, raw, os.environ, Around(world=Dry))
        asked = Exchange(options.place, os.urandom(protocol.KEY_BYTES))
        found = asked.ask(_own_words(words), raw)
        if found is None:
            return after_loss(options.place, Lost.of(asked.how[1]), judged) if asked.how else judged()
        answer = _as_reply(found)
        if _same(answer, before) or _same(answer, respond(agent, raw, os.environ, Around(world=Dry))):
            return answer
    except (HandedOver, HookInputError):
        return judged()
    _tell(options.place, agent, raw)
    return judged()


def _same(one: Reply, other: Reply) -> bool:
    """Each contained run has an id of its own."""
    return replace(one, stdout=_RUN.sub(b"box/runs/", one.stdout)) == replace(
        other, stdout=_RUN.sub(b"box/runs/", other.stdout)
    )


def _own_words(words: list[str]) -> list[str]:
    """As the agent called the hook, without what the client has added."""
    return words[: words.index("--place")] if "--place" in words else words


def _tell(place: str, agent: Wire, raw: bytes) -> None:
    """Another answer than the cold hook's is a mistake, or somebody else sits in the place of the gate. It ends, and is
    not started again before a person has looked."""
    event = agent.read(raw, os.environ)
    atomic.write_atomic(places.differs_path(place), b"")
    alerts.flag(event.session, agent.name, event.project, "the warm gate answered otherwise than the cold hook")
    stop(place)
