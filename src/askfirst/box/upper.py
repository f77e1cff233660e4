"""What a run has changed: the upper layer of its overlay, held against the project.

Only the upper layer is listed, never the project. In it a deleted name is a character device 0/0, and a directory that
was made anew where one was deleted says so in an attribute.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from askfirst.digest import sha256
from askfirst.errors import AskfirstError
from askfirst.files.bind import ABSENT

FILE, LINK, FOLDER = "file", "link", "folder"
MAX_CHANGES = 20_000
MAX_DEPTH = 200
MAX_BYTES = 8 << 30  # of all changed files, as large as they say they are: holes are read, too
_OPAQUE = "user.overlay.opaque"
# Compiled from source by whoever imports it: a poisoned one would run in place of a source that everybody has read.
NEVER_TAKEN = ("__pycache__",)


@dataclass(frozen=True)
class Difference:
    """One name of the project that is not as it was."""

    path: str  # relative to the project
    kind: str  # what is there now: FILE, LINK, FOLDER; "" when it was deleted
    was: str  # what was there: FILE, LINK, FOLDER, "" for nothing, "other"
    base: str  # of a file: the hash of what was there; of a link: where it led; ABSENT
    new: str = ""  # of a link: where it leads; of a file: the hash of what is there now
    mode: int = 0
    old_mode: int = 0
    touched: int = 0  # when the disk last saw a change of what was there, in nanoseconds
    source: str = ""  # where the new content lies

    @property
    def only_mode(self) -> bool:
        return self.kind == self.was == FILE and self.base == self.new


class TooManyChanges(AskfirstError):
    """More changes than anybody would look at."""


def differences(project: str, upper: str) -> tuple[list[Difference], list[str]]:
    """All of them, parents first; and names that cannot be on a disk (sockets, pipes, devices)."""
    found: list[Difference] = []
    odd: list[str] = []
    if _size_of(upper) > MAX_BYTES:
        raise TooManyChanges(f"more than {MAX_BYTES >> 30} GB changed")
    for difference in _walk(project, upper, "", odd, replaced=False):
        found.append(difference)
        if len(found) > MAX_CHANGES:
            raise TooManyChanges(f"more than {MAX_CHANGES} changes")
    return found, odd


def _size_of(upper: str, inside: str = "") -> int:
    if inside.count("/") > MAX_DEPTH:
        raise TooManyChanges(f"directories more than {MAX_DEPTH} deep")
    total = 0
    for name, status in _entries(upper, inside):
        total += status.st_size if stat.S_ISREG(status.st_mode) else 0
        total += _size_of(upper, os.path.join(inside, name)) if stat.S_ISDIR(status.st_mode) else 0
    return total


def _walk(project: str, upper: str, inside: str, odd: list[str], *, replaced: bool) -> Iterator[Difference]:
    """`replaced`: nothing of what the project has at this place is left."""
    for name, status in _entries(upper, inside):
        path = os.path.join(inside, name)
        if name in NEVER_TAKEN:
            continue
        old = None if replaced else _status(os.path.join(project, path))
        if stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
            if old is not None:
                yield from _deleted(project, path, old)
        elif stat.S_ISDIR(status.st_mode):
            yield from _folder(project, upper, path, status, old, odd)
        elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
            yield from _content(project, os.path.join(upper, path), path, status, old)
        else:
            odd.append(path)


def _entries(root: str, inside: str) -> list[tuple[str, os.stat_result]]:
    fd = open_below(root, inside, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(fd) as entries:
            return sorted(((e.name, e.stat(follow_symlinks=False)) for e in entries), key=lambda pair: pair[0])
    finally:
        os.close(fd)


def open_below(root: str, inside: str, flags: int = os.O_RDONLY) -> int:
    """Without following any link below the root: what runs on in the box may put one in the place of a directory, which
    would be followed out here."""
    way = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    fd = os.open(root, way)
    parts = [part for part in inside.split("/") if part]
    try:
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            wanted = flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC if last else way
            deeper = os.open(part, wanted, dir_fd=fd)
            os.close(fd)
            fd = deeper
    except OSError:
        os.close(fd)
        raise
    return fd


def _folder(
    project: str, upper: str, path: str, status: os.stat_result, old: os.stat_result | None, odd: list[str]
) -> Iterator[Difference]:
    was_folder = old is not None and stat.S_ISDIR(old.st_mode)
    made_anew = _is_opaque(os.path.join(upper, path)) or not was_folder
    if old is not None and not was_folder:
        yield from _deleted(project, path, old)
    elif made_anew and was_folder:
        yield from _missing(project, upper, path)
    if not was_folder:
        yield Difference(path, FOLDER, "", ABSENT, mode=stat.S_IMODE(status.st_mode))
    yield from _walk(project, upper, path, odd, replaced=not was_folder)


def _missing(project: str, upper: str, path: str) -> Iterator[Difference]:
    """What was in a directory that was made anew, and is not in the new one."""
    with os.scandir(os.path.join(project, path)) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        inside = os.path.join(path, name)
        status, old = _status(os.path.join(upper, inside)), _status(os.path.join(project, inside))
        if old is None or name in NEVER_TAKEN:
            continue
        if status is None or stat.S_IFMT(status.st_mode) != stat.S_IFMT(old.st_mode):
            yield from _deleted(project, inside, old)
        elif stat.S_ISDIR(status.st_mode):
            yield from _missing(project, upper, inside)


def _deleted(project: str, path: str, old: os.stat_result) -> Iterator[Difference]:
    """What was inside a deleted directory comes before the directory itself."""
    full = os.path.join(project, path)
    if stat.S_ISDIR(old.st_mode):
        with os.scandir(full) as entries:
            names = sorted(entry.name for entry in entries)
        for name in names:
            inside = _status(os.path.join(full, name))
            if inside is not None:
                yield from _deleted(project, os.path.join(path, name), inside)
    yield Difference(path, "", *_was(full, old), old_mode=stat.S_IMODE(old.st_mode), touched=old.st_ctime_ns)


def _content(
    project: str, source: str, path: str, status: os.stat_result, old: os.stat_result | None
) -> Iterator[Difference]:
    kind = LINK if stat.S_ISLNK(status.st_mode) else FILE
    was, base = ("", ABSENT) if old is None else _was(os.path.join(project, path), old)
    new = os.readlink(source) if kind == LINK else hash_of(open_below(source.removesuffix(path), path))
    mode, old_mode = (stat.S_IMODE(s.st_mode) & 0o777 if s is not None else 0 for s in (status, old))
    if (kind, new) == (was, base) and (kind == LINK or mode == old_mode):
        return  # copied up, and nothing else
    if old is not None and was == FOLDER:
        yield from _deleted(project, path, old)
        was, base = "", ABSENT
    touched = old.st_ctime_ns if old is not None else 0
    yield Difference(path, kind, was, base, new, mode, old_mode, touched, source)


def _was(full: str, old: os.stat_result) -> tuple[str, str]:
    if stat.S_ISREG(old.st_mode):
        return FILE, hash_at(full)
    if stat.S_ISLNK(old.st_mode):
        return LINK, os.readlink(full)
    return (FOLDER, "") if stat.S_ISDIR(old.st_mode) else ("other", "")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _is_opaque(path: str) -> bool:
    try:
        return os.getxattr(path, _OPAQUE, follow_symlinks=False) == b"y"
    except OSError as error:
        if error.errno in (errno.ENODATA, errno.ENOTSUP):
            return False
        raise


def hash_at(path: str) -> str:
    return hash_of(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC))


def hash_of(fd: int) -> str:
    """Of an open file, which is closed."""
    try:
        digest = sha256()
        while part := os.read(fd, 1 << 18):
            digest.update(part)
        return str(digest.hexdigest())
    finally:
        os.close(fd)
