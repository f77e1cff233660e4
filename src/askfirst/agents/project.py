"""Which directory is the project of a session."""

from __future__ import annotations

import os


def project_of(cwd: str, told: str = "") -> str:
    """The project's real directory.

    What the agent `told` counts; `cwd` follows its `cd` and is only where a command would run.
    """
    if told.startswith("/"):
        return os.path.realpath(told)
    place = os.path.realpath(cwd)
    home = os.path.realpath(os.path.expanduser("~"))
    here = place
    while here not in ("/", home):
        if os.path.isdir(os.path.join(here, ".askfirst")) or os.path.exists(os.path.join(here, ".git")):
            return here
        here = os.path.dirname(here)
    return place
