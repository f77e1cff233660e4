"""Questions that are typed at the terminal of a command."""

from __future__ import annotations

import sys
import termios


def drop_typed_ahead() -> None:
    """Keys typed before the question was drawn must not answer it. Raises termios.error where there is no terminal."""
    termios.tcflush(0, termios.TCIFLUSH)


def typed_line(prompt: str) -> str | None:
    """One line, or None at the end of the input."""
    try:
        return input(prompt)
    except EOFError:
        return None


def confirmed() -> bool:
    """CONFIRM typed in full, on a line of its own."""
    try:
        drop_typed_ahead()  # before the prompt: what a person types at the prompt counts
    except termios.error:
        return False
    sys.stderr.write("Type CONFIRM to allow it: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == "CONFIRM"
