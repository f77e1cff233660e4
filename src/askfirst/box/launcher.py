"""What is behind the line that replaces a contained command (`start.py`): it runs the command in its box.

Every contained command pays for this start, so it imports little, and what is to be done was worked out before
(`runs.prepare`). Three processes share the work:

    launcher      this one: passes input and output through, hands signals on, says where the shell ended up
    supervisor    (supervisor.py) in a session of its own, so that it outlives whatever ends the client's children:
                  starts the engine, ends everything when the launcher goes, and judges what was changed
    engine        (entering.py) becomes bubblewrap, after putting the box together in the session's namespaces

Nothing is ever run bare: whatever goes wrong before the command has started is said, with the exit code 126.
"""

from __future__ import annotations

import marshal
import os
import sys
from _signal import SIG_IGN, SIGHUP, SIGINT, SIGPIPE, SIGTERM, signal  # type: ignore[import-not-found]
from select import POLLERR, POLLHUP, POLLIN, POLLOUT, poll

from askfirst.box import session, supervisor

TYPE_CHECKING = False  # of `typing`, whose import would take a third of this start
if TYPE_CHECKING:
    from typing import Any

Spec = dict[str, "Any"]

NOT_RUN = 126
AHEAD = 3  # where the launcher's own caller reads the directory in which the shell ended up
TAIL = 16384  # of the output, to see whether the box made the command fail


class NotRun(Exception):
    """Nothing was run, and why."""


def main(words: list[str]) -> int:
    try:
        place = words[1]
        spec = take(place)
        return launch(place, spec)
    except (NotRun, OSError, IndexError, session.NoSession) as error:
        sys.stderr.write(f"askfirst: the box could not be started: {error}. Nothing was run.\n")
        return NOT_RUN


def take(place: str) -> Spec:
    """What to do; once. Renaming has one winner."""
    found = os.lstat(place)
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise NotRun(f"{place} is not a private directory of this user")
    try:
        os.rename(os.path.join(place, "spec"), os.path.join(place, "used"))
    except FileNotFoundError:
        raise NotRun("this run is not known, or was used before") from None
    with open(os.path.join(place, "used"), "rb") as file:
        spec = marshal.load(file)
    if not isinstance(spec, dict) or spec.get("format") != 1:
        raise NotRun("this run was prepared by another version of askfirst")
    return spec


def launch(place: str, spec: Spec) -> int:
    merged = same_file(1, 2)
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    err_read, err_write = (out_read, out_write) if merged else os.pipe()
    life_read, life_write = os.pipe()
    report_read, report_write = os.pipe()
    supervisor.supervise_in_background(
        place, spec, (in_read, out_write, err_write), (out_read, err_read), life_read, report_write, caller_shell()
    )
    for fd in {in_read, out_write, err_write, life_read, report_write}:
        os.close(fd)
    for name in (SIGTERM, SIGINT, SIGHUP):
        signal(name, lambda *_: tell(life_write))
    signal(SIGPIPE, SIG_IGN)
    if spec["background"] and spec["session"] and spec["mode"] == "live":  # it says nothing before it ends
        sys.stderr.write(supervisor.REACHED.format(port="PORT"))
        sys.stderr.flush()
    report, tail = Pump(in_write, out_read, err_read, report_read, spec).run()
    if not report:
        raise NotRun("its supervisor has ended")
    return conclude(place, spec, marshal.loads(report), tail)


def same_file(one: int, other: int) -> bool:
    a, b = os.fstat(one), os.fstat(other)
    return (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)


def tell(fd: int) -> None:
    try:
        os.write(fd, b"stop")
    except OSError:
        pass


def caller_shell() -> tuple[str, str, str]:
    """How the client started its shell: the name, what it prepares before it evaluates the command, and the snapshot of
    functions and aliases that it reads for that."""
    try:
        with open(f"/proc/{os.getppid()}/cmdline", "rb") as file:
            words = file.read().decode("utf-8", "surrogateescape").split("\0")
    except OSError:
        return "", "", ""
    if len(words) < 3 or words[1] != "-c" or not words[2].startswith("source "):
        return "", "", ""
    before, found, _ = words[2].partition(" && eval '")
    if not found:
        return "", "", ""
    rest = before.removeprefix("source ")
    snapshot = rest[1:].partition("'")[0] if rest.startswith("'") else rest.partition(" ")[0]
    return words[0], before, snapshot


class Pump:
    """Passes input and output through until the supervisor has reported."""

    def __init__(self, in_write: int, out_read: int, err_read: int, report_read: int, spec: Spec) -> None:
        self.report_read, self.in_write = report_read, in_write
        self.targets = {out_read: 1} if out_read == err_read else {out_read: 1, err_read: 2}
        self.report: list[bytes] = []
        self.tail, self.held = b"", b""
        self.masks: Any = Unmasked()
        try:
            self.masks = masks_for(spec)
            self.filters: dict[int, Any] = {fd: self.masks.stream() for fd in self.targets}
        except Exception as error:
            self.filters = dict.fromkeys(self.targets, NotShown(error))
        self.gone = False
        os.set_blocking(in_write, False)
        self.watch = poll()
        for fd in (*self.targets, report_read):
            self.watch.register(fd, POLLIN)
        self.watch.register(0, POLLIN)
        self.reads_input = True

    def run(self) -> tuple[bytes, bytes]:
        done = False
        while not done:
            for fd, event in self.watch.poll(self.flush_overdue()):
                if fd == self.report_read:
                    done = not self.more_report()
                elif fd in self.targets:
                    self.pass_on(fd)
                elif fd == 0:
                    self.read_input()
                elif fd == self.in_write:
                    self.write_input(event)
        for fd in tuple(self.targets):
            os.set_blocking(fd, False)
            while self.pass_on(fd):
                pass
        for fd in tuple(self.targets):
            self.flush(fd)
        self.masks.keep_whole()
        return b"".join(self.report), self.tail

    def flush_overdue(self) -> float | None:
        """What is held back too long goes out. The milliseconds until the next is due."""
        waits = []
        for fd in tuple(self.targets):
            left_s = self.filters[fd].due_in()
            if left_s is not None and left_s <= 0:
                self.flush(fd)
            elif left_s is not None:
                waits.append(left_s * 1000 + 1)
        return min(waits, default=None)

    def more_report(self) -> bool:
        piece = os.read(self.report_read, 1 << 16)
        self.report.append(piece)
        return bool(piece)

    def pass_on(self, fd: int) -> bool:
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return False
        if not data:
            self.flush(fd)
            self.let_go(fd)
            return False
        self.tail = (self.tail + data)[-TAIL:]
        self.write_out(fd, self.looked(fd, data))
        return fd in self.targets

    def flush(self, fd: int) -> None:
        self.write_out(fd, self.looked(fd))

    def looked(self, fd: int, data: bytes = b"") -> bytes:
        """What may be seen now: of what has come, or of what was held back."""
        try:
            return bytes(self.filters[fd].feed(data) if data else self.filters[fd].flush())
        except Exception as error:
            refused = self.filters[fd] = NotShown(error)
            return refused.feed(data)

    def write_out(self, fd: int, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.gone:
            try:
                view = view[os.write(self.targets[fd], view) :]
            except BlockingIOError:
                waiting = poll()
                waiting.register(self.targets[fd], POLLOUT)
                waiting.poll(1000)
            except BrokenPipeError:
                # Nobody reads any more: the command learns it as it would have without a box.
                self.let_go(fd)
                return

    def let_go(self, fd: int) -> None:
        if fd in self.targets:
            self.watch.unregister(fd)
            os.close(fd)
            del self.targets[fd]

    def read_input(self) -> None:
        try:
            self.held = os.read(0, 1 << 16)
        except OSError:
            self.held = b""
        self.watch.unregister(0)
        if self.held:
            self.watch.register(self.in_write, POLLOUT)
        else:
            os.close(self.in_write)

    def write_input(self, event: int) -> None:
        try:
            self.held = b"" if event & (POLLERR | POLLHUP) else self.held[os.write(self.in_write, self.held) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            event |= POLLERR
        if event & (POLLERR | POLLHUP):
            self.watch.unregister(self.in_write)
            os.close(self.in_write)
        elif not self.held:
            self.watch.unregister(self.in_write)
            self.watch.register(0, POLLIN)


class Unmasked:
    """Whatever comes is passed on at once: the organisation's file says that output is not masked."""

    def stream(self) -> Unmasked:
        return self

    def feed(self, data: bytes) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""

    def due_in(self) -> float | None:
        return None

    def keep_whole(self) -> None:
        return


class NotShown(Unmasked):
    """Output that could not be looked through: the reason stands for all of it."""

    def __init__(self, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"
        self.said = f"[askfirst could not look for secrets in this output, so it is not shown: {why}]\n".encode()

    def feed(self, data: bytes) -> bytes:
        said, self.said = self.said, b""
        return said


def masks_for(spec: Spec) -> Any:
    """What the output passes through. Loaded while the command begins: a few milliseconds that nobody waits for."""
    if not spec["masks"]:
        return Unmasked()
    from askfirst import cold

    cold.install()
    from askfirst.box.stream import Masks

    return Masks(spec)


def conclude(place: str, spec: Spec, report: Spec, tail: bytes) -> int:
    """Say what is to be said after the output, and where the shell ended up."""
    if report["failed"]:
        # It worked when it was tried: the next command tries it anew, and asks if it does not work any more.
        known = os.path.join(os.path.dirname(os.path.dirname(place)), f"probe-{spec['engine']}.json")
        if os.path.exists(known):
            os.unlink(known)
        raise NotRun(report["failed"])
    code = int(report["code"])
    text = report["text"]
    if code != 0 or not spec["has_namespaces"]:
        from askfirst.box import voice

        text += voice.after_run(place, spec, code, tail)
    if text:
        sys.stderr.write(text)
        sys.stderr.flush()
    folder = report["where"] if spec.get("leads_back") else ""
    if folder and folder != spec["cwd"] and may_enter(folder, spec["project"]):
        try:
            os.write(AHEAD, os.fsencode(folder))
        except OSError:
            pass
    return code


def may_enter(folder: str, project: str) -> bool:
    """The value comes from code that nobody trusts."""
    inside = (folder + "/").startswith(project.rstrip("/") + "/")
    return inside and folder.isprintable() and os.path.isdir(folder) and os.path.realpath(folder) == folder
