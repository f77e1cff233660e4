"""Which actions failed in the box for want of something outside it, by project: they are asked about the next time.

box-failed/<hash of the project>    a JSON text a line, appended when a contained run failed so
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

__all__ = ["failed_in_box", "forget_failed", "note_failed"]

MAX_BYTES = 1 << 18


def _path(project: str) -> str:
    return os.path.join(paths.private_dir("box-failed"), sha256_hex(os.fsencode(project))[:32])


def note_failed(project: str, actions: Iterable[str]) -> None:
    """Never in the way: what is not noted is tried in the box again."""
    new = [action for action in actions if action not in failed_in_box(project)]
    if not new:
        return
    try:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(_path(project), flags, 0o600)
        try:
            if os.fstat(fd).st_size < MAX_BYTES:
                # The empty line ends what a dying process may have left.
                atomic.write_all(fd, "\n".join(("", *map(json.dumps, new), "")).encode())
        finally:
            os.close(fd)
    except (OSError, StoreError):
        return


def failed_in_box(project: str) -> frozenset[str]:
    try:
        lines = atomic.read_private(_path(project)).splitlines()
    except (OSError, StoreError):
        return frozenset()
    found = set()
    for line in filter(None, lines):
        try:
            action = json.loads(line)
        except ValueError:
            continue
        if isinstance(action, str):
            found.add(action)
    return frozenset(found)


def forget_failed(project: str) -> bool:
    """Try everything in the box again. False where nothing had failed."""
    there = bool(failed_in_box(project))
    atomic.remove(_path(project))
    return there
