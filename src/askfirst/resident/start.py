"""Starting, finding and ending the warm process. One a user and version, however many want to start it: whoever gets
the lock hands it to the process, which holds it until it dies."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from _socket import AF_UNIX, SOCK_STREAM, socket

from askfirst.errors import AskfirstError, StoreError
from askfirst.resident import protocol
from askfirst.resident import socket_place as places
from askfirst.resident.peer import peer_of
from askfirst.resident.thin import is_off
from askfirst.store.layers import org_files, settings_of

AGAIN_S = 3.0  # a process that dies at once is not started with every call
KEPT = ("PATH", "HOME", "LC_ALL", "LC_CTYPE", "LANG")
CONTROL_S = 2.0


def start_behind(place: str, *, at_once: bool = False) -> bool:
    """Start the process, and wait for nothing. False where there is one, or there must be none."""
    if is_off() or not places.make(place) or why_not(place):
        return False
    held = lock(place)
    if held < 0:
        return False
    try:
        if not _is_due(held) and not at_once:
            return False
        _spawn(place, held)
    finally:
        os.close(held)
    return True


def wait_until_answering(place: str, seconds: float = 10.0) -> bool:
    give_up = time.monotonic() + seconds
    while ask(place, protocol.STATUS) is None:
        if time.monotonic() > give_up or not is_running(place):
            return False
        time.sleep(0.02)
    return True


def why_not(place: str) -> str:
    """Why no warm process may be started; "" where one may."""
    if os.path.lexists(places.differs_path(place)):
        return "it answered otherwise than the cold hook; look at `askfirst alerts`, then `askfirst resident start`"
    if len(os.fsencode(places.socket_path(place))) > places.MAX_ADDRESS:
        return f"{place}: this path is too long for a socket"
    try:
        if not settings_of(org_files()).resident:
            return "`resident: off` stands in the organisation's or your own file"
    except AskfirstError:
        return ""  # a broken file closes the gate, warm or cold
    return ""


def lock(place: str) -> int:
    """The lock, or -1 while a process holds it."""
    try:
        held = os.open(places.lock_path(place), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return -1
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return -1
    return held


def _is_due(held: int) -> bool:
    last = os.pread(held, 40, 0)
    now = time.time()
    if last and 0 <= now - float(last) < AGAIN_S:
        return False
    os.pwrite(held, b"%-20.3f" % now, 0)
    return True


def _spawn(place: str, held: int) -> None:
    command = [sys.executable, "-I", "-S", places.LAUNCHER, "resident", "run", "--place", place, "--lock", str(held)]
    environ = {name: os.environ[name] for name in KEPT if name in os.environ}
    log = os.open(places.log_path(place), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    pid = os.fork()
    if pid:
        os.close(log)
        return
    try:
        os.setsid()
        os.chdir("/")
        null = os.open(os.devnull, os.O_RDWR)
        for number, target in ((null, 0), (null, 1), (log, 2)):
            os.dup2(number, target)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.set_inheritable(held, True)
        os.execve(sys.executable, command, environ)
    finally:
        os._exit(1)


# What a person may want of it


def ask(place: str, kind: bytes) -> bytes | None:
    """What it says to `status` or `stop`; None where none is there, or it does not answer."""
    key = os.urandom(protocol.KEY_BYTES)
    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        line.settimeout(CONTROL_S)
        line.connect(places.socket_path(place))
        if peer_of(line).uid != os.geteuid():
            return None
        line.sendall(protocol.HookCall(places.build().encode(), key, kind).packed())
        reply = bytearray()
        while chunk := line.recv(1 << 16):
            reply += chunk
        return protocol.answer_in(bytes(reply), key).stdout
    except (OSError, ValueError):
        return None
    finally:
        line.close()


def pid_behind(place: str) -> int:
    """The process that listens, also one that does not answer; 0 when there is none."""
    line = socket(AF_UNIX, SOCK_STREAM)
    try:
        line.setblocking(False)
        line.connect(places.socket_path(place))
        peer = peer_of(line)
        return peer.pid if peer.uid == os.geteuid() else 0
    except OSError:
        return 0
    finally:
        line.close()


def is_running(place: str) -> bool:
    held = lock(place) if places.is_private(place) else -2
    if held >= 0:
        os.close(held)
    return held == -1


def stop(place: str) -> bool:
    """End the process; True when there was one. One that does not answer is killed."""
    if not is_running(place):
        return False
    ask(place, protocol.STOP)
    for number in (0, signal.SIGTERM, signal.SIGKILL):
        pid = pid_behind(place) if number else 0
        if pid:
            os.kill(pid, number)
        if wait_until_gone(place, CONTROL_S):
            return True
    raise StoreError(f"{places.lock_path(place)}: the process that holds it does not end; look for `askfirst resident`")


def wait_until_gone(place: str, seconds: float) -> bool:
    give_up = time.monotonic() + seconds
    while is_running(place):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True
