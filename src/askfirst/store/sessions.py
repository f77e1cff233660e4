"""Which session a running client has: the hook knows both, the MCP server only its parent.

Files, one a client process.
"""

from __future__ import annotations

import os

from askfirst.errors import StoreError
from askfirst.store import atomic, paths

MAX_BYTES = 200


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


def forget_dead() -> None:
    """Clients that are gone; their number may come back as another process."""
    try:
        directory = paths.private_dir("sessions")
        for name in os.listdir(directory):
            if name.isdigit() and not _lives(int(name)):
                atomic.remove(os.path.join(directory, name))
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
