"""The queue, kept live for every open page: what is pending, what was answered and by whom, which sessions are flagged.

One thread looks at the store and tells every subscriber what changed; a page that cannot keep up loses its connection,
comes back and starts from the whole state, so it is never wrong for long.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from askfirst.approval.question import Question
from askfirst.model import Answer, Decision
from askfirst.text import visible
from askfirst.web.cards import card

LOOK_S = 0.25
MAX_BEHIND = 500  # messages a slow page may be behind
MAX_COMMAND_CHARS = 300  # of a command, in the message that it is gone
MAX_TROUBLE_CHARS = 300
GONE = Answer(Decision.DENY, state="gone")


class Subscriber:
    """One open page."""

    def __init__(self) -> None:
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue(MAX_BEHIND)
        self.lost = False

    def tell(self, message: dict[str, Any] | None) -> None:
        try:
            self.messages.put_nowait(message)
        except queue.Full:
            self.lost = True


class Live:
    """What the pages see. `look` is called by its own thread, or by tests."""

    def __init__(
        self,
        pending: Callable[[], tuple[Question, ...]],
        outcome: Callable[[str], Answer | None],
        alerts: Callable[[], list[dict[str, Any]]],
        *,
        clock: Callable[[], float] = time.time,
        team: bool = False,
    ) -> None:
        self._team = team
        self._pending, self._outcome, self._alerts, self._clock = pending, outcome, alerts, clock
        self._lock = threading.Lock()
        self._subscribers: list[Subscriber] = []
        self._cards: dict[str, Question] = {}
        self._flagged: list[dict[str, Any]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="askfirst-live", daemon=True)

    def start(self) -> None:
        self.look()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        with self._lock:
            for subscriber in self._subscribers:
                subscriber.tell(None)
        if self._thread.is_alive():
            self._thread.join(5)

    def subscribe(self) -> Subscriber:
        subscriber = Subscriber()
        with self._lock:
            subscriber.tell(self._state())
            self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

    def look(self) -> None:
        """Compare the store with what the pages know, and tell them the difference."""
        found = {q.id: q for q in self._pending()}
        flagged = self._alerts()
        with self._lock:
            messages = [self._gone(known) for key, known in self._cards.items() if key not in found]
            now = self._clock()
            messages += [card(q, now=now) for key, q in found.items() if self._cards.get(key) != q]
            if flagged != self._flagged:
                messages.append({"type": "alerts", "alerts": flagged})
            self._cards, self._flagged = found, flagged
            for subscriber in self._subscribers:
                for message in messages:
                    subscriber.tell(message)

    def question(self, id: str) -> Question | None:
        with self._lock:
            return self._cards.get(id)

    def _state(self) -> dict[str, Any]:
        now = self._clock()
        return {
            "type": "state",
            "team": self._team,
            "now": now,
            "requests": [card(q, now=now) for q in self._cards.values()],
            "alerts": self._flagged,
        }

    def _gone(self, question: Question) -> dict[str, Any]:
        """The approval document's response message, with who answered."""
        answer = self._outcome(question.id) or GONE
        return {
            "type": "approval_response",
            "request_id": question.id,
            "decision": answer.state if answer.decision == Decision.ALLOW else "deny",
            "state": answer.state,
            "by": visible(answer.by),
            "reason": visible(answer.reason),
            "command": visible(question.text, newlines=True, tabs=True)[:MAX_COMMAND_CHARS],
            "at": self._clock(),
        }

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            try:
                self.look()
            except Exception as error:
                # The store may be away for a moment (a full disk, a permission): the pages are told, and the next
                # look may be well again.
                with self._lock:
                    for subscriber in self._subscribers:
                        subscriber.tell({"type": "trouble", "text": visible(str(error))[:MAX_TROUBLE_CHARS]})
