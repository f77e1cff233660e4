"""What a person, or the start of a session, does to the log: repair its damaged end, and remove what is too old.

Both leave a record in the chain, so that `askfirst audit verify` tells them from tampering.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from askfirst import audit, jsontext
from askfirst.digest import sha256
from askfirst.errors import StoreError
from askfirst.store import atomic

MAX_SEGMENT_S = 30 * 86400.0  # with a limit of age, a file is closed when its first record is this old


@dataclass(frozen=True)
class Repair:
    """What was sealed."""

    after: int  # the last good record
    damaged_bytes: int
    head: str  # of the record that seals it


def repair(by: str) -> Repair | None:
    """Seal a damaged end with a record that names it, so that the log goes on. None when its end is good.

    Nothing is removed: what is damaged stays where it is, and its hash stands in the record.
    """
    home = audit.directory()
    held = audit.lock(home)
    try:
        try:
            audit.last(home)
            return None
        except audit.Damaged:
            return _sealed(home, by)
    except OSError as error:
        raise StoreError(f"{home}: cannot repair the audit log: {error.strerror or error}") from error
    finally:
        atomic.release(held)


def _sealed(home: str, by: str) -> Repair:
    names = [*audit.segments(home), *([audit.CURRENT] if os.path.lexists(os.path.join(home, audit.CURRENT)) else [])]
    number, previous, damaged = 0, audit.ZERO, b""
    for name in reversed(names):
        with open(os.path.join(home, name), "rb") as file:
            data = file.read()
        end, record = _last_good(data)
        damaged = data[end:] + damaged
        if record is not None:
            number, previous = int(record["seq"]), str(record["event_hash"])
            break
    head, line = audit.seal_line(number, previous, damaged, {"repaired": True, "by": by})
    handle = os.open(
        os.path.join(home, audit.CURRENT), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
    )
    try:
        if os.write(handle, line) != len(line):
            raise OSError(28, "no space left on device")
        os.fsync(handle)
    finally:
        os.close(handle)
    return Repair(number, len(damaged), head)


def _last_good(data: bytes) -> tuple[int, dict[str, Any] | None]:
    """(where the last record ends whose hash fits its content, that record)"""
    end = len(data)
    while end > 0:
        end = data.rfind(b"\n", 0, end) + 1
        if end == 0:
            break
        start = data.rfind(b"\n", 0, end - 1) + 1
        record = good_record(data[start:end])
        if record is not None:
            return end, record
        end -= 1
    return 0, None


def good_record(line: bytes) -> dict[str, Any] | None:
    """The record of a line, if its hash fits its content."""
    event_hash = sha256(audit.DOMAIN + line[: -audit.SUFFIX_BYTES]).hexdigest()
    if line[-audit.SUFFIX_BYTES :] != b',"event_hash":"' + event_hash.encode() + b'"}\n':
        return None
    try:
        value = jsontext.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("seq"), int) else None


def remove_older(keep_s: float, now: float | None = None) -> int:
    """Remove the files whose records are all older than this; the number of records that went."""
    home = audit.directory()
    oldest = (time.time() if now is None else now) - keep_s
    held = audit.lock(home)
    try:
        _close_old(home, (time.time() if now is None else now) - min(keep_s, MAX_SEGMENT_S))
        gone: list[str] = []
        first, last, last_hash = 0, 0, ""
        for name in audit.segments(home):
            record = _last_record(os.path.join(home, name))
            if record is None or float(record["time"]) >= oldest:
                break
            first = first or _first_number(os.path.join(home, name))
            gone.append(name)
            last, last_hash = int(record["seq"]), str(record["event_hash"])
        if not gone:
            return 0
        told = {"first": first, "last": last, "hash": last_hash, "keep_days": round(keep_s / 86400)}
        # The record first: a file that is gone without one is tampering.
        audit.append_locked(home, "removed", told, durable=True)
        for name in gone:
            os.unlink(os.path.join(home, name))
        return last - first + 1
    except OSError as error:
        raise StoreError(f"{home}: cannot remove old records: {error.strerror or error}") from error
    finally:
        atomic.release(held)


def _close_old(home: str, before: float) -> None:
    """A file that grows slowly is closed when it has grown old: only closed ones are removed."""
    try:
        handle = os.open(os.path.join(home, audit.CURRENT), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        record = good_record(os.pread(handle, audit.TAIL_BYTES, 0).partition(b"\n")[0] + b"\n")
        size = os.fstat(handle).st_size
        if record is not None and float(record["time"]) < before and audit.last_line_end(handle, size) == size:
            audit.rotate(home, handle, size)
    finally:
        os.close(handle)


def _last_record(path: str) -> dict[str, Any] | None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        size = os.fstat(handle).st_size
        data = os.pread(handle, min(size, audit.TAIL_BYTES), max(0, size - audit.TAIL_BYTES))
    finally:
        os.close(handle)
    return good_record(data[data.rfind(b"\n", 0, len(data) - 1) + 1 :])


def _first_number(path: str) -> int:
    with open(path, "rb") as file:
        record = good_record(file.readline())
    return int(record["seq"]) if record is not None else 0
