"""Files of more than 10 MB, compared piece by piece: memory stays the same whatever their size.

Two windows move over the files. What is equal is passed over; where they differ, the windows are compared as a whole
and the comparison is taken up to the last place where both agree again. Lines that moved further than a window count as
deleted and added, which is what a careful gate may say."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askfirst.digest import sha256
from askfirst.files.lines import changed

if TYPE_CHECKING:
    from typing import BinaryIO

WINDOW_LINES = 30_000
WINDOW_BYTES = 3 << 20
PIECE = 1 << 16  # a longer line is compared in pieces
SHOWN = 64 * 1024  # characters of the diff that are kept


@dataclass(frozen=True)
class Counts:
    lines: int  # of the old file
    deleted: int
    added: int
    base: str  # SHA-256 of the old file
    diff: str  # its beginning, as `diff -u` writes it, at most SHOWN characters
    cut: bool  # there is more


class _Side:
    """One file as a window of lines."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.window, self.ended, self.passed, self.read = stream, [], False, 0, 0
        self.hash = sha256()

    window: list[bytes]

    def fill(self) -> None:
        size = sum(map(len, self.window))
        while not self.ended and len(self.window) < WINDOW_LINES and size < WINDOW_BYTES:
            line = self.stream.readline(PIECE)
            if not line:
                self.ended = True
                return
            self.hash.update(line)
            self.read += len(line)
            size += len(line)
            self.window.append(line[:-2] + b"\n" if line.endswith(b"\r\n") else line)

    def pass_rest(self) -> int:
        """Read on to the end without looking; gives how many lines that were."""
        count, end = len(self.window), b"\n"
        while part := self.stream.read(1 << 20):
            self.hash.update(part)
            self.read += len(part)
            count, end = count + part.count(b"\n"), part[-1:]
        count += end != b"\n"
        self.window, self.ended, self.passed = [], True, self.passed + count
        return count

    def drop(self, count: int) -> None:
        del self.window[:count]
        self.passed += count


def compare(
    path: str, new: bytes | str | None, progress: Callable[[int, int], None] | None = None, context: int = 3
) -> Counts:
    """Old file against new content: bytes, the path of a file, or None when it is not known (everything goes)."""
    with open(path, "rb", buffering=PIECE) as old_stream, _opened(new) as new_stream:
        old, fresh = _Side(old_stream), _Side(new_stream)
        total = max(1, os.fstat(old_stream.fileno()).st_size)
        sink = _Sink(path)
        for _ in _walk(old, fresh, sink, context):
            if progress is not None:
                progress(min(old.read, total), total)
        return Counts(
            old.passed, sink.deleted, sink.added, old.hash.hexdigest(), sink.text(), sink.cut or sink.size > SHOWN
        )


def _opened(new: bytes | str | None) -> BinaryIO:
    if isinstance(new, str):
        return open(new, "rb", buffering=PIECE)
    return io.BytesIO(new or b"")


class _Sink:
    def __init__(self, path: str) -> None:
        self.parts, self.size, self.cut, self.deleted, self.added = [f"--- a/{path}\n+++ b/{path}\n"], 0, False, 0, 0

    def hunk(
        self, at: tuple[int, int], before: list[bytes], gone: list[bytes], come: list[bytes], after: list[bytes]
    ) -> None:
        self.deleted += len(gone)
        self.added += len(come)
        if self.size > SHOWN:
            self.cut = True
            return
        start, fresh = at[0] - len(before), at[1] - len(before)
        room = SHOWN - self.size
        around = len(before) + len(after)
        head = f"@@ -{start + 1},{around + len(gone)} +{fresh + 1},{around + len(come)} @@\n"
        text = head + "".join(_rows(" ", before) + _rows("-", gone, room) + _rows("+", come, room) + _rows(" ", after))
        self.size += len(text)
        self.parts.append(text)

    def text(self) -> str:
        text = "".join(self.parts)
        if not self.cut and self.size <= SHOWN:
            return text
        whole_lines = text[:SHOWN].rpartition("\n")[0]
        total = f"{self.deleted} lines are deleted and {self.added} added in all"
        return f"{whole_lines}\n\\ … the diff is cut here: {total}\n"


def _rows(sign: str, lines: list[bytes], room: int = SHOWN) -> list[str]:
    rows: list[str] = []
    for line in lines:
        rows.append(sign + line[:2000].rstrip(b"\n").decode("utf-8", "replace") + "\n")
        room -= len(rows[-1])
        if room < 0:
            break
    return rows


def _walk(old: _Side, new: _Side, sink: _Sink, context: int) -> Iterator[None]:
    last: list[bytes] = []  # the equal lines just passed
    while True:
        old.fill()
        new.fill()
        if not old.window and not new.window:
            return
        if new.ended and not new.window and sink.size > SHOWN:
            sink.deleted += old.pass_rest()  # the rest goes away, and nobody is shown it
            sink.cut = True
            yield
            return
        equal = _common(old.window, new.window)
        if equal:
            last = (last + old.window[max(0, equal - context) : equal])[-context:]
            old.drop(equal)
            new.drop(equal)
            yield
            continue
        last = _emit(old, new, sink, context, last)
        yield


def _common(a: list[bytes], b: list[bytes]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


def _emit(old: _Side, new: _Side, sink: _Sink, context: int, last: list[bytes]) -> list[bytes]:
    """Write out the differences of the two windows as far as they are certain, and move on."""
    hunks = changed(old.window, new.window)
    certain = old.ended and new.ended
    if not certain and len(hunks) > 1:
        hunks = hunks[:-1]  # the last one may go on behind the window
    at_old, at_new = 0, 0
    for a, b, c, d in hunks:
        before = (last + old.window[at_old:a])[-context:] if context else []
        sink.hunk(
            (old.passed + a, new.passed + c), before, old.window[a:b], new.window[c:d], old.window[b : b + context]
        )
        last, at_old, at_new = [], b, d
    passed = old.window[max(0, at_old - context) : at_old]
    old.drop(at_old)
    new.drop(at_new)
    return passed
