"""Reading and verifying the audit log. Never writes."""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst._record import Record
from askfirst.digest import sha256
from askfirst.store import audit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


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

    @property
    def good(self) -> bool:
        return not self.problems


def files(home: str | None = None) -> list[str]:
    """The log's files, oldest first."""
    base = audit.directory() if home is None else home
    names = [*audit.segments(base), audit.CURRENT]
    return [p for n in names if os.path.exists(p := os.path.join(base, n))]


def records(home: str | None = None) -> Iterator[dict[str, Any]]:
    """Every record that can be read, oldest first; torn lines are passed over."""
    for path in files(home):
        with open(path, "rb") as file:
            for line in file:
                value = _value(line)
                if value is not None:
                    yield value


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
    walk = _Walk()
    for path in files(home):
        walk.file(path, progress)
    if expect_head and not walk.seen(expect_head):
        walk.problems.append(
            Problem(walk.path, walk.number, f"no record has the expected head {expect_head}: the log was cut off or replaced")
        )
    return Report(walk.good, walk.first, walk.number, walk.previous, tuple(walk.problems), walk.sealed, walk.files)


class _Walk:
    """The state of a verification."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.previous = audit.ZERO
        self.number = self.first = self.good = self.sealed = self.files = 0
        self.path = ""
        self.started = False
        self.heads: set[str] = set()

    def seen(self, head: str) -> bool:
        return any(h.startswith(head.lower()) for h in self.heads) if len(head) >= 8 else False

    def file(self, path: str, progress: Callable[[int], None] | None) -> None:
        self.files += 1
        self.path = path
        torn: tuple[int, bytes] | None = None
        with open(path, "rb") as file:
            for count, line in enumerate(file, 1):
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
                Problem(self.path, count, "the last line is torn: a writer died within it (the next record will name and seal it)")
            )
        else:
            self.problems.append(Problem(self.path, count, "the line is not a record"))

    def record(self, count: int, line: bytes, value: dict[str, Any]) -> None:
        start = line[: -audit.SUFFIX_BYTES]
        event_hash = sha256(audit.DOMAIN + start).hexdigest()
        if line[-audit.SUFFIX_BYTES :] != b',"event_hash":"' + event_hash.encode() + b'"}\n':
            self.problems.append(Problem(self.path, count, f"record {value.get('seq')} was changed: its hash does not fit its content"))
            # The next record still names the hash this one claimed: go on from there, so that one change is one problem.
            self.step(value, str(value.get("event_hash")), hold=False)
            return
        number = value.get("seq")
        if not self.started:
            if number != 1 or value.get("prev_hash") != audit.ZERO:
                self.problems.append(Problem(self.path, count, f"the log begins with record {number}: what stood before it is missing"))
            self.first = number if isinstance(number, int) else 0
        elif value.get("prev_hash") != self.previous or number != self.number + 1:
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
        if hold:
            self.good += 1
            self.heads.add(event_hash)
