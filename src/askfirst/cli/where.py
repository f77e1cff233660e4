"""The directory that a person named, for every command that takes one."""

from __future__ import annotations

import os

from askfirst.errors import UsageError


def directory(named: str) -> str:
    """Its real path. A mistyped one is wrong use: the rules of a project that is not there would look like a project with none."""
    path = os.path.realpath(named)
    if not os.path.isdir(path):
        raise UsageError(f"{named}: there is no such directory")
    return path
