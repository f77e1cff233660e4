"""Requests that wait for an answer, as plain files: there is no daemon to lose, and every state is a complete file.

    pending/<id>/request.json    what is asked; its waiter holds a lock on this file, so a dead one is known
    pending/<id>/decision.json   the one answer, created once with os.link(): people, expiry, withdrawal compete for it
    pending/<id>/bell            a FIFO of the waiter's: rung once the decision stands
    settled/<id>/                the same after its waiter has taken the answer, kept a while for those who come late

A request is prepared under a hidden name and appears with one rename of its directory, complete.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from askfirst import jsontext
from askfirst.errors import StoreError
from askfirst.store import atomic, clock, ids, paths

REQUEST, DECISION, BELL = "request.json", "decision.json", "bell"
HIDDEN = ".new-"
KEEP_SETTLED_S = 8 * 3600.0  # a working day: what was answered can still be remembered or taken back
ORPHAN_S = 120.0


@dataclass(frozen=True)
class Item:
    """One request in the store. `body` is the asking side's own: the store does not look into it."""

    id: str
    digest: str
    created: float  # wall clock
    deadline: float  # wall clock, for people
    steady_deadline: float  # the one that counts, on the clock that counts suspend
    boot: str
    body: dict[str, Any]

    def is_over(self) -> bool:
        if self.boot != clock.boot_id():
            return True  # the machine was restarted: nobody waits any more
        return clock.steady() >= self.steady_deadline


class FilePending:
    """The store on files. Every method may be called by any process of this user at any time."""

    def __init__(self) -> None:
        self.root = paths.private_dir("pending")
        self.settled_root = paths.private_dir("settled")
        self._held: dict[str, int] = {}

    # The asking side

    def create(self, item: Item) -> None:
        """Publish a request; it is complete and locked by this process before anybody can see it."""
        hidden = os.path.join(self.root, HIDDEN + item.id)
        data = jsontext.dumps(vars(item)).encode()
        fd = -1
        try:
            os.mkdir(hidden, 0o700)
            atomic.write_atomic(os.path.join(hidden, REQUEST), data)
            fd = os.open(os.path.join(hidden, REQUEST), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            atomic.try_hold(fd)
            os.rename(hidden, self._dir(item.id))
            atomic.sync_dir(self.root)
        except BaseException as error:
            # Also when a signal ends this process here: a request that nobody waits for must not stand in the queue.
            if fd >= 0:
                os.close(fd)
            _remove_tree(hidden)
            _remove_tree(self._dir(item.id))
            if isinstance(error, OSError):
                raise StoreError(f"{self.root}: cannot store the request: {error.strerror or error}") from error
            raise
        self._held[item.id] = fd

    def settle(self, id: str) -> None:
        """The waiter has taken its answer: put the request where late answers find it."""
        self._move_to_settled(id)
        fd = self._held.pop(id, -1)
        if fd >= 0:
            os.close(fd)

    def bell(self, id: str) -> str:
        """Where a waiter may put a FIFO to be woken by."""
        return os.path.join(self._dir(id), BELL)

    def directory(self, id: str) -> str:
        """What to watch for the answer to `id`."""
        return self._dir(id)

    # The answering side

    def decide(self, id: str, decision: dict[str, Any]) -> dict[str, Any] | None:
        """Claim the one decision. None: this one counts. Otherwise the decision that was first."""
        if self.is_decided(id):
            return self._first(id)
        data = jsontext.dumps(decision).encode()
        try:
            if atomic.create_once(os.path.join(self._dir(id), DECISION), data):
                ring(os.path.join(self._dir(id), BELL))
                return None
        except FileNotFoundError:
            pass  # settled meanwhile: the winner is read below
        except OSError as error:
            raise StoreError(f"{self.root}: cannot store the answer: {error.strerror or error}") from error
        return self._first(id)

    def _first(self, id: str) -> dict[str, Any]:
        found = self.decision(id)
        if found is None:
            raise ids.UnknownId(f"request `{id}` is gone")
        return found

    def decision(self, id: str) -> dict[str, Any] | None:
        """The decision of a pending or settled request, or None."""
        for root in (self.root, self.settled_root):
            try:
                value = jsontext.loads(atomic.read_private(os.path.join(root, id, DECISION)))
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                raise StoreError(f"{root}/{id}: cannot read the decision: {error}") from error
            if not isinstance(value, dict):
                raise StoreError(f"{root}/{id}: the decision is not a JSON object")
            return value
        return None

    def items(self) -> tuple[Item, ...]:
        """Undecided requests, oldest first."""
        found = (self._read(self.root, name) for name in self.pending_ids() if not self.is_decided(name))
        return tuple(sorted((i for i in found if i is not None), key=lambda i: (i.created, i.id)))

    def find(self, id: str) -> Item | None:
        """A pending or settled request."""
        return self._read(self.root, id) or self._read(self.settled_root, id)

    def pending_ids(self) -> tuple[str, ...]:
        return tuple(name for name in _names(self.root) if ids.is_id(name))

    def settled_ids(self) -> tuple[str, ...]:
        return tuple(name for name in _names(self.settled_root) if ids.is_id(name))

    def is_waited_for(self, id: str) -> bool:
        return atomic.is_held(os.path.join(self._dir(id), REQUEST))

    # Housekeeping

    def unfinished(self) -> tuple[tuple[str, str], ...]:
        """Undecided requests that nobody can use any more, each with the state it ends in: ("…", "expired")."""
        found = []
        for name in self.pending_ids():
            if self.is_decided(name):
                continue
            item = self._read(self.root, name)
            if item is not None and item.is_over():
                found.append((name, "expired"))
            elif not self.is_waited_for(name):
                found.append((name, "cancelled"))
        return tuple(found)

    def sweep(self) -> None:
        """Put away what was decided and whose waiter is dead; clear what dying processes left half written."""
        now = clock.wall()
        for name in self.pending_ids():
            if self.is_waited_for(name):
                continue
            if self.is_decided(name):
                self._move_to_settled(name)
            elif self._read(self.root, name) is None and _age_s(self._dir(name), now) > ORPHAN_S:
                _remove_tree(self._dir(name))  # nobody can read it, so nobody can answer it
        for name in _names(self.root):
            if not ids.is_id(name) and _age_s(os.path.join(self.root, name), now) > ORPHAN_S:
                _remove_tree(os.path.join(self.root, name))
        for name in _names(self.settled_root):
            if _age_s(os.path.join(self.settled_root, name), now) > KEEP_SETTLED_S:
                _remove_tree(os.path.join(self.settled_root, name))

    def _dir(self, id: str) -> str:
        return os.path.join(self.root, id)

    def is_decided(self, id: str) -> bool:
        return os.path.lexists(os.path.join(self._dir(id), DECISION))

    def _move_to_settled(self, id: str) -> None:
        try:
            os.utime(self._dir(id))  # it is kept from now on
            os.rename(self._dir(id), os.path.join(self.settled_root, id))
        except OSError:
            pass  # somebody else was first, or it stays for the next sweep: the decision stands in either place

    def _read(self, root: str, id: str) -> Item | None:
        """A request that is complete and ours; anything else does not exist for people (a sweep clears it)."""
        try:
            value = jsontext.loads(atomic.read_private(os.path.join(root, id, REQUEST)))
            item = Item(**value)
            if item.id == id and isinstance(item.body, dict) and isinstance(item.digest, str):
                return item
        except (OSError, ValueError, TypeError, StoreError):
            pass
        return None


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError as error:
        raise StoreError(f"{directory}: cannot be read: {error.strerror}") from error


def ring(bell: str) -> None:
    """Wake the waiter.

    One whose bell is gone has looked already, and it looks now and then anyway: no answer depends on this.
    """
    try:
        fd = os.open(bell, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.write(fd, b".")
    except OSError:
        pass
    finally:
        os.close(fd)


def _age_s(path: str, now: float) -> float:
    try:
        return now - os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _remove_tree(path: str) -> None:
    """Remove one request's directory: files only, never through a symlink."""
    try:
        for name in os.listdir(path) if not os.path.islink(path) else ():
            atomic.remove(os.path.join(path, name))
        os.rmdir(path)
    except NotADirectoryError:
        atomic.remove(path)
    except OSError:
        pass
