"""The audit log: one JSON object a line, each bound to the one before by a hash.

Promised: no acknowledged record is lost when a process dies, many processes append at once without forking the chain,
and `askfirst audit verify` (audit/verify.py) finds a changed, deleted, swapped or inserted record. Not promised: a log
that was cut off at its end, or rewritten as a whole by its owner, looks complete; only a head kept elsewhere
(`--expect-head`, receipts, syslog) shows that.

A full disk does not stop the log at once: blocks for about a thousand records are reserved behind its end, where the
system can (`RESERVE_BYTES`), so that plain reading goes on while somebody frees space. When they are used up, nothing
that cannot be recorded is allowed.

A line ends in `"prev_hash":"…","event_hash":"…"}`; event_hash is SHA-256 over a domain prefix and the line up to that
last field.
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from typing import Any

from askfirst import jsontext
from askfirst.digest import sha256
from askfirst.errors import StoreError
from askfirst.knowledge.tools import SUBJECTS
from askfirst.model import Command, Decision, Fact, Read, Request, ToolUse, Verdict, Write
from askfirst.redact import redact
from askfirst.store import atomic, paths

DOMAIN = b"askfirst-audit-v1\n"
ZERO = "0" * 64
CURRENT = "current.jsonl"
ROTATE_BYTES = 10_000_000
TAIL_BYTES = 1 << 17  # longer than any line that append() writes
MAX_TEXT_CHARS = 4000  # of a command, kept in a record; the digest stands for the rest
MAX_FACTS = 20  # kept in a record
MAX_FACT_CHARS = 200
RESERVE_BYTES = 1 << 20  # kept behind the end of the log
RESERVE_STEP = 1 << 18  # renewed each time the log has grown by this much
_KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE
SUFFIX_BYTES = len(',"event_hash":""}\n') + 64


class Damaged(StoreError):
    """The log's end is not a record, so no other can follow it until a person has looked (`askfirst audit repair`)."""


def directory() -> str:
    return paths.private_dir("audit")


def append(kind: str, record: dict[str, Any], *, durable: bool) -> str:
    """Add a record and return the new head. `durable` (answers, denials, writes): on the disk before this returns.

    Raises StoreError when the record could not be written; the caller then answers deny.
    """
    home = directory()
    try:
        held = lock(home)
        try:
            return append_locked(home, kind, record, durable)
        finally:
            atomic.release(held)
    except OSError as error:
        raise StoreError(f"{home}: cannot write the audit log: {error.strerror or error}") from error


def head() -> tuple[int, str]:
    """(number of the last record, its hash); (0, zeros) for an empty log."""
    home = directory()
    held = lock(home)
    try:
        return last(home)
    finally:
        atomic.release(held)


def lock(home: str) -> int:
    """The lock that every writer holds, until `atomic.release`."""
    return atomic.hold(os.path.join(home, "lock"))


def append_locked(home: str, kind: str, record: dict[str, Any], durable: bool) -> str:
    current = os.path.join(home, CURRENT)
    handle = os.open(current, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        size = os.fstat(handle).st_size
        if size >= ROTATE_BYTES and _tail(handle, size).endswith(b"\n"):
            rotate(home, handle, size)
            os.close(handle)
            handle = os.open(
                current, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_EXCL, 0o600
            )
            _sync_directory(home)
            size = 0
        tail = _tail(handle, size)
        data = b""
        if tail and not tail.endswith(b"\n"):
            number, previous, data = _seal(home, handle, size)
        elif tail:
            number, previous = _read_end(tail, current)
        else:
            number, previous = _last_of_segments(home)
        line, event_hash = _line(number + 1, previous, kind, record)
        end = size + len(data + line)
        _write_all(handle, data + line, size, durable)
        if size == 0 or size // RESERVE_STEP != end // RESERVE_STEP:
            _reserve(handle, end)
    except BaseException:
        os.close(handle)
        raise
    try:
        os.close(handle)
    except OSError:
        # A network file system writes now, and says now that it cannot.
        _take_back(current, size)
        raise
    return event_hash


def rotate(home: str, handle: int, size: int) -> None:
    """The current file becomes a segment, named by its last record. Called under the lock."""
    number, _ = _read_end(_tail(handle, size), CURRENT)
    os.rename(os.path.join(home, CURRENT), os.path.join(home, f"{number:012d}.jsonl"))


def _reserve(handle: int, size: int) -> None:
    """Blocks behind the end that only this file can use. Where the system or the disk cannot, there is no reserve."""
    import ctypes

    if not sys.platform.startswith("linux"):
        return
    try:
        library = ctypes.CDLL(None)
        # 64-bit offsets also where `off_t` is shorter.
        call = getattr(library, "fallocate64", None) or library.fallocate
        call(handle, _KEEP_SIZE, ctypes.c_int64(size), ctypes.c_int64(RESERVE_BYTES))
    except (OSError, AttributeError):
        return


def _line(number: int, previous: str, kind: str, record: dict[str, Any]) -> tuple[bytes, str]:
    body: dict[str, Any] = {"seq": number, "time": round(time.time(), 3), "kind": kind}
    body.update((k, v) for k, v in record.items() if k not in ("seq", "time", "kind", "prev_hash", "event_hash"))
    body["prev_hash"] = previous
    start = jsontext.dumps(body)[:-1].encode()
    event_hash = sha256(DOMAIN + start).hexdigest()
    line = start + b',"event_hash":"' + event_hash.encode() + b'"}\n'
    if len(line) > TAIL_BYTES:
        raise StoreError(f"a record of {len(line)} bytes is too long for the audit log ({TAIL_BYTES} at most)")
    return line, event_hash


def _write_all(handle: int, data: bytes, size_before: int, durable: bool) -> None:
    try:
        written = os.write(handle, data)
        if written != len(data):
            raise OSError(28, "no space left on device")
        if durable:
            os.fdatasync(handle)
    except OSError:
        _take_back(handle, size_before)
        raise


def _take_back(log: int | str, size_before: int) -> None:
    """A record that was not acknowledged must not stay, whole or half: its call is denied. The lock is held, so nobody
    else has written behind it."""
    try:
        os.truncate(log, size_before)
    except OSError:
        pass


def _tail(handle: int, size: int) -> bytes:
    return os.pread(handle, min(size, TAIL_BYTES), max(0, size - TAIL_BYTES))


def _read_end(tail: bytes, place: str) -> tuple[int, str]:
    """Number and hash of the last line of `tail`, which ends in a newline."""
    start = tail.rfind(b"\n", 0, len(tail) - 1) + 1
    line = tail[start:]
    mark = line[-SUFFIX_BYTES:-67]
    digits = line[len(b'{"seq":') : line.find(b",")]
    if mark != b',"event_hash":"' or not line.startswith(b'{"seq":') or not digits.isdigit():
        raise Damaged(f"{place}: the last line is not an audit record; a person can run `askfirst audit repair`")
    return int(digits), line[-67:-3].decode("ascii", "replace")


def _seal(home: str, handle: int, size: int) -> tuple[int, str, bytes]:
    """A writer died within its record, or the machine within a write.

    Close the torn line and name it, so that verification knows it for what it is.
    """
    start = last_line_end(handle, size)
    number, previous = _read_end(_tail(handle, start), CURRENT) if start else _last_of_segments(home)
    return (number + 1, *seal_line(number, previous, os.pread(handle, size - start, start), {}))


def seal_line(number: int, previous: str, torn: bytes, more: dict[str, Any]) -> tuple[str, bytes]:
    """(its hash, the bytes to append): a record behind `number` that names what is damaged behind that."""
    named = {"torn_bytes": len(torn), "torn_hash": sha256(torn.rstrip(b"\n")).hexdigest(), **more}
    line, event_hash = _line(number + 1, previous, "sealed", named)
    return event_hash, (b"" if torn.endswith(b"\n") or not torn else b"\n") + line


def last_line_end(handle: int, size: int) -> int:
    """Where the last complete line of a file ends; 0 when there is none. However far back that is: a machine that loses
    power may leave any number of zeros, and a log that ends in them goes on from its last record."""
    while size > 0:
        at = _tail(handle, size).rfind(b"\n")
        if at >= 0:
            return max(0, size - TAIL_BYTES) + at + 1
        size = max(0, size - TAIL_BYTES)
    return 0


def last(home: str) -> tuple[int, str]:
    try:
        handle = os.open(os.path.join(home, CURRENT), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return _last_of_segments(home)
    try:
        tail = _tail(handle, last_line_end(handle, os.fstat(handle).st_size))
    finally:
        os.close(handle)
    return _read_end(tail, CURRENT) if tail else _last_of_segments(home)


def segments(home: str) -> list[str]:
    """Rotated files, oldest first."""
    return sorted(n for n in os.listdir(home) if n.endswith(".jsonl") and n != CURRENT and n[:-6].isdigit())


def _last_of_segments(home: str) -> tuple[int, str]:
    names = segments(home)
    if not names:
        return 0, ZERO
    handle = os.open(os.path.join(home, names[-1]), os.O_RDONLY | os.O_CLOEXEC)
    try:
        return _read_end(_tail(handle, os.fstat(handle).st_size), names[-1])
    finally:
        os.close(handle)


def _sync_directory(home: str) -> None:
    handle = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def verdict_record(request: Request, verdict: Verdict, *, digest: str, ms: float) -> dict[str, Any]:
    """A verdict for the log: redacted, with the layer and rule that made it. Of the original text it has the digest."""
    deciding = verdict.deciding
    masked = partial(redact, environment=dict(os.environ))
    record: dict[str, Any] = {
        "digest": digest,
        "agent": request.agent,
        "session": request.session,
        "project": request.project,
        "cwd": request.cwd,
        "tool": request.tool,
        "text": masked(text_of(request))[:MAX_TEXT_CHARS],
        "decision": Decision(verdict.decision).name.lower(),
        "reason": masked(verdict.reason)[:MAX_TEXT_CHARS],
        "layer": deciding.origin.layer.name.lower() if deciding else "nothing",
        "rule": deciding.origin.rule if deciding else "",
        "source": deciding.origin.source if deciding else "",
        "line": deciding.origin.line if deciding else 0,
        "facts": [masked(summary_of(f.fact))[:MAX_FACT_CHARS] for f in verdict.findings[:MAX_FACTS]],
        "ms": round(ms, 1),
    }
    if request.tool_use_id:
        record["call"] = request.tool_use_id
    if request.subagent:
        record["subagent"] = request.subagent
    if verdict.answer is not None:
        record["answer"] = {
            "state": verdict.answer.state,
            "by": verdict.answer.by,
            "reason": masked(verdict.answer.reason)[:MAX_TEXT_CHARS],
        }
        if verdict.updated_input is not None:
            from askfirst.files.merge import in_words

            record["answer"]["merge"] = in_words(verdict.answer.extra)
    return record


def text_of(request: Request) -> str:
    """What a request is about, in one text: the command, the path, or the tool's name with what it is aimed at."""
    value = request.input.get(SUBJECTS.get(request.tool, "url"))
    if not isinstance(value, str):
        return request.tool
    return value if request.tool in SUBJECTS else f"{request.tool} {value}"


def summary_of(fact: Fact) -> str:
    if isinstance(fact, Command):
        return "run " + " ".join(w.shown for w in fact.argv)
    if isinstance(fact, Write):
        return f"{fact.how} {fact.path or fact.text}"
    if isinstance(fact, Read):
        return f"read {fact.path or fact.text}"
    if isinstance(fact, ToolUse):
        return f"use {fact.text}"
    return f"unknown {fact.what}: {fact.text}"
