"""Verifies the chain of the audit log and names every break in it. Never writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askfirst import audit
from askfirst.audit.read import LogFile, log_files, parse_line
from askfirst.audit.upkeep import good_record
from askfirst.digest import sha256
from askfirst.errors import UsageError

MIN_HEAD_CHARS = 8


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with the log, and where."""

    file: str
    line: int
    what: str


@dataclass(frozen=True)
class Report:
    """What verification found."""

    records: int  # records that verify
    first: int
    last: int
    head: str  # hash of the last record that verifies
    problems: tuple[Problem, ...]
    sealed: int  # torn lines of writers that died, named by the record behind them
    repaired: int  # damaged ends that a person has sealed
    removed: int  # records before the first that were removed because of their age
    files: int
    spans: tuple[tuple[int, int], ...] = ()  # unbroken runs of records that verify: what is still good

    @property
    def good(self) -> bool:
        return not self.problems


def verify_chain(
    home: str | None = None,
    *,
    expect_head: str = "",
    anchored: tuple[tuple[int, str], ...] = (),
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Walk the whole chain. `anchored`: numbers and heads that were kept elsewhere, all of which it must have.

    After a break it goes on from the next record that verifies, so that all breaks are named.
    """
    if expect_head and (len(expect_head) < MIN_HEAD_CHARS or expect_head.strip("0123456789abcdefABCDEF")):
        raise UsageError(f"`{expect_head}` is not a head: give {MIN_HEAD_CHARS} to 64 digits of `askfirst audit head`")
    chain = _Chain()
    for file in log_files(home):
        chain.walk(file, progress)
    chain.finish()
    if expect_head and not chain.has_head(expect_head):
        cut = f"no record has the expected head {expect_head}: the log was cut off or replaced"
        chain.problems.append(Problem(chain.path, chain.number, cut))
    for number, head in anchored:
        if number > chain.removed and not chain.has_head(head):
            cut = f"record {number} is not the one whose head was kept elsewhere: the log was cut off or replaced"
            chain.problems.append(Problem(chain.path, number, cut))
    return Report(
        records=chain.good,
        first=chain.first,
        last=chain.number,
        head=chain.head,
        problems=tuple(chain.problems),
        sealed=chain.sealed,
        repaired=chain.repaired,
        removed=chain.removed,
        files=chain.files,
        spans=tuple(chain.spans),
    )


class _Chain:
    """The state of a verification."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.previous = self.head = audit.ZERO  # what the next record names; of the last one that verifies
        self.number = self.first = self.good = self.sealed = self.repaired = self.removed = self.files = 0
        self.path = ""
        self.heads: set[str] = set()
        self.spans: list[tuple[int, int]] = []
        self._bad: list[tuple[str, int, bytes, dict[str, Any] | None]] = []  # lines that a seal behind them may name
        self._begins: tuple[str, int, int, str] | None = (
            None  # path, line, number, prev_hash of a log that lacks its start
        )
        self._started = False
        self._broken = True  # the next record that verifies begins a new span

    def has_head(self, head: str) -> bool:
        return head in self.heads or any(h.startswith(head.lower()) for h in self.heads)

    def walk(self, file: LogFile, progress: Callable[[int], None] | None) -> None:
        self.files += 1
        self.path = file.path
        for count, line in enumerate(file.lines(), 1):
            if progress is not None:
                progress(len(line))
            value = good_record(line)
            if value is None:
                self._bad.append((file.path, count, line, parse_line(line) if line.endswith(b"\n") else None))
                continue
            self._settle_bad(value)
            self._check(count, value)

    def finish(self) -> None:
        """The end of the log: nothing comes that could name what is still open."""
        self._settle_bad({})
        if self._begins is not None:
            path, count, number, _ = self._begins
            missing = f"the log begins with record {number}: the records before it are missing"
            self.problems.append(Problem(path, count, missing))

    def _settle_bad(self, value: dict[str, Any]) -> None:
        """Lines that do not verify stand before this record: the last of them may be what it seals."""
        bad, self._bad = self._bad, []
        named = self._named(value, bad) if bad and value.get("kind") == "sealed" else 0
        for path, count, line, claimed in bad[: len(bad) - named]:
            self._add_bad(path, count, line, claimed)
        if named and value.get("repaired"):
            self.repaired += 1
        elif named:
            self.sealed += 1

    def _named(self, seal: dict[str, Any], bad: list[tuple[str, int, bytes, dict[str, Any] | None]]) -> int:
        """How many of the bad lines this seal is about."""
        wanted, size = seal.get("torn_bytes"), 0
        parts: list[bytes] = []
        if not isinstance(wanted, int):
            return 0
        for number, (_, _, line, _) in enumerate(reversed(bad), 1):
            size, parts = size + len(line), [line, *parts]
            # Sealing ends the last line, if it was torn: one byte more than there were.
            if size in (wanted, wanted + 1):
                fits = sha256(b"".join(parts).rstrip(b"\n")).hexdigest() == seal.get("torn_hash")
                return number if fits else 0
        return 0

    def _add_bad(self, path: str, count: int, line: bytes, claimed: dict[str, Any] | None) -> None:
        if claimed is not None and isinstance(claimed.get("seq"), int) and isinstance(claimed.get("event_hash"), str):
            changed = f"record {claimed['seq']} was changed: its hash does not match its content"
            self.problems.append(Problem(path, count, changed))
            # The next record still names the hash this one claimed: go on from there, so that one change is one
            # problem.
            self._advance(claimed, claimed["event_hash"], verifies=False)
        elif line.endswith(b"\n"):
            self.problems.append(Problem(path, count, "this line is not a record"))
        else:
            torn = "the last line is torn: its writer died (the next record will name and seal it)"
            self.problems.append(Problem(path, count, torn))

    def _add(self, count: int, what: str) -> None:
        self.problems.append(Problem(self.path, count, what))

    def _check(self, count: int, value: dict[str, Any]) -> None:
        number, event_hash = value["seq"], str(value["event_hash"])
        if not self._started:
            if number != 1 or value.get("prev_hash") != audit.ZERO:
                self._begins = (self.path, count, number, str(value.get("prev_hash")))
            self.first = number
        elif value.get("prev_hash") != self.previous or number != self.number + 1:
            self._broken = True
            moved = "records were removed, inserted or swapped here"
            self._add(count, f"record {number} does not follow record {self.number}: {moved}")
        if value.get("kind") == "removed" and self._begins is not None:
            _, _, begins, before = self._begins  # of this very record, where all before it were old
            if (value.get("last"), value.get("hash")) == (begins - 1, before):
                self._begins, self.removed = None, begins - 1
        self._advance(value, event_hash, verifies=True)

    def _advance(self, value: dict[str, Any], event_hash: str, *, verifies: bool) -> None:
        self._started = True
        self.previous = event_hash
        self.number = value["seq"]
        if not verifies:
            self._broken = True
            return
        self.good, self.head = self.good + 1, event_hash
        self.heads.add(event_hash)
        first = self.number if self._broken else self.spans.pop()[0]
        self.spans.append((first, self.number))
        self._broken = False
