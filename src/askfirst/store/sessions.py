"""Which session a running client has (the hook knows both, the MCP server only its parent), and since when each
session is known.

Files: one a client process, and an empty one a session, whose time is the beginning.
"""

from __future__ import annotations

import os
import time

from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

MAX_BYTES = 200
MAX_SESSION_S = 90 * 86400  # a session that began longer ago counts as ended


def _path(client_pid: int) -> str:
    return os.path.join(paths.private_dir("sessions"), str(client_pid))


def remember_client(client_pid: int, session: str) -> None:
    """Called at the start of a session. Nothing depends on it but comfort, so a failure is not the hook's."""
    if client_pid <= 1 or not session or len(session) > MAX_BYTES or not session.isprintable():
        return
    try:
        atomic.write_atomic(_path(client_pid), session.encode())
    except (OSError, StoreError):
        pass


def session_of_client(client_pid: int) -> str:
    try:
        data = atomic.read_private(_path(client_pid))
    except (OSError, StoreError):
        return ""
    return data.decode("utf-8", "replace") if len(data) <= MAX_BYTES else ""


def _since(session: str) -> str:
    return f"since-{sha256_hex(session)[:32]}"


def first_seen(session: str) -> float:
    """When this session first asked anything; 0, so that everything counts as later, where that cannot be kept."""
    try:
        path = os.path.join(paths.private_dir("sessions"), _since(session))
        try:
            return os.stat(path).st_mtime
        except FileNotFoundError:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            return os.stat(path).st_mtime
    except (OSError, StoreError):
        return 0.0


def is_new(session: str) -> bool:
    """Whether this session has asked nothing yet."""
    try:
        return not os.path.lexists(os.path.join(paths.state_dir(), "sessions", _since(session)))
    except (OSError, StoreError):
        return False


def forget_dead() -> None:
    """Clients that are gone, whose number may come back as another process; and sessions of long ago."""
    try:
        directory = paths.private_dir("sessions")
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            of_session = name.startswith(("since-", "made-"))
            long_ago = of_session and os.stat(path).st_mtime < time.time() - MAX_SESSION_S
            if long_ago or (name.isdigit() and not _lives(int(name))):
                atomic.remove(path)
    except (OSError, StoreError):
        pass


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
