"""The same questions as plain lines: for TERM=dumb, pipes, screen readers (ACCESSIBLE=1) and windows too small for a frame.

Here an answer is a typed word with the request's id, `session k7m2w9`. A bare letter is refused: without a frame nothing shows which
question it would answer. The rest is as strict as the dialog: everything printed first, CONFIRM for a dangerous one.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import time

from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision
from askfirst.text import one_line, visible
from askfirst.tui.card import essence
from askfirst.tui.draw import SMALLEST, minutes
from askfirst.tui.layout import SPELLED, body, details
from askfirst.tui.notify import Notifier
from askfirst.tui.terminal import size_of
from askfirst.tui.text import flow
from askfirst.tui.watch import POLL_S, Setting, _ids
from askfirst.tui.words import consequences, receipt, short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.tui.watch import Manager

HELP = "words: session ID, permanent ID, once ID, deny ID [reason], wide ID, view, more, next, help, quit"
CONFIRM = "CONFIRM"
MAX_LENGTH = 4096  # of a typed line


class LineMode:
    """`run` returns "large" when the window has grown enough for the dialog, "ended" at the end of the input, "done" with `once`."""

    def __init__(
        self,
        manager: Manager,
        notifier: Notifier,
        setting: Setting,
        *,
        read_fd: int = 0,
        write_fd: int = 1,
        small: bool = False,
    ) -> None:
        self._manager, self._notifier, self._set = manager, notifier, setting
        self._in, self._out, self._small = read_fd, write_fd, small
        self._queue: tuple[Question, ...] = ()
        self._known: set[str] = set()
        self._focus: Question | None = None
        self._wide = False
        self._unshown: list[str] = []
        self._buffer = b""
        self._idle_told = False
        self._answered = 0

    def run(self) -> str:
        self._tell(f"askfirst: an answer is a word and the request's id, as in `session k7m2w9`; {HELP}")
        while True:
            if self._small and _large(self._out):
                return "large"
            self._look()
            if self._set.once and self._focus is None and (self._answered or not self._queue):
                return "done"
            for line in self._lines():
                if line is None or line.strip().lower() in ("quit", "exit"):
                    return "ended"
                self._take(line.strip())

    # The queue

    def _look(self) -> None:
        now = self._set.clock()
        self._queue = self._manager.pending()
        for question in self._queue:
            if not self._known.intersection(_ids(question)):
                self._notifier.arrived(question, now)
                if self._focus is not None:
                    self._tell(
                        f"another request waits: {short_id(question)} {one_line(question.text, 60)} (`next` shows it)"
                    )
        self._known = {i for question in self._queue for i in _ids(question)}
        for line in self._set.news():
            self._tell(visible(line))
        if self._focus is not None:
            mine = set(_ids(self._focus))
            same = next((q for q in self._queue if mine.intersection(_ids(q))), None)
            if same is None:
                ended = (
                    visible(self._set.ended(self._focus.id))
                    or "no longer waits: answered elsewhere, withdrawn or expired"
                )
                self._tell(f"{short_id(self._focus)} {ended}")
                self._focus = None
            elif essence(same) != essence(self._focus):
                self._tell(f"{short_id(same)} has changed: look at it again")
                self._show(same)
        if self._focus is None and self._queue:
            self._show(self._queue[0])
        elif self._focus is None and not self._idle_told and not self._set.once:
            self._tell(self._set.idle)
            self._idle_told = True

    def _show(self, question: Question) -> None:
        columns, _ = size_of(self._out)
        self._focus, self._wide, self._idle_told = question, False, False
        at = next((n + 1 for n, q in enumerate(self._queue) if q.id == question.id), 1)
        danger = "DANGER: " if question.danger else ""
        left = minutes(question.deadline - self._set.wall())
        head = f"{danger}request {short_id(question)}, {at} of {len(self._queue)}, {left} left"
        rows = [row.plain.rstrip() for row in body(question, max(16, columns - 1), words=True)]
        self._unshown = ["", *self._wrapped(head), *rows, *self._wrapped(self._ways(question))]
        # What was typed before the question could be read must not answer it, not even a whole word.
        with contextlib.suppress(termios.error):
            termios.tcflush(self._in, termios.TCIFLUSH)
        self._buffer = b""
        self._more()

    def _ways(self, question: Question) -> str:
        confirm = f" {CONFIRM}" if question.confirm else ""
        short = short_id(question)
        offered = [
            f"{w} {short}{confirm}"
            for d, w in SPELLED.items()
            if (c := question.choice(d)) is not None and not c.refused
        ]
        return "type: " + ", ".join([*offered, f"deny {short} [reason]"])

    def _more(self) -> None:
        """The next part; a terminal gets as much as it can show at once."""
        _, rows = size_of(self._out)
        many = max(1, rows - 2) if os.isatty(self._out) else len(self._unshown)
        part, self._unshown = self._unshown[:many], self._unshown[many:]
        self._print("\n".join(part))
        if self._unshown:
            self._tell(f"-- {len(self._unshown)} more lines: type `more`")

    # Words

    def _lines(self) -> list[str | None]:
        """Whole lines that were typed, None at the end of the input."""
        ready, _, _ = select.select([self._in], [], [], min(self._set.tick_s, POLL_S))
        if not ready:
            return []
        try:
            data = os.read(self._in, MAX_LENGTH)
        except OSError:
            return [None]
        if not data:
            return [None]
        *lines, self._buffer = (self._buffer + data)[-4 * MAX_LENGTH :].split(b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word == "help":
            self._tell(HELP)
        elif word == "more" or not word:
            if self._unshown:
                self._more()
        elif self._focus is None:
            self._print("nothing waits for an answer")
        elif word == "next":
            self._next()
        elif word == "view":
            columns, _ = size_of(self._out)
            self._print("\n".join(row.plain.rstrip() for row in details(self._focus, max(16, columns - 1))))
        elif word in ("wide", "deny", *SPELLED.values()):
            self._with_id(word, rest.strip(), self._focus)
        else:
            self._tell(f"`{visible(word[:20])}` is no answer; " + self._ways(self._focus))

    def _with_id(self, word: str, rest: str, question: Question) -> None:
        given, _, tail = rest.partition(" ")
        if len(given) < 4 or not any(i.startswith(given.lower()) for i in _ids(question)):
            self._tell(f"`{word}` needs the id of the request that is shown: {word} {short_id(question)}")
        elif word == "deny":
            self._answer(
                question,
                Answer(Decision.DENY, reason=visible(tail.strip())[:500], by=self._set.by, digest=question.digest),
            )
        elif word == "wide":
            self._widen(question)
        else:
            self._allow(word, tail.strip(), question)

    def _allow(self, word: str, tail: str, question: Question) -> None:
        duration = next(d for d, w in SPELLED.items() if w == word)
        choice = question.choice(duration)
        if choice is None or choice.refused:
            self._tell(f"`{word}` is not offered" + (f": {visible(choice.refused)}" if choice else ""))
        elif self._unshown:
            self._tell("not everything was shown yet: type `more`")
        elif question.confirm and tail != CONFIRM:
            self._tell(f"this is dangerous: {word} {short_id(question)} {CONFIRM}")
        else:
            wide = self._wide and bool(choice.wide_scope)
            answer = Answer(Decision.ALLOW, duration, by=self._set.by, widen=wide, digest=question.digest)
            self._look()  # once more: somebody may have been first, or its session was flagged
            if self._focus is not None and self._focus.id == question.id and essence(self._focus) == essence(question):
                self._answer(question, answer)

    def _widen(self, question: Question) -> None:
        if not any(c.wide_scope or c.wide_entry for c in question.choices):
            self._print("this cannot be widened")
            return
        self._wide = not self._wide
        columns, _ = size_of(self._out)
        rows = body(question, max(16, columns - 1), wide=self._wide, words=True)
        self._unshown = [row.plain.rstrip() for row in rows] + self._wrapped(self._ways(question))
        self._more()

    def _next(self) -> None:
        if len(self._queue) < 2 or self._focus is None:
            self._print("nothing else waits")
            return
        at = next((n for n, q in enumerate(self._queue) if q.id == self._focus.id), -1) if self._focus else -1
        self._show(self._queue[(at + 1) % len(self._queue)])

    def _answer(self, question: Question, answer: Answer) -> None:
        self._focus = None
        try:
            given = self._manager.respond(question.id, answer)
        except AskfirstError as error:
            self._tell(f"not taken: {visible(str(error))}")
            return
        self._answered += 1
        at = time.strftime("%H:%M:%S", time.localtime(self._set.wall()))
        self._print(receipt(question, given, at, head=self._set.head()))
        for line in consequences(given):
            self._print(line)

    def _tell(self, words: str) -> None:
        self._print("\n".join(self._wrapped(words)))

    def _wrapped(self, words: str) -> list[str]:
        """Prose, broken between words."""
        columns, _ = size_of(self._out)
        return [row.plain.rstrip() for row in flow([(words, "")], max(16, columns - 1))]

    def _print(self, text: str) -> None:
        data = (text + "\n").encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(self._out, data) :]


def _large(fd: int) -> bool:
    columns, rows = size_of(fd)
    return columns >= SMALLEST[0] and rows >= SMALLEST[1]
