"""Attention, once: a bell and a notification, at the first request after a quiet while; and the window's title, which
says how many wait.

The notification is the desktop's own where this process can reach it, else the terminal's (OSC 9 or 777), which also
works over ssh. Twenty requests at once ring once. A notification says that something waits, never enough to answer it;
what goes to the terminal holds no word of the agent's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping

from askfirst.approval.question import Question
from askfirst.text import one_line

QUIET_S = 10.0


class Notifier:
    """`arrived` is told about every new request and rings for the first of a burst."""

    def __init__(
        self,
        ring: Callable[[], None],
        desktop: Callable[[str, str], None] | None = None,
        terminal: Callable[[str], None] | None = None,
    ) -> None:
        self._ring, self._desktop, self._terminal = ring, desktop, terminal
        self._last: float | None = None
        self._titled = 0  # how many the window's title says

    def waiting(self, count: int) -> None:
        """The window's title. Terminal.restore brings back the one before."""
        if self._terminal is not None and count != self._titled:
            self._terminal(title(f"askfirst: {count} waiting" if count else "askfirst"))
            self._titled = count

    def arrived(self, question: Question, now: float) -> bool:
        words = f"{question.agent or 'an agent'} asks: {one_line(question.text, 120)}"
        return self.tell("DANGER: an agent is waiting" if question.danger else "an agent is waiting", words, now)

    def tell(self, what: str, words: str, now: float) -> bool:
        quiet = self._last is None or now - self._last >= QUIET_S
        self._last = now
        if quiet:
            self._ring()
            if self._desktop is not None:
                self._desktop(f"askfirst: {what}", words)
            elif self._terminal is not None:
                self._terminal(notification(f"askfirst: {what}", os.environ))
        return quiet


BY_777 = ("foot", "rxvt", "vte")  # terminals that read OSC 777; the others that notify at all read OSC 9


def title(words: str) -> str:
    return f"\x1b]2;{words}\a"


def notification(words: str, environ: Mapping[str, str]) -> str:
    """What makes the terminal notify. `words` are ours: nothing that an agent wrote goes into a control string."""
    inner = environ.get("TERM", "")
    named = f"{inner} {environ.get('TERM_PROGRAM', '')} {'vte' if environ.get('VTE_VERSION') else ''}".lower()
    sequence = f"\x1b]777;notify;askfirst;{words}\a" if any(n in named for n in BY_777) else f"\x1b]9;{words}\a"
    if environ.get("TMUX"):  # tmux hands it on where `allow-passthrough` is on, and drops it where it is not
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return sequence


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
