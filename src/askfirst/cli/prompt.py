"""Questions that are typed at the terminal of a command."""

from __future__ import annotations

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
