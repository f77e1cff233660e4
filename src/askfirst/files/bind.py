"""Ties an approval to what was approved: the real path, what stood there, what was to be written, and the mode.

Between the question and the answer minutes pass. `still_holds` looks again: another content, another file behind the
path, or a parent that became a link, and the approval is void."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from askfirst.digest import sha256
from askfirst.model import Fact, Write

CHANGED = "changed since you approved, propose again"
ABSENT = "absent"
UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Binding:
    """What an approval of a write is worth, and nothing else."""

    asked: str  # the path as it was asked for, absolute, links not resolved
    path: str  # the real path
    base: str  # SHA-256 of what is there, or "absent"
    new: str  # SHA-256 of what would be there; "" when it is not known
    mode: int  # permission bits of what is there; 0 when nothing is


def binding(write: Write, cwd: str) -> Binding | None:
    """None for a write whose place is not known: it can be approved once and by its text only.

    `cwd` "": the write's text is a word of a command, whose path was found by following it; only the real path is
    bound."""
    if write.path is None:
        return None
    asked = os.path.join(cwd, os.path.expanduser(write.text)) if write.text and cwd else write.path
    base, mode = fingerprint(write.path)
    change = write.change
    if change is not None and (change.base or change.kind == "NEW"):
        # What the person saw is what was there when the facts were made, not what is there now.
        base, mode = change.base or ABSENT, change.mode
    return Binding(os.path.abspath(asked), write.path, base, change.new if change is not None else "", mode)


def bindings(facts: tuple[Fact, ...], cwd: str) -> tuple[Binding, ...]:
    """For every single file that a file tool writes."""
    return tuple(b for f in facts if isinstance(f, Write) and not f.below and (b := binding(f, cwd)) is not None)


def still_holds(bound: Binding) -> str:
    """Why the approval no longer holds, for people and for the agent; "" when it does."""
    if os.path.realpath(bound.asked) != bound.path:
        return f"{bound.asked}: now leads to another file; {CHANGED}"
    base, mode = fingerprint(bound.path)
    if base != bound.base:
        return f"{bound.path}: {_what_happened(bound.base, base)}{CHANGED}"
    if mode != bound.mode:
        return f"{bound.path}: its permissions {CHANGED}"
    return ""


def _what_happened(before: str, now: str) -> str:
    if now == ABSENT:
        return "is gone; "
    return "exists now; " if before == ABSENT else ""


def fingerprint(path: str) -> tuple[str, int]:
    """SHA-256 and permission bits of a regular file; ("absent", 0) where there is none; ("unreadable", 0) for anything
    else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return ABSENT, 0
    except OSError:
        return UNREADABLE, 0
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return UNREADABLE, 0
        digest = sha256()
        while part := os.read(fd, 1 << 18):
            digest.update(part)
        return digest.hexdigest(), stat.S_IMODE(status.st_mode)
    except OSError:
        return UNREADABLE, 0
    finally:
        os.close(fd)
