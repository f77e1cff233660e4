"""Who is at the other end of a socket, as the system tells."""

from __future__ import annotations

import os
import struct
import sys
from _socket import SOL_SOCKET, socket

SO_PEERCRED, SO_PEERGROUPS = 17, 59  # Linux; macOS has no such names, and Python none for the second
SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID = 0, 1, 2  # macOS


class Peer:
    def __init__(self, uid: int, pid: int, executable: str) -> None:
        self.uid, self.pid, self.executable = uid, pid, executable


def peer_of(line: socket) -> Peer:
    """Raises OSError."""
    if sys.platform == "darwin":
        _, uid = struct.unpack("2I", line.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, 8))
        (pid,) = struct.unpack("i", line.getsockopt(SOL_LOCAL, LOCAL_PEERPID, 4))
        return Peer(uid, pid, _path_on_mac(pid))
    pid, uid, _ = struct.unpack("3i", line.getsockopt(SOL_SOCKET, SO_PEERCRED, 12))
    return Peer(uid, pid, os.readlink(f"/proc/{pid}/exe"))


def _path_on_mac(pid: int) -> str:
    import ctypes  # only there

    path = ctypes.create_string_buffer(4096)
    size = ctypes.CDLL(None).proc_pidpath(pid, path, len(path))
    return os.fsdecode(path.raw[:size]) if size > 0 else ""


def is_like_us(line: socket) -> bool:
    """Whether the client has this user's rights and sees the same files: then it may be judged here."""
    if sys.platform == "darwin":
        return peer_of(line).uid == os.geteuid()
    pid, uid, gid = struct.unpack("3i", line.getsockopt(SOL_SOCKET, SO_PEERCRED, 12))
    if uid != os.geteuid() or gid != os.getegid() or pid <= 0:
        return False
    try:
        groups = line.getsockopt(SOL_SOCKET, SO_PEERGROUPS, 1024)
    except OSError:  # more groups than fit, or an old kernel
        return False
    if set(struct.unpack(f"{len(groups) // 4}I", groups)) != set(os.getgroups()):
        return False
    return os.stat(f"/proc/{pid}/ns/mnt").st_ino == os.stat("/proc/self/ns/mnt").st_ino
