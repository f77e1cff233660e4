"""Where the warm process of this user listens. No variable of the environment moves it: a repository's settings can set
variables for hooks, and would choose who answers for the gate.

    PLACE/BUILD.sock       the socket
    PLACE/BUILD.lock       held by the process for as long as it lives: one a user and version
    PLACE/BUILD.replies/   answers on their way; a client that lost its reply finds it there
    PLACE/BUILD.log        what the process said before it died
    PLACE/BUILD.differs    it answered otherwise than the cold hook: not started again until a person has looked
"""

from __future__ import annotations

import os
import stat
import sys
from zlib import crc32

from askfirst import __version__

PROTOCOL = 1
MAX_ADDRESS = 103  # what a socket's address holds: 107 bytes on Linux, 103 on macOS
LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "launch.py")


_sums: dict[str, str] = {}


def build() -> str:
    """Names one installation of one version: a client finds no process of another."""
    if sys.executable not in _sums:
        parts = (LAUNCHER, f"{os.path.dirname(sys.executable)}:{os.path.realpath(sys.executable)}")
        _sums[sys.executable] = "".join(f"{crc32(os.fsencode(part)):08x}" for part in parts)
    return f"{__version__}-{PROTOCOL}-{_sums[sys.executable]}"


def default() -> str:
    """Below the user's runtime directory, else a private one in /tmp, as tmux has it."""
    runtime = f"/run/user/{os.geteuid()}"
    try:
        found = os.lstat(runtime)
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
            return f"{runtime}/askfirst"
    except OSError:
        pass
    return f"/tmp/askfirst-{os.geteuid()}"


def is_private(place: str) -> bool:
    """A directory by its own name (no link) that this user alone can enter."""
    try:
        found = os.lstat(place)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def make(place: str) -> bool:
    """Whether the place is there and private afterwards."""
    try:
        os.mkdir(place, 0o700)
    except OSError:
        pass
    return is_private(place)


def socket_path(place: str) -> str:
    return f"{place}/{build()}.sock"


def lock_path(place: str) -> str:
    return f"{place}/{build()}.lock"


def replies_path(place: str) -> str:
    return f"{place}/{build()}.replies"


def log_path(place: str) -> str:
    return f"{place}/{build()}.log"


def differs_path(place: str) -> str:
    return f"{place}/{build()}.differs"
