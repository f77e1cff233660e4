"""The agent's own program: which version is on the PATH."""

from __future__ import annotations

import re
import shutil
import subprocess


def version_of(program: str) -> tuple[str, tuple[int, ...]] | None:
    """(path, version) of a client, or None when it is not on the PATH or does not say."""
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
