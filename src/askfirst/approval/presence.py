"""Who can be asked. An approver holds a lock while it lives; the kernel releases it when it dies, however it dies."""

from __future__ import annotations

import os
from dataclasses import dataclass

from askfirst import jsontext
from askfirst.errors import StoreError
from askfirst.store import atomic, clock, paths

MAX_BYTES = 4096  # of an announcement


@dataclass(frozen=True)
class Approver:
    """A process in which a person can be asked."""

    kind: str  # "watch", "page", ...
    pid: int
    since: float


class Presence:
    """An announced approver: `with announce("watch"):`, or `close()` when done."""

    def __init__(self, path: str, fd: int) -> None:
        self._path, self._fd = path, fd

    def is_announced(self) -> bool:
        """Whether hooks can still see it: the state directory may have been removed under it."""
        return os.path.lexists(self._path)

    def close(self) -> None:
        if self._fd >= 0:
            atomic.remove(self._path)
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Presence:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _directory() -> str:
    return paths.private_dir("approvers")


def announce(kind: str) -> Presence:
    """Say that a person can be asked here, for as long as this process lives."""
    directory = _directory()
    data = jsontext.dumps({"kind": kind, "pid": os.getpid(), "since": clock.wall()}).encode()
    # Written and locked under a hidden name first: an announcement is never seen without its lock.
    hidden = os.path.join(directory, atomic.random_name(".new-"))
    path = os.path.join(directory, atomic.random_name("at-"))
    try:
        atomic.new_file(hidden, data)
        fd = os.open(hidden, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        atomic.try_hold(fd)
        os.rename(hidden, path)
    except OSError as error:
        atomic.remove(hidden)
        raise StoreError(f"{directory}: cannot announce this approver: {error.strerror}") from error
    return Presence(path, fd)


def approvers() -> tuple[Approver, ...]:
    """The living ones, oldest first; what dead ones left behind is cleared."""
    directory, alive = _directory(), []
    for name in os.listdir(directory):
        path = os.path.join(directory, name)
        if name.startswith("."):
            continue
        if not atomic.is_held(path):
            atomic.remove(path)
            continue
        try:
            value = jsontext.loads(atomic.read_private(path, MAX_BYTES))
            alive.append(Approver(str(value["kind"]), int(value["pid"]), float(value["since"])))
        except (OSError, ValueError, KeyError, TypeError, StoreError):
            continue  # gone, or not an announcement
    return tuple(sorted(alive, key=lambda a: (a.since, a.pid)))


def approver_alive() -> bool:
    return bool(approvers())
