"""Alert mode: a session with too many violations in a short time is flagged for review, until a person clears it.

A violation is a deny by a block or by scope, or an attempt to answer one's own request. Each session has a list of the
times of its violations and, once flagged, a flag file; both are plain files, so that every process sees them at once.
"""

from __future__ import annotations

import fcntl
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askfirst import audit, jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.redact import redact
from askfirst.store import paths

if TYPE_CHECKING:
    from askfirst.policy.rules import Settings

MAX_KEPT_TIMES = 200
MAX_FILE_BYTES = 65536
MAX_LAST_CHARS = 500
LONGEST_WINDOW_S = 2 * 86400.0  # longer than any window that can be set


@dataclass(frozen=True)
class Alert:
    """A session that is flagged for review."""

    session: str
    agent: str
    project: str
    since: float
    violations: int
    last: str  # the violation that flagged it


def _path(session: str, ending: str) -> str:
    return os.path.join(paths.private_dir("alerts"), sha256_hex(session)[:32] + ending)


def count_violation(
    session: str, agent: str, why: str, settings: Settings | None = None, *, project: str = "", now: float | None = None
) -> bool:
    """Note a violation.

    True when it is the one that flags the session; the flag stands in the audit log before it counts.
    """
    most = settings.alert_violations if settings else 5
    window_s = settings.alert_window_s if settings else 60
    at = time.time() if now is None else now
    try:
        handle = os.open(_path(session, ".times"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            times = _times(os.pread(handle, MAX_FILE_BYTES, 0))
            recent = [*[t for t in times if at - window_s < t <= at + 1][-MAX_KEPT_TIMES:], at]
            data = "".join(f"{t:.3f}\n" for t in recent).encode()
            os.ftruncate(handle, 0)
            os.pwrite(handle, data, 0)
            if len(recent) <= most or is_flagged(session):
                return False
            text = f"flagged for review after {len(recent)} violations"
            return _flag(Alert(session, agent, project, at, len(recent), why), text)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"{paths.state_dir()}: cannot record a violation: {error.strerror or error}") from error


def _times(data: bytes) -> list[float]:
    times = []
    for line in data.split():
        try:
            times.append(float(line))
        except ValueError:
            continue  # a torn line of a process that died: the others still count
    return times


def flag(session: str, agent: str, project: str, why: str) -> bool:
    """Flag a session for another reason than its violations."""
    return _flag(Alert(session, agent, project, time.time(), 0, why), f"flagged for review: {why}")


def _flag(alert: Alert, text: str) -> bool:
    record = {**vars(alert), "last": redact(alert.last)[:MAX_LAST_CHARS]}
    audit.append("alert", {**record, "text": text}, durable=True)
    path = _path(alert.session, ".flag")
    temporary = f"{path}.{os.getpid()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(handle, jsontext.dumps(record).encode())
    finally:
        os.close(handle)
    os.rename(temporary, path)
    return True


def sweep(now: float) -> None:
    """Counts of violations that no window reaches back to any more. A flag stays until a person clears it."""
    home = paths.private_dir("alerts")
    for name in os.listdir(home):
        path = os.path.join(home, name)
        if name.endswith((".times", ".tmp")) and now - os.lstat(path).st_mtime > LONGEST_WINDOW_S:
            os.unlink(path)


def is_flagged(session: str) -> bool:
    return paths.is_there(_path(session, ".flag"))


def alerts() -> tuple[Alert, ...]:
    """Flagged sessions, the newest first. A flag that cannot be read still counts, with what is known of it."""
    home = paths.private_dir("alerts")
    found = []
    for name in os.listdir(home):
        if not name.endswith(".flag"):
            continue
        try:
            with open(os.path.join(home, name), "rb") as file:
                value = jsontext.loads(file.read(MAX_FILE_BYTES))
            found.append(Alert(**{k: value[k] for k in ("session", "agent", "project", "since", "violations", "last")}))
        except FileNotFoundError:
            continue  # cleared in this moment
        except (OSError, ValueError, KeyError, TypeError):
            found.append(Alert(name[:-5], "unknown", "", 0.0, 0, "the flag file cannot be read"))
    return tuple(sorted(found, key=lambda a: -a.since))


def clear(session: str, by: str) -> bool:
    """End the alert of a session; True when there was one. It stands in the log."""
    path = _path(session, ".flag")
    if not paths.is_there(path) and len(session) == 32 and session.isalnum():
        path = os.path.join(paths.private_dir("alerts"), f"{session}.flag")  # one whose content could not be read
    if not paths.is_there(path):
        return False
    audit.append("alert-cleared", {"session": session, "by": by, "text": "alert cleared"}, durable=True)
    for ending in (".flag", ".times"):
        try:
            os.unlink(path[: -len(".flag")] + ending)
        except FileNotFoundError:
            pass
    return True
