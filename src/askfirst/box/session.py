"""What the contained calls of one session share: a network with nothing but loopback, and a /tmp that lies over the
real one.

    box/sessions/<name>/holder    pid and start time of the process that keeps both alive
    box/sessions/<name>/active/   a file for each run that goes on: the pid of its first process
    box/sessions/<name>/root      what its boxes have in common (mounted in the holder's namespace only)
    box/sessions/<name>/tmp-upper what they wrote to /tmp
    box/sessions/<name>/tmp-hides what lies between that and the real /tmp: empty, in place of what is private there

The holder does nothing but wait: for the client to end, or until nothing has been contained for a while. Imported by
every contained command's start, so it imports little.
"""

import fcntl
import os
import time
from select import POLLIN, poll

from askfirst.box import kernel, mounts

IDLE_S = 1800.0
LOOK_S = 20.0
NAMESPACES = ("user", "net", "mnt")
# What hides in /tmp: sockets of daemons, and other people's sessions.
HIDDEN_IN_TMP = (
    "tmux-",
    "ssh-",
    ".X11-unix",
    ".ICE-unix",
    ".XIM-unix",
    "dbus-",
    "cc-socks",
    "systemd-private-",
    "snap-",
)
MAX_HIDDEN_IN_TMP = 200


class NoSession(Exception):
    """The namespaces of the session cannot be had."""


def started(pid: int) -> str:
    """When a process started, in the kernel's ticks: with its number it names one process. "" when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return ""
    fields = text[text.rfind(b")") + 2 :].split()
    return "" if fields[0] in (b"Z", b"X") else fields[19].decode()


def named_process(path: str) -> int:
    """The living process that a file names by pid and start time; 0 when there is none."""
    try:
        with open(path, "rb") as file:
            pid, ticks = file.read().split()
    except (OSError, ValueError):
        return 0
    return int(pid) if pid.isdigit() and started(int(pid)).encode() == ticks else 0


def name_process(path: str, pid: int) -> None:
    with open(path + ".new", "wb") as file:
        file.write(f"{pid} {started(pid)}".encode())
    os.rename(path + ".new", path)


def join(place: str, base: list, *, layered: bool, client: int) -> list[int]:  # type: ignore[type-arg]
    """Descriptors of the session's namespaces. Starts the holder where none lives; it puts together what all boxes of
    the session have in common (`base`)."""
    os.makedirs(os.path.join(place, "active"), mode=0o700, exist_ok=True)
    used = os.path.join(place, "used")
    os.close(os.open(used, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    os.utime(used)
    found = namespaces(place)
    if found:
        return found
    lock = os.open(os.path.join(place, "lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = namespaces(place) or _start(place, base, layered, client)
    finally:
        os.close(lock)
    return found


def namespaces(place: str) -> list[int]:
    path = os.path.join(place, "holder")
    pid = named_process(path)
    if not pid:
        return []
    fds = []
    try:
        for name in NAMESPACES:
            fds.append(os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        pass
    # It may have ended, and its number may be another process's by now.
    if len(fds) == len(NAMESPACES) and named_process(path) == pid:
        return fds
    for fd in fds:
        os.close(fd)
    return []


def _start(place: str, base: list, layered: bool, client: int) -> list[int]:  # type: ignore[type-arg]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # Once more: whoever ends the client's children must not end this one.
        if os.fork() == 0:
            _hold(place, base, layered, client, writing)
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    if said:
        raise NoSession(said.decode("utf-8", "replace"))
    found = namespaces(place)
    if not found:
        raise NoSession("the process that keeps the session's network has ended")
    return found


def _hold(place: str, base: list, layered: bool, client: int, writing: int) -> None:  # type: ignore[type-arg]
    code = 1
    try:
        os.setsid()
        leave_descriptors(writing)
        kernel.own_user_namespace(kernel.NEWNS | kernel.NEWNET)
        kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        _loopback_up()
        _make_root(place, base, layered)
        name_process(os.path.join(place, "holder"), os.getpid())
        os.close(writing)
        writing = -1
        _wait(place, client)
        code = 0
    except OSError as error:
        if writing >= 0:
            os.write(writing, str(error).encode()[:400] or b"?")
    finally:
        os._exit(code)


def leave_descriptors(*kept: int) -> None:
    """Close everything but these; the first three become /dev/null. A pipe of the client's that stays open here would
    keep the client waiting."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        if fd not in kept:
            os.dup2(null, fd)
    start = 3
    for fd in sorted(f for f in kept if f >= 3):
        os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, 4096)


def _loopback_up() -> None:
    from socket import AF_INET, SOCK_DGRAM, socket

    with socket(AF_INET, SOCK_DGRAM) as plug:
        # SIOCSIFFLAGS with IFF_UP | IFF_RUNNING
        fcntl.ioctl(plug, 0x8914, b"lo".ljust(16, b"\0") + (0x41).to_bytes(2, "little") + bytes(22))


def _make_root(place: str, base: list, layered: bool) -> None:  # type: ignore[type-arg]
    """What every box of the session has: the system, devices, and a /tmp that is a layer over the real one where the
    kernel makes one, else a directory of the session's own."""
    root, void = os.path.join(place, "root"), os.path.join(place, "void")
    names = {n: os.path.join(place, n) for n in ("tmp-upper", "tmp-work", "tmp-hides", "var-tmp")}
    for path in (root, *names.values()):
        os.makedirs(path, mode=0o700, exist_ok=True)
    for name in ("tmp-upper", "var-tmp"):
        os.chmod(names[name], 0o1777)
    kernel.tmpfs(root, 0o755)
    mounts.make_void(void)
    mounts.make_devices(root)
    os.mkdir(f"{root}/proc", 0o755)
    os.mkdir(f"{root}/tmp", 0o1777)
    mark = os.path.join(place, "layered")
    if os.path.exists(mark):
        os.unlink(mark)
    try:
        if layered:
            hidden = private_in_tmp()
            hide(names["tmp-hides"], hidden)
            below = (names["tmp-hides"], "/tmp")
            kernel.mount_overlay(below, names["tmp-upper"], names["tmp-work"], f"{root}/tmp")
            with open(mark, "wb") as file:
                file.write(b"".join(os.fsencode(path) + b"\0" for path in hidden))
    except OSError:
        layered = False  # askfirst's own state lies below /tmp
    own = [("rw", names["var-tmp"], "/var/tmp")] + ([] if layered else [("rw", names["tmp-upper"], "/tmp")])
    mounts.perform(root, void, [*base, *own])


def private_in_tmp() -> list[str]:
    """What in the real /tmp is nobody else's business: what its owner keeps private, and the sockets of daemons."""
    found: list[str] = []
    with os.scandir("/tmp") as entries:
        for entry in entries:
            if entry.is_symlink():
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            kind = status.st_mode & 0o170000
            if status.st_mode & 0o077 == 0 or entry.name.startswith(HIDDEN_IN_TMP) or kind == 0o140000:
                found.append(entry.path)
    return found


def hide(place: str, hidden: list[str]) -> None:
    """Fill a layer with what covers this: a mount for each would have every later one read a longer list. A directory
    is the session's own, for pytest and others expect theirs to be there; a file cannot be opened."""
    for entry in os.scandir(place):
        (os.rmdir if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)
    for path in hidden:
        cover = os.path.join(place, os.path.basename(path))
        if os.path.isdir(path):
            os.mkdir(cover, 0o700)
            os.setxattr(cover, "user.overlay.opaque", b"y")
        else:
            os.close(os.open(cover, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o000))


def newly_private(place: str) -> list[str]:
    """What has become private in /tmp since the session's layers were put together: those may not change."""
    try:
        with open(os.path.join(place, "layered"), "rb") as file:
            known = {os.fsdecode(path) for path in file.read().split(b"\0")}
    except FileNotFoundError:
        return []  # nothing of the real one is shown
    return [path for path in private_in_tmp() if path not in known]


def _wait(place: str, client: int) -> None:
    """Until the client has ended, or nothing has been contained for a while."""
    watch = poll()
    try:
        if client > 1:
            watch.register(os.pidfd_open(client), POLLIN)
    except OSError:
        pass
    used = os.path.join(place, "used")
    while True:
        if watch.poll(LOOK_S * 1000):
            break
        try:
            idle = time.time() - os.stat(used).st_mtime > IDLE_S
        except OSError:
            break  # somebody has forgotten the session
        if idle and not any(True for _ in active(place)):
            break
    stop_active(place)


def active(place: str) -> list[tuple[str, int]]:
    """The runs of a session that go on, with the first process of each."""
    folder = os.path.join(place, "active")
    try:
        names = [n for n in os.listdir(folder) if not n.endswith(".new")]
    except OSError:
        return []
    return [(n, pid) for n in names if (pid := named_process(os.path.join(folder, n)))]


def stop_active(place: str) -> None:
    """With the first process of a box, the kernel ends all the others of it."""
    for _, pid in active(place):
        kill(pid)


def kill(pid: int, number: int = 9) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def end(place: str) -> None:
    """End what the session keeps alive. Its /tmp stays until the session is forgotten."""
    stop_active(place)
    pid = named_process(os.path.join(place, "holder"))
    if pid:
        kill(pid)
