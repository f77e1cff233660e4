"""Put a new content in place of exactly the one that was approved, or change nothing.

"Look, then replace" lets an editor's save slip in between and be lost. So the new file and the old one change places in
one step (`renameat2` with RENAME_EXCHANGE), and only then what came out is looked at: if it is not what was approved,
they change back. A writer that still has the old file open is found with a read lease, which the kernel refuses while
there is one.

Every step works below an open directory, reached without following a link: a parent that becomes a symlink is an error,
not a detour.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
import stat
import sys
import time
from collections.abc import Callable

from askfirst.digest import sha256
from askfirst.errors import StoreError
from askfirst.files.bind import CHANGED
from askfirst.store import atomic

ABSENT = "absent"
_EXCHANGE, _NOREPLACE = 2, 1
_DARWIN_SWAP, _DARWIN_EXCL = 2, 4
_NOT_POSSIBLE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)  # this system or file system cannot exchange names
MAX_WRITER_S = 2.0  # how long a writer may keep the old file open before the write is given up


class Conflict(StoreError):
    """Something else stands there than what was approved. Nothing was changed."""


class Directory:
    """A directory that was reached without following any link; `with Directory(path) as here:`."""

    def __init__(self, path: str) -> None:
        self.path, self.fd = path, -1

    def __enter__(self) -> Directory:
        way = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open("/", way & ~os.O_NOFOLLOW)
        try:
            for part in self.path.split("/"):
                if part in ("", "."):
                    continue
                deeper = os.open(part, way, dir_fd=fd)
                os.close(fd)
                fd = deeper
        except OSError as error:
            os.close(fd)
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise Conflict(f"{self.path}: a part of this path is a link now; {CHANGED}") from error
            raise Conflict(f"{self.path}: {error.strerror}; {CHANGED}") from error
        self.fd = fd
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self.fd)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode, dir_fd=self.fd)

    def unlink(self, name: str) -> None:
        try:
            os.unlink(name, dir_fd=self.fd)
        except FileNotFoundError:
            pass

    def sync(self) -> None:
        fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.fd)
        try:
            os.fsync(fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(fd)

    def inode(self, name: str) -> tuple[int, int] | None:
        try:
            status = os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino

    def fingerprint(self, name: str, *, wait_for_writers: bool = False) -> str:
        """SHA-256 of a regular file, "absent", or "unreadable".

        `wait_for_writers`: look once nobody has it open for writing.
        """
        try:
            fd = self.open(name, os.O_RDONLY)
        except FileNotFoundError:
            return ABSENT
        except OSError:
            return "unreadable"
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return "unreadable"
            if wait_for_writers and not _no_writer(fd):
                return "open for writing elsewhere"
            digest = sha256()
            while part := os.read(fd, 1 << 18):
                digest.update(part)
            return digest.hexdigest()
        finally:
            os.close(fd)


def _no_writer(fd: int) -> bool:
    """True once no process has the file open for writing.

    Where leases do not exist, or the file is another user's, nothing is known.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return True
    give_up = time.monotonic() + MAX_WRITER_S
    while True:
        try:
            # SIGURG is ignored by default; SIGIO, which a broken lease sends otherwise, would end this process.
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            return True
        except OSError as error:
            if error.errno != errno.EAGAIN:
                return True
            if time.monotonic() > give_up:
                return False
            time.sleep(0.002)


# The step


def _rename_call() -> Callable[[int, str, str, int], None] | None:
    """rename within one directory with flags, or None where the system has no such call."""
    library = ctypes.CDLL(None, use_errno=True)
    name = "renameatx_np" if sys.platform == "darwin" else "renameat2"
    function = getattr(library, name, None)
    if function is None:
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]

    def call(fd: int, a: str, b: str, flags: int) -> None:
        if function(fd, os.fsencode(a), fd, os.fsencode(b), flags) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), b)

    return call


def exchange(here: Directory, a: str, b: str) -> None:
    call = _rename_call()
    if call is None:
        raise OSError(errno.ENOSYS, "no exchange on this system")
    call(here.fd, a, b, _DARWIN_SWAP if sys.platform == "darwin" else _EXCHANGE)


def move_to_free_name(here: Directory, source: str, target: str) -> None:
    """Rename, but never onto something. FileExistsError when the name is taken."""
    call = _rename_call()
    if call is not None:
        try:
            call(here.fd, source, target, _DARWIN_EXCL if sys.platform == "darwin" else _NOREPLACE)
            return
        except OSError as error:
            if error.errno not in _NOT_POSSIBLE:
                raise
    os.link(source, target, src_dir_fd=here.fd, dst_dir_fd=here.fd, follow_symlinks=False)
    here.unlink(source)


def prepare(here: Directory, name: str, data: bytes, mode: int, *, owner: tuple[int, int] | None = None) -> None:
    """The new content under a name of its own, complete and on the disk."""
    fd = here.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        atomic.write_all(fd, data)
        if owner is not None and owner != (os.fstat(fd).st_uid, os.fstat(fd).st_gid):
            os.fchown(fd, *owner)
        os.fchmod(fd, mode)
        os.fsync(fd)
    finally:
        os.close(fd)


def swap_in(here: Directory, prepared: str, name: str, base: str) -> None:
    """`prepared` takes the place of `name`, which must hold `base`. Then `prepared` has the old content, if any.

    Raises Conflict, with everything as it was, when something else stands there.
    """
    if base == ABSENT:
        try:
            move_to_free_name(here, prepared, name)
        except FileExistsError:
            raise Conflict(f"{here.path}/{name}: exists now; {CHANGED}") from None
        here.sync()
        return
    ours, new = here.inode(prepared), here.fingerprint(prepared)
    try:
        exchange(here, prepared, name)
    except FileNotFoundError:
        raise Conflict(f"{here.path}/{name}: is gone; {CHANGED}") from None
    except OSError as error:
        if error.errno not in _NOT_POSSIBLE:
            raise
        _plain_swap(here, prepared, name, base)
        return
    here.sync()
    if here.fingerprint(prepared, wait_for_writers=True) == base:
        return
    _swap_back(here, prepared, name, ours, new)
    raise Conflict(f"{here.path}/{name}: {CHANGED}")


def _swap_back(here: Directory, prepared: str, name: str, ours: tuple[int, int] | None, new: str) -> None:
    """Give the place back.

    Whoever saves meanwhile must find their own, newest content at the name, not the one that we took out.
    """
    expected, content = ours, new
    for _ in range(100):
        placing, placing_content = here.inode(prepared), here.fingerprint(prepared)
        try:
            exchange(here, prepared, name)
        except FileNotFoundError:  # deleted meanwhile: what came out goes back to where it was
            move_to_free_name(here, prepared, name)
            return
        if here.inode(prepared) == expected and here.fingerprint(prepared, wait_for_writers=True) == content:
            here.sync()
            return
        # Something else came out than what we had put there: somebody saved while we swapped. That is newer, so it
        # belongs there.
        expected, content = placing, placing_content
    raise StoreError(f"{here.path}/{name}: another program keeps writing it; the earlier content is kept in {prepared}")


def _plain_swap(here: Directory, prepared: str, name: str, base: str) -> None:
    """Where names cannot change places: keep the old file under a second name, look, replace it, and look once more."""
    kept = prepared + ".old"
    try:
        os.link(name, kept, src_dir_fd=here.fd, dst_dir_fd=here.fd, follow_symlinks=False)
    except FileNotFoundError:
        raise Conflict(f"{here.path}/{name}: is gone; {CHANGED}") from None
    if here.fingerprint(kept, wait_for_writers=True) != base or here.inode(kept) != here.inode(name):
        here.unlink(kept)
        raise Conflict(f"{here.path}/{name}: {CHANGED}")
    os.rename(prepared, name, src_dir_fd=here.fd, dst_dir_fd=here.fd)
    os.rename(kept, prepared, src_dir_fd=here.fd, dst_dir_fd=here.fd)
    here.sync()


def take_out(here: Directory, name: str, aside: str, base: str) -> None:
    """Move `name` away to `aside` if it holds `base` (undoing a new file).

    Raises Conflict, with everything as it was, otherwise.
    """
    try:
        move_to_free_name(here, name, aside)
    except FileNotFoundError:
        raise Conflict(f"{here.path}/{name}: is gone") from None
    here.sync()
    if here.fingerprint(aside, wait_for_writers=True) == base:
        return
    try:
        move_to_free_name(here, aside, name)
    except FileExistsError:
        kept = f"the earlier content is kept in {aside}"
        raise StoreError(f"{here.path}/{name}: was written while askfirst read it; {kept}") from None
    raise Conflict(f"{here.path}/{name}: changed since it was written")
