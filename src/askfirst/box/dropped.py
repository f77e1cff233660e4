"""Agents that ran a command as it was, though their hook had replaced it by its contained run: nothing of theirs runs
contained from then on, and everything asks as without a box.

box/dropped/<agent>    when, and which command (redacted). A person who has tried again removes it.
"""

from __future__ import annotations

import os

from askfirst.errors import StoreError
from askfirst.store import atomic, clock, paths


def _folder() -> str:
    return paths.private_dir("box", "dropped")


def note(agent: str, text: str) -> None:
    atomic.write_atomic(os.path.join(_folder(), agent), f"{clock.wall():.0f} {text}".encode("utf-8", "replace"))


def known(agent: str) -> str:
    """The command that ran as it was; "" where none did. What cannot be read counts."""
    try:
        return atomic.read_private(os.path.join(_folder(), agent), 1 << 16).decode("utf-8", "replace").partition(" ")[2]
    except FileNotFoundError:
        return ""
    except (OSError, StoreError):
        return "a command that is not known any more"


def forget() -> None:
    for name in os.listdir(_folder()):
        atomic.remove(os.path.join(_folder(), name))
