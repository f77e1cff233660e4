"""Which files a session has made: deleting one of them again takes nothing away that a person had.

sessions/made-<hash>    a line for each file, appended when the gate allows a call: a JSON text that it makes, a list of
                        one text that is no longer the session's, because something else was moved there or it was
                        deleted, and an empty list when that may be any of them
"""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

MAX_BYTES = 1 << 20


def _path(session: str) -> str:
    return os.path.join(paths.private_dir("sessions"), f"made-{sha256_hex(session)[:32]}")


def note_made(session: str, made: list[str], lost: list[str]) -> None:
    """Never in the way: what is not noted asks when it is deleted. `lost`: paths whose files are no longer the
    session's own, "" for all."""
    if not session or not (made or lost):
        return
    lines = [jsontext.dumps([path] if path else []) for path in lost] + [jsontext.dumps(path) for path in made]
    try:
        fd = os.open(_path(session), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(fd).st_size >= MAX_BYTES:
                os.ftruncate(fd, 0)  # too much to keep, and what is lost must not stay
            # The empty line ends what a dying process may have left.
            atomic.write_all(fd, "\n".join(("", *lines, "")).encode())
        finally:
            os.close(fd)
    except (OSError, StoreError, ValueError):
        pass


def made_by(session: str) -> frozenset[str]:
    found: set[str] = set()
    try:
        lines = atomic.read_private(_path(session)).splitlines() if session else []
    except (OSError, StoreError):
        return frozenset()
    for line in lines:
        try:
            path = jsontext.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(path, str):
            found.add(path)
        elif isinstance(path, list):
            found = found.difference(path) if path else set()
    return frozenset(found)


def forget_made(session: str) -> None:
    if session:
        atomic.remove(_path(session))
