"""The directory that a person named, for every command that takes one."""

from __future__ import annotations

import os

from askfirst.errors import UsageError


def directory(named: str) -> str:
    """Its real path. A mistyped one is wrong use: a project that does not exist would look like one without rules."""
    path = os.path.realpath(named)
    if not os.path.isdir(path):
        raise UsageError(f"{named}: no such directory")
    return path
