"""A person at a real pty: types, waits, and looks at the screen. Nothing here depends on how fast the machine is."""

from __future__ import annotations

import fcntl
import os
import pickle
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from askfirst.approval.question import Question
from askfirst.model import Answer
from tests.tui.child import ANSWERS, GUARDIAN, NOW, PID, READ, ROUNDS, Memory
from tests.tui.screen import Screen

PATIENCE_S = float(os.environ.get("TUI_TEST_PATIENCE_S", "90"))
STEP_S = 0.4  # of the dialog's clock: a longer jump would look like a process that slept
CHILD, SHELL = (str(Path(__file__).with_name(name)) for name in ("child.py", "shell.py"))


class Person:
    """`with Person(tmp_path, questions) as person:` starts the dialog on a pty of its own."""

    def __init__(
        self,
        directory: Path,
        *questions: Question,
        columns: int = 80,
        rows: int = 24,
        how: str = "",
        environment: dict[str, str] | None = None,
        typed_ahead: bytes = b"",
    ) -> None:
        self._files = {name: directory / name for name in ("memory", "questions", "answers")}
        self._files["memory"].write_bytes(b"\0" * 4096)
        self.memory = Memory(str(self._files["memory"]))
        self.memory.put(NOW, 1000.0)
        self.ask(*questions)
        self.master, self.slave = os.openpty()
        self.screen = Screen(columns, rows)
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.sent = 0.0
        if typed_ahead:
            os.write(self.master, typed_ahead)
        env = {
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            **(environment or {}),
        }
        self.process = subprocess.Popen(
            [sys.executable, SHELL, sys.executable, CHILD, *(str(f) for f in self._files.values()), how],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=env,
        )

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self._wait(lambda: self.process.poll() is not None, "the dialog to end")
            finally:
                self.process.kill()
        self.process.wait()
        os.close(self.slave)
        if self.master >= 0:
            os.close(self.master)

    # The world

    def ask(self, *questions: Question) -> None:
        """What waits from now on."""
        new = self._files["questions"].with_suffix(".new")
        new.write_bytes(pickle.dumps(questions))
        new.replace(self._files["questions"])

    def answers(self) -> list[tuple[str, Answer]]:
        if not self.memory.get(ANSWERS):
            return []
        given: list[tuple[str, Answer]] = pickle.loads(self._files["answers"].read_bytes())
        return given

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.columns, self.screen.rows = columns, rows

    def guardian_pid(self) -> int:
        self._wait(lambda: self.memory.get(GUARDIAN) > 0, "the guardian")
        return int(self.memory.get(GUARDIAN))

    def drawing_pid(self) -> int:
        self._wait(lambda: self.memory.get(PID) > 0, "the drawing process")
        return int(self.memory.get(PID))

    # Hands and eyes

    def type(self, data: str | bytes) -> None:
        """Press keys and wait until the dialog has read them."""
        raw = data.encode() if isinstance(data, str) else data
        self.sent = self.memory.get(READ) + len(raw)
        os.write(self.master, raw)
        self._wait(lambda: self.memory.get(READ) >= self.sent, f"{raw!r} to be read")

    def later(self, seconds: float) -> None:
        """Let the dialog's clock run, in steps that it sees one by one."""
        end = self.memory.get(NOW) + seconds
        while self.memory.get(NOW) < end - 1e-9:
            now = min(end, self.memory.get(NOW) + STEP_S)
            self.memory.put(NOW, now)
            self.rounds()

    def rounds(self, many: int = 2) -> None:
        """Let the loop go round: a whole round lies between two reads."""
        goal = self.memory.get(ROUNDS) + many
        self._wait(lambda: self.memory.get(ROUNDS) >= goal or self.process.poll() is not None, "the loop to go round")
        if self.master >= 0:
            self.pump(0.0)  # what these rounds have drawn

    def write(self, text: str) -> None:
        """Type without waiting: for the line mode, which has no clock of its own."""
        os.write(self.master, text.encode())

    def until(self, condition: Callable[[], bool], what: str) -> None:
        self._wait(condition, what)

    def sees(self, text: str, *, history: bool = False) -> None:
        self._wait(lambda: text in (self.screen.history() if history else self.screen.text()), f"{text!r} on screen")

    def ready(self) -> None:
        """Let the dialog's clock run until it is ready.

        How long that takes depends on when the dialog has last begun to count.
        """
        deadline = time.monotonic() + PATIENCE_S
        while "● ready" not in self.screen.text():
            self.later(0.2)
            self.pump(0.0)
            assert time.monotonic() < deadline, f"it was never ready; the screen:\n{self.screen.text()}"

    def press(self, key: str) -> None:
        """Answer as a careful person does: wait for "ready", press, wait."""
        self.later(1.4)
        self.ready()
        self.type(key)
        self.later(0.6)

    def answered(self, many: int) -> list[tuple[str, Answer]]:
        self._wait(lambda: self.memory.get(ANSWERS) >= many, f"{many} answers")
        return self.answers()

    def ended(self) -> int:
        self._wait(lambda: self.process.poll() is not None, "the dialog to end")
        if self.master >= 0:
            self.pump(0.05)
        return int(self.process.returncode)

    def restored(self) -> bool:
        """The terminal as it was: mode, cursor, paste."""
        return (
            _plain(termios.tcgetattr(self.slave)) == _plain(self.before)
            and not self.screen.modes.get("2004", False)
            and self.screen.modes.get("25", True)
            and not self.screen.titles_kept
        )

    def pump(self, seconds: float) -> None:
        ready, _, _ = select.select([self.master], [], [], seconds)
        if ready:
            try:
                self.screen.feed(os.read(self.master, 65536))
            except OSError:
                pass

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if self.master >= 0:
                self.pump(0.01)
            else:
                time.sleep(0.01)
            assert time.monotonic() < deadline, f"waited in vain for {what}; the screen:\n{self.screen.text()}"


def _plain(mode: list[Any]) -> list[Any]:
    return [*mode[:6], list(mode[6])]
