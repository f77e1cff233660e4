"""The queue, kept live for every open page: what is pending, what was answered and by whom, what expired and can still
be allowed for the agent's next try, which sessions are flagged, whether everything is paused.

One thread looks at the store, when something has changed there and now and then, and tells every subscriber what is
different; a page that cannot keep up loses its connection, comes back and starts from the whole state, so it is never
wrong for long.
"""

from __future__ import annotations

import queue
import select
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from askfirst import jsontext
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.memory import MemoryWake
from askfirst.approval.question import Question
from askfirst.approval.wake import SAFETY_S, Wake
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision
from askfirst.store import labels, pause
from askfirst.store.alerts import alerts
from askfirst.text import one_line, visible
from askfirst.web.cards import Label, card

MAX_BEHIND = 500  # messages a slow page may be behind
MAX_COMMAND_CHARS = 300  # of a command, in the message that it is gone
MAX_TROUBLE_CHARS = 300
EXPIRED_S = 3600.0  # how long an expired request stays in the queue
MAX_EXPIRED = 50
POLL_S = 0.5  # where nothing tells that the store has changed
GONE = Answer(Decision.DENY, state="gone")
Message = dict[str, Any]


class Subscriber:
    """One open page."""

    def __init__(self, login: str) -> None:
        self.login = login
        self.messages: queue.Queue[bytes | None] = queue.Queue(MAX_BEHIND)
        self.lost = False

    def tell(self, message: bytes | None) -> None:
        try:
            self.messages.put_nowait(message)
        except queue.Full:
            self.lost = True


class Live:
    """What the pages see. `look` is called by its own thread, or by tests."""

    def __init__(self, manager: ApprovalManager, *, clock: Callable[[], float] = time.time, team: bool = False) -> None:
        self._manager, self._clock, self._team = manager, clock, team
        self._lock = threading.Lock()
        self._subscribers: list[Subscriber] = []
        self._cards: dict[str, tuple[Question, tuple[Label, ...]]] = {}
        self._expired: dict[str, Message] = {}
        self._around: Message = {}
        self._stop = threading.Event()
        self._bell = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="askfirst-live", daemon=True)

    def start(self) -> None:
        self._expired = self._expired_before()
        self.look()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self.look_soon()
        self.end("")
        if self._thread.is_alive():
            self._thread.join(5)
        for end in self._bell:
            end.close()

    def look_soon(self) -> None:
        """Something was done through this page: the others see it at once."""
        try:
            self._bell[1].send(b".", socket.MSG_DONTWAIT)
        except OSError:
            pass  # rung often enough, or closed

    def subscribe(self, login: str) -> Subscriber:
        subscriber = Subscriber(login)
        with self._lock:
            subscriber.tell(_bytes(self._state()))
            self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

    def end(self, login: str) -> None:
        """Close the streams of one browser; of all, where none is named."""
        with self._lock:
            for subscriber in self._subscribers:
                if login in ("", subscriber.login):
                    subscriber.tell(None)
                    subscriber.lost = True

    def look(self) -> None:
        """Compare the store with what the pages know, and tell them the difference."""
        pending = self._manager.pending()
        seen = {session: _labels(session) for session in {q.session for q in pending}}
        found = {q.id: (q, seen[q.session]) for q in pending}
        around = _around()
        with self._lock:
            messages = [self._gone(known) for key, (known, _) in self._cards.items() if key not in found]
            now = self._clock()
            messages += [card(*new, now=now) for key, new in found.items() if self._cards.get(key) != new]
            if around != self._around:
                messages.append({"type": "around", **around})
            self._cards, self._around = found, around
            self._forget_expired(now)
            told = [_bytes(message) for message in messages]
            for subscriber in self._subscribers:
                for message in told:
                    subscriber.tell(message)

    def dismiss(self, id: str) -> bool:
        """An expired request leaves the queue of every page."""
        with self._lock:
            was = self._expired.pop(id, None)
            for subscriber in self._subscribers if was is not None else ():
                subscriber.tell(_bytes({"type": "dismissed", "request_id": id}))
        return was is not None

    def _state(self) -> Message:
        now = self._clock()
        return {
            "type": "state",
            "team": self._team,
            "now": now,
            "requests": [card(*known, now=now) for known in self._cards.values()],
            "expired": list(self._expired.values()),
            **self._around,
        }

    def _gone(self, question: Question) -> Message:
        """The approval document's response message, with who answered. What expired goes on as its own card."""
        answer = self._manager.outcome(question.id) or GONE
        message = {
            "type": "approval_response",
            "request_id": question.id,
            "decision": answer.state if answer.decision == Decision.ALLOW else "deny",
            "state": answer.state,
            "by": visible(answer.by),
            "reason": visible(answer.reason),
            "command": visible(question.text, newlines=True, tabs=True)[:MAX_COMMAND_CHARS],
            "at": self._clock(),
        }
        if answer.state == "expired":
            message["expired"] = self._expired[question.id] = self._as_expired(question, answer)
        return message

    def _as_expired(self, question: Question, answer: Answer) -> Message:
        shown = card(question, _labels(question.session), now=self._clock())
        try:
            self._manager.late(question.id)
            refused = ""
        except AskfirstError as error:
            refused = visible(str(error))
        return {**shown, "state": answer.state, "ended": answer.at, "next_try_refused": refused}

    def _expired_before(self) -> dict[str, Message]:
        """What expired before this page was opened."""
        found: dict[str, Message] = {}
        for question, answer in self._manager.ended_since(self._clock() - EXPIRED_S):
            if answer.state == "expired":
                found[question.id] = self._as_expired(question, answer)
        return dict(list(found.items())[-MAX_EXPIRED:])

    def _forget_expired(self, now: float) -> None:
        old = [name for name, shown in self._expired.items() if now - float(shown["ended"]) > EXPIRED_S]
        for name in [*old, *list(self._expired)[: max(0, len(self._expired) - len(old) - MAX_EXPIRED)]]:
            self._expired.pop(name, None)
            for subscriber in self._subscribers:
                subscriber.tell(_bytes({"type": "dismissed", "request_id": name}))

    def _run(self) -> None:
        with self._manager.changes() as wake:
            while not self._stop.is_set():
                self._wait(wake)
                self._look_or_tell()

    def _wait(self, wake: Wake | MemoryWake) -> None:
        """Until the store changes, this page does something, or a while has passed."""
        store = [wake] if isinstance(wake, Wake) and wake.fileno() >= 0 else []
        if not store:
            wake.wait(POLL_S)
        watched: list[socket.socket | Wake] = [self._bell[0], *store]
        ready, _, _ = select.select(watched, [], [], SAFETY_S if store else 0)
        if self._bell[0] in ready:
            self._bell[0].recv(4096)
        if store and store[0] in ready:
            store[0].drain()

    def _look_or_tell(self) -> None:
        try:
            self.look()
        except Exception as error:
            # The store may be away for a moment (a full disk, a permission): the pages are told, and the next look may
            # be well again.
            told = _bytes({"type": "trouble", "text": visible(str(error))[:MAX_TROUBLE_CHARS]})
            with self._lock:
                for subscriber in self._subscribers:
                    subscriber.tell(told)
            self._stop.wait(1.0)


def _around() -> Message:
    """What stands over the whole queue."""
    return {"alerts": flagged(), "paused": visible(pause.why_paused())}


def flagged() -> list[Message]:
    return [
        {
            "session": visible(a.session),
            "agent": visible(a.agent),
            "violations": a.violations,
            "last": one_line(a.last, 200),
            "since": a.since,
        }
        for a in alerts()
    ]


def _labels(session: str) -> tuple[Label, ...]:
    """What this session has seen, each kind once with its reasons."""
    found: dict[str, list[str]] = {}
    for label in labels.seen(session):
        found.setdefault(label.kind, []).append(label.reason)
    return tuple((kind, "; ".join(dict.fromkeys(reasons))) for kind, reasons in found.items())


def _bytes(message: Message) -> bytes:
    return jsontext.dumps(message).encode()
