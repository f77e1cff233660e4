"""What this user has read and trusts: a project's rule file, or a repository's git configuration, by path and content.

Kept in the state directory: `trust/<digest of real path and content>` says yes; `trust/<digest of the path>.last` holds
the content that was trusted last, for the diff. One look at one name answers the hook.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import paths
from askfirst.store.atomic import Lock, read_private, remove, sync_dir, write_atomic

__all__ = [
    "diff_since",
    "file_in",
    "forget",
    "forget_git",
    "is_trusted",
    "last_trusted",
    "marks_of",
    "only",
    "trust",
    "trust_git",
    "trusted_git",
]

_GIT = "git"
_MAX_GIT_BYTES = 1 << 20


def _mark(path: str, content: bytes) -> str:
    return sha256_hex(b"askfirst trust\0" + os.fsencode(os.path.realpath(path)) + b"\0" + content)


def _last(path: str) -> str:
    return sha256_hex(b"askfirst trusted path\0" + os.fsencode(os.path.realpath(path))) + ".last"


def is_trusted(path: str, content: bytes) -> bool:
    """Whether this user trusts exactly this content at this place."""
    return paths.is_there(os.path.join(paths.state_dir(), "trust", _mark(path, content)))


def trust(path: str, content: bytes) -> None:
    """Let this content count from now on."""
    folder = paths.private_dir("trust")
    try:
        # The content first: when the second write fails, nothing is trusted yet.
        write_atomic(os.path.join(folder, _last(path)), content)
        write_atomic(os.path.join(folder, _mark(path, content)), os.fsencode(os.path.realpath(path)) + b"\n")
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror}; free space or fix its mode") from error


def only(path: str, content: bytes | None) -> None:
    """Of all contents that ever stood at this place, at most this one counts from now on: what was taken back must not
    come back with an older content (`git checkout`)."""
    kept = _mark(path, content) if content is not None else ""
    folder = paths.private_dir("trust")
    try:
        for mark in marks_of(path):
            if os.path.basename(mark) != kept:
                os.unlink(mark)
        sync_dir(folder)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror}; some of it is still trusted") from error


def marks_of(path: str) -> list[str]:
    """One for each content of this place that was ever trusted and still is."""
    folder, here = paths.private_dir("trust"), os.fsencode(os.path.realpath(path)) + b"\n"
    found = (os.path.join(folder, name) for name in os.listdir(folder) if len(name) == 64)
    return [mark for mark in found if read_private(mark) == here]


def forget(path: str) -> None:
    """No content that ever stood at this place counts any more: an older one that comes back must be read again."""
    folder = paths.private_dir("trust")
    try:
        for mark in marks_of(path):
            os.unlink(mark)
        remove(os.path.join(folder, _last(path)))
        sync_dir(folder)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror}; some of it is still trusted") from error


def last_trusted(path: str) -> bytes | None:
    try:
        with open(os.path.join(paths.state_dir(), "trust", _last(path)), "rb") as file:
            return file.read()
    except OSError:
        return None


def diff_since(path: str, content: bytes) -> list[str] | None:
    """The lines of a unified diff since the content that was trusted last; None when none was."""
    import difflib

    last = last_trusted(path)
    if last is None:
        return None
    old, new = (data.decode("utf-8", "replace").splitlines() for data in (last, content))
    return list(difflib.unified_diff(old, new, "trusted", "now", lineterm=""))


def trusted_git() -> frozenset[str]:
    """Git configuration files with the digest of their content, as `shell.tools.git.config.stamp` writes them."""
    try:
        with open(os.path.join(paths.state_dir(), "trust", _GIT), encoding="utf-8", errors="surrogateescape") as file:
            return frozenset(file.read(_MAX_GIT_BYTES).split("\n")) - {""}
    except OSError:
        return frozenset()


def trust_git(stamps: tuple[str, ...]) -> None:
    """A new content of a file replaces the one that was trusted before."""
    files = {file_in(stamp) for stamp in stamps}
    _change_git(lambda known: [*(s for s in known if file_in(s) not in files), *sorted(stamps)])


def forget_git(stamps: tuple[str, ...]) -> None:
    _change_git(lambda known: [s for s in known if s not in stamps])


def file_in(stamp: str) -> str:
    """The file that a stamp is about."""
    return stamp.rpartition(" sha256:")[0]


def _change_git(change: Callable[[list[str]], list[str]]) -> None:
    folder = paths.private_dir("trust")
    with Lock(os.path.join(folder, _GIT + ".lock")):
        text = "".join(f"{s}\n" for s in change(sorted(trusted_git())))
        write_atomic(os.path.join(folder, _GIT), text.encode("utf-8", "surrogateescape"))
