"""The program that the pty tests drive: the real loop, terminal and guardian, a scripted manager, the test's own clock.

    python child.py MEMORY QUESTIONS.pickle ANSWERS [raise|cycle]

MEMORY holds doubles: the test's clock, rounds of the loop, bytes read, number of answers, pids of the
drawing process and of its guardian.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
import sys
from typing import Any

from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer
from askfirst.tui import watch
from askfirst.tui.guardian import guarded
from askfirst.tui.setting import Setting
from askfirst.tui.terminal import Terminal

NOW, ROUNDS, READ, ANSWERS, PID, GUARDIAN = range(6)


class Memory:
    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), 4096)

    def get(self, at: int) -> float:
        return float(struct.unpack_from("d", self._map, at * 8)[0])

    def put(self, at: int, value: float) -> None:
        struct.pack_into("d", self._map, at * 8, value)


class Manager:
    """Questions from a file, read again whenever it is replaced; answers go to another."""

    def __init__(self, memory: Memory, questions: str, answers: str, how: str) -> None:
        self._memory, self._questions, self._answers, self._how = memory, questions, answers, how
        self._given: list[tuple[str, Answer]] = []

    def pending(self) -> tuple[Question, ...]:
        with open(self._questions, "rb") as file:
            questions: tuple[Question, ...] = pickle.load(file)
        done = {i for i, _ in self._given}
        return tuple(q for q in questions if q.id not in done)

    def respond(self, id: str, answer: Answer) -> Answer:
        if self._how == "raise":
            raise RuntimeError("broken on purpose")
        if self._how == "late":
            raise AskfirstError("already denied by timeout")
        self._given.append((id, answer))
        with open(self._answers, "wb") as file:
            pickle.dump(self._given, file)
        self._memory.put(ANSWERS, len(self._given))
        return answer


def main() -> int:
    memory = Memory(sys.argv[1])
    how = sys.argv[4] if len(sys.argv) > 4 else ""

    class Counting(Terminal):
        def read(self, timeout_s: float, also: int = -1) -> bytes:
            memory.put(ROUNDS, memory.get(ROUNDS) + 1)
            data = super().read(timeout_s, also)
            memory.put(READ, memory.get(READ) + len(data))
            return data

    patched: Any = watch
    patched.Terminal = Counting

    def draw() -> int:
        memory.put(PID, os.getpid())
        manager = Manager(memory, sys.argv[2], sys.argv[3], how)
        return watch.loop(
            manager,
            Setting(clock=lambda: memory.get(NOW), tick_s=0.002, once=how == "once", head=lambda: "abc123def456789"),
        )

    memory.put(GUARDIAN, os.getpid())
    return guarded(draw)


if __name__ == "__main__":
    sys.exit(main())
