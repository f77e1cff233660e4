"""Reading and verifying the audit log. Never writes."""

from __future__ import annotations

import os

from askfirst import audit, jsontext
from askfirst._record import Record
from askfirst.digest import sha256
from askfirst.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MIN_HEAD = 8


class Problem(Record):
    """Something that is wrong with the log, and where."""

    file: str
    line: int
    what: str


class Report(Record):
    """What verification found."""

    records: int  # lines that hold
    first: int
    last: int
    head: str  # hash of the last record that holds
    problems: tuple[Problem, ...]
    sealed: int  # torn lines of writers that died, named by the record behind them
    files: int
    spans: tuple[tuple[int, int], ...] = ()  # unbroken runs of records that hold: what is still good

    @property
    def good(self) -> bool:
        return not self.problems


def files(home: str | None = None) -> list[str]:
    """The log's files, oldest first."""
    base = audit.directory() if home is None else home
    names = [*audit.segments(base), audit.CURRENT]
    return [p for n in names if os.path.exists(p := os.path.join(base, n))]


def records(home: str | None = None, *, progress: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
    """Every record that can be read, oldest first; torn lines are passed over."""
    for part in _parts(home):
        for line in part.lines():
            if progress is not None:
                progress(len(line))
            value = _value(line)
            if value is not None:
                yield value


def records_backwards(home: str | None = None) -> Iterator[dict[str, Any]]:
    """The same, newest first: who wants the last forty need not read all."""
    for part in reversed(_parts(home)):
        for line in reversed(list(part.lines())):
            value = _value(line)
            if value is not None:
                yield value


class Tail:
    """Records that come after number `last`, as they come; each look reads only what is new."""

    def __init__(self, last: int, home: str | None = None) -> None:
        self._home, self._last, self._at = home, last, (0, 0)  # inode of the file in force, and how much of it was read

    def look(self) -> list[dict[str, Any]]:
        """What has come since the last look."""
        parts = _parts(self._home)
        inode, read = self._at
        found: list[dict[str, Any]] = []
        for part in parts[-2:]:  # a rotation may have come in between
            start = read if part.inode == inode else 0
            if part.size > start or part.file is not None:
                found += [v for v in map(_value, part.lines(start)) if v is not None and v.get("seq", 0) > self._last]
        if parts:
            self._at = (parts[-1].inode, parts[-1].size)
        if found:
            self._last = found[-1]["seq"]
        return found


class _Part:
    """One file of the log as it was at one moment: what is appended later does not belong to it, and a rename does not lose it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.file = open(path, "rb") if os.path.basename(path) == audit.CURRENT else None  # noqa: SIM115 (lines() closes it)
        found = os.stat(path)
        self.size, self.inode = found.st_size, found.st_ino

    def lines(self, start: int = 0) -> Iterator[bytes]:
        left = self.size - start
        with self.file or open(self.path, "rb") as file:
            file.seek(start)
            for line in file:
                if left <= 0:
                    return
                yield line[:left]
                left -= len(line)


def _parts(home: str | None) -> list[_Part]:
    """The files, oldest first, as they are while nobody appends or rotates: without the lock a reader would take half of a record that
    is being written for a torn one, and a rotation for a missing file."""
    base = audit.directory() if home is None else home
    lock = audit.lock(base) if os.access(base, os.W_OK) else -1  # a copy that cannot be written has no writers
    try:
        return [_Part(path) for path in files(base)]
    finally:
        if lock >= 0:
            os.close(lock)


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        value = jsontext.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def total_bytes(home: str | None = None) -> int:
    return sum(os.path.getsize(p) for p in files(home))


def verify(home: str | None = None, *, expect_head: str = "", progress: Callable[[int], None] | None = None) -> Report:
    """Walk the whole chain. After a break it goes on from the next record that holds in itself, so that all breaks are named."""
    if expect_head and (len(expect_head) < MIN_HEAD or expect_head.strip("0123456789abcdefABCDEF")):
        raise UsageError(f"`{expect_head}` is not a head: {MIN_HEAD} to 64 characters of `askfirst audit head`")
    walk = _Walk()
    for part in _parts(home):
        walk.file(part, progress)
    if expect_head and not walk.seen(expect_head):
        walk.problems.append(
            Problem(
                walk.path,
                walk.number,
                f"no record has the expected head {expect_head}: the log was cut off or replaced",
            )
        )
    return Report(
        walk.good,
        walk.first,
        walk.number,
        walk.previous,
        tuple(walk.problems),
        walk.sealed,
        walk.files,
        tuple(walk.spans),
    )


class _Walk:
    """The state of a verification."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.previous = audit.ZERO
        self.number = self.first = self.good = self.sealed = self.files = 0
        self.path = ""
        self.started = False
        self.heads: set[str] = set()
        self.spans: list[tuple[int, int]] = []
        self.broken = True  # the next record that holds begins a new span

    def seen(self, head: str) -> bool:
        return any(h.startswith(head.lower()) for h in self.heads)

    def file(self, part: _Part, progress: Callable[[int], None] | None) -> None:
        self.files += 1
        self.path = part.path
        torn: tuple[int, bytes] | None = None
        for count, line in enumerate(part.lines(), 1):
            if progress is not None:
                progress(len(line))
            value = _value(line) if line.endswith(b"\n") else None
            if value is None:
                if torn is not None:
                    self.wrong(*torn)
                torn = (count, line)
                continue
            if torn is not None and not self.seals(value, torn[1]):
                self.wrong(*torn)
            torn = None
            self.record(count, line, value)
        if torn is not None:
            self.wrong(*torn)

    def seals(self, value: dict[str, Any], torn: bytes) -> bool:
        if value.get("kind") == "sealed" and value.get("torn_hash") == sha256(torn.rstrip(b"\n")).hexdigest():
            self.sealed += 1
            return True
        return False

    def wrong(self, count: int, line: bytes) -> None:
        if not line.endswith(b"\n"):
            self.problems.append(
                Problem(
                    self.path,
                    count,
                    "the last line is torn: a writer died within it (the next record will name and seal it)",
                )
            )
        else:
            self.problems.append(Problem(self.path, count, "the line is not a record"))

    def record(self, count: int, line: bytes, value: dict[str, Any]) -> None:
        start = line[: -audit.SUFFIX_BYTES]
        event_hash = sha256(audit.DOMAIN + start).hexdigest()
        if line[-audit.SUFFIX_BYTES :] != b',"event_hash":"' + event_hash.encode() + b'"}\n':
            self.problems.append(
                Problem(self.path, count, f"record {value.get('seq')} was changed: its hash does not fit its content")
            )
            # The next record still names the hash this one claimed: go on from there, so that one change is one problem.
            self.step(value, str(value.get("event_hash")), hold=False)
            return
        number = value.get("seq")
        if not self.started:
            if number != 1 or value.get("prev_hash") != audit.ZERO:
                self.problems.append(
                    Problem(self.path, count, f"the log begins with record {number}: what stood before it is missing")
                )
            self.first = number if isinstance(number, int) else 0
        elif value.get("prev_hash") != self.previous or number != self.number + 1:
            self.broken = True
            self.problems.append(
                Problem(
                    self.path,
                    count,
                    f"record {number} does not follow record {self.number}: records were removed, inserted or swapped here",
                )
            )
        self.step(value, event_hash, hold=True)

    def step(self, value: dict[str, Any], event_hash: str, *, hold: bool) -> None:
        self.started = True
        self.previous = event_hash
        number = value.get("seq")
        self.number = number if isinstance(number, int) else self.number + 1
        if not hold:
            self.broken = True
            return
        self.good += 1
        self.heads.add(event_hash)
        first = self.number if self.broken else self.spans.pop()[0]
        self.spans.append((first, self.number))
        self.broken = False
