"""Wait until something happens in a directory: woken by a bell or by inotify where there is one, else by a poll.

A waiting hook's bell is a FIFO that `store.pending` rings when it has stored a decision. Inotify stops at 128 instances
per user and sees nothing on NFS or WSL's /mnt; a poll that is quick enough costs a tenth of a core with three hundred
hooks. A ringer may die before it rings, so there is always a safety poll; a caller looks at the directory itself after
every return, whatever woke it.
"""

from __future__ import annotations

import ctypes
import os
import select
import sys
import time

SAFETY_S = 2.0  # return anyway: some changes are not announced, and a directory's time may not have moved
POLL_S = 0.2  # with neither bell nor inotify
_IN_CREATE, _IN_DELETE, _IN_MOVED_TO, _IN_MOVED_FROM, _IN_ONLYDIR = 0x100, 0x200, 0x80, 0x40, 0x01000000


class Wake:
    """`with Wake(directory) as wake: wake.wait(timeout_s)` returns at a change, or after the time, or now and then."""

    def __init__(self, *directories: str, inotify: bool = True, bell: str = "") -> None:
        self._directories = directories
        self._seen = self._times()
        self._fd = _open_bell(bell) if bell else -1
        if self._fd < 0 and inotify:
            self._fd = _open_inotify(directories)

    def fileno(self) -> int:
        """For callers with a select loop of their own; -1 when there is nothing to select on."""
        return self._fd

    def wait(self, timeout_s: float) -> None:
        if self._fd < 0:
            self._poll(time.monotonic() + min(timeout_s, SAFETY_S))
            return
        poller = select.poll()
        poller.register(self._fd, select.POLLIN)
        if poller.poll(max(0.0, min(timeout_s, SAFETY_S)) * 1000):
            self.drain()

    def _poll(self, until: float) -> None:
        while (seen := self._times()) == self._seen:
            left = until - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, POLL_S))
        self._seen = seen

    def _times(self) -> list[int]:
        found = []
        for directory in self._directories:
            try:
                found.append(os.stat(directory).st_mtime_ns)
            except OSError:
                found.append(-1)  # moved away: that is a change, too
        return found

    def drain(self) -> None:
        """Forget what has happened so far."""
        try:
            while os.read(self._fd, 65536):
                pass
        except OSError:
            pass

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Wake:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _open_inotify(directories: tuple[str, ...]) -> int:
    """A non-blocking inotify descriptor on these directories, or -1."""
    if not sys.platform.startswith("linux"):
        return -1
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        fd = int(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    except (OSError, AttributeError):
        return -1
    if fd < 0:
        return -1
    events = _IN_CREATE | _IN_DELETE | _IN_MOVED_TO | _IN_MOVED_FROM | _IN_ONLYDIR
    for directory in directories:
        if libc.inotify_add_watch(fd, os.fsencode(directory), events) < 0:
            os.close(fd)
            return -1
    return fd


def _open_bell(path: str) -> int:
    """A new FIFO, open for reading, or -1.

    Also open for writing: without that its first ringer's leaving would be readable for ever.
    """
    try:
        os.mkfifo(path, 0o600)
        return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return -1
