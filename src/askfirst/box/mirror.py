"""A copy of the project, where the kernel makes no overlay: the command works on the copy, and what differs afterwards
is what it changed. The copy is kept, so that the next time only what changed since is copied.

    box/copies/<project>/tree     the copy
    box/copies/<project>/index    what each file was when it was copied: of the project and of the copy

Directories that builds and package managers fill are not copied; they are shown read-only.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator

from askfirst.box.engine import BoxError
from askfirst.box.worktree import NOT_SEARCHED
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

MAX_FILES = 20_000
MAX_BYTES = 256 << 20

Mark = tuple[int, int, int, int]  # size, time of change in nanoseconds, inode, mode


def place_of(project: str) -> str:
    return paths.private_dir("box", "copies", sha256_hex(project)[:24])


def hold(project: str) -> int:
    """A lock on the copy; closing the descriptor releases it."""
    return atomic.hold(os.path.join(place_of(project), "lock"), wait_s=600.0)


def sync(project: str) -> tuple[str, list[str]]:
    """Make the copy like the project. Gives it, and the directories that were left out. Raises BoxError for a project
    that is too large to be copied before each command."""
    place = place_of(project)
    tree = os.path.join(place, "tree")
    os.makedirs(tree, mode=0o700, exist_ok=True)
    known = _read(place)
    index: dict[str, list[list[int]]] = {}
    left_out: list[str] = []
    total = 0
    for path, status in _walk(project, "", left_out):
        total += status.st_size
        if len(index) > MAX_FILES or total > MAX_BYTES:
            raise BoxError(
                f"{project}: is too large to be copied, and the kernel makes no overlay; see `askfirst doctor`"
            )
        source, target = os.path.join(project, path), os.path.join(tree, path)
        mark, before = list(_mark(status)), known.get(path)
        if before is None or before[0] != mark or _status(target) is None or list(_mark(os.lstat(target))) != before[1]:
            _copy(source, target, status)
        index[path] = [mark, list(_mark(os.lstat(target)))]
    _remove_others(tree, index, left_out)
    atomic.write_atomic(os.path.join(place, "index"), json.dumps(index).encode())
    return tree, left_out


def changes(project: str) -> dict[str, str]:
    """What differs in the copy since it was made: relative path -> "changed" or "gone"."""
    place = place_of(project)
    tree = os.path.join(place, "tree")
    index = _read(place)
    found = {}
    for path, status in _walk(tree, "", []):
        known = index.pop(path, None)
        if known is None or list(_mark(status)) != known[1]:
            found[path] = "changed"
    found |= dict.fromkeys(index, "gone")
    return found


def lay_out(project: str, upper: str) -> None:
    """The changes of the copy in the form of an overlay's upper layer, so that one code judges and applies both."""
    tree = os.path.join(place_of(project), "tree")
    for path, what in sorted(changes(project).items()):
        target = os.path.join(upper, path)
        parent = os.path.dirname(target)
        if what == "gone":
            # Where a parent is gone, too, it is the parent that was deleted.
            if _status(os.path.join(tree, os.path.dirname(path))) is not None:
                os.makedirs(parent, exist_ok=True)
                os.mknod(target, stat.S_IFCHR | 0o600, 0)
            continue
        os.makedirs(parent, exist_ok=True)
        status = os.lstat(os.path.join(tree, path))
        if stat.S_ISDIR(status.st_mode):
            os.makedirs(target, exist_ok=True)
        elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
            shutil.copy2(os.path.join(tree, path), target, follow_symlinks=False)


def _walk(root: str, inside: str, left_out: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(os.path.join(root, inside)) as entries:
        names = sorted(entries, key=lambda entry: entry.name)
    for entry in names:
        path = os.path.join(inside, entry.name)
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode) and entry.name in NOT_SEARCHED:
            left_out.append(path)
            continue
        yield path, status
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(root, path, left_out)


def _mark(status: os.stat_result) -> Mark:
    if stat.S_ISDIR(status.st_mode):
        return (0, 0, 0, status.st_mode)
    return (status.st_size, status.st_ctime_ns, status.st_ino, status.st_mode)


def _copy(source: str, target: str, status: os.stat_result) -> None:
    there = _status(target)
    if there is not None and (not stat.S_ISDIR(there.st_mode) or not stat.S_ISDIR(status.st_mode)):
        shutil.rmtree(target) if stat.S_ISDIR(there.st_mode) else os.unlink(target)
    if stat.S_ISDIR(status.st_mode):
        os.makedirs(target, exist_ok=True)
        os.chmod(target, stat.S_IMODE(status.st_mode) | 0o700)
    elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
        shutil.copy2(source, target, follow_symlinks=False)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))  # a socket or pipe: its name only


def _remove_others(tree: str, index: dict[str, list[list[int]]], left_out: list[str]) -> None:
    """What an earlier command made in the copy, and what the project no longer has."""
    mount_points = set(left_out)
    for folder, names, files in os.walk(tree, topdown=False):
        inside = os.path.relpath(folder, tree)
        for name in (*files, *names):
            path = os.path.normpath(os.path.join(inside, name))
            full = os.path.join(folder, name)
            if path in index or path in mount_points:
                continue
            if os.path.isdir(full) and not os.path.islink(full):
                shutil.rmtree(full, ignore_errors=True)
            elif os.path.lexists(full):
                os.unlink(full)
    for path in left_out:
        os.makedirs(os.path.join(tree, path), exist_ok=True)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _read(place: str) -> dict[str, list[list[int]]]:
    try:
        value = json.loads(atomic.read_private(os.path.join(place, "index")))
    except (OSError, StoreError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
