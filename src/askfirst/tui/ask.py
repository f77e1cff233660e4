"""Asks one question where the asking process owns a terminal, and returns the answer. Whatever goes wrong is a deny."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from dataclasses import replace

from askfirst.approval.answers import state_of
from askfirst.approval.question import Question
from askfirst.model import Answer, Decision
from askfirst.tui.guardian import Guardian
from askfirst.tui.setting import Setting
from askfirst.tui.watch import loop


def ask_here(
    question: Question,
    *,
    gone: Callable[[], bool] | None = None,
    by: str = "person at the terminal",
    read_fd: int = 0,
    write_fd: int = 1,
) -> Answer:
    """Ask on this process's own terminal and return the answer. Whatever goes wrong is a deny.

    The dialog is a process of its own: this one may have threads, guards the terminal, and withdraws the question when
    `gone` says that nobody wants the answer any more.
    """
    if os.isatty(read_fd):
        return _ask_in_child(question, gone, by, read_fd, write_fd) or _unanswered(question)
    single = OneQuestion(question, gone)
    loop(single, Setting(by=by, once=True, idle=""), read_fd=read_fd, write_fd=write_fd)
    return single.answer or _unanswered(question)


class OneQuestion:
    """The manager of a single question, which waits until it is answered, its time is over, or `gone` says so."""

    def __init__(self, question: Question, gone: Callable[[], bool] | None = None) -> None:
        self._question, self._gone = question, gone
        self.answer: Answer | None = None

    def pending(self) -> tuple[Question, ...]:
        over = self.answer is not None or time.time() >= self._question.deadline
        return () if over or (self._gone is not None and self._gone()) else (self._question,)

    def respond(self, id: str, answer: Answer) -> Answer:
        self.answer = replace(answer, state=state_of(answer))
        return self.answer


def _ask_in_child(
    question: Question, gone: Callable[[], bool] | None, by: str, read_fd: int, write_fd: int
) -> Answer | None:
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


def _unanswered(question: Question) -> Answer:
    """Silence and every failure: a deny."""
    if time.time() >= question.deadline:
        reason, by, state = "no one answered in time", "timeout", "expired"
    else:
        reason, by, state = "the question was closed without an answer", "nobody", "cancelled"
    return Answer(Decision.DENY, reason=reason, by=by, state=state, digest=question.digest)
