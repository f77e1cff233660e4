"""What a person is asked: words and choices, as a value. Every surface (terminal, page, shell) renders only this.

Texts in a Question are redacted, but not made visible: a surface passes each through `text.visible` before it draws it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from askfirst.knowledge.tools import WRITERS
from askfirst.model import Duration


@dataclass(frozen=True)
class Line:
    """One finding, in words."""

    kind: str  # run, write, read, use, unknown
    text: str  # the command, or the path
    decision: str  # allow, ask, deny
    reason: str
    origin: str  # "built-in rules: git status", "nothing matched"
    danger: str = ""


@dataclass(frozen=True)
class Choice:
    """One way to say yes, or why it is not offered."""

    duration: Duration
    refused: str = ""  # why this one is not offered; "" when it is
    scope: str = ""  # what it would cover, in words
    entry: str = ""  # for PERMANENT: the exact YAML that would be appended
    file: str = ""  # for PERMANENT: the file it would go to
    also: tuple[str, ...] = ()  # what else in this project's log it would have allowed


@dataclass(frozen=True)
class Fold:
    """Lines of the text that decide nothing: what a quoted heredoc puts into a file that may be written."""

    first: int  # the first such line, from 0
    lines: int
    into: str  # the file, as the command names it


@dataclass(frozen=True)
class Question:
    """A pending request as people see it."""

    id: str  # 26 characters, people type the shortest unique prefix of at least 4
    digest: str  # SHA-256 of what will run; an answer must carry it
    tool: str
    text: str  # the whole command, or the path that would be written
    why: str  # why it is asked, one line
    agent: str
    session: str
    project: str
    cwd: str
    created: float  # wall clock, seconds
    deadline: float
    lines: tuple[Line, ...] = ()
    choices: tuple[Choice, ...] = ()  # of the scope that is shown
    steps: tuple[tuple[Choice, ...], ...] = ()  # of every scope that is offered, narrowest first
    step: int = 0  # which of them is shown
    said: str = ""  # what the agent says about it: quoted as such
    subagent: str = ""
    danger: str = ""  # consequences, named
    confirm: bool = False  # CONFIRM must be typed
    flagged: bool = False  # its session is flagged for review (alert mode)
    notes: tuple[str, ...] = ()  # an untrusted project file, and the like
    count: int = 1  # identical pending requests behind this card
    agents: int = 1  # from so many sessions
    change: str = ""  # for files: NEW, MODIFY, REPLACE
    diff: str = ""  # unified diff, 3 lines of context
    deleted: tuple[str, ...] = ()  # what would be DELETED, in words
    strategies: tuple[str, ...] = ()  # replace, append, insert, extend
    proposed: str = ""  # the new text, where merging is offered: files.show.preview makes the final diff of it
    ids: tuple[str, ...] = ()  # all ids behind this card, the first is `id`
    folds: tuple[Fold, ...] = ()  # of `text`, in order

    @property
    def subject(self) -> str:
        """The text; of a file tool the path as the project's people know it."""
        inside = self.project.rstrip("/") + "/"
        return self.text.removeprefix(inside) if self.tool in WRITERS and inside != "/" else self.text

    def choice(self, duration: Duration) -> Choice | None:
        return next((c for c in self.choices if c.duration == duration), None)

    def offers(self, duration: Duration) -> bool:
        choice = self.choice(duration)
        return choice is not None and not choice.refused

    def can_widen(self) -> bool:
        return len(self.steps) > 1

    def at(self, step: int) -> Question:
        """The same question with another scope shown. Raises IndexError where there is no such step."""
        return replace(self, choices=self.steps[step], step=step) if self.steps else self

    def next_step(self) -> int:
        """What W leads to: the next wider scope, and from the widest back to the narrowest."""
        return (self.step + 1) % max(1, len(self.steps))

    def all_ids(self) -> tuple[str, ...]:
        """Of every request behind this card."""
        return self.ids or (self.id,)

    def is_same_card(self, other: Question) -> bool:
        """Some request behind this card is behind the other one, too."""
        return not set(self.all_ids()).isdisjoint(other.all_ids())

    def reads_like(self, other: Question) -> bool:
        """Whether a person who has read this one has read the other: a count or a time may differ, nothing else."""
        return self._without_counts() == other._without_counts()

    def _without_counts(self) -> Question:
        same = self.at(0)  # which of the scopes is shown is no part of it
        return replace(same, id="", ids=(), count=0, agents=0, created=0.0, deadline=0.0)
