"""The filter of system calls: a classic BPF program of some dozen instructions, packed by hand.

Everything is allowed but: other architectures and x32 (killed), calls that are newer than this filter, io_uring,
namespaces and mounts, what loads code into the kernel or looks at other processes' memory from outside, sockets of
every family but unix, inet and netlink's routing, pushing characters into a terminal, and files that give their user's
rights to whoever runs them: some directories of the disk are written directly.
"""

from __future__ import annotations

import errno
import os
import struct
from typing import NamedTuple

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NR, _ARCH, _ARG0, _ARG1, _ARG2 = 0, 4, 16, 24, 32  # offsets in struct seccomp_data; the low words
X32 = 0x40000000
# CLONE_NEW*: mount, cgroup, uts, ipc, user, pid and network namespaces, and time (0x80, unshare only).
NEW_NAMESPACES = 0x7E020000
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
SET_USER_ID = 0o4000
CREATES = 0o100 | 0o20000000  # O_CREAT, O_TMPFILE: only then does a mode count
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16


class Machine(NamedTuple):
    audit_arch: int
    refused: dict[str, int]  # system calls that answer EPERM
    missing: dict[str, int]  # that answer ENOSYS, so that programs fall back
    clone: int
    unshare: int
    socket: int
    ioctl: int
    modes: tuple[tuple[int, int], ...]  # that give a file a mode: their numbers, and which argument it is
    opens: tuple[
        tuple[int, int], ...
    ]  # that may: their numbers, and which argument the flags are; the mode is the next


# Numbers that all architectures share.
_COMMON = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
}
UNKNOWN = 467  # `open_tree_attr` and what came after it: mounts, again, and what nobody has looked at yet
_MISSING = {"clone3": 435, "openat2": 437}  # a filter cannot look into what their argument points to
MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        {
            **_COMMON,
            "setns": 308,
            "mount": 165,
            "umount2": 166,
            "pivot_root": 155,
            "chroot": 161,
            "bpf": 321,
            "perf_event_open": 298,
            "userfaultfd": 323,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "kexec_load": 246,
            "kexec_file_load": 320,
            "init_module": 175,
            "finit_module": 313,
            "delete_module": 176,
            "open_by_handle_at": 304,
            "name_to_handle_at": 303,
            "swapon": 167,
            "swapoff": 168,
            "reboot": 169,
            "acct": 163,
            "quotactl": 179,
            "iopl": 172,
            "ioperm": 173,
            "vhangup": 153,
            "syslog": 103,
        },
        _MISSING,
        clone=56,
        unshare=272,
        socket=41,
        ioctl=16,
        modes=((90, 1), (91, 1), (268, 2), (452, 2), (133, 1), (259, 2), (85, 1)),
        opens=((2, 1), (257, 2)),
    ),
    "aarch64": Machine(
        0xC00000B7,
        {
            **_COMMON,
            "setns": 268,
            "mount": 40,
            "umount2": 39,
            "pivot_root": 41,
            "chroot": 51,
            "bpf": 280,
            "perf_event_open": 241,
            "userfaultfd": 282,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "kexec_load": 104,
            "kexec_file_load": 294,
            "init_module": 105,
            "finit_module": 273,
            "delete_module": 106,
            "open_by_handle_at": 265,
            "name_to_handle_at": 264,
            "swapon": 224,
            "swapoff": 225,
            "reboot": 142,
            "acct": 89,
            "quotactl": 60,
            "vhangup": 58,
            "syslog": 116,
        },
        _MISSING,
        clone=220,
        unshare=97,
        socket=198,
        ioctl=29,
        modes=((52, 1), (53, 2), (452, 2), (33, 2)),
        opens=((56, 2),),
    ),
}


def machine() -> Machine | None:
    """The one that this process runs on, where its system calls are known."""
    return MACHINES.get(os.uname().machine)


def program(of: Machine, *, unix_sockets: bool = True, internet: bool = True) -> bytes:
    """The filter. `unix_sockets`: whether AF_UNIX is allowed; where paths outside can be reached it is not.
    `internet`: whether AF_INET is; where there is no network namespace it is not."""
    refuse = ERRNO | errno.EPERM
    code: list[bytes] = []

    def add(kind: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        code.append(struct.pack("=HBBI", kind, if_true, if_false, value))

    def answer(result: int) -> None:
        add(_RETURN, result)

    add(_LOAD, _ARCH)
    add(_EQUAL, of.audit_arch, 1, 0)
    answer(KILL)
    add(_LOAD, _NR)
    if of.audit_arch == MACHINES["x86_64"].audit_arch:
        add(_AT_LEAST, X32, 0, 1)
        answer(KILL)
    add(_AT_LEAST, UNKNOWN, 0, 1)
    answer(ERRNO | errno.ENOSYS)
    for number in of.refused.values():
        add(_EQUAL, number, 0, 1)
        answer(refuse)
    for number in of.missing.values():
        add(_EQUAL, number, 0, 1)
        answer(ERRNO | errno.ENOSYS)
    for number, bits in ((of.clone, NEW_NAMESPACES), (of.unshare, NEW_NAMESPACES | 0x80)):
        add(_EQUAL, number, 0, 4)
        add(_LOAD, _ARG0)
        add(_ANY_BIT, bits, 0, 1)
        answer(refuse)
        answer(ALLOW)
    for number, at in of.modes:
        add(_EQUAL, number, 0, 4)
        add(_LOAD, _ARG0 + 8 * at)
        add(_ANY_BIT, SET_USER_ID, 0, 1)
        answer(refuse)
        answer(ALLOW)
    for number, at in of.opens:
        add(_EQUAL, number, 0, 6)
        add(_LOAD, _ARG0 + 8 * at)
        add(_ANY_BIT, CREATES, 0, 3)
        add(_LOAD, _ARG0 + 8 * (at + 1))
        add(_ANY_BIT, SET_USER_ID, 0, 1)
        answer(refuse)
        answer(ALLOW)
    add(_EQUAL, of.ioctl, 0, 5)
    add(_LOAD, _ARG1)
    add(_EQUAL, TIOCSTI, 1, 0)
    add(_EQUAL, TIOCLINUX, 0, 1)
    answer(refuse)
    answer(ALLOW)
    families = [AF_UNIX] * unix_sockets + [AF_INET, AF_INET6] * internet
    add(_EQUAL, of.socket, 1, 0)
    answer(ALLOW)
    add(_LOAD, _ARG0)
    for family in families:
        add(_EQUAL, family, 0, 1)
        answer(ALLOW)
    if internet:  # NETLINK_ROUTE, by which programs list the interfaces
        add(_EQUAL, AF_NETLINK, 0, 3)
        add(_LOAD, _ARG2)
        add(_EQUAL, 0, 0, 1)
        answer(ALLOW)
    answer(ERRNO | errno.EAFNOSUPPORT)
    return b"".join(code)
