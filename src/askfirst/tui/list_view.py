"""The queue as a list: one row a request, grouped by session and project; several are marked and answered at once.

No terminal and no clock in here, as in card.py. What keeps a list from answering more than a person has read: an answer
goes to the requests that were captured when the key was pressed; a request whose whole text was not on screen, one that
needs CONFIRM, and one that does not offer the answer are left out, and it is said how many and why. A denial takes all
that were captured. Marking a request shows its whole text and what S would remember; without marks S and P remember the
exact words, which is what the rows show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

from askfirst.approval.question import Question
from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible
from askfirst.tui.keyboard import Key
from askfirst.tui.readiness import Readiness
from askfirst.tui.wrap import flow

NARROW = 60
MAX_EXPANDED_ROWS = 8  # a longer text is read on its own card
APPROVES = {"s": Duration.SESSION, "p": Duration.PERMANENT, "o": Duration.ONCE}
DENIES = "d"
WORDS = {"s": "for this session", "p": "permanently", "o": "once", DENIES: "no"}


@dataclass(frozen=True)
class ListStep:
    """What the loop has to do."""

    answers: tuple[tuple[Question, Answer], ...] = ()
    left_out: tuple[str, ...] = ()  # why others were not answered, in words
    opens: Question | None = None
    leaves: bool = False


@dataclass(frozen=True)
class ListRow:
    """One request, as it is drawn."""

    question: Question
    lines: tuple[Text, ...]
    whole: bool  # the whole text is on screen


@dataclass
class ListView:
    """The list of what waits. `update` is called with every look at the queue."""

    width: int
    rows: int
    by: str
    readiness: Readiness
    home: str = ""
    questions: tuple[Question, ...] = ()
    marked: set[str] = field(default_factory=set)  # ids, by the first of each card
    at: str = ""  # the id of the row that the cursor is on
    typing: bool = False  # a filter is being typed
    wanted: str = ""
    message: str = ""
    captured: tuple[Question, ...] = ()  # when the key was pressed, each with the scope that was shown
    read: set[str] = field(default_factory=set)  # ids whose whole text was on screen
    _here: set[str] = field(default_factory=set)  # ids on the page that was drawn last

    # What is on screen

    def update(self, questions: Sequence[Question], now: float) -> None:
        """The queue as it is now. Whatever comes or changes starts readiness anew: nobody has read it."""
        known = {q.id: q for q in self.questions}
        other = {q.id for q in questions if q.id not in known or not q.reads_like(known[q.id])}
        self.questions = tuple(sorted(questions, key=lambda q: (q.project, q.session, q.created)))
        self.marked &= {q.id for q in self.questions}
        self.read -= other
        if other:
            self.readiness.restart(now)
        if self.wanted and self.questions and not self.shown() and not self.typing:
            self.wanted = ""  # all that it left was answered
        if self.at not in {q.id for q in self.shown()}:
            self.at = self.shown()[0].id if self.shown() else ""

    def shown(self) -> tuple[Question, ...]:
        """What the filter leaves."""
        words = self.wanted.lower().split()
        return tuple(q for q in self.questions if all(w in _searched(q) for w in words))

    def page(self, wall: float) -> list[ListRow | str]:
        """The rows and group titles that fit, with the cursor's row among them."""
        drawn: list[ListRow | str] = []
        group: tuple[str, str] | None = None
        for question in self.shown():
            key = (question.project, question.session)
            if key != group:
                drawn.append(_title(question, self.home))
                group = key
            drawn.append(self._row(question, wall))
        return _window(drawn, self.at, self.rows)

    def drawn(self, now: float, wall: float) -> None:
        """The present page is on screen before the next key is read. A row that was not there before starts readiness
        anew: a key pressed twice must not answer what has just moved up."""
        rows = [row for row in self.page(wall) if isinstance(row, ListRow)]
        self.read.update(row.question.id for row in rows if row.whole)
        here = {row.question.id for row in rows}
        if here - self._here:
            self.readiness.restart(now)
        self._here = here

    def _head(self, question: Question, wall: float) -> str:
        """`▸■ k7m2  0:12  4:48  DANGER `: how long it waits, and how long it still does; less on a narrow screen."""
        mark = "■" if question.id in self.marked else "□"
        cursor = "▸" if question.id == self.at else " "
        age, left = _short_time(wall - question.created), _short_time(question.deadline - wall)
        kind = "DANGER" if question.danger else question.change or question.tool
        if self.width < NARROW:
            return f"{cursor}{mark} {left:>4} {'! ' if question.danger else ''}"
        return f"{cursor}{mark} {question.id[:4]} {age:>5} {left:>5}  {visible(kind)[:7]:<7} "

    def _row(self, question: Question, wall: float) -> ListRow:
        times = f" ×{question.count}" if question.count > 1 else ""
        head = self._head(question, wall)
        style = "bold red" if question.danger else "bold" if question.id == self.at else ""
        text = visible(question.subject, newlines=True)
        room = max(10, self.width - cell_len(head) - cell_len(times))
        if question.id in self.marked:
            lines = [row for part in text.split("\n") for row in flow([(part, style)], room)]
            whole = len(lines) <= MAX_EXPANDED_ROWS
            first, *rest = lines[:MAX_EXPANDED_ROWS] or [Text("")]
            more = [Text(f"{' ' * cell_len(head)}… open it with Enter to read all", "dim")] if not whole else []
            scope = question.choice(Duration.SESSION)
            words = f"S: {scope.refused or scope.scope}" if scope is not None else ""
            told = flow([(words, "dim")], room) if words and whole else []
            below = [Text.assemble(" " * cell_len(head), line) for line in (*rest, *told)]
            return ListRow(question, (Text.assemble(head, first, times), *below, *more), whole)
        short = one_line(text, room)
        whole = "\n" not in text and cell_len(text) <= room
        return ListRow(question, (Text.assemble(head, (short, style), times),), whole)

    def state(self, wall: float) -> tuple[object, ...]:
        """What the frame shows; while this stays the same, it need not be drawn again."""
        marks = tuple(sorted(self.marked))
        cards = tuple((q.id, q.count, q.flagged) for q in self.questions)
        return (self.width, self.rows, cards, marks, self.at, self.typing, self.wanted, self.message, int(wall) // 5)

    # What a key means

    def feed(self, keys: list[Key], now: float, wall: float, *, alone: bool) -> ListStep | None:
        alone = alone and len(keys) == 1
        for key in keys:
            step = self._type(key) if self.typing else self._press(key, now, wall, alone=alone)
            if step is not None:
                return step
        if self.typing or not alone:
            self.readiness.typed(now)
        return None

    def _type(self, key: Key) -> ListStep | None:
        if key.name in ("enter", "escape"):
            self.typing = False
            self.wanted = "" if key.name == "escape" else self.wanted
        elif key.name == "backspace":
            self.wanted = self.wanted[:-1]
        elif key.char:
            self.wanted += key.char
        if self.shown() and self.at not in {q.id for q in self.shown()}:
            self.at = self.shown()[0].id
        return None

    def _press(self, key: Key, now: float, wall: float, *, alone: bool) -> ListStep | None:
        self.message = ""
        letter = key.char.lower()
        if letter in (*APPROVES, DENIES):
            self._propose(letter, now, wall, alone=alone)
            return None
        self.readiness.typed(now)
        if key.name == "escape" and self.wanted:
            self.wanted = ""
        elif letter == "l" or key.name == "escape":
            return ListStep(leaves=True)
        elif key.name == "enter" and self.at:
            return ListStep(opens=self._question(self.at), leaves=True)
        elif letter == "/":
            self.typing = True
        elif letter in ("a", " "):
            self._mark(everything=letter == "a")
        else:
            self._move(self._steps(key.name or letter))
        return None

    def _mark(self, *, everything: bool) -> None:
        if everything:
            shown = {q.id for q in self.shown() if not q.confirm}
            self.marked = set() if shown <= self.marked else self.marked | shown
        elif self.at:
            self.marked ^= {self.at}
            self._move(1)

    def _steps(self, key: str) -> int:
        """How many rows a key moves the cursor by."""
        half, whole = max(1, self.rows // 2), len(self.questions)
        steps = {"down": 1, "j": 1, "up": -1, "k": -1, "page-down": half, "page-up": -half, "home": -whole}
        return {**steps, "bottom": whole, "g": whole}.get(key, 0)

    def _move(self, by: int) -> None:
        ids = [q.id for q in self.shown()]
        if ids:
            self.at = ids[min(len(ids) - 1, max(0, (ids.index(self.at) if self.at in ids else 0) + by))]

    def _propose(self, letter: str, now: float, wall: float, *, alone: bool) -> None:
        """A key that answers, once the silence after it is complete. What it answers is captured now."""
        on_page = [row for row in self.page(wall) if isinstance(row, ListRow)]
        marked = [self._question(one) for one in self.marked]
        self.captured = tuple(q for q in marked if q is not None) or tuple(row.question.at(0) for row in on_page)
        if not self.captured:
            self.message = "nothing waits"
        elif not alone:
            self.readiness.typed(now)
        elif not self.readiness.press(letter, now):
            self.message = "too early: wait for “ready”"

    def _question(self, id: str) -> Question | None:
        return next((q for q in self.questions if q.id == id), None)

    def tick(self, now: float) -> ListStep | None:
        """Time passed: a key may count now."""
        letter = self.readiness.accept(now)
        return self._answered(letter) if letter else None

    def _answered(self, letter: str) -> ListStep:
        answers: list[tuple[Question, Answer]] = []
        left: dict[str, int] = {}
        for question in self.captured:
            why = "" if letter == DENIES else self._why_not(question, APPROVES[letter])
            if why:
                left[why] = left.get(why, 0) + 1
            else:
                answers.append((question, self._answer(question, letter)))
        self.captured, self.marked = (), set()
        return ListStep(tuple(answers), tuple(f"{n} left: {why}" for why, n in left.items()))

    def _why_not(self, question: Question, duration: Duration) -> str:
        choice = question.choice(duration)
        if question.confirm:
            return "it needs CONFIRM; open it with Enter"
        if choice is None or choice.refused:
            return choice.refused if choice is not None else "it does not offer that"
        if question.change or question.id not in self.read:
            return "it was not read in full; open it with Enter"
        current = self._question(question.id)
        if current is None or not current.reads_like(question):
            return "it changed meanwhile"
        return ""

    def _answer(self, question: Question, letter: str) -> Answer:
        if letter == DENIES:
            return Answer(Decision.DENY, by=self.by, digest=question.digest)
        return Answer(Decision.ALLOW, APPROVES[letter], by=self.by, step=question.step, digest=question.digest)

    def status(self, now: float) -> tuple[str, str]:
        """One row that says what a key would do now, and its style."""
        if self.message:
            return self.message, "bold yellow"
        if self.typing:
            return f"filter: {self.wanted}▏  Enter keeps it, Esc clears it", "bold"
        which = f"the {len(self.marked)} marked" if self.marked else "all on this page, by their exact words"
        state = self.readiness.state(now)
        if state == "pressed":
            word = WORDS[self.readiness.pressed]
            deny = self.readiness.pressed == DENIES
            return (
                f"◉ {'denying' if deny else f'allowing {word}'}: {len(self.captured)} …",
                "bold red" if deny else "bold green",
            )
        if state == "ready":
            if self.width < NARROW:
                which = which.partition(",")[0]
            return f"● ready · S, P, O, D answer {which}", "bold green"
        return "○ not ready · wait a second without typing", "dim"


def _searched(question: Question) -> str:
    return " ".join((question.text, question.project, question.session, question.agent, question.why)).lower()


def _title(question: Question, home: str) -> str:
    project = question.project
    if home and (project == home or project.startswith(home + "/")):
        project = "~" + project[len(home) :]
    agents = f", {question.agents} agents" if question.agents > 1 else ""
    return f"{visible(project)} · {visible(question.agent)} {visible(question.session)[:8]}{agents}"


def _window(drawn: list[ListRow | str], at: str, rows: int) -> list[ListRow | str]:
    """As many whole entries as fit, the cursor's among them."""
    heights = [len(entry.lines) if isinstance(entry, ListRow) else 1 for entry in drawn]
    focus = next((n for n, e in enumerate(drawn) if isinstance(e, ListRow) and e.question.id == at), 0)
    start = 0
    while start < focus and sum(heights[start : focus + 1]) > rows:
        start += 1
    end, used = start, 0
    while end < len(drawn) and used + heights[end] <= rows:
        used += heights[end]
        end += 1
    return drawn[start : max(end, start + 1)]


def _short_time(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}" if whole < 600 else f"{whole // 60}m"
