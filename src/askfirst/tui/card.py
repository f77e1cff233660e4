"""One question on screen: what has been shown, what a key means now, and the answer that comes out of it.

No terminal and no clock in here: keys, sizes and times are handed in. What keeps an accident from becoming an approval:
S, P and O need every row of the question shown, readiness (tui/readiness.py), CONFIRM for a dangerous one, and a read
of their own. D needs readiness and a read of its own, too: a no counts for the rest of the session. Esc goes back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askfirst.approval.merging import merged, offered
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.text import visible
from askfirst.tui.keyboard import Key
from askfirst.tui.layout import body, details, help_lines
from askfirst.tui.merge import STRATEGY_KEYS, LineEntry, line_rows, strategy_rows
from askfirst.tui.readiness import Readiness

if TYPE_CHECKING:
    from rich.text import Text

WORD = "CONFIRM"
DENY_AFTER_S = 2.0  # after D, this long without a letter of a reason denies without one
MESSAGE_S = 1.5  # how long an explanation stands where the status was
MAX_REASON_CHARS = 500
DENIES = "d"
APPROVES = {"s": Duration.SESSION, "p": Duration.PERMANENT, "o": Duration.ONCE}


@dataclass(frozen=True)
class KeyStep:
    """What the loop has to do: answer, go to the next request, show the list, or none of it."""

    answer: Answer | None = None
    next: bool = False
    list: bool = False


class Card:
    """The focused question."""

    def __init__(self, question: Question, width: int, rows: int, now: float, *, by: str = "person at watch") -> None:
        self.asked = self.question = question  # as it was asked, and as it is shown (a merge shows its own diff)
        self.by = by
        self.merge: dict[str, object] | None = None
        self.entry: LineEntry | None = None
        self.readiness = Readiness(now)
        self.view = "question"  # question, details, help, reason, merge, line
        self.confirmed = not question.confirm
        self.typed = ""  # a reason, or CONFIRM so far
        self.message, self._message_at = "", now
        self.others = 0  # requests that wait besides this one
        self.closed = False  # it is answered or gone: what is left on screen offers no keys
        self._typed_at = now
        self.resize(width, rows, now)

    # What is on screen

    def resize(self, width: int, rows: int, now: float) -> None:
        """Another size: everything is laid out again, nothing counts as shown, readiness starts from zero."""
        self.width, self.rows = width, max(1, rows)
        self.page = self._shown_rows = 0
        self._lines: dict[str, list[Text]] = {}
        self.readiness.restart(now)

    def update(self, question: Question, now: float) -> None:
        """The same request, read again. A count may change under the person's eyes; anything else starts from zero."""
        if not question.reads_like(self.asked):
            self.asked = self.question = question
            self.merge, self.entry, self.view = None, None, "question"
            self.confirmed, self.typed = not question.confirm, ""
            self.resize(self.width, self.rows, now)
        elif question != self.asked:
            self.asked = question
            self.question = replace(
                self.question, id=question.id, ids=question.ids, count=question.count, agents=question.agents
            )
            self._lines = {}

    def say(self, words: str, now: float) -> None:
        """An explanation, for a moment, where the status stands."""
        self.message, self._message_at = words, now

    def lines(self) -> list[Text]:
        """All rows of the present view."""
        view = "question" if self.view == "reason" else self.view
        if view not in self._lines:
            if view == "question":
                return self._question_lines()
            make = {"details": details, "merge": strategy_rows, "line": line_rows}.get(view)
            self._lines[view] = make(self.question, self.width) if make is not None else help_lines(self.width)
        return self._lines[view]

    def page_lines(self) -> list[Text]:
        lines = self.lines()
        # The last page is a full one, too: its first rows were on the page before.
        start = min(self.page * self.rows, max(0, len(lines) - self.rows))
        return lines[start : start + self.rows]

    def pages(self) -> int:
        return max(1, -(-len(self.lines()) // self.rows))

    def drawn(self) -> None:
        """The present page is on screen before the next key is read."""
        if self.view in ("question", "reason") and self.page * self.rows <= self._shown_rows:
            self._shown_rows = max(self._shown_rows, (self.page + 1) * self.rows)

    def locked(self) -> bool:
        """Some row of the question was not on screen yet."""
        return self._shown_rows < len(self._question_lines())

    def _question_lines(self) -> list[Text]:
        if "question" not in self._lines:
            self._lines["question"] = body(self.question, self.width, self.rows)
        return self._lines["question"]

    def state(self, now: float) -> tuple[object, ...]:
        """Whatever the frame shows besides the question: while this stays the same, it need not be drawn again."""
        left = int(now - self._typed_at) if self.view == "reason" else 0
        entry = (self.entry.typed, self.entry.problem) if self.entry is not None else ()
        return (
            id(self.question),
            entry,
            self.view,
            self.page,
            self.question.step,
            self.confirmed,
            self.typed,
            self.message,
            self.closed,
            self.others,
            self.width,
            self.rows,
            self.locked(),
            self.readiness.state(now),
            self.readiness.pressed,
            left,
        )

    # What a key means

    def feed(self, keys: list[Key], now: float, *, alone: bool) -> KeyStep | None:
        """The keys of one read. `alone`: the read was a single byte, as a pressed letter is."""
        alone = alone and len(keys) == 1
        self._typed_at = now  # an Escape is known as one only a second later: until then nothing is denied
        if not alone:
            self.readiness.typed(now)  # an unfinished sequence is typing, too
        for key in keys:
            effect = self._press(key, now, alone=alone)
            if effect is not None:
                return effect
        return None

    def tick(self, now: float) -> KeyStep | None:
        """Time passed: a key may count now, a denial without a reason may be due."""
        if self.message and now - self._message_at >= MESSAGE_S:
            self.message = ""
        if self.view == "reason" and not self.typed and now - self._typed_at >= DENY_AFTER_S:
            return self._deny()
        key = self.readiness.accept(now)
        if key == DENIES:
            self.view, self.typed, self._typed_at, self.page = "reason", "", now, 0
        elif key and self._refusal(key) == "":
            return KeyStep(self._allow(APPROVES[key]))
        return None

    def idle_s(self, now: float) -> float:
        """How long a reason has been waited for."""
        return now - self._typed_at

    def _press(self, key: Key, now: float, *, alone: bool) -> KeyStep | None:
        if self.view == "reason":
            return self._reason(key, now)
        if key.char.lower() == DENIES and self.view != "line":
            self.typed = ""
            self._propose(DENIES, now, alone=alone)
            return None
        if self.view in ("merge", "line"):
            return self._choose_merge(key, now)
        self._message_at = now
        letter = key.char.lower()
        if self._confirming(key, now):
            self.readiness.typed(now)
            return None
        self.typed = ""
        if letter in APPROVES:
            self._approve(letter, now, alone=alone)
            return None
        self.readiness.typed(now)
        return self._command(letter or key.name, now)

    def _command(self, key: str, now: float) -> KeyStep | None:
        self.message = ""
        if key in ("n", "l"):
            return KeyStep(next=key == "n", list=key == "l")
        elif key in ("v", "?"):
            self._look("details" if key == "v" else "help")
        elif key == "escape":
            self._look("question")
        elif key == "w":
            self._widen(now)
        elif key == "m" and offered(self.asked):
            self.view, self.page = "merge", 0
        elif key in (" ", "page-down", "down"):
            self.page = self.page + 1 if self.page + 1 < self.pages() else (0 if key == " " else self.page)
        elif key in ("page-up", "up", "home"):
            self.page = max(0, self.page - 1) if key != "home" else 0
        elif key == "bottom":
            # Never past what was shown: the end of a command is read after its middle.
            self.page = min(self.pages() - 1, self._shown_rows // self.rows)
        return None

    def _look(self, view: str) -> None:
        self.view = "question" if self.view == view else view
        self.page = 0

    def _widen(self, now: float) -> None:
        if self.view != "question" or not self.question.can_widen():
            self.message = "this cannot be widened"
            return
        before = self._question_lines()
        self.question = self.question.at(self.question.next_step())
        self._lines.pop("question", None)
        after = self._question_lines()
        changed = (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a.plain != b.plain)
        same_rows = next(changed, min(len(before), len(after)))
        self._shown_rows = min(self._shown_rows, same_rows // self.rows * self.rows)
        self.page = min(same_rows // self.rows, self._shown_rows // self.rows)
        self.readiness.restart(now)

    def _refusal(self, key: str) -> str:
        """Why this key may not approve now, in words; "" when it may."""
        choice = self.question.choice(APPROVES[key])
        if self.view != "question":
            return "go back to the question first: Esc"
        if choice is None or choice.refused:
            return f"{key.upper()} is not offered" + (f": {visible(choice.refused)}" if choice else "")
        if self.locked():
            return "read to the end first: Space shows more"
        if not self.confirmed:
            return f"type {WORD} first"
        return ""

    def _approve(self, key: str, now: float, *, alone: bool) -> None:
        self.message = self._refusal(key)
        if self.message:
            self.readiness.typed(now)
        else:
            self._propose(key, now, alone=alone)

    def _propose(self, key: str, now: float, *, alone: bool) -> None:
        """A key that answers, once the silence after it is complete."""
        self._message_at = now
        if not alone:
            self.readiness.typed(now)
        elif not self.readiness.press(key, now):
            self.message = "too early: wait for “ready”"

    def _confirming(self, key: Key, now: float) -> bool:
        """CONFIRM, letter by letter. True when the key was a letter of it."""
        if self.confirmed or self.locked() or self.view != "question":
            return False
        if key.name == "backspace" and self.typed:
            self.typed = self.typed[:-1]
            return True
        if not key.char or key.char != WORD[len(self.typed)]:
            if key.char == "c" and not self.typed:
                self.message = f"type {WORD} in capital letters"
                return True
            return False
        self.typed, self.message = self.typed + key.char, ""
        if self.typed == WORD:
            self.confirmed, self.typed = True, ""
            self.readiness.restart(now)
        return True

    def _choose_merge(self, key: Key, now: float) -> KeyStep | None:
        """How a file's new content meets the old one. The result is a question of its own, unread and not ready."""
        self.readiness.typed(now)
        if self.view == "line" and self.entry is not None:
            if key.name in ("page-down", "page-up", "up", "down"):
                return self._command(key.name, now)
            if key.name == "escape":
                self.entry, self.view, self.page = None, "merge", 0
                return None
            given = self.entry.key(key.name, key.char)
            if given is not None:
                self._show_merged("insert", given, now)
            return None
        strategy = STRATEGY_KEYS.get(key.char.lower(), "")
        if key.name == "escape" or key.char.lower() == "m":
            self.view, self.page = "question", 0
        elif strategy == "insert":
            self.entry, self.view, self.page = LineEntry(self.asked), "line", 0
        elif strategy in self.asked.strategies:
            self._show_merged(strategy, None, now)
        return None

    def _show_merged(self, strategy: str, line: int | None, now: float) -> None:
        self.view, self.entry, self._message_at = "question", None, now
        try:
            result = merged(self.asked, strategy, line)
        except AskfirstError as error:
            self.message = visible(str(error))
            return
        self.question, self.merge = (result.question, result.extra) if strategy != "replace" else (self.asked, None)
        self.resize(self.width, self.rows, now)

    def _reason(self, key: Key, now: float) -> KeyStep | None:
        self.readiness.typed(now)
        if key.name == "enter":
            return self._deny()
        if key.name == "escape":
            self.view, self.typed = "question", ""
            self.readiness.restart(now)
        elif key.name == "backspace":
            self.typed = self.typed[:-1]
        elif key.name == "clear":
            self.typed = ""
        elif key.char or key.name == "paste":
            added = key.char or visible(key.text.replace("\r", " ").replace("\n", " "))
            self.typed = (self.typed + added)[:MAX_REASON_CHARS]
        return None

    # The answers

    def _deny(self) -> KeyStep:
        return KeyStep(Answer(Decision.DENY, reason=self.typed.strip(), by=self.by, digest=self.question.digest))

    def _allow(self, duration: Duration) -> Answer:
        shown = self.question
        return Answer(Decision.ALLOW, duration, by=self.by, step=shown.step, digest=shown.digest, extra=self.merge)
