"""Which files a session has made, and which it has changed from what git's HEAD holds to a content that is known:
deleting or restoring one of them takes nothing away that a person had.

sessions/made-<hash>    a line for each file, appended when the gate allows a call: a JSON text that it makes, a list of
                        one text that is no longer the session's, because something else was moved there or it was
                        deleted, and an empty list when that may be any of them; an object of path and SHA-256 of what
                        the session leaves in a file that HEAD held before
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


def note_made(session: str, made: list[str], lost: list[str], changed: dict[str, str] | None = None) -> None:
    """Never in the way: what is not noted asks when it is deleted. `lost`: paths whose files are no longer the
    session's own, "" for all. `changed`: path -> SHA-256 of what will be there."""
    if not session or not (made or lost or changed):
        return
    lines = [jsontext.dumps([path] if path else []) for path in lost] + [jsontext.dumps(path) for path in made]
    lines += [jsontext.dumps({path: digest}) for path, digest in (changed or {}).items()]
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


def own_files(session: str) -> dict[str, str]:
    """Path -> "" for a file that the session made, or the SHA-256 of what it has left in one that HEAD held before."""
    found: dict[str, str] = {}
    try:
        lines = atomic.read_private(_path(session)).splitlines() if session else []
    except (OSError, StoreError):
        return {}
    for line in lines:
        try:
            noted = jsontext.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(noted, str):
            found[noted] = ""
        elif isinstance(noted, dict):
            found.update((path, str(digest)) for path, digest in noted.items() if digest and found.get(path) != "")
        elif isinstance(noted, list):
            found = {path: digest for path, digest in found.items() if noted and path not in noted}
    return found


def forget_made(session: str) -> None:
    if session:
        atomic.remove(_path(session))
