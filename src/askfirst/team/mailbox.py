"""The files by which hooks and the courier of this machine meet. Evidence and hints only: whoever forges one of them
makes a hook wait, or deny.

    pending/<id>/team.json    what the database says about a request: its state, and the answers with their signatures
    team/state.json           whether the last round with the database went well, and when
    team/head.json            the last line of the database's log that was seen here
    team/outbox/<event>.json  what is still to be told to the database
    team/machine              names this state
    team/relay, team/lead     locks: the relay's, and that of the hook that polls where there is no relay
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from askfirst.errors import StoreError
from askfirst.store import atomic, clock, paths
from askfirst.store.pending import FilePending, ring

FRESH_S = 8.0  # a courier that has not written for this long is not at work
EVIDENCE = "team.json"
PUBLISHED, REFUSED = "waiting", "refused"


@dataclass(frozen=True)
class Evidence:
    """What the database says about a request."""

    state: str  # waiting, allowed, denied, expired, withdrawn, local; refused: the database did not take it
    asker: str = ""  # the person whose machine asks
    ended_by: str = ""
    said: str = ""
    answers: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True)
class Round:
    """How the last round went."""

    good: bool
    why: str = ""
    at: float = 0.0
    boot: str = ""

    def is_fresh(self) -> bool:
        return self.boot == clock.boot_id() and 0 <= clock.steady() - self.at <= FRESH_S


def directory() -> str:
    return paths.private_dir("team")


def outbox() -> str:
    return paths.private_dir("team", "outbox")


def machine() -> str:
    """Names this state on this machine: the database keeps its requests and log heads apart by it."""
    where = os.path.join(directory(), "machine")
    atomic.create_once(where, uuid.uuid4().hex.encode())
    return atomic.read_private(where, 100).decode("ascii")


def relay_lock() -> str:
    return os.path.join(directory(), "relay")


def lead_lock() -> str:
    return os.path.join(directory(), "lead")


def relay_is_at_work() -> bool:
    """A relay that was stopped or cut off still holds its lock, but writes nothing."""
    return atomic.is_held(relay_lock()) and last_round().is_fresh()


def evidence(store: FilePending, id: str) -> Evidence | None:
    """None while nobody has carried it to the database."""
    value = _read(os.path.join(store.directory(id), EVIDENCE))
    if value is None:
        return None
    try:
        answers = tuple({str(k): str(v) for k, v in a.items()} for a in value.pop("answers", ()))
        return Evidence(**value, answers=answers)
    except (TypeError, ValueError, AttributeError):
        return None


def put_evidence(store: FilePending, id: str, found: Evidence) -> None:
    """Kept beside the request; its hook is woken."""
    try:
        _write(os.path.join(store.directory(id), EVIDENCE), asdict(found))
    except FileNotFoundError:
        return  # answered and put away meanwhile
    ring(store.bell(id))


def last_round() -> Round:
    value = _read(os.path.join(directory(), "state.json")) or {}
    try:
        return Round(**value)
    except TypeError:
        return Round(False)


def note_round(good: bool, why: str = "") -> None:
    _write(os.path.join(directory(), "state.json"), asdict(Round(good, why, clock.steady(), clock.boot_id())))


def seen_head(side: str) -> tuple[int, str]:
    value = _read(os.path.join(directory(), f"head-{side}.json")) or {}
    try:
        return int(value["seq"]), str(value["hash"])
    except (KeyError, TypeError, ValueError):
        return 0, ""


def keep_head(side: str, seq: int, hash: str) -> None:
    if seen_head(side) != (seq, hash):
        data = json.dumps({"seq": seq, "hash": hash}).encode()
        atomic.write_atomic(os.path.join(directory(), f"head-{side}.json"), data)


def send_later(what: str, id: str, digest: str, words: str) -> None:
    """An event for the database: `take`, or `tell`. Losing it on a full disk costs a line in the team's log."""
    event = uuid.uuid4().hex
    data = json.dumps({"what": what, "id": id, "digest": digest, "words": words}).encode()
    try:
        atomic.new_file(os.path.join(outbox(), f"{event}.json"), data)
    except OSError:
        return


def to_send() -> Iterator[tuple[str, dict[str, str]]]:
    """(event, what it says), of all that is still to be told."""
    box = outbox()
    for name in sorted(os.listdir(box)):
        value = _read(os.path.join(box, name))
        if name.endswith(".json") and value is not None:
            yield name.removesuffix(".json"), {k: str(v) for k, v in value.items()}


def was_sent(event: str) -> None:
    atomic.remove(os.path.join(outbox(), f"{event}.json"))


def _write(path: str, value: dict[str, Any]) -> None:
    """Complete or not at all; not forced to the disk, because after a crash the database is asked again."""
    temporary = os.path.join(os.path.dirname(path), atomic.random_name())
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        atomic.write_all(fd, json.dumps(value).encode())
    finally:
        os.close(fd)
    os.replace(temporary, path)


def _read(path: str) -> dict[str, Any] | None:
    try:
        value = json.loads(atomic.read_private(path, 1 << 20))
    except (OSError, ValueError, StoreError):
        return None
    return value if isinstance(value, dict) else None
