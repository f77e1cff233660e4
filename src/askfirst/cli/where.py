"""The directory that a person named, for every command that takes one."""

from __future__ import annotations

import os

from askfirst.errors import UsageError


def is_here(project: str) -> bool:
    """Whether this directory belongs to the project."""
    here = os.path.realpath(os.getcwd())
    return here == project or here.startswith(project.rstrip("/") + "/")


def directory(named: str) -> str:
    """Its real path. A mistyped one is wrong use: a project that does not exist would look like one without rules."""
    path = os.path.realpath(named)
    if not os.path.isdir(path):
        raise UsageError(f"{named}: no such directory")
    return path
