"""Attention, once: a bell and, where there is one, a desktop notification, at the first request after a quiet while.

Twenty requests at once ring once. A notification says that something waits, never enough to answer it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from askfirst.approval.question import Question
from askfirst.text import one_line

QUIET_S = 10.0


class Notifier:
    """`arrived` is told about every new request and rings for the first of a burst."""

    def __init__(self, ring: Callable[[], None], desktop: Callable[[str, str], None] | None = None) -> None:
        self._ring, self._desktop = ring, desktop
        self._last: float | None = None

    def arrived(self, question: Question, now: float) -> bool:
        words = f"{question.agent or 'an agent'} asks: {one_line(question.text, 120)}"
        return self.tell("DANGER: an agent is waiting" if question.danger else "an agent is waiting", words, now)

    def tell(self, title: str, words: str, now: float) -> bool:
        quiet = self._last is None or now - self._last >= QUIET_S
        self._last = now
        if quiet:
            self._ring()
            if self._desktop is not None:
                self._desktop(f"askfirst: {title}", words)
        return quiet


def desktop() -> Callable[[str, str], None] | None:
    """The desktop's own notifications, where this process can reach them."""
    if sys.platform == "darwin" and shutil.which("osascript"):
        return _macos
    reachable = any(os.environ.get(v) for v in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"))
    return _notify_send if reachable and shutil.which("notify-send") else None


def _notify_send(title: str, words: str) -> None:
    # Notification servers read the text as markup.
    safe = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    _start(["notify-send", "--app-name=askfirst", "--", title, safe])


def _macos(title: str, words: str) -> None:
    # The texts travel as arguments, not as parts of the script.
    script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
    _start(["osascript", "-e", script, title, words])


def _start(argv: list[str]) -> None:
    try:
        subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
    except OSError:
        pass  # a notification is a courtesy
