"""Claude Code's own program: which version is on the PATH."""

from __future__ import annotations

import re
import shutil
import subprocess

PROGRAM = "claude"
OLDEST_GOOD = (2, 1, 295)  # the first version that knows onFailure


def version_of(program: str) -> tuple[str, tuple[int, ...]] | None:
    """(path, version), or None when the program is not on the PATH; the version is empty when it does not say."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return path, ()
    found = re.search(r"\d+(?:\.\d+)+", done.stdout)
    return path, tuple(int(n) for n in found.group().split(".")) if found else ()


def shown(version: tuple[int, ...]) -> str:
    return ".".join(str(n) for n in version) or "unknown"
