"""Answers a queue on this terminal until the person leaves, as a dialog or as lines, whichever fits the terminal.

The drawing runs in a child process below a guardian, so that the terminal is restored even after SIGKILL.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.plain_signs import is_utf8
from askfirst.tui.dialog import Dialog
from askfirst.tui.guardian import guarded
from askfirst.tui.line_mode import LineMode
from askfirst.tui.notify import Notifier, desktop
from askfirst.tui.terminal import Ended, Hangup, Terminal

if TYPE_CHECKING:
    from askfirst.approval.manager import ApprovalManager
    from askfirst.tui.setting import Manager, Setting

    Around = Callable[[], contextlib.AbstractContextManager[object]]


def watch_here(
    make_manager: Callable[[], ApprovalManager],
    setting: Setting,
    *,
    around: Around,
    read_fd: int = 0,
    write_fd: int = 1,
) -> int:
    """Answer what is waiting until the person leaves.

    The manager is made in the process that uses it; `around` is entered there for as long as it lives.
    """

    def draw() -> int:
        with around():
            manager = make_manager()
            with manager.changes() as wake:
                return loop(manager, replace(setting, wake=wake), read_fd=read_fd, write_fd=write_fd)

    return guarded(draw, read_fd, write_fd) if os.isatty(read_fd) else draw()


def loop(manager: Manager, setting: Setting, *, read_fd: int = 0, write_fd: int = 1) -> int:
    """Dialog or line mode, changing over when the window's size asks for it. Returns an exit code."""
    notifier = Notifier(lambda: None)
    if not setting.quiet:
        # The Linux console prints control strings.
        strings = can_draw(read_fd, write_fd) and os.environ.get("TERM") != "linux"
        notifier = Notifier(
            lambda: _send(write_fd, "\a"), desktop(), (lambda text: _send(write_fd, text)) if strings else None
        )
    try:
        while True:
            if can_draw(read_fd, write_fd):
                with Terminal(read_fd, write_fd) as terminal:
                    ended = Dialog(manager, terminal, notifier, setting).run()
                if ended != "small":
                    return 0
            small = can_draw(read_fd, write_fd)
            lines = LineMode(manager, notifier, setting, read_fd=read_fd, write_fd=write_fd, small=small)
            if lines.run() != "large":
                return 0
    except Ended as end:
        return end.exit_code
    except (Hangup, BrokenPipeError):
        return 1
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            os.write(write_fd, b"\r\n")
        return 130


def can_draw(read_fd: int = 0, write_fd: int = 1) -> bool:
    """Whether a frame can be drawn here at all; its size is looked at later, since it may change."""
    if os.environ.get("TERM", "") in ("", "dumb") or os.environ.get("ACCESSIBLE", "") not in ("", "0"):
        return False
    return os.isatty(read_fd) and os.isatty(write_fd) and is_utf8()


def _send(fd: int, text: str) -> None:
    if os.isatty(fd):
        with contextlib.suppress(OSError):
            os.write(fd, text.encode())
