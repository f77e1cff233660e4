"""Agents that ran a command as it was, though their hook had replaced it by its contained run: nothing of theirs runs
contained from then on, and everything asks as without a box.

box/dropped/<agent>    when, and which command (redacted). A person who has tried again removes it.
box/given/<agent>      where the newest run lies that took the place of a command of such an agent

An agent whose hook does not hear what has run has to show that it runs what its hook gives it: its newest run must have
been begun. Until then a command that is allowed anyhow runs contained, once an hour, since some clients refuse what a
hook has changed; and what is not allowed asks. So a client that loses the change has run nothing by it, and a later
version that loses it one command; one that runs it again is believed again.
"""

from __future__ import annotations

import os

from askfirst.errors import StoreError
from askfirst.store import atomic, clock, paths

TRY_AGAIN_S = 3600.0


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


def note_given(agent: str, place: str) -> None:
    atomic.write_atomic(os.path.join(paths.private_dir("box", "given"), agent), os.fsencode(place))


def given(agent: str) -> str:
    """The newest run that took a command's place; "" where there is none, or nobody knows."""
    try:
        return os.fsdecode(atomic.read_private(os.path.join(paths.private_dir("box", "given"), agent), 1 << 16))
    except (OSError, StoreError):
        return ""


def may_try(agent: str) -> bool:
    """Whether an allowed command is to show it now."""
    place = os.path.join(paths.private_dir("box", "given"), agent)
    return not os.path.lexists(place) or clock.wall() - os.lstat(place).st_mtime > TRY_AGAIN_S


def has_taken(agent: str) -> bool:
    """Whether the client has begun the newest of them (launcher.take)."""
    place = given(agent)
    return bool(place) and os.path.exists(os.path.join(place, "used"))


def forget() -> None:
    for folder in (_folder(), paths.private_dir("box", "given")):
        for name in os.listdir(folder):
            atomic.remove(os.path.join(folder, name))
