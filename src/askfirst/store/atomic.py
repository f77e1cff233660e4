"""Files that are old or new, never anything between, whoever is killed when.

Three ways to change a file, all through a temporary file in the target's own directory and fsync:
`write_atomic` replaces, `create_once` lets exactly one of many writers win, `Lock` makes those take turns who read and
then write.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time

from askfirst.errors import StoreError

MAX_STATE_BYTES = 32 * 1024 * 1024
LOCK_WAIT_S = 20.0


def random_name(prefix: str = ".tmp-") -> str:
    return prefix + os.urandom(8).hex()


def sync_dir(path: str) -> None:
    """Make a rename or link durable. A file system that cannot sync a directory (EINVAL) has nothing to add."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _sync(fd)
    finally:
        os.close(fd)


def _sync(directory: int) -> None:
    try:
        os.fsync(directory)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def new_file(path: str, data: bytes, mode: int = 0o600, *, directory: int | None = None) -> None:
    """A new file with this content on the disk; refuses an existing one (and thereby a planted symlink)."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=directory)
    try:
        write_all(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def write_atomic(path: str, data: bytes, mode: int = 0o600) -> None:
    """Replace `path` by `data`: afterwards it holds the old or the new content, also when this process is killed."""
    directory = os.path.dirname(path)
    temporary = os.path.join(directory, random_name())
    try:
        new_file(temporary, data, mode)
        os.rename(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    sync_dir(directory)


def create_once(path: str, data: bytes) -> bool:
    """Create `path` with `data`, complete from its first moment, if nobody has. True for exactly one of all callers.

    A hard link and not O_EXCL: with O_EXCL a reader can see the file before it has been written. All in the directory
    that was opened at first: whoever waited for the file may move the directory the moment it is there, and that must
    not look like a failure.
    """
    directory, name = os.path.split(path)
    temporary = random_name()
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        new_file(temporary, data, directory=fd)
        os.link(temporary, name, src_dir_fd=fd, dst_dir_fd=fd)
        _sync(fd)
    except FileExistsError:
        return False
    finally:
        remove(temporary, directory=fd)
        os.close(fd)
    return True


def remove(path: str, *, directory: int | None = None) -> bool:
    """True when this call removed it: unlink has one winner too."""
    try:
        os.unlink(path, dir_fd=directory)
    except OSError:
        return False
    return True


def read_private(path: str, limit: int = MAX_STATE_BYTES) -> bytes:
    """The content of one of our own files. A symlink, a device or a file of somebody else is refused."""
    # Without O_NONBLOCK a FIFO planted under the name would hold the gate for ever.
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            raise StoreError(f"{path}: is not a regular file of this user; remove it")
        if found.st_size > limit:
            raise StoreError(f"{path}: is larger than {limit} bytes; remove it")
        parts = []
        while part := os.read(fd, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(fd)


class Lock:
    """`with Lock(path):` holds an exclusive lock on the file `path`, which is created and stays."""

    def __init__(self, path: str, *, wait_s: float = LOCK_WAIT_S) -> None:
        self._path, self._wait_s, self._fd = path, wait_s, -1

    def __enter__(self) -> None:
        self._fd = hold(self._path, self._wait_s)

    def __exit__(self, *_error: object) -> None:
        release(self._fd)


def hold(path: str, wait_s: float = LOCK_WAIT_S) -> int:
    """An exclusive lock on the file `path`, until `release`. StoreError when it takes too long.

    The lock file stays: unlinking it lets a waiter lock an inode that nobody else sees.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    give_up, pause_s = time.monotonic() + wait_s, 0.0005
    try:
        while not try_hold(fd):
            if time.monotonic() > give_up:
                held = f"another process has held this lock for {wait_s:.0f} s"
                raise StoreError(f"{path}: {held}; look for a stopped askfirst process")
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.5, 0.02)
    except BaseException:
        os.close(fd)
        raise
    return fd


def release(fd: int) -> None:
    """What the lock was held for is done: no error of its own undoes it. Unlocked first, so that nobody waits for a
    descriptor that could not be closed."""
    try:
        fcntl.flock(fd, fcntl.LOCK_UN)
    except OSError:
        pass
    try:
        os.close(fd)
    except OSError:
        pass


def try_hold(fd: int) -> bool:
    """Take an exclusive lock on an open file if nobody holds one."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_held(path: str) -> bool:
    """Whether a living process holds the lock on `path`; the kernel releases it however the process dies."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # No locks on this file system: nothing is known, and a living waiter must not be taken for dead.
        return True
    finally:
        os.close(fd)
    return False
