"""A parent that does nothing but wait, so that the terminal is restored even when the drawing child gets SIGKILL.

A killed child never approves anything: an answer exists only once it stands in the store.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from askfirst.tui.terminal import ENDING, restore

PR_SET_PDEATHSIG = 1
POLL_S = 0.1


def guarded(draw: Callable[[], int], read_fd: int = 0, write_fd: int = 1) -> int:
    """Run `draw` in a child and return its exit code, with the terminal as it was before."""
    saved = termios.tcgetattr(read_fd)
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os._exit(_drawing(draw, parent))
    return Guardian(child, saved, read_fd, write_fd).wait()


def _drawing(draw: Callable[[], int], parent: int) -> int:
    """The child's whole life. It ends when its guardian is killed."""
    die_with(parent)
    try:
        return draw()
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    except BaseException as error:
        # The border of this process: told, and never an approval.
        sys.stderr.write(f"askfirst watch: {type(error).__name__}: {error}\n")
        return getattr(error, "exit_code", 1)
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()


def die_with(parent: int) -> None:
    """SIGTERM for this process when its parent dies (Linux); the handlers then restore the terminal."""
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(128 + signal.SIGTERM)


class Guardian:
    """Waits for the drawing child: passes signals on, stops when it stops, cleans up when it dies."""

    def __init__(self, child: int, saved: list[Any], read_fd: int, write_fd: int) -> None:
        self._child, self._saved, self._in, self._out = child, saved, read_fd, write_fd
        self._continued = False

    def wait(self, gone: Callable[[], bool] | None = None) -> int:
        """The child's exit code. When `gone` says so, the child is told to end."""
        old = self._take_signals() if threading.current_thread() is threading.main_thread() else {}
        try:
            while True:
                pid, status = os.waitpid(self._child, os.WUNTRACED | (os.WNOHANG if gone is not None else 0))
                if pid == 0:
                    if gone is not None and gone():
                        self._pass_on(signal.SIGTERM, None)
                    time.sleep(POLL_S)
                elif not os.WIFSTOPPED(status):
                    return self._ended(status)
                else:
                    self._stop_too(ours=bool(old))
        finally:
            for number, handler in old.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    def _take_signals(self) -> dict[int, Any]:
        # Ctrl-C is the child's to understand.
        old: dict[int, Any] = {signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN)}
        for number in (*ENDING, signal.SIGTSTP):
            old[number] = signal.signal(number, self._pass_on)
        old[signal.SIGCONT] = signal.signal(signal.SIGCONT, self._on_continue)
        return old

    def _ended(self, status: int) -> int:
        if not os.WIFSIGNALED(status):
            return os.waitstatus_to_exitcode(status)
        number = os.WTERMSIG(status)
        restore(self._in, self._out, self._saved)
        sys.stderr.write(
            f"\r\naskfirst: the dialog was killed (signal {number}); nothing was approved, requests keep waiting\n"
        )
        return 128 + number

    def _stop_too(self, *, ours: bool) -> None:
        """The child stopped (Ctrl-Z, or somebody's SIGSTOP): the shell waits for us, so stop as well."""
        restore(self._in, self._out, self._saved)
        if not ours:
            return  # in a thread of somebody else's program: how it stops is its own affair
        self._continued = False
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._pass_on)
        if self._continued:
            self._pass_on(signal.SIGCONT, None)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, number)

    def _on_continue(self, _number: int, _frame: FrameType | None) -> None:
        self._continued = True
