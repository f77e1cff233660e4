"""Asking on a terminal: which form fits this terminal, and the two ways in.

`watch_here` answers a queue until the person leaves; `ask_here` asks one question where the asking process owns a terminal. Both run
the drawing in a child process below a guardian, so that the terminal is restored even after SIGKILL.
"""

from __future__ import annotations

import contextlib
import os
import sys
import termios
import time

from askfirst.approval.question import Question
from askfirst.model import Answer, Decision
from askfirst.tui.guardian import Guardian, guarded
from askfirst.tui.lines import LineMode
from askfirst.tui.notify import Notifier, desktop
from askfirst.tui.terminal import Ended, Hangup, Terminal
from askfirst.tui.watch import Dialog, Setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from askfirst.approval.manager import ApprovalManager
    from askfirst.tui.watch import Manager

    Around = Callable[[], contextlib.AbstractContextManager[object]]


def drawable(read_fd: int = 0, write_fd: int = 1) -> bool:
    """Whether a frame can be drawn here at all; its size is looked at later, since it may change."""
    if os.environ.get("TERM", "") in ("", "dumb") or os.environ.get("ACCESSIBLE", "") not in ("", "0"):
        return False
    return os.isatty(read_fd) and os.isatty(write_fd) and "utf" in (sys.stdout.encoding or "utf-8").lower()


def watch_here(
    make_manager: Callable[[], ApprovalManager],
    setting: Setting,
    *,
    around: Around,
    read_fd: int = 0,
    write_fd: int = 1,
) -> int:
    """Answer what waits until the person leaves. The manager is made in the process that uses it; `around` wraps its life."""

    def draw() -> int:
        with around():
            manager = make_manager()
            with manager.changes() as wake:
                return loop(manager, setting.replace(wake=wake), read_fd=read_fd, write_fd=write_fd)

    return guarded(draw, read_fd, write_fd) if os.isatty(read_fd) else draw()


def loop(manager: Manager, setting: Setting, *, read_fd: int = 0, write_fd: int = 1) -> int:
    """Dialog or line mode, changing over when the window's size asks for it. Returns an exit code."""
    notifier = Notifier(lambda: None) if setting.quiet else Notifier(lambda: _ring(write_fd), desktop())
    try:
        while True:
            if drawable(read_fd, write_fd):
                with Terminal(read_fd, write_fd) as terminal:
                    ended = Dialog(manager, terminal, notifier, setting).run()
                if ended != "small":
                    return 0
            ended = LineMode(
                manager, notifier, setting, read_fd=read_fd, write_fd=write_fd, small=drawable(read_fd, write_fd)
            ).run()
            if ended != "large":
                return 0
    except Ended as end:
        return end.exit_code
    except (Hangup, BrokenPipeError):
        return 1
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            os.write(write_fd, b"\r\n")
        return 130


class OneQuestion:
    """The manager of a single question: it waits until it is answered, its time is over, or `gone` says that nobody wants it any more."""

    def __init__(self, question: Question, gone: Callable[[], bool] | None = None) -> None:
        self._question, self._gone = question, gone
        self.answer: Answer | None = None

    def pending(self) -> tuple[Question, ...]:
        over = self.answer is not None or time.time() >= self._question.deadline
        return () if over or (self._gone is not None and self._gone()) else (self._question,)

    def respond(self, id: str, answer: Answer) -> Answer:
        state = (
            ("once", "session", "timed", "permanent")[answer.duration]
            if answer.decision == Decision.ALLOW
            else "denied"
        )
        self.answer = answer.replace(state=state)
        return self.answer


def ask_here(
    question: Question,
    *,
    gone: Callable[[], bool] | None = None,
    by: str = "person at the terminal",
    read_fd: int = 0,
    write_fd: int = 1,
) -> Answer:
    """Ask on this process's own terminal and return the answer. Whatever goes wrong is a deny.

    The dialog is a process of its own, so that this one may have threads, is its guardian, and can withdraw the question when `gone`
    says that nobody wants the answer any more.
    """
    if os.isatty(read_fd):
        return _ask_in_child(question, gone, by, read_fd, write_fd) or _nobody(question)
    single = OneQuestion(question, gone)
    loop(single, Setting(by=by, once=True, idle=""), read_fd=read_fd, write_fd=write_fd)
    return single.answer or _nobody(question)


def _ask_in_child(
    question: Question, gone: Callable[[], bool] | None, by: str, read_fd: int, write_fd: int
) -> Answer | None:
    import pickle
    import subprocess
    import tempfile

    saved = termios.tcgetattr(read_fd)
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answered:
        pickle.dump((question, by, os.getpid()), asked)
        asked.seek(0)
        # -P: the agent's directory is the current one, and nothing in it may be imported.
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "askfirst.tui.child", str(asked.fileno()), str(answered.fileno())],
            stdin=read_fd,
            stdout=write_fd,
            pass_fds=(asked.fileno(), answered.fileno()),
        )
        code = child.returncode = Guardian(child.pid, saved, read_fd, write_fd).wait(gone)
        if code == 130:
            raise KeyboardInterrupt
        answered.seek(0)
        try:
            answer = pickle.load(answered) if code == 0 else None
        except (EOFError, pickle.UnpicklingError):
            answer = None
    return answer if isinstance(answer, Answer) and answer.digest == question.digest else None


def _nobody(question: Question) -> Answer:
    """Silence and every failure: a deny."""
    if time.time() >= question.deadline:
        return Answer(
            Decision.DENY, reason="nobody answered in time", by="timeout", state="expired", digest=question.digest
        )
    return Answer(
        Decision.DENY,
        reason="the question was closed without an answer",
        by="nobody",
        state="cancelled",
        digest=question.digest,
    )


def _ring(fd: int) -> None:
    if os.isatty(fd):
        with contextlib.suppress(OSError):
            os.write(fd, b"\a")
