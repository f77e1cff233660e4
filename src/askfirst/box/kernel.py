"""The system calls that a box needs and Python's `os` does not have. Imported by every contained command's start, so it
imports little."""

from __future__ import annotations

import os

# `ctypes` itself takes a millisecond of every start.
from _ctypes import CFuncPtr, _SimpleCData, dlopen, dlsym, get_errno

TYPE_CHECKING = False  # of `typing`, whose import would take a third of this start
if TYPE_CHECKING:
    from collections.abc import Sequence

NEWNS, NEWUSER, NEWNET = 0x20000, 0x10000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 2, 4, 0x4000, 0x40000
_PDEATHSIG, _NO_NEW_PRIVS, _DUMPABLE, _SECCOMP, _SUBREAPER = 1, 38, 4, 22, 36


_libc = dlopen(None, 0)  # type: ignore[arg-type]  # the process itself


class _Long(_SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class _Text(_SimpleCData):  # type: ignore[type-arg]
    """Where bytes lie."""

    _type_ = "z"


class _Function(CFuncPtr):
    _flags_ = 1 | 8  # FUNCFLAG_CDECL, FUNCFLAG_USE_ERRNO
    _restype_ = _Long


def _call(name: str, *words: int | bytes | None) -> int:
    """A function of the C library, whose numbers are as wide as a register. What it gives back: 0, -1, a descriptor."""
    result: int = _Function(dlsym(_libc, name))(*[_Long(w) if isinstance(w, int) else w for w in words])
    return -1 if result == 0xFFFFFFFF else result  # an int in a register


def _checked(result: int, what: str) -> None:
    if result != 0:
        code = get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(flags: int) -> None:
    _checked(_call("unshare", flags), "unshare")


def setns(fd: int, flags: int) -> None:
    _checked(_call("setns", fd, flags), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    first, second, third, last = (os.fsencode(w) if w else None for w in (source, target, kind, options))
    _checked(_call("mount", first, second, third, flags, last), f"mount {target}")


def die_with_parent(signal: int) -> None:
    _checked(_call("prctl", _PDEATHSIG, signal, 0, 0, 0), "prctl")


def no_new_privileges() -> None:
    _checked(_call("prctl", _NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def own_user_namespace(more: int) -> None:
    """A user namespace in which this user is the same user, with the other namespaces that are asked for."""
    uid, gid = os.geteuid(), os.getegid()
    unshare(NEWUSER | more)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def mount_overlay(lower: Sequence[str], upper: str, work: str, merged: str) -> None:
    """`lower`: what lies below, the topmost first. All directories by descriptors: their names may have any characters,
    and cannot be exchanged meanwhile."""
    how = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    fds = [os.open(path, how) for path in (upper, work, *lower)]
    try:
        up, at, *below = (f"/proc/self/fd/{fd}" for fd in fds)
        options = f"lowerdir={':'.join(below)},upperdir={up},workdir={at},userxattr"
        mount("overlay", merged, "overlay", MS_NOSUID | MS_NODEV, options)
    finally:
        for fd in fds:
            os.close(fd)


MS_BIND, MS_REMOUNT, MS_RDONLY, MS_NOEXEC = 0x1000, 0x20, 1, 8
# These numbers are the same on every architecture.
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_AT_FDCWD, _CLONE, _CLOEXEC, _RECURSIVE, _EMPTY_PATH = -100, 1, 0x80000, 0x8000, 0x1000
_FROM_EMPTY_PATH, _TO_EMPTY_PATH = 0x4, 0x40
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4


def bind(source: str, target: int, *, read_only: bool, devices: bool = False) -> None:
    """What lies at `source`, with all that is mounted below it, onto an open target: without setuid, without devices,
    and read-only where that is wished, from the first moment."""
    path = os.fsencode(source)
    tree = _call("syscall", _OPEN_TREE, _AT_FDCWD, path, _CLONE | _CLOEXEC | _RECURSIVE)
    if tree < 0:
        _checked(-1, f"open_tree {source}")
    try:
        wanted = _ATTR_NOSUID | (_ATTR_RDONLY if read_only else 0) | (0 if devices else _ATTR_NODEV)
        attributes = wanted.to_bytes(8, "little") + bytes(24)
        flags = _EMPTY_PATH | _RECURSIVE
        done = _call("syscall", _MOUNT_SETATTR, tree, b"", flags, attributes, 32)
        _checked(done, f"mount_setattr {source}")
        flags = _FROM_EMPTY_PATH | _TO_EMPTY_PATH
        _checked(_call("syscall", _MOVE_MOUNT, tree, b"", target, b"", flags), f"mount {source}")
    finally:
        os.close(tree)


def tmpfs(target: str, mode: int) -> None:
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, f"mode={mode:o}")


# --- Landlock ---------------------------------------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ALL_FILES, _ALL_NETWORK, _ALL_SCOPES = 0xFFFF, 3, 3
_ON_FILES = 0x1 | 0x2 | 0x4 | 0x4000 | 0x8000  # what a rule about a file can say: execute, write, read, truncate, ioctl
_SET_SECCOMP, _FILTER_MODE = 22, 2


def landlock_abi() -> int:
    return _call("syscall", _CREATE_RULESET, None, 0, 1)


def restrict(rules: list[tuple[str, int]], filter_code: bytes) -> None:
    """Hold this process, and whatever it starts, to these paths and to this filter of system calls, for good."""
    attributes = b"".join(v.to_bytes(8, "little") for v in (_ALL_FILES, _ALL_NETWORK, _ALL_SCOPES))
    ruleset = _call("syscall", _CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        _checked(-1, "landlock_create_ruleset")
    for path, allowed in rules:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not os.path.isdir(f"/proc/self/fd/{fd}"):
            allowed &= _ON_FILES
        rule = allowed.to_bytes(8, "little") + fd.to_bytes(4, "little")
        _checked(_call("syscall", _ADD_RULE, ruleset, 1, rule, 0), f"landlock rule {path}")
        os.close(fd)
    no_new_privileges()
    drop_capabilities()
    _checked(_call("syscall", _RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)
    code = _Text(filter_code)
    program = (len(filter_code) // 8).to_bytes(8, "little") + memoryview(code).tobytes()
    done = _call("prctl", _SET_SECCOMP, _FILTER_MODE, program, 0, 0)
    _checked(done, "seccomp")


def drop_capabilities() -> None:
    header = (0x20080522).to_bytes(4, "little") + bytes(4)
    _checked(_call("capset", header, bytes(24)), "capset")


def adopt_orphans() -> None:
    """Whatever this process's descendants leave behind becomes its child."""
    _checked(_call("prctl", _SUBREAPER, 1, 0, 0, 0), "prctl")
