"""Reads the audit log. Never writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from askfirst import audit, jsontext
from askfirst.store import atomic


def log_paths(home: str | None = None) -> list[str]:
    """The log's files, oldest first."""
    base = audit.directory() if home is None else home
    names = [*audit.segments(base), audit.CURRENT]
    return [p for n in names if os.path.exists(p := os.path.join(base, n))]


def read_records(home: str | None = None, *, progress: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
    """Every readable record, oldest first; torn lines are skipped."""
    for file in log_files(home):
        for line in file.lines():
            if progress is not None:
                progress(len(line))
            value = parse_line(line)
            if value is not None:
                yield value


def read_backwards(home: str | None = None) -> Iterator[dict[str, Any]]:
    """The same, newest first: who wants the last forty need not read all."""
    for file in reversed(log_files(home)):
        for line in reversed(list(file.lines())):
            value = parse_line(line)
            if value is not None:
                yield value


class Tail:
    """Records that come after number `last`, as they come; each look reads only what is new."""

    def __init__(self, last: int, home: str | None = None) -> None:
        self._home, self._last, self._at = home, last, (0, 0)  # inode of the current file, and how much of it was read

    def look(self) -> list[dict[str, Any]]:
        """What has come since the last look."""
        files = log_files(self._home)
        inode, read = self._at
        found: list[dict[str, Any]] = []
        for file in files[-2:]:  # a rotation may have come in between
            start = read if file.inode == inode else 0
            if file.size > start or file.opened is not None:
                values = map(parse_line, file.lines(start))
                found += [v for v in values if v is not None and v.get("seq", 0) > self._last]
        if files:
            self._at = (files[-1].inode, files[-1].size)
        if found:
            self._last = found[-1]["seq"]
        return found


class LogFile:
    """One file of the log as it was at one moment: later appends are not part of it, and a rename does not lose it."""

    def __init__(self, path: str) -> None:
        self.path = path
        is_current = os.path.basename(path) == audit.CURRENT
        self.opened = open(path, "rb") if is_current else None  # noqa: SIM115 (lines() closes it)
        found = os.stat(path)
        self.size, self.inode = found.st_size, found.st_ino

    def lines(self, start: int = 0) -> Iterator[bytes]:
        left = self.size - start
        with self.opened or open(self.path, "rb") as file:
            file.seek(start)
            for line in file:
                if left <= 0:
                    return
                yield line[:left]
                left -= len(line)


def log_files(home: str | None = None) -> list[LogFile]:
    """The files, oldest first, as they are while nobody appends or rotates.

    Without the lock, half of a record that is being written would look torn, and a rotation like a missing file.
    """
    base = audit.directory() if home is None else home
    lock = audit.lock(base) if os.access(base, os.W_OK) else -1  # a copy that cannot be written has no writers
    try:
        return [LogFile(path) for path in log_paths(base)]
    finally:
        if lock >= 0:
            atomic.release(lock)


def parse_line(line: bytes) -> dict[str, Any] | None:
    """The record on a line; None when it is not one."""
    try:
        value = jsontext.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def total_bytes(home: str | None = None) -> int:
    return sum(os.path.getsize(p) for p in log_paths(home))
