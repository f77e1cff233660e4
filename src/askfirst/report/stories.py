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
MIN_WINDOW = 400  # records looked at for a first try; a story has seldom more than four


@dataclass
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
    def outcome(self) -> str:
        word = self.last_word
        return "waits" if word.get("kind") == "question" else outcome_of(word)

    @property
    def by(self) -> str:
        return author_of(self.last_word)

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
    found: list[Story] = []
    by_id: dict[str, Story] = {}
    waiting: dict[tuple[Any, Any], Story] = {}  # (session, digest) of a question whose verdict is still to come
    for record in records:
        kind, key = record.get("kind"), (record.get("session"), record.get("digest"))
        story = by_id.get(str(record.get("id", ""))) if kind in JOINED else None
        if story is None and kind in JOINED and record.get("digest"):
            story = waiting.get(key)
        if story is None:
            story = Story()
            found.append(story)
        story.records.append(record)
        if kind in ("question", "answer"):
            by_id[str(record.get("id", ""))] = story
            waiting[key] = story
        elif kind == "verdict":
            waiting.pop(key, None)
    return found


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
