"""Which files a session has made: deleting one of them again takes nothing away that a person had.

sessions/made-<hash>    one JSON text a line, appended when the gate allows a call that makes a file
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


def note_made(session: str, made: list[str]) -> None:
    """Never in the way: what is not noted asks when it is deleted."""
    if not session or not made:
        return
    try:
        fd = os.open(_path(session), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(fd).st_size < MAX_BYTES:
                # The empty line ends what a dying process may have left.
                atomic.write_all(fd, b"\n" + b"".join(jsontext.dumps(path).encode() + b"\n" for path in made))
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
    return frozenset(found)


def forget_made(session: str) -> None:
    if session:
        atomic.remove(_path(session))
