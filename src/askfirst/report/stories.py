"""The log as stories: a question with its answer, its grant and its verdict is one, and so is a call that asked no one.

A question leaves up to four records; who reads the log wants one row that says how it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from askfirst.audit.describe import author_of, outcome_of, subject_of

Record = dict[str, Any]

JOINED = frozenset(("question", "answer", "answer-late", "grant", "verdict", "correction"))
GIVEN = frozenset(("once", "session", "timed", "permanent"))  # answers that allow
MIN_WINDOW = 400  # records looked at for a first try; a story has seldom more than four


@dataclass(eq=False)
class Story:
    """Records that belong together, oldest first."""

    records: list[Record] = field(default_factory=list)

    @property
    def last_word(self) -> Record:
        """The record that says how it ended: a correction, else the verdict, else whatever came last."""
        for kind in ("correction", "verdict", "answer"):
            found = next((r for r in reversed(self.records) if r.get("kind") == kind), None)
            if found is not None:
                return found
        return self.records[-1]

    @property
    def id(self) -> str:
        """What a receipt shows; "" where no one was asked."""
        return next((str(r["id"]) for r in self.records if r.get("kind") in ("question", "answer") and "id" in r), "")

    @property
    def is_call(self) -> bool:
        """A call of an agent's tool; else a change of configuration, a grant by hand, and the like."""
        return self.last_word.get("kind") in ("question", "answer", "verdict", "correction")

    @property
    def was_asked(self) -> bool:
        """Whether it waited for a person."""
        return bool(self.id) or "answer" in self.last_word

    @property
    def state(self) -> str:
        """What was answered: once, session, denied, expired, …; "" where no one was asked, or it waits."""
        answer = self.last_word.get("answer")
        said = answer if isinstance(answer, dict) else self.last_word
        return str(said.get("state", ""))

    @property
    def decision(self) -> str:
        """What became of a call: allow, contain, deny; ask while it waits."""
        word = self.last_word
        if word.get("kind") == "answer":  # whoever asked is gone, or has not written its verdict yet
            return "allow" if self.state in GIVEN else "deny"
        return "ask" if word.get("kind") == "question" else str(word.get("decision", ""))

    @property
    def outcome(self) -> str:
        word = self.last_word
        if word.get("kind") == "answer":
            return f"{self.decision} ({self.state})"
        return "waits" if word.get("kind") == "question" else outcome_of(word)

    @property
    def by(self) -> str:
        """Who or which rule decided; "" while it waits."""
        return "" if self.last_word.get("kind") == "question" else author_of(self.last_word)

    @property
    def reason(self) -> str:
        """Why: what a person said, else why it was asked or decided."""
        answer = self.last_word.get("answer")
        said = answer.get("reason", "") if isinstance(answer, dict) else ""
        asked = next((r for r in self.records if r.get("kind") == "question"), self.last_word)
        return str(said or asked.get("reason", ""))

    @property
    def text(self) -> str:
        """What it is about, with paths of the project as people know them."""
        project = str(self.last_word.get("project", "")).rstrip("/")
        text = subject_of(self.last_word)
        return text.replace(project + "/", "") if project else text

    def is_named(self, id: str) -> bool:
        """By the id of its question, its grant or its contained run, or by the log's head on a receipt."""
        names = (r.get(key) for r in self.records for key in ("id", "run", "event_hash", "hitl_id"))
        return any(str(name).startswith(id) for name in names if name)


def stories(records: Iterable[Record]) -> list[Story]:
    """Oldest first, by their first record."""
    teller = _Teller()
    for record in records:
        teller.hear(record)
    return teller.found


class _Teller:
    """Finds the story that each record belongs to."""

    def __init__(self) -> None:
        self.found: list[Story] = []
        self._by_id: dict[str, Story] = {}
        # (session, digest) of questions whose verdict is still to come
        self._waiting: dict[tuple[Any, Any], list[Story]] = {}
        self._asked: dict[Any, Story] = {}  # digest of what was asked about last

    def hear(self, record: Record) -> None:
        kind, key = record.get("kind"), (record.get("session"), record.get("digest"))
        story = self._begun(record) if kind in JOINED else None
        if story is None:
            story = Story()
            self.found.append(story)
        story.records.append(record)
        name = str(record.get("id", ""))
        if kind in ("question", "answer"):
            if name not in self._by_id:
                self._waiting.setdefault(key, []).append(story)
            self._by_id[name] = self._asked[record.get("digest")] = story
        elif kind == "verdict" and story in self._waiting.get(key, ()):
            self._waiting[key].remove(story)

    def _begun(self, record: Record) -> Story | None:
        """The story that goes on with it."""
        story = self._by_id.get(str(record.get("id", "")))
        if story is None and record.get("kind") == "verdict" and isinstance(record.get("answer"), dict):
            return _asked_by(record, self._waiting.get((record.get("session"), record.get("digest")), []))
        if story is None and record.get("kind") == "grant" and record.get("digest"):
            return self._asked.get(record["digest"])  # whoever waits is woken before it is written
        return story


def _asked_by(verdict: Record, waiting: list[Story]) -> Story | None:
    """Which of the same requests this verdict ends: the one that was answered so."""
    said = [s for s in waiting if s.state == verdict["answer"].get("state")]
    return next(iter(said or waiting), None)


def last_stories(newest: Iterator[Record], count: int, takes: Callable[[Story], bool]) -> list[Story]:
    """The last `count` stories that are wanted, oldest first, reading no more of the log than it takes."""
    read: list[Record] = []
    window = max(MIN_WINDOW, 10 * count)
    while True:
        more = list(islice(newest, window))
        read += more
        found = [story for story in stories(reversed(read)) if takes(story)]
        # The oldest story of a part may have begun before it.
        if len(more) < window or len(found) > count:
            return found[-count:]
        window *= 2
