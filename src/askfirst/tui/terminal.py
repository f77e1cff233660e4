"""The terminal: its modes, its signals, its size. Whatever ends the dialog, the terminal is left as it was found.

Type-ahead answered a dialog in 5 of 5 runs with TCSANOW or TCSADRAIN and in none with TCSAFLUSH; so every change of
mode flushes, and the loop flushes once more after a question's first frame.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
from types import FrameType
from typing import Any

# Bracketed paste on, cursor hidden, the window's title put aside: terminals that keep no titles ignore that.
BEGIN = "\x1b[?2004h\x1b[?25l\x1b[22;2t"
END = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[23;2t"
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Ended(BaseException):
    """A signal told the process to end. Not an Exception: nothing on the way may swallow it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


class Hangup(Exception):
    """The terminal is gone, or its input has ended."""


class Terminal:
    """`with Terminal() as terminal:` is a terminal in dialog mode: keys come one by one, unseen; signals work."""

    def __init__(self, read_fd: int = 0, write_fd: int = 1) -> None:
        self._in, self._out = read_fd, write_fd
        self._keys = read_fd  # where keys are read from
        self._saved: list[Any] | None = None
        self._handlers: dict[int, Any] = {}
        self._wake = (-1, -1)
        self.resized = self.continued = self._stopping = False
        self._ending = 0  # the signal that ends it

    def __enter__(self) -> Terminal:
        self._ending = 0
        self._saved = termios.tcgetattr(self._in)
        self._keys = _own(self._in)
        self._wake = os.pipe()
        for fd in self._wake:
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        handlers = {signal.SIGWINCH: self._on_size, signal.SIGTSTP: self._on_stop, signal.SIGCONT: self._on_continue}
        for number, handler in [*handlers.items(), *((n, self._on_end) for n in ENDING)]:
            self._handlers[number] = signal.signal(number, handler)
        self._begin()
        return self

    def __exit__(self, *_error: object) -> None:
        # The mode first: should another signal come now, the terminal is already as it was.
        self.restore()
        signal.set_wakeup_fd(-1)
        for number, handler in self._handlers.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        for fd in (*self._wake, *((self._keys,) if self._keys != self._in else ())):
            os.close(fd)
        self._keys = self._in

    def size(self) -> tuple[int, int]:
        """Columns and rows; a terminal that does not know is taken as 80 x 24."""
        return size_of(self._out)

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        try:
            while data:
                data = data[os.write(self._out, data) :]
        except OSError as error:
            raise Hangup from error

    def read(self, timeout_s: float, also: int = -1) -> bytes:
        """What was typed within the time; also returns when a signal or `also` wants attention."""
        if self._ending:
            raise Ended(self._ending)  # Python drops an exception of a handler in destructors
        watched = [self._keys, self._wake[0]] + ([also] if also >= 0 else [])
        ready, _, _ = select.select(watched, [], [], max(0.0, timeout_s))
        if self._wake[0] in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake[0], 4096)
        if self._keys not in ready:
            return b""
        try:
            data = os.read(self._keys, 4096)
        except BlockingIOError:
            return b""  # flushed since: a change of mode after a stop
        except OSError as error:
            raise Hangup from error
        if not data:
            raise Hangup
        return data

    def flush(self) -> None:
        """Forget what was typed so far."""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._in, termios.TCIFLUSH)

    def restore(self) -> None:
        if self._saved is not None:
            restore(self._in, self._out, self._saved)

    def _begin(self) -> None:
        assert self._saved is not None
        mode = [*self._saved[:6], list(self._saved[6])]
        mode[0] &= ~(termios.IXON | termios.ICRNL | termios.INLCR | termios.ISTRIP)  # Ctrl-S must not freeze a question
        mode[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._in, termios.TCSAFLUSH, mode)
        with contextlib.suppress(Hangup):
            self.write(BEGIN)

    def _on_size(self, _number: int, _frame: FrameType | None) -> None:
        self.resized = True

    def _on_end(self, number: int, _frame: FrameType | None) -> None:
        """Once: where the guardian is killed, the kernel's SIGHUP comes while SIGTERM is ending us, and a second
        exception would keep the terminal from being restored."""
        if self._ending:
            return
        self._ending = number
        raise Ended(number)

    def _on_stop(self, number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: leave the terminal as it was, then really stop.

        Once: the terminal tells the guardian as well, which passes it on.
        """
        if self._stopping:
            return
        self._stopping = True
        old = signal.pthread_sigmask(signal.SIG_BLOCK, {number})  # one that comes meanwhile becomes one with ours
        self.restore()
        with contextlib.suppress(Hangup):
            self.write("\r\n")
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_SETMASK, old)  # stops here
        signal.signal(number, self._on_stop)
        self._stopping = False
        self._on_continue(signal.SIGCONT, None)

    def _on_continue(self, _number: int, _frame: FrameType | None) -> None:
        self._begin()
        self.continued = True


def _own(fd: int) -> int:
    """The same terminal, opened again so that a read never blocks.

    The shell's own description stays as it is: it would find its input changed after a SIGKILL. Where it cannot be
    opened (another user's, after `su`), the given one has to do.
    """
    try:
        path = f"/proc/self/fd/{fd}" if os.path.exists("/proc/self/fd") else os.ttyname(fd)
        return os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return fd


def restore(read_fd: int, write_fd: int, saved: list[Any]) -> None:
    """The mode as it was; what was typed meanwhile is dropped, so that a shell does not run it."""
    # A process in the background may restore, too: without this it would be stopped by SIGTTOU in the middle of it.
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        with contextlib.suppress(OSError):
            os.write(write_fd, END.encode())
        with contextlib.suppress(termios.error, OSError):
            termios.tcsetattr(read_fd, termios.TCSAFLUSH, saved)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def size_of(fd: int) -> tuple[int, int]:
    try:
        size = os.get_terminal_size(fd)
    except OSError:
        return 80, 24
    return size.columns or 80, size.lines or 24
