"""One question on screen: what has been shown, what a key means now, and the answer that comes out of it.

No terminal and no clock in here: keys, sizes and times are handed in. What keeps an accident from becoming an approval:
S, P, O and T need every row shown that is not allowed anyway, readiness (tui/readiness.py), CONFIRM for a dangerous
one, and a read of their own. D needs readiness and a read of its own, too: a no counts for the rest of the session. Esc
goes back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.text import Text

from askfirst.approval.limits import TIMES
from askfirst.approval.merging import merged, offered
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.text import visible
from askfirst.tui.keyboard import Key
from askfirst.tui.layout import TIME_KEYS, WAYS, Laid, details, help_lines, laid_out, time_rows
from askfirst.tui.merge import STRATEGY_KEYS, LineEntry, line_rows, strategy_rows
from askfirst.tui.readiness import Readiness
from askfirst.tui.wrap import CONTINUED

WORD = "CONFIRM"
DENY_AFTER_S = 2.0  # after D, this long without a letter of a reason denies without one
MESSAGE_S = 1.5  # how long an explanation stands where the status was
MAX_REASON_CHARS = 500
DENIES = "d"
APPROVES = {"s": Duration.SESSION, "p": Duration.PERMANENT, "o": Duration.ONCE}
KEY_OF = {duration: key for key, duration, _, _ in WAYS}


@dataclass(frozen=True)
class KeyStep:
    """What the loop has to do: answer, go to the next request, show the list, or none of it."""

    answer: Answer | None = None
    next: bool = False
    list: bool = False
    for_s: float = 0.0  # of a timed answer


class Card:
    """The focused question."""

    def __init__(self, question: Question, width: int, rows: int, now: float, *, by: str = "person at watch") -> None:
        self.asked = self.question = question  # as it was asked, and as it is shown (a merge shows its own diff)
        self.by = by
        self.merge: dict[str, object] | None = None
        self.entry: LineEntry | None = None
        self.readiness = Readiness(now)
        self.view = "question"  # question, details, help, reason, merge, line, time
        self.searching = False  # what to search for is being typed
        self.wanted = ""  # what was searched for
        self.confirmed = not question.confirm
        self.typed = ""  # a reason, or CONFIRM so far
        self.message, self._message_at = "", now
        self.others = 0  # requests that wait besides this one
        self._typed_at = now
        self.resize(width, rows, now)

    # What is on screen

    def resize(self, width: int, rows: int, now: float) -> None:
        """Another size: everything is laid out again, nothing counts as shown, readiness starts from zero."""
        self.width, self.rows = width, max(1, rows)
        self.top = 0  # the first row on screen
        self._shown: set[int] = set()  # rows of the question that were on screen
        self._lines: dict[str, list[Text]] = {}
        self._laid: Laid | None = None
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
            self._lay_again()

    def say(self, words: str, now: float) -> None:
        """An explanation, for a moment, where the status stands."""
        self.message, self._message_at = words, now

    def lines(self) -> list[Text]:
        """All rows of the present view that are paged."""
        if self.view in ("question", "reason"):
            return self._question().rows
        if self.view not in self._lines:
            make = {"details": details, "merge": strategy_rows, "line": line_rows, "time": time_rows}.get(self.view)
            self._lines[self.view] = make(self.question, self.width) if make is not None else help_lines(self.width)
        return self._lines[self.view]

    def pinned(self) -> list[Text]:
        """What stands below every page: the decisive part of a question that does not fit on one."""
        return self._question().pinned if self.view in ("question", "reason") else []

    def height(self) -> int:
        """Rows of a page; the row above what is pinned divides them."""
        pinned = self.pinned()
        return self.rows - len(pinned) - 1 if pinned else self.rows

    def page_lines(self) -> list[Text]:
        return self.lines()[self.top : self.top + self.height()]

    def pages(self) -> int:
        return max(1, -(-len(self.lines()) // self.height()))

    @property
    def page(self) -> int:
        """Counted from 0. The last page is a full one, too: its first rows were on the page before."""
        return self.pages() - 1 if self.top >= self._last_top() else self.top // self.height()

    @page.setter
    def page(self, number: int) -> None:
        self.top = min(number * self.height(), self._last_top())

    def _last_top(self) -> int:
        return max(0, len(self.lines()) - self.height())

    def drawn(self) -> None:
        """The present page is on screen before the next key is read."""
        if self.view in ("question", "reason"):
            self._shown.update(range(self.top, self.top + self.height()))

    def unread(self) -> list[int]:
        """The rows of what asks that were not on screen yet."""
        laid = self._question()
        return [n for n in range(len(laid.rows)) if n not in self._shown and n not in laid.free]

    def locked(self) -> bool:
        return bool(self.unread())

    def _question(self) -> Laid:
        if self._laid is None:
            self._laid = laid_out(self.question, self.width, self.rows)
        return self._laid

    def _lay_again(self) -> None:
        """What reads otherwise now was not read yet."""
        before = [row.plain for row in self._question().rows]
        self._laid = None
        after = [row.plain for row in self._question().rows]
        self._shown = {n for n in self._shown if n < min(len(before), len(after)) and before[n] == after[n]}

    def state(self, now: float) -> tuple[object, ...]:
        """Whatever the frame shows besides the question: while this stays the same, it need not be drawn again."""
        left = int(now - self._typed_at) if self.view == "reason" else 0
        entry = (self.entry.typed, self.entry.problem) if self.entry is not None else ()
        return (
            id(self.question),
            entry,
            self.view,
            self.top,
            self.searching,
            self.wanted,
            self.question.step,
            self.confirmed,
            self.typed,
            self.message,
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
            self.view, self.typed, self._typed_at, self.top = "reason", "", now, 0
        elif key in TIME_KEYS and self.view == "time":
            return KeyStep(self._allow(Duration.TIMED), for_s=TIMES[TIME_KEYS[key]])
        elif key in APPROVES and self._refusal(APPROVES[key]) == "":
            return KeyStep(self._allow(APPROVES[key]))
        return None

    def idle_s(self, now: float) -> float:
        """How long a reason has been waited for."""
        return now - self._typed_at

    def _press(self, key: Key, now: float, *, alone: bool) -> KeyStep | None:
        if self.view == "reason":
            return self._reason(key, now)
        if self.searching:
            self.readiness.typed(now)
            self._search(key, now)
            return None
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
        if letter in TIME_KEYS and self.view == "time":
            self._propose(letter, now, alone=alone)
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
        elif key == "t":
            self._open_times(now)
        elif key == "m" and offered(self.asked):
            self.view, self.top = "merge", 0
        elif key == "/":
            self.searching, self.typed = True, ""
        else:
            self._move(key)
        return None

    def _move(self, key: str) -> None:
        last, height = self._last_top(), self.height()
        if key == " " and self.top >= last:
            # From the end to what was jumped over, else to the beginning.
            self.top = min(last, min(self.unread(), default=0)) if self.view == "question" else 0
            return
        tops = {"down": 1, "up": -1, " ": height, "page-down": height, "page-up": -height}
        tops |= {"home": -last - self.top, "g": last, "bottom": last}
        self.top = min(last, max(0, self.top + tops.get(key, 0)))

    def _look(self, view: str) -> None:
        self.view = "question" if self.view == view else view
        self.top = 0

    def _search(self, key: Key, now: float) -> None:
        """What to search for, letter by letter; Enter goes to the next row that has it, from the end to the start."""
        if key.name == "escape":
            self.searching, self.typed = False, ""
        elif key.name == "backspace":
            self.typed = self.typed[:-1]
        elif key.char:
            self.typed = (self.typed + key.char)[:MAX_REASON_CHARS]
        elif key.name == "enter":
            again = not self.typed or self.typed == self.wanted
            self.searching, self.wanted, self.typed = False, self.typed or self.wanted, ""
            self._find(from_row=self.top + 1 if again else 0, now=now)

    def _find(self, from_row: int, now: float) -> None:
        found = [n for n in range(len(self.lines())) if self.wanted and self._holds(n)]
        if not found:
            self.say(f"not found: {visible(self.wanted)}", now)
            return
        self.top = min(self._last_top(), next((n for n in found if n >= from_row), found[0]))

    def _holds(self, number: int) -> bool:
        """Also where the text goes on in the next row."""
        here, after = (row.plain for row in (*self.lines()[number : number + 2], Text(""))[:2])
        both = here + after.lstrip().removeprefix(CONTINUED)
        wanted = self.wanted.lower()
        return wanted in here.lower() or (wanted in both.lower() and wanted not in after.lower())

    def _open_times(self, now: float) -> None:
        self.message = self._refusal(Duration.TIMED)
        self._message_at = now
        if not self.message:
            self.view, self.top = "time", 0
            self.readiness.restart(now)

    def _widen(self, now: float) -> None:
        if self.view != "question" or not self.question.can_widen():
            self.message = "this cannot be widened"
            return
        self.question = self.question.at(self.question.next_step())
        self._lay_again()
        self.top = min(self._last_top(), min(self.unread(), default=self.top))
        self.readiness.restart(now)

    def _refusal(self, duration: Duration) -> str:
        """Why this may not be approved now, in words; "" when it may."""
        choice = self.question.choice(duration)
        key = KEY_OF[duration]
        if self.view != "question":
            return "go back to the question first: Esc"
        if choice is None or choice.refused:
            return f"{key} is not offered" + (f": {visible(choice.refused)}" if choice else "")
        if self.locked():
            return "not all of it was shown yet: Space shows more"
        if not self.confirmed:
            return f"type {WORD} first"
        return ""

    def _approve(self, key: str, now: float, *, alone: bool) -> None:
        self.message = self._refusal(APPROVES[key])
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
                self.entry, self.view, self.top = None, "merge", 0
                return None
            given = self.entry.key(key.name, key.char)
            if given is not None:
                self._show_merged("insert", given, now)
            return None
        strategy = STRATEGY_KEYS.get(key.char.lower(), "")
        if key.name == "escape" or key.char.lower() == "m":
            self.view, self.top = "question", 0
        elif strategy == "insert":
            self.entry, self.view, self.top = LineEntry(self.asked), "line", 0
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
