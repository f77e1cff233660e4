"""What became of calls that a client's own dialog asked about, remembered between the hook's processes.

The client tells nobody of a yes: only that the tool has run (with the call's number), and the hook that waits beside
the dialog is not told that number. So small files join the three:

    call-<session, number>        this call was left to the client's dialog
    asked-<session, tool, input>  the requests in the queue that asked the same
    notes-<session, tool, input>  what the person is told beside the question
    tell-<session, tool, input>   what the model is to be told once the tool has run
    yes-<session, scope>          how often a person said yes there to the same scope
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.store import atomic, paths

LONGEST_S = 86400.0  # a call that runs longer is not learned from


def _path(kind: str, *parts: Any) -> str:
    return os.path.join(paths.private_dir("dialogs"), f"{kind}-{sha256_hex(jsontext.dumps(list(parts)))[:32]}")


def _append(path: str, data: bytes) -> int:
    """The size of the file afterwards."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        atomic.write_all(fd, data)
        return os.fstat(fd).st_size
    finally:
        os.close(fd)


def _take(path: str) -> str:
    try:
        found = atomic.read_private(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    atomic.remove(path)
    return found


def has_any(session: str, tool: str, given: Mapping[str, Any], number: str) -> bool:
    """Whether anything is known of a call that has run: of most nothing is, and it costs no more than this look."""
    return (bool(number) and os.path.lexists(_path("call", session, number))) or os.path.lexists(
        _path("tell", session, tool, dict(given))
    )


def note_call(session: str, number: str) -> None:
    if number:
        _append(_path("call", session, number), b".")


def take_call(session: str, number: str) -> bool:
    """Whether this very call was left to the client's dialog; known once."""
    return bool(number) and bool(_take(_path("call", session, number)))


def note_asked(session: str, tool: str, given: Mapping[str, Any], id: str) -> None:
    _append(_path("asked", session, tool, dict(given)), f"{id}\n".encode())


def take_asked(session: str, tool: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The requests that asked the same, newest first."""
    return tuple(reversed(_take(_path("asked", session, tool, dict(given))).split()))


def note_notes(session: str, tool: str, given: Mapping[str, Any], notes: tuple[str, ...]) -> None:
    """Of the newest call of this kind; what an older one was told goes."""
    path = _path("notes", session, tool, dict(given))
    if notes:
        atomic.write_atomic(path, jsontext.dumps(list(notes)).encode("utf-8", "replace"))
    elif os.path.lexists(path):
        atomic.remove(path)


def notes_of(session: str, tool: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        return tuple(map(str, jsontext.loads(atomic.read_private(_path("notes", session, tool, dict(given))))))
    except FileNotFoundError:
        return ()


def note_tell(session: str, tool: str, given: Mapping[str, Any], words: str) -> None:
    atomic.write_atomic(_path("tell", session, tool, dict(given)), words.encode("utf-8", "replace"))


def take_tell(session: str, tool: str, given: Mapping[str, Any]) -> str:
    return _take(_path("tell", session, tool, dict(given)))


def count_yes(session: str, scopes: Any) -> int:
    """One more yes to this scope; how many there are now."""
    return _append(_path("yes", session, scopes), b".")


def sweep(now: float) -> None:
    root = paths.private_dir("dialogs")
    for name in os.listdir(root):
        path = os.path.join(root, name)
        if now - os.lstat(path).st_mtime > LONGEST_S:
            atomic.remove(path)
