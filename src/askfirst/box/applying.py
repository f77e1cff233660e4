"""Brings changes of a run to the disk, all or none, and takes them back.

    box/runs/<id>/journal-<n>.json    what one set of changes does, written before the first of them is done
    box/runs/<id>/old-<n>/<i>         what change i replaced or deleted

Each name changes in one step, and only if what stands there is what the run started from (store/exchange.py). Whoever
comes after a killed process takes back what was not complete (`recover`).
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from askfirst.box.upper import FILE, FOLDER, LINK, Difference, hash_at, open_below
from askfirst.errors import StoreError
from askfirst.store import atomic, exchange
from askfirst.store.exchange import ABSENT, Conflict, Directory

APPLYING, APPLIED, UNDONE = "applying", "applied", "undone"


@dataclass(frozen=True)
class Journal:
    """One set of changes that was, or is being, brought to the disk."""

    number: int
    place: str
    project: str
    state: str
    changes: tuple[Difference, ...]

    @property
    def path(self) -> str:
        return os.path.join(self.place, f"journal-{self.number}.json")

    def old(self, number: int) -> str:
        return os.path.join(self.place, f"old-{self.number}", str(number))

    def temporary(self, number: int) -> str:
        return f".askfirst-{os.path.basename(self.place)[:8]}-{self.number}-{number}.tmp"

    def saved(self, state: str) -> Journal:
        record = {"state": state, "project": self.project, "changes": [asdict(c) for c in self.changes]}
        atomic.write_atomic(self.path, json.dumps(record).encode())
        return Journal(self.number, self.place, self.project, state, self.changes)


def journals(place: str) -> list[Journal]:
    """Those of one run, oldest first."""
    found = []
    for name in os.listdir(place):
        number = name.removeprefix("journal-").removesuffix(".json")
        if name.startswith("journal-") and number.isdigit():
            try:
                record = json.loads(atomic.read_private(os.path.join(place, name)))
                changes = tuple(Difference(**c) for c in record["changes"])
                found.append(Journal(int(number), place, record["project"], record["state"], changes))
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{place}/{name}: is not a journal ({error}); remove it") from error
    return sorted(found, key=lambda journal: journal.number)


def apply(place: str, project: str, changes: Sequence[Difference]) -> Journal:
    """All or none. Raises Conflict where something else stands than what the run started from."""
    number = len(journals(place))
    ordered = tuple(sorted(changes, key=_order))
    journal = Journal(number, place, project, APPLYING, ordered).saved(APPLYING)
    os.makedirs(os.path.join(place, f"old-{number}"), mode=0o700, exist_ok=True)
    done = -1
    try:
        for done, change in enumerate(ordered):
            _do(journal, done, change)
        return journal.saved(APPLIED)
    except BaseException:
        _take_back(journal, done)
        raise


def _order(change: Difference) -> tuple[int, int, str]:
    """What is in the way goes first, the deepest of it before its parent; then directories, then what is in them."""
    depth = change.path.count("/")
    if not change.kind:
        return (0, -depth, change.path)
    return (1, depth, change.path) if change.kind == FOLDER else (2, 0, change.path)


def _do(journal: Journal, number: int, change: Difference) -> None:
    folder, name = os.path.split(os.path.join(journal.project, change.path))
    with Directory(folder) as here:
        if change.kind == FOLDER:
            os.mkdir(name, change.mode & 0o777, dir_fd=here.fd)
        elif change.kind == "":
            _remove(here, name, journal, number, change)
        elif change.only_mode:
            _set_mode(here, name, change.base, change.mode)
        else:
            _place(here, name, journal, number, change)


def _remove(here: Directory, name: str, journal: Journal, number: int, change: Difference) -> None:
    if change.was == FOLDER:
        os.rmdir(name, dir_fd=here.fd)
        return
    aside = journal.temporary(number)
    exchange.move_to_free_name(here, name, aside)
    if _is(here, aside, change.was, change.base):
        _keep(here, aside, journal.old(number))
        return
    exchange.move_to_free_name(here, aside, name)
    raise Conflict(f"{change.path}: changed while the command ran")


def _place(here: Directory, name: str, journal: Journal, number: int, change: Difference) -> None:
    ready = journal.temporary(number)
    here.unlink(ready)
    if change.kind == LINK:
        os.symlink(change.new, ready, dir_fd=here.fd)
    else:
        _copy_in(here, ready, change)
    try:
        if change.base == ABSENT:
            exchange.move_to_free_name(here, ready, name)
            return
        exchange.exchange(here, ready, name)
    except FileExistsError:
        here.unlink(ready)
        raise Conflict(f"{change.path}: exists now; it was made while the command ran") from None
    except FileNotFoundError:
        here.unlink(ready)
        raise Conflict(f"{change.path}: is gone; it was deleted while the command ran") from None
    if _is(here, ready, change.was, change.base):
        _keep(here, ready, journal.old(number))
        return
    exchange.exchange(here, ready, name)
    here.unlink(ready)
    raise Conflict(f"{change.path}: changed while the command ran")


def _copy_in(here: Directory, name: str, change: Difference) -> None:
    source = open_below(change.source.removesuffix(change.path), change.path)
    try:
        target = here.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            status = os.fstat(source)
            while part := os.read(source, 1 << 20):
                if part.count(0) == len(part):
                    os.lseek(target, len(part), os.SEEK_CUR)  # a hole stays one
                else:
                    atomic.write_all(target, part)
            os.ftruncate(target, status.st_size)
            os.fchmod(target, change.mode & 0o777)
            os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(target)
    finally:
        os.close(source)
    if here.fingerprint(name) != change.new:
        here.unlink(name)
        raise Conflict(f"{change.path}: was written again after the command had ended")


def _set_mode(here: Directory, name: str, base: str, mode: int) -> None:
    if here.fingerprint(name) != base:
        raise Conflict(f"{here.path}/{name}: changed while the command ran")
    fd = here.open(name, os.O_RDONLY)
    try:
        os.fchmod(fd, mode & 0o777)
    finally:
        os.close(fd)


def _is(here: Directory, name: str, kind: str, content: str) -> bool:
    if kind == LINK:
        try:
            return os.readlink(name, dir_fd=here.fd) == content
        except OSError:
            return False
    return kind == FILE and here.fingerprint(name, wait_for_writers=True) == content


def _keep(here: Directory, name: str, kept: str) -> None:
    """What was there goes to the run's own directory, which may lie on another file system."""
    here_path = f"/proc/self/fd/{here.fd}/{name}" if os.path.isdir("/proc/self/fd") else os.path.join(here.path, name)
    if os.path.islink(here_path):
        os.symlink(os.readlink(here_path), kept)
    else:
        shutil.copy2(here_path, kept, follow_symlinks=False)
    here.unlink(name)


# --- back -------------------------------------------------------------------------------------------------------------


def problems(place: str) -> list[str]:
    """Why a run cannot be taken back: what it wrote last is not there as it was written."""
    applied = [journal for journal in journals(place) if journal.state == APPLIED]
    last = {change.path: (journal, change) for journal in applied for change in journal.changes}
    return [why for journal, change in last.values() if (why := _problem(journal, change))]


def _problem(journal: Journal, change: Difference) -> str:
    full = os.path.join(journal.project, change.path)
    there = os.path.lexists(full)
    if not change.kind:
        return f"{change.path}: exists again" if there and change.was != FOLDER else ""
    if not there:
        return f"{change.path}: is gone"
    if change.kind == FOLDER:
        return ""
    try:
        same = os.readlink(full) == change.new if change.kind == LINK else hash_at(full) == change.new
    except OSError:
        same = False
    return "" if same else f"{change.path}: changed since"


def undo(place: str) -> list[Journal]:
    """Take back everything that the run brought to the disk, the last first. Raises Conflict, with everything as it
    was, where one of its files changed since."""
    recover(place)
    wrong = problems(place)
    if wrong:
        raise Conflict("; ".join(wrong[:5]) + (f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""))
    done = []
    for journal in reversed(journals(place)):
        if journal.state == APPLIED:
            journal.saved(APPLYING)
            _take_back(journal, len(journal.changes) - 1)
            done.append(journal)
    return done


def recover(place: str) -> None:
    """Take back what a killed process left half done."""
    for journal in reversed(journals(place)):
        if journal.state == APPLYING:
            _take_back(journal, len(journal.changes) - 1)


def _take_back(journal: Journal, last: int) -> None:
    """As it was before. What somebody else has saved since stays."""
    for number in range(last, -1, -1):
        _undo_one(journal, number, journal.changes[number])
    journal.saved(UNDONE)


def _undo_one(journal: Journal, number: int, change: Difference) -> None:
    folder, name = os.path.split(os.path.join(journal.project, change.path))
    kept, ready = journal.old(number), journal.temporary(number)
    try:
        with Directory(folder) as here:
            if change.kind == FOLDER or (change.was == FOLDER and not change.kind):
                _undo_folder(here, name, change)
            elif change.only_mode:
                if here.fingerprint(name) == change.base:
                    _set_mode(here, name, change.base, change.old_mode)
            else:
                _undo_content(here, name, change, kept, ready)
            here.unlink(ready)
    except Conflict:
        if os.path.isdir(folder):
            raise


def _undo_folder(here: Directory, name: str, change: Difference) -> None:
    try:
        if change.kind == FOLDER:
            os.rmdir(name, dir_fd=here.fd)
        else:
            os.mkdir(name, change.old_mode & 0o777, dir_fd=here.fd)
    except OSError:
        pass  # not empty, or there already: somebody uses it


def _undo_content(here: Directory, name: str, change: Difference, kept: str, ready: str) -> None:
    is_ours = bool(change.kind) and _is(here, name, change.kind, change.new)
    if change.base == ABSENT:
        if is_ours:
            here.unlink(name)
        return
    if not os.path.lexists(kept):
        if not _is(here, ready, change.was, change.base):
            return  # it was never done
    else:
        here.unlink(ready)
        _copy_back(here, ready, kept, change)
    if here.inode(name) is None:
        exchange.move_to_free_name(here, ready, name)
    elif is_ours:
        exchange.exchange(here, ready, name)


def _copy_back(here: Directory, name: str, kept: str, change: Difference) -> None:
    if change.was == LINK:
        os.symlink(os.readlink(kept), name, dir_fd=here.fd)
        return
    status = os.stat(kept)
    with open(kept, "rb") as file:
        fd = here.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            while part := file.read(1 << 20):
                atomic.write_all(fd, part)
            os.fchmod(fd, change.old_mode & 0o777)
            os.utime(fd, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(fd)


def changed_paths(journal: Journal) -> Iterator[str]:
    yield from (c.path for c in journal.changes if c.kind != FOLDER and not (c.was == FOLDER and not c.kind))
