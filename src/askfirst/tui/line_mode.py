"""Questions as plain lines: for TERM=dumb, pipes, screen readers (ACCESSIBLE=1) and windows too small for a frame.

Here an answer is a typed word with the request's id, `session k7m2w9`. A bare letter is refused: without a frame
nothing shows which question it would answer. The rest is as strict as the dialog: everything printed first, CONFIRM for
a dangerous one.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import time

from askfirst.approval.limits import TIMES
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision
from askfirst.plain_signs import NAME, is_utf8
from askfirst.text import one_line, visible
from askfirst.tui.card import WORD
from askfirst.tui.dialog import GONE
from askfirst.tui.draw import fits, minutes
from askfirst.tui.layout import TYPED_WORDS, body, details
from askfirst.tui.notify import Notifier
from askfirst.tui.receipt import consequences, receipt, short_id
from askfirst.tui.setting import POLL_S, Manager, Setting
from askfirst.tui.terminal import size_of
from askfirst.tui.wrap import flow

HELP = (
    "commands: session ID, permanent ID, once ID, 15m ID, 1h ID, 8h ID, deny ID [reason], wide ID, "
    "view, more, next, help, quit"
)
WORDS = {word: duration for duration, words in TYPED_WORDS.items() for word in words.split("/")}
MAX_LINE_BYTES = 4096  # of a typed line
MAX_REASON_CHARS = 500
MIN_COLUMNS = 16  # narrower is drawn as if it were this wide


class LineMode:
    """`run` returns "large" once the dialog fits into the window, "ended" with the input, "done" with `once`."""

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
        self._unshown: list[str] = []
        self._buffer = b""
        self._idle_told = False
        self._answered = 0

    def run(self) -> str:
        self._tell(f"askfirst: answer with a word and the request's id, like `session k7m2w9`; {HELP}")
        while True:
            if self._small and fits(*size_of(self._out)):
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
            if self._known.isdisjoint(question.all_ids()):
                self._notifier.arrived(question, now)
                if self._focus is not None:
                    what = f"{short_id(question)} {one_line(question.subject, 60)}"
                    self._tell(f"another request is waiting: {what} (`next` shows it)")
        self._known = {i for question in self._queue for i in question.all_ids()}
        for line in (*self._set.receipts(), *self._set.news()):
            self._tell(visible(line))
        if self._focus is not None:
            self._keep_focus(self._focus)
        if self._focus is None and self._queue:
            self._show(self._queue[0])
        elif self._focus is None and not self._idle_told and not self._set.once:
            self._tell(self._set.idle)
            self._idle_told = True

    def _keep_focus(self, focus: Question) -> None:
        """The request in focus may be gone, or may have changed under the person's eyes."""
        same = next((q for q in self._queue if q.is_same_card(focus)), None)
        if same is None:
            self._tell(f"{short_id(focus)} {visible(self._set.ended(focus.id)) or GONE}")
            self._focus = None
        elif not same.reads_like(focus):
            self._tell(f"{short_id(same)} has changed: read it again")
            self._show(same)

    def _show(self, question: Question) -> None:
        self._focus, self._idle_told = question, False
        at = next((n + 1 for n, q in enumerate(self._queue) if q.id == question.id), 1)
        danger = "DANGER: " if question.danger else ""
        left = minutes(question.deadline - self._set.wall())
        head = f"{danger}request {short_id(question)}, {at} of {len(self._queue)}, {left} left"
        rows = [row.plain.rstrip() for row in body(question, self._width(), typed=True)]
        self._unshown = ["", *self._wrapped(head), *rows, *self._wrapped(self._ways(question))]
        # What was typed before the question could be read must not answer it, not even a whole word.
        with contextlib.suppress(termios.error):
            termios.tcflush(self._in, termios.TCIFLUSH)
        self._buffer = b""
        self._more()

    def _ways(self, question: Question) -> str:
        confirm = f" {WORD}" if question.confirm else ""
        short = short_id(question)
        offered = [f"{word} {short}{confirm}" for word, duration in WORDS.items() if question.offers(duration)]
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
            data = os.read(self._in, MAX_LINE_BYTES)
        except OSError:
            return [None]
        if not data:
            return [None]
        *lines, self._buffer = (self._buffer + data)[-4 * MAX_LINE_BYTES :].split(b"\n")
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
            self._print("nothing is waiting for an answer")
        elif word == "next":
            self._next()
        elif word == "view":
            self._print("\n".join(row.plain.rstrip() for row in details(self._focus, self._width())))
        elif word in ("wide", "deny", *WORDS):
            self._with_id(word, rest.strip(), self._focus)
        else:
            self._tell(f"`{visible(word[:20])}` is not an answer; " + self._ways(self._focus))

    def _with_id(self, word: str, rest: str, question: Question) -> None:
        given, _, tail = rest.partition(" ")
        if len(given) < 4 or not any(i.startswith(given.lower()) for i in question.all_ids()):
            self._tell(f"`{word}` needs the id of this request: {word} {short_id(question)}")
        elif word == "deny":
            reason = visible(tail.strip())[:MAX_REASON_CHARS]
            self._answer(question, Answer(Decision.DENY, reason=reason, by=self._set.by, digest=question.digest))
        elif word == "wide":
            self._widen(question)
        else:
            self._allow(word, tail.strip(), question)

    def _allow(self, word: str, tail: str, question: Question) -> None:
        duration = WORDS[word]
        choice = question.choice(duration)
        if choice is None or choice.refused:
            self._tell(f"`{word}` is not offered" + (f": {visible(choice.refused)}" if choice else ""))
        elif self._unshown:
            self._tell("read to the end first: type `more`")
        elif question.confirm and tail != WORD:
            self._tell(f"this is dangerous: type {word} {short_id(question)} {WORD}")
        else:
            until = self._set.wall() + TIMES[word] if word in TIMES else 0.0
            by, step = self._set.by, question.step
            answer = Answer(Decision.ALLOW, duration, by=by, until=until, step=step, digest=question.digest)
            self._look()  # once more: somebody may have been first, or its session was flagged
            if self._focus is not None and self._focus.id == question.id and self._focus.reads_like(question):
                self._answer(question, answer)

    def _widen(self, question: Question) -> None:
        if not question.can_widen():
            self._print("this cannot be widened")
            return
        self._focus = question = question.at(question.next_step())
        rows = body(question, self._width(), typed=True)
        self._unshown = [row.plain.rstrip() for row in rows] + self._wrapped(self._ways(question))
        self._more()

    def _next(self) -> None:
        if len(self._queue) < 2 or self._focus is None:
            self._print("nothing else is waiting")
            return
        at = next((n for n, q in enumerate(self._queue) if q.id == self._focus.id), -1) if self._focus else -1
        self._show(self._queue[(at + 1) % len(self._queue)])

    def _answer(self, question: Question, answer: Answer) -> None:
        self._focus = None
        try:
            given = self._manager.respond(question.id, answer)
        except AskfirstError as error:
            self._tell(f"not accepted: {visible(str(error))}")
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
        return [row.plain.rstrip() for row in flow([(words, "")], self._width())]

    def _width(self) -> int:
        return max(MIN_COLUMNS, size_of(self._out)[0] - 1)

    def _print(self, text: str) -> None:
        encoding = "utf-8" if is_utf8() else "ascii"
        data = (text + "\n").encode(encoding, NAME if encoding == "ascii" else "backslashreplace")
        while data:
            data = data[os.write(self._out, data) :]
