"""Starts the engine, ends everything when the launcher goes, and sees to what was changed. A process in a session of
its own: it outlives whatever ends the client's children, so that nothing of a box outlives it."""

from __future__ import annotations

import marshal
import os
import sys
import time
from _signal import SIG_IGN, SIGCONT, SIGPIPE, SIGSTOP, SIGTERM, signal  # type: ignore[import-not-found]
from select import POLLIN, poll

from askfirst.box import entering, kernel, session
from askfirst.box.strays import strays

TYPE_CHECKING = False  # of `typing`, whose import would take a third of this start
if TYPE_CHECKING:
    from typing import Any

Spec = dict[str, "Any"]

GRACE_S = 1.0
SETTLE_S = 0.1  # how long the last processes of a box may take to end with its shell
WATCH_S = 1.0
TICK_S = 0.02  # the disk's clock is no finer than the kernel's ticks
MAX_WHERE = 8192
REACHED = (
    "askfirst: this runs on in a network of its own, which your next contained commands share; a person reaches it "
    "with `askfirst box forward {port}` in a terminal\n"
)
LISTENING = b"0A"


def supervise_in_background(
    place: str,
    spec: Spec,
    inner: tuple[int, int, int],
    drained: tuple[int, int],
    life: int,
    report: int,
    shell: tuple[str, str, str],
) -> None:
    """`inner`: the command's three streams. `drained`: the other ends of its output. `life`: closed, or written to,
    when the launcher goes. `report`: where it reads what became of the run. `shell`: see `launcher.caller_shell`."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    if os.fork():
        os._exit(0)
    try:
        os.setsid()
        Supervisor(place, spec, inner, drained, life, report, shell).run()
    except BaseException as error:
        send(report, {"failed": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(0)


def send(fd: int, value: Spec) -> None:
    try:
        data = memoryview(marshal.dumps(value))
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        pass
    finally:
        try:
            os.close(fd)
        except OSError:
            pass


def note_code(place: str, code: int) -> None:
    """For whoever looks at the run later; what it changed has a report of its own."""
    try:
        fd = os.open(os.path.join(place, "code"), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.write(fd, str(code).encode())
        os.close(fd)
    except OSError:
        pass


class Supervisor:
    """One run, from its first process to the last."""

    def __init__(
        self,
        place: str,
        spec: Spec,
        inner: tuple[int, int, int],
        drained: tuple[int, int],
        life: int,
        report: int,
        shell: tuple[str, str, str],
    ) -> None:
        self.place, self.spec, self.inner, self.drained = place, spec, inner, set(drained)
        self.life, self.report, self.shell = life, report, shell
        self.active = os.path.join(spec["session_place"], "active", os.path.basename(place))
        self.init, self.stopping = 0, 0.0
        self.copy = -1  # holds the copy of the project, where there is no overlay
        self.said, self.has_started, self.where = b"", False, -1

    def run(self) -> None:
        if not self.spec["has_namespaces"]:
            if sys.platform == "linux":
                kernel.adopt_orphans()
        self.prepare()
        fds = self.namespaces()
        where = os.path.join(self.place, "where")
        os.mkfifo(where, 0o600)
        self.where = os.open(where, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        info_read, info_write = os.pipe()
        engine = os.fork()
        if engine == 0:
            entering.become_engine(self.place, self.spec, fds, self.inner, info_write, self.shell)
        # The client's own descriptors stay with the launcher.
        session.leave_descriptors(*self.drained, self.life, self.report, self.where, info_read, self.copy)
        signal(SIGPIPE, SIG_IGN)
        if not self.spec["has_namespaces"]:
            self.init = engine
        else:
            with os.fdopen(info_read, "rb") as file:
                self.init = child_pid(file.read())
        if self.init:
            try:
                session.name_process(self.active, self.init)
            except OSError:
                pass
        code = self.wait(engine)
        self.finish(code)

    def prepare(self) -> None:
        if self.spec["mode"] == "copy":
            self.make_copy()
        if self.spec.get("kept"):
            self.keep_copy()
        if self.spec["mode"] == "overlay":
            for name in ("upper", "work", "merged"):
                os.mkdir(os.path.join(self.place, name), 0o700)
            # An overlay's root has the mode of its upper directory.
            os.chmod(os.path.join(self.place, "upper"), os.stat(self.spec["project"]).st_mode & 0o7777)
        self.began = os.stat(os.path.join(self.place, "used")).st_ctime_ns
        os.makedirs(os.path.dirname(self.active), mode=0o700, exist_ok=True)

    def make_copy(self) -> None:
        """One run at a time works on the copy; what is left out of it is shown as it is."""
        tree, left_out = self.keep_copy()
        os.symlink(tree, os.path.join(self.place, "merged"))
        paths = [os.path.join(self.spec["project"], name) for name in left_out]
        self.spec["project_steps"][1:1] = [("ro", path, path) for path in paths]

    def keep_copy(self) -> tuple[str, list[str]]:
        from askfirst.box import mirror

        self.copy = mirror.hold(self.spec["project"])
        os.mkdir(os.path.join(self.place, "upper"), 0o700)
        return mirror.sync(self.spec["project"])

    def namespaces(self) -> list[int]:
        if not self.spec["session"]:
            return []
        return session.join(
            self.spec["session_place"],
            self.spec["base"],
            layered=self.spec["layered_tmp"],
            client=self.spec["client"],
        )

    def wait(self, engine: int) -> int:
        """Until the shell has ended. Ends everything when the launcher goes, or is told to stop."""
        watch = poll()
        # macOS has none: there the process is asked every now and then.
        ended = os.pidfd_open(engine) if hasattr(os, "pidfd_open") else -1
        for fd in filter(lambda fd: fd >= 0, (ended, self.life, self.where)):
            watch.register(fd, POLLIN)
        while True:
            ready = [fd for fd, _ in watch.poll(WATCH_S * 1000 if ended >= 0 and not self.stopping else 50)]
            if ended in ready or (ended < 0 and has_ended(engine)):
                return exit_code_of(engine)
            if self.where in ready:
                self.hear()
            if self.life in ready:
                self.heed(watch)
            if (self.stopping and time.monotonic() > self.stopping) or self.too_many():
                self.kill()

    def heed(self, watch: poll) -> None:
        """The launcher says stop, or is gone."""
        if os.read(self.life, 64):
            self.stop()
        else:
            watch.unregister(self.life)
            self.kill()

    def stop(self) -> None:
        """Every process of the box is asked to end; those that do not are made to."""
        if self.stopping:
            return
        self.stopping = time.monotonic() + GRACE_S
        for pid in descendants(self.init):
            session.kill(pid, SIGTERM)

    def kill(self) -> None:
        """The kernel ends a namespace with its first process. Without one, all are looked for until none is left."""
        if self.init:
            session.kill(self.init)
        while not self.spec["has_namespaces"] and (left := descendants(os.getpid())):
            for pid in left:
                session.kill(pid)
            self.reap()

    def reap(self) -> None:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass

    def too_many(self) -> bool:
        """More processes than any build has. Limits do not hold for root."""
        if not self.spec["has_namespaces"]:
            return len(descendants(os.getpid())) > int(self.spec["max_processes"])
        try:
            names = os.listdir(f"/proc/{self.init}/root/proc") if self.init else []
        except OSError:
            return False
        return sum(name.isdigit() for name in names) > int(self.spec["max_processes"])

    def hear(self) -> None:
        """What the shell says of itself. Whatever runs inside can write there, too: only the end is kept."""
        try:
            self.said = (self.said + os.read(self.where, MAX_WHERE))[-MAX_WHERE:]
            self.has_started = True
        except BlockingIOError:
            pass

    def finish(self, code: int) -> None:
        self.hear()
        said = self.said
        if not self.has_started:
            why = "the engine failed to start" if not self.stopping else "it was stopped before it began"
            send(self.report, {"failed": why})
            self.clear()
            return
        where = os.fsdecode(said.removeprefix(b"S").rstrip(b"\n").rpartition(b"\n")[2])
        code = 128 - code if code < 0 else code
        left = self.survivors()
        if left and not self.hold_still():
            self.kill()
            left = False
        try:
            text = self.settle(code)
        except Exception as error:
            text = (
                f"askfirst: what it changed could not be judged, and is kept aside: {type(error).__name__}: {error}\n"
            )
        if left:
            self.go_on()
            text += self.how_to_reach()
        send(self.report, {"failed": "", "code": code, "text": text, "where": where})
        note_code(self.place, code)
        if left:
            self.outlive()
            self.settle(code)
        self.clear()

    def how_to_reach(self) -> str:
        """What is said of a server that goes on, for whoever wants to open it in a browser. One that has just been
        started may not listen yet; what listens may be another run's."""
        ports = listening(self.init)
        is_only = len(session.active(self.spec["session_place"])) == 1
        if not self.spec["session"] or not (self.spec["mode"] == "live" or (ports and is_only)):
            return ""
        return REACHED.format(port=ports[-1] if ports else "PORT")

    def survivors(self) -> bool:
        """Whether something of the box goes on after its shell has ended (`server &`)."""
        if self.stopping or not self.spec["has_namespaces"]:
            self.kill()  # without namespaces there is no network in which anybody could reach it
        give_up = time.monotonic() + SETTLE_S
        while self.init and descendants(self.init):
            if time.monotonic() > give_up:
                return True
            time.sleep(0.002)
        return False

    def hold_still(self) -> bool:
        """Stop what goes on in the background while its changes are judged: nothing may take another's place meanwhile.
        Whether all of it stands still."""
        give_up = time.monotonic() + GRACE_S
        while time.monotonic() < give_up:
            running = [pid for pid in descendants(self.init) if not stands_still(pid)]
            if not running:
                return True
            for pid in running:
                session.kill(pid, SIGSTOP)
            time.sleep(0.001)
        return False

    def go_on(self) -> None:
        for pid in descendants(self.init):
            session.kill(pid, SIGCONT)

    def outlive(self) -> None:
        """Wait for the end of what goes on in the background, and take what it still says."""
        watch = poll()
        ended = os.pidfd_open(self.init)
        watch.register(ended, POLLIN)
        for fd in self.drained:
            watch.register(fd, POLLIN)
        while True:
            for fd, _ in watch.poll(WATCH_S * 1000):
                if fd == ended:
                    return
                if not os.read(fd, 1 << 16):
                    watch.unregister(fd)
            if self.too_many():
                self.kill()

    def settle(self, code: int) -> str:
        """Judge what was changed, and bring to the disk what may."""
        if self.spec["mode"] == "copy":
            from askfirst.box import mirror

            mirror.lay_out(self.spec["project"], os.path.join(self.place, "upper"))
        elif self.spec.get("kept"):
            from askfirst.box import mirror

            mirror.take_back(self.spec["project"], os.path.join(self.place, "upper"))
            time.sleep(TICK_S)
            os.utime(os.path.join(self.place, "used"))  # nobody else has touched what was taken back
        elif not self.has_changed():
            return ""
        from askfirst.resident.thin import settled

        told = settled(self.spec.get("resident", ""), self.place, code, self.began)
        if told is not None:
            return told
        from askfirst.contained import settle

        return settle(self.place, self.spec, code, self.began)

    def has_changed(self) -> bool:
        """Whether there is anything to judge."""
        if self.spec["mode"] == "overlay" and os.listdir(os.path.join(self.place, "upper")):
            return True
        return any(True for _ in strays(self.spec.get("builds", ()), self.spec.get("obeyed", ()), self.began))

    def clear(self) -> None:
        try:
            os.unlink(self.active)
        except OSError:
            pass


def listening(pid: int) -> list[int]:
    """The TCP ports of its network on which something listens."""
    found: set[int] = set()
    for name in ("tcp", "tcp6"):
        try:
            with open(f"/proc/{pid}/net/{name}", "rb") as file:
                rows = [row.split() for row in file.read().splitlines()[1:]]
        except OSError:
            continue
        found |= {int(row[1].rpartition(b":")[2], 16) for row in rows if row[3] == LISTENING}
    return sorted(found)


def stands_still(pid: int) -> bool:
    """Stopped, or gone, with all its threads."""
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", "rb") as file:
                text = file.read()
            if text[text.rfind(b")") + 2 :][:1] not in (b"T", b"t", b"Z", b"X"):
                return False
    except OSError:
        return not os.path.exists(f"/proc/{pid}")
    return True


def has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def exit_code_of(pid: int) -> int:
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return -9  # it was made to end, with all the others


def descendants(pid: int) -> list[int]:
    found, todo = [], [pid]
    while todo:
        try:
            with open(f"/proc/{(at := todo.pop())}/task/{at}/children", "rb") as file:
                todo += (children := [int(word) for word in file.read().split()])
        except OSError:
            continue
        found += children
    return found


def child_pid(said: bytes) -> int:
    """The first process of the box, from what bubblewrap says of itself: `{ "child-pid": 12 }`."""
    digits = said.partition(b'"child-pid":')[2].strip(b" \n}").partition(b",")[0].strip()
    return int(digits) if digits.isdigit() else 0
