"""Verifies the chain of the audit log and names every break in it. Never writes."""

from __future__ import annotations

from askfirst import audit
from askfirst._record import Record
from askfirst.audit.read import LogFile, log_files, parse_line
from askfirst.digest import sha256
from askfirst.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MIN_HEAD_CHARS = 8


class Problem(Record):
    """Something that is wrong with the log, and where."""

    file: str
    line: int
    what: str


class Report(Record):
    """What verification found."""

    records: int  # records that verify
    first: int
    last: int
    head: str  # hash of the last record that verifies
    problems: tuple[Problem, ...]
    sealed: int  # torn lines of writers that died, named by the record behind them
    files: int
    spans: tuple[tuple[int, int], ...] = ()  # unbroken runs of records that verify: what is still good

    @property
    def good(self) -> bool:
        return not self.problems


def verify_chain(
    home: str | None = None, *, expect_head: str = "", progress: Callable[[int], None] | None = None
) -> Report:
    """Walk the whole chain.

    After a break it goes on from the next record that verifies, so that all breaks are named.
    """
    if expect_head and (len(expect_head) < MIN_HEAD_CHARS or expect_head.strip("0123456789abcdefABCDEF")):
        raise UsageError(f"`{expect_head}` is not a head: give {MIN_HEAD_CHARS} to 64 digits of `askfirst audit head`")
    chain = _Chain()
    for file in log_files(home):
        chain.walk(file, progress)
    if expect_head and not chain.has_head(expect_head):
        cut = f"no record has the expected head {expect_head}: the log was cut off or replaced"
        chain.problems.append(Problem(chain.path, chain.number, cut))
    return Report(
        records=chain.good,
        first=chain.first,
        last=chain.number,
        head=chain.previous,
        problems=tuple(chain.problems),
        sealed=chain.sealed,
        files=chain.files,
        spans=tuple(chain.spans),
    )


class _Chain:
    """The state of a verification."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.previous = audit.ZERO
        self.number = self.first = self.good = self.sealed = self.files = 0
        self.path = ""
        self.heads: set[str] = set()
        self.spans: list[tuple[int, int]] = []
        self._started = False
        self._broken = True  # the next record that verifies begins a new span

    def has_head(self, head: str) -> bool:
        return any(h.startswith(head.lower()) for h in self.heads)

    def walk(self, file: LogFile, progress: Callable[[int], None] | None) -> None:
        self.files += 1
        self.path = file.path
        torn: tuple[int, bytes] | None = None
        for count, line in enumerate(file.lines(), 1):
            if progress is not None:
                progress(len(line))
            value = parse_line(line) if line.endswith(b"\n") else None
            if value is None:
                if torn is not None:
                    self._add_unreadable(*torn)
                torn = (count, line)
                continue
            if torn is not None and not self._seals(value, torn[1]):
                self._add_unreadable(*torn)
            torn = None
            self._check(count, line, value)
        if torn is not None:
            self._add_unreadable(*torn)

    def _seals(self, value: dict[str, Any], torn: bytes) -> bool:
        if value.get("kind") == "sealed" and value.get("torn_hash") == sha256(torn.rstrip(b"\n")).hexdigest():
            self.sealed += 1
            return True
        return False

    def _add(self, count: int, what: str) -> None:
        self.problems.append(Problem(self.path, count, what))

    def _add_unreadable(self, count: int, line: bytes) -> None:
        if line.endswith(b"\n"):
            self._add(count, "this line is not a record")
        else:
            self._add(count, "the last line is torn: its writer died (the next record will name and seal it)")

    def _check(self, count: int, line: bytes, value: dict[str, Any]) -> None:
        start = line[: -audit.SUFFIX_BYTES]
        event_hash = sha256(audit.DOMAIN + start).hexdigest()
        number = value.get("seq")
        if line[-audit.SUFFIX_BYTES :] != b',"event_hash":"' + event_hash.encode() + b'"}\n':
            self._add(count, f"record {number} was changed: its hash does not match its content")
            # The next record still names the hash this one claimed: go on from there, so that one change is one
            # problem.
            self._advance(value, str(value.get("event_hash")), verifies=False)
            return
        if not self._started:
            if number != 1 or value.get("prev_hash") != audit.ZERO:
                self._add(count, f"the log begins with record {number}: the records before it are missing")
            self.first = number if isinstance(number, int) else 0
        elif value.get("prev_hash") != self.previous or number != self.number + 1:
            self._broken = True
            moved = "records were removed, inserted or swapped here"
            self._add(count, f"record {number} does not follow record {self.number}: {moved}")
        self._advance(value, event_hash, verifies=True)

    def _advance(self, value: dict[str, Any], event_hash: str, *, verifies: bool) -> None:
        self._started = True
        self.previous = event_hash
        number = value.get("seq")
        self.number = number if isinstance(number, int) else self.number + 1
        if not verifies:
            self._broken = True
            return
        self.good += 1
        self.heads.add(event_hash)
        first = self.number if self._broken else self.spans.pop()[0]
        self.spans.append((first, self.number))
        self._broken = False
