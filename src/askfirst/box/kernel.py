"""The system calls that a box needs and Python's `os` does not have. Imported by every contained command's start, so it
imports little."""

import os
from ctypes import CDLL, addressof, c_char_p, c_int, c_long, c_ulong, create_string_buffer, get_errno

NEWNS, NEWUSER, NEWNET = 0x20000, 0x10000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 2, 4, 0x4000, 0x40000
_PDEATHSIG, _NO_NEW_PRIVS, _DUMPABLE, _SECCOMP, _SUBREAPER = 1, 38, 4, 22, 36

_libc = CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        code = get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(c_int(flags)), "unshare")


def setns(fd: int, flags: int) -> None:
    _checked(_libc.setns(c_int(fd), c_int(flags)), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    words = (c_char_p(os.fsencode(w)) if w else None for w in (source, target, kind, options))
    first, second, third, last = words
    _checked(_libc.mount(first, second, third, c_ulong(flags), last), f"mount {target}")


def die_with_parent(signal: int) -> None:
    _checked(_libc.prctl(c_int(_PDEATHSIG), c_ulong(signal), c_ulong(0), c_ulong(0), c_ulong(0)), "prctl")


def no_new_privileges() -> None:
    _checked(_libc.prctl(c_int(_NO_NEW_PRIVS), c_ulong(1), c_ulong(0), c_ulong(0), c_ulong(0)), "prctl")


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


def mount_overlay(lower: str, upper: str, work: str, merged: str) -> None:
    """The lower directory by a descriptor: its name may have any characters, and cannot be exchanged meanwhile."""
    fds = [os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC) for path in (lower, upper, work)]
    try:
        low, up, at = (f"/proc/self/fd/{fd}" for fd in fds)
        options = f"lowerdir={low},upperdir={up},workdir={at},userxattr"
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
    path = c_char_p(os.fsencode(source))
    tree = _libc.syscall(c_long(_OPEN_TREE), c_int(_AT_FDCWD), path, c_long(_CLONE | _CLOEXEC | _RECURSIVE))
    if tree < 0:
        _checked(-1, f"open_tree {source}")
    try:
        wanted = _ATTR_NOSUID | (_ATTR_RDONLY if read_only else 0) | (0 if devices else _ATTR_NODEV)
        attributes = wanted.to_bytes(8, "little") + bytes(24)
        flags = c_long(_EMPTY_PATH | _RECURSIVE)
        done = _libc.syscall(c_long(_MOUNT_SETATTR), c_int(tree), b"", flags, attributes, c_ulong(32))
        _checked(done, f"mount_setattr {source}")
        flags = c_long(_FROM_EMPTY_PATH | _TO_EMPTY_PATH)
        _checked(_libc.syscall(c_long(_MOVE_MOUNT), c_int(tree), b"", c_int(target), b"", flags), f"mount {source}")
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
    return int(_libc.syscall(c_long(_CREATE_RULESET), None, c_ulong(0), c_long(1)))


def restrict(rules: list[tuple[str, int]], filter_code: bytes) -> None:
    """Hold this process, and whatever it starts, to these paths and to this filter of system calls, for good."""
    attributes = b"".join(v.to_bytes(8, "little") for v in (_ALL_FILES, _ALL_NETWORK, _ALL_SCOPES))
    ruleset = _libc.syscall(c_long(_CREATE_RULESET), attributes, c_ulong(len(attributes)), c_long(0))
    if ruleset < 0:
        _checked(-1, "landlock_create_ruleset")
    for path, allowed in rules:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not os.path.isdir(f"/proc/self/fd/{fd}"):
            allowed &= _ON_FILES
        rule = allowed.to_bytes(8, "little") + fd.to_bytes(4, "little")
        _checked(_libc.syscall(c_long(_ADD_RULE), c_int(ruleset), c_long(1), rule, c_long(0)), f"landlock rule {path}")
        os.close(fd)
    no_new_privileges()
    drop_capabilities()
    _checked(_libc.syscall(c_long(_RESTRICT_SELF), c_int(ruleset), c_long(0)), "landlock_restrict_self")
    os.close(ruleset)
    code = create_string_buffer(filter_code, len(filter_code))
    program = (len(filter_code) // 8).to_bytes(8, "little") + addressof(code).to_bytes(8, "little")
    done = _libc.prctl(c_int(_SET_SECCOMP), c_ulong(_FILTER_MODE), program, c_ulong(0), c_ulong(0))
    _checked(done, "seccomp")


def drop_capabilities() -> None:
    header = (0x20080522).to_bytes(4, "little") + bytes(4)
    _checked(_libc.capset(header, bytes(24)), "capset")


def adopt_orphans() -> None:
    """Whatever this process's descendants leave behind becomes its child."""
    _checked(_libc.prctl(c_int(_SUBREAPER), c_ulong(1), c_ulong(0), c_ulong(0), c_ulong(0)), "prctl")
