"""A copy of the project, where there is no overlay. Either the command works on the copy, and what differs afterwards
is what it changed; or (`srt`) it works on the project, and the copy says what was there before: then everything is
taken back first, so that what it changed is judged before it counts. The copy is kept, so that the next time only what
changed since is copied.

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
    for path, status in _counted(project, left_out):
        source, target = os.path.join(project, path), os.path.join(tree, path)
        mark, before = list(_mark(status)), known.get(path)
        if before is None or before[0] != mark or _status(target) is None or list(_mark(os.lstat(target))) != before[1]:
            _copy(source, target, status)
        index[path] = [mark, list(_mark(os.lstat(target)))]
    _remove_others(tree, index, left_out)
    atomic.write_atomic(os.path.join(place, "index"), json.dumps(index).encode())
    return tree, left_out


def refuse_large(project: str) -> None:
    """Before anything is prepared: then it is asked about."""
    for _ in _counted(project, []):
        pass


def _counted(project: str, left_out: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    total = 0
    for number, (path, status) in enumerate(_walk(project, "", left_out)):
        total += status.st_size
        if number > MAX_FILES or total > MAX_BYTES:
            raise BoxError(f"{project}: is too large to be copied, and there is no overlay; see `askfirst doctor`")
        yield path, status


def changes(project: str) -> dict[str, str]:
    """What differs in the copy since it was made: relative path -> "changed" or "gone"."""
    return _differing(os.path.join(place_of(project), "tree"), project, 1)


def _differing(root: str, project: str, which: int) -> dict[str, str]:
    """Of the project (0) or its copy (1), against what it was when they were made alike."""
    index = _read(place_of(project))
    found = {}
    for path, status in _walk(root, "", []):
        known = index.pop(path, None)
        if known is None or list(_mark(status)) != known[which]:
            found[path] = "changed"
    found |= dict.fromkeys(index, "gone")
    return found


def take_back(project: str, upper: str) -> None:
    """What was changed in the project itself, in the form of an overlay's upper layer; the project is as before."""
    tree = os.path.join(place_of(project), "tree")
    found = sorted(_differing(project, project, 0).items())
    _lay_out(project, upper, found)  # all of it, before anything is taken back
    for path, _ in reversed(found):
        before, now = _status(os.path.join(tree, path)), _status(os.path.join(project, path))
        if before is None and now is not None:
            _remove(os.path.join(project, path), now)
    for path, _ in found:
        before = _status(os.path.join(tree, path))
        if before is not None:
            _copy(os.path.join(tree, path), os.path.join(project, path), before)


def _remove(path: str, status: os.stat_result) -> None:
    try:
        os.rmdir(path) if stat.S_ISDIR(status.st_mode) else os.unlink(path)
    except OSError:
        pass  # a directory that holds what is not copied, such as node_modules


def lay_out(project: str, upper: str) -> None:
    """The changes of the copy in the form of an overlay's upper layer, so that one code judges and applies both."""
    _lay_out(os.path.join(place_of(project), "tree"), upper, sorted(changes(project).items()))


def _lay_out(tree: str, upper: str, found: list[tuple[str, str]]) -> None:
    for path, what in found:
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
