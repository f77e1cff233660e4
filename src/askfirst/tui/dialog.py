"""The loop behind the dialog: look what is waiting, draw it, read keys, answer.

The focused request is never replaced by a new one. It gives way only when it was answered here, when it is gone
(answered elsewhere, withdrawn, expired), or when the person asks for the next one; and whatever takes its place starts
from zero, with the input flushed.
"""

from __future__ import annotations

import os
import select
import time
from dataclasses import replace

from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision
from askfirst.text import one_line, visible
from askfirst.tui.card import Card, KeyStep
from askfirst.tui.draw import fits, frame, list_frame, minutes, room, to_ansi
from askfirst.tui.keyboard import Keys
from askfirst.tui.list_view import ListStep, ListView
from askfirst.tui.notify import Notifier
from askfirst.tui.readiness import Readiness
from askfirst.tui.receipt import consequences, idle_row, receipt
from askfirst.tui.setting import POLL_S, Manager, Setting
from askfirst.tui.terminal import Terminal
from askfirst.tui.wrap import fit, flow

MAX_COLUMNS = 110  # beyond this, rows are harder to read
WOKEN_POLL_S = (
    1.0  # how often the queue is looked at where the store wakes us: answers given elsewhere are not announced
)
RESIZED_S = 0.2  # a window that is being dragged is drawn once, when it rests
# Terminals that know it show the frame at once; the others ignore it.
SYNCHRONIZED = ("\x1b[?2026h", "\x1b[?2026l")
GONE = "no longer waiting: answered elsewhere, withdrawn or expired"


def redrawn(before: list[str], lines: list[str]) -> str:
    """What turns the frame on screen into another one: only rows that differ are written. The cursor stands, and is
    left, on the last row."""
    up = f"\x1b[{len(before) - 1}A\r" if len(before) > 1 else "\r"
    if len(before) != len(lines):
        return up + "\r\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J"
    rows = (f"\x1b[2K{new}\r" if new != old else "" for old, new in zip(before, lines, strict=True))
    return up + "\n".join(rows)


class Dialog:
    """One terminal, one queue. `run` returns "small" when the window became too small for it, "done" with `once`."""

    def __init__(self, manager: Manager, terminal: Terminal, notifier: Notifier, setting: Setting) -> None:
        self._manager, self._terminal, self._notifier, self._set = manager, terminal, notifier, setting
        self._keys = Keys()
        self._card: Card | None = None
        self._list: ListView | None = None
        self._queue: tuple[Question, ...] = ()
        self._known: set[str] = set()
        self._painted: list[str] = []
        self._painted_width = 0
        self._shown: tuple[object, ...] = ()
        self._polled = float("-inf")
        self._answered = 0
        self._done: tuple[str, ...] = ()  # what was answered here last
        self._wake_fd = setting.wake.fileno() if setting.wake is not None else -1

    def run(self) -> str:
        try:
            return self._run()
        except KeyboardInterrupt:
            if self._card is not None:
                left = f"{self._time()} – left without an answer · {one_line(self._card.question.subject, 60)}"
                self._drop_card()
                self._say(fit(left, self._terminal.size()[0] - 1))
            raise

    def _run(self) -> str:
        while True:
            if not self._fits():
                self._leave_frame()
                return "small"
            self._look()
            if self._set.once and self._card is None and (self._answered or not self._queue):
                return "done"
            self._apply(self._card.tick(self._set.clock()) if self._card else None)
            if self._list is not None:
                self._apply_list(self._list.tick(self._set.clock()))
            self._paint()
            self._listen()

    # The queue

    def _look(self) -> None:
        now = self._set.clock()
        if now - self._polled < (POLL_S if self._wake_fd < 0 else WOKEN_POLL_S):
            return
        self._polled = now
        before, self._queue = self._queue, self._manager.pending()
        self._tell_gone(before)
        for question in self._queue:
            if self._known.isdisjoint(question.all_ids()):
                self._notifier.arrived(question, now)
        self._known = {i for question in self._queue for i in question.all_ids()}
        self._notifier.waiting(len(self._queue))
        for line in self._set.receipts():
            self._say(fit(f"{self._time()} {visible(line)}", self._terminal.size()[0] - 1))
        for line in self._set.news():
            self._say(visible(line))
            self._notifier.tell("a session was flagged", line, now)
        self._keep_focus(now)

    def _tell_gone(self, before: tuple[Question, ...]) -> None:
        """Requests in the background that need no answer any more: a new rule covers them, or somebody was first."""
        still = {i for question in self._queue for i in question.all_ids()}
        still.update(self._card.question.all_ids() if self._card is not None else self._done)
        gone = [question for question in before if still.isdisjoint(question.all_ids())]
        if gone:
            texts = ", ".join(one_line(q.subject, 30) for q in gone[:3]) + (", …" if len(gone) > 3 else "")
            what = "1 other is no longer waiting" if len(gone) == 1 else f"{len(gone)} others are no longer waiting"
            self._say(fit(f"{self._time()} – {what}: {texts}", self._terminal.size()[0] - 1))

    def _keep_focus(self, now: float) -> None:
        if self._list is not None:
            self._list.update(self._queue, now)
            if self._queue:
                return
            self._close_list()
        if self._card is not None:
            same = next((q for q in self._queue if q.is_same_card(self._card.question)), None)
            if same is None:
                self._gone(self._card.question)
            else:
                self._card.update(same, now)
        if self._card is None and self._queue:
            self._focus(self._queue[0])

    def _focus(self, question: Question) -> None:
        columns, rows = self._size()
        width, height = room(columns, rows)
        self._card = Card(question, width, height, self._set.clock(), by=self._set.by)
        self._paint()
        # Keys that were meant for something else are gone; only now the question has been on screen.
        self._terminal.flush()
        self._keys.reset()
        self._card.readiness.restart(self._set.clock())

    # The list

    def _open_list(self) -> None:
        """The queue instead of one card. The card's frame goes: it was not answered, and comes again."""
        self._wipe()
        now, (width, height) = self._set.clock(), room(*self._size())
        home = os.path.expanduser("~")
        self._card, self._list = None, ListView(width, height, self._set.by, Readiness(now), home)
        self._list.update(self._queue, now)
        self._paint()
        self._terminal.flush()
        self._keys.reset()
        self._list.readiness.restart(self._set.clock())

    def _close_list(self, question: Question | None = None) -> None:
        self._wipe()
        self._list = None
        if question is not None or self._queue:
            self._focus(question or self._queue[0])

    def _apply_list(self, step: ListStep | None) -> None:
        if step is None or self._list is None:
            return
        for question, answer in step.answers:
            self._respond(question, answer)
        for line in step.left_out:
            self._say(fit(f"{self._time()} – {visible(line)}", self._terminal.size()[0] - 1))
        if step.answers:
            self._polled = float("-inf")
            # Storing takes a moment: what was typed meanwhile was typed without seeing what is there now.
            self._terminal.flush()
            self._keys.reset()
            self._list.readiness.restart(self._set.clock())
        if step.leaves:
            self._close_list(step.opens)

    def _wipe(self) -> None:
        """Take the frame off the screen."""
        if self._painted:
            up = f"\x1b[{len(self._painted) - 1}A" if len(self._painted) > 1 else ""
            self._terminal.write(f"{up}\r\x1b[J")
        self._painted = []

    def _next(self) -> None:
        assert self._card is not None
        if len(self._queue) < 2:
            self._card.message = "nothing else is waiting"
            return
        self._focus(self._queue[self._place_of(self._card.question) % len(self._queue)])

    def _place_of(self, question: Question) -> int:
        """The number of this card in the queue, from 1; 0 when it is not in it."""
        return next((n for n, q in enumerate(self._queue, 1) if q.is_same_card(question)), 0)

    def _gone(self, question: Question) -> None:
        ended = visible(self._set.ended(question.id)) or GONE
        self._drop_card()
        line = f"{self._time()} – {ended} · {one_line(question.subject, 60)}"
        for row in flow([(line, "")], self._terminal.size()[0] - 1, hang=9):
            self._say(row.plain)

    # Keys

    def _listen(self) -> None:
        now = self._set.clock()
        wait = self._set.tick_s
        shown = self._card or self._list
        if shown is not None:
            wait = min(wait, shown.readiness.changes_in_s(now))
        data = self._terminal.read(max(wait, 0.002), self._wake_fd)
        if self._set.wake is not None and self._wake_fd >= 0 and select.select([self._wake_fd], [], [], 0)[0]:
            self._set.wake.drain()
            self._polled = float("-inf")
        if self._terminal.continued:
            self._start_again()
            return
        if self._terminal.resized:
            self._resize()
            return
        self._take_keys(data)

    def _take_keys(self, data: bytes) -> None:
        now = self._set.clock()
        shown = self._card or self._list
        if shown is None:
            return
        fresh = shown.readiness.looked(now)
        # What idling makes of an unfinished sequence was typed long ago: only a lone Escape still means something.
        keys = self._keys.feed(data, now) if data else [key for key in self._keys.idle(now) if key.name]
        if not fresh or not (data or keys):
            return
        if self._card is not None:
            self._apply(self._card.feed(keys, now, alone=len(data) == 1))
        elif self._list is not None:
            self._apply_list(self._list.feed(keys, now, self._set.wall(), alone=len(data) == 1))

    def _apply(self, action: KeyStep | None) -> None:
        if action is None or self._card is None:
            return
        if action.list:
            self._open_list()
        elif action.next:
            self._next()
        elif action.answer is not None and (action.answer.decision == Decision.DENY or self._is_as_shown()):
            until = self._set.wall() + action.for_s if action.for_s else 0.0
            self._answer(self._card.question, replace(action.answer, until=until))

    def _is_as_shown(self) -> bool:
        """One more look before an approval: its session may have been flagged meanwhile, or somebody was first."""
        card = self._card
        assert card is not None
        before = card.asked
        self._polled = float("-inf")
        self._look()
        if self._card is not card:
            return False
        if not card.asked.reads_like(before):
            card.say("it has changed: read it again", self._set.clock())
            return False
        return True

    def _answer(self, question: Question, answer: Answer) -> None:
        self._respond(question, answer)
        self._polled = float("-inf")

    def _respond(self, question: Question, answer: Answer) -> None:
        try:
            given = self._manager.respond(question.id, answer)
        except AskfirstError as error:
            self._drop_card()
            self._say(f"{self._time()} – not accepted: {visible(str(error))}")
        else:
            self._answered += 1
            self._done = (*self._done[-200:], *question.all_ids())
            self._drop_card()
            self._say(receipt(question, given, self._time(), self._terminal.size()[0] - 1, self._set.head()))
            for line in consequences(given):
                self._say(line)

    # The screen

    def _fits(self) -> bool:
        return fits(*self._terminal.size())

    def _size(self) -> tuple[int, int]:
        columns, rows = self._terminal.size()
        return min(columns, MAX_COLUMNS), rows

    def _paint(self) -> None:
        """Draw over the last frame, and only when something changed."""
        columns, rows = self._size()
        place, clock = self._place_and_clock()
        now = self._set.clock()
        if self._card is not None:
            # Before it is: the frame of the last page must not say `locked`, and no key is read in between.
            self._card.drawn()
        view = self._card.state(now) if self._card is not None else None
        if self._list is not None:
            wall = self._set.wall()
            self._list.drawn(now, wall)
            view = (*self._list.state(wall), self._list.status(now))
        shown = (columns, rows, place, clock, view)
        if self._painted and shown == self._shown:
            return
        if self._card is not None:
            lines = to_ansi(frame(self._card, columns, rows, place=place, clock=clock, now=now), columns)
        elif self._list is not None:
            lines = to_ansi(list_frame(self._list, columns, rows, wall=self._set.wall(), now=now), columns)
        elif self._set.idle:
            lines = [idle_row(self._set.idle, columns - 1)]
        else:
            return
        self._terminal.write(SYNCHRONIZED[0] + redrawn(self._painted, lines) + SYNCHRONIZED[1])
        self._painted, self._painted_width, self._shown = lines, columns, shown

    def _place_and_clock(self) -> tuple[str, str]:
        if self._card is None:
            return "", ""
        question = self._card.question
        at = self._place_of(question) or 1
        self._card.others = max(0, len(self._queue) - 1)
        wall = self._set.wall()
        return (
            f"{at} of {len(self._queue)}" if len(self._queue) > 1 else "",
            f"waiting {minutes(wall - question.created)} · {minutes(question.deadline - wall)} left",
        )

    def _drop_card(self) -> None:
        """A settled card leaves one line, which the caller says."""
        if self._card is not None:
            self._wipe()
            self._card = None

    def _leave_frame(self) -> None:
        if self._painted:
            self._terminal.write("\r\n" if len(self._painted) > 1 else "\r\x1b[2K")
        self._painted = []

    def _say(self, line: str) -> None:
        """A line above whatever is drawn next."""
        if len(self._painted) > 1:
            self._terminal.write(f"\x1b[{len(self._painted) - 1}A\r\x1b[J{line}\r\n")
        else:
            self._terminal.write(f"\r\x1b[2K{line}\r\n")
        self._painted = []

    def _resize(self) -> None:
        """Lay everything out again; the old frame is drawn over where the terminal has wrapped it."""
        while True:
            self._terminal.resized = False
            self._terminal.read(RESIZED_S)
            if not self._terminal.resized:
                break
        columns, rows = self._size()
        real = max(1, self._terminal.size()[0])
        if self._painted:
            # Each row of the old frame now takes so many rows; the cursor stands on the last of them.
            up = min(len(self._painted) * -(-self._painted_width // real) - 1, self._terminal.size()[1] - 1)
            self._terminal.write((f"\x1b[{up}A" if up else "") + "\r\x1b[J")
        self._painted = []
        if self._card is not None and self._fits():
            self._card.resize(*room(columns, rows), self._set.clock())
            self._paint()
            self._terminal.flush()
            self._keys.reset()
            self._card.readiness.restart(self._set.clock())
        self._resize_list()

    def _resize_list(self) -> None:
        if self._list is not None and self._fits():
            self._list.width, self._list.rows = room(*self._size())
            self._list.readiness.restart(self._set.clock())

    def _start_again(self) -> None:
        """After a stop: the screen is somebody else's now, so draw below it, from zero."""
        self._terminal.continued = self._terminal.resized = False
        self._painted = []
        self._polled = float("-inf")
        if self._card is not None:
            self._card.resize(*room(*self._size()), self._set.clock())
        self._resize_list()
        self._paint()
        self._terminal.flush()
        self._keys.reset()
        if self._card is not None:
            self._card.readiness.restart(self._set.clock())

    def _time(self) -> str:
        return time.strftime("%H:%M:%S", time.localtime(self._set.wall()))
