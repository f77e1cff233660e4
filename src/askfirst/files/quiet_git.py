"""git, asked about what it holds: its index, its ignore rules, its objects.

For the commands that are given here it runs no hook, no filter, no pager and no transport, whatever the configuration
of a repository says that nobody has judged.
"""

from __future__ import annotations

import os
import time
from select import select

TIMEOUT_S = 5.0
MAX_BYTES = 8 << 20


def quiet_git(directory: str, words: tuple[str, ...], *, given: bytes = b"") -> bytes | None:
    """What git prints; None when it fails, says no, takes too long or says too much."""
    import subprocess
    import tempfile

    git = _program(directory)
    if not git:
        return None
    # No transport: a partial clone would fetch what is missing with a command of its configuration.
    environ = {"GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.defpath}
    command = (git, "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", *words)
    try:
        with tempfile.TemporaryFile() as handed:
            handed.write(given)
            handed.seek(0)
            process = subprocess.Popen(
                command, cwd=directory, env=environ, stdin=handed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        assert process.stdout is not None
        with process.stdout:
            said = _all_of(process.stdout.fileno())
        if said is None:
            process.kill()
        return said if process.wait() == 0 else None
    except OSError:
        return None


def _all_of(fd: int) -> bytes | None:
    pieces: list[bytes] = []
    size, end = 0, time.monotonic() + TIMEOUT_S
    while size <= MAX_BYTES and select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
        piece = os.read(fd, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    return None


def _program(project: str) -> str:
    """git, from a directory of PATH that is not the project's."""
    root = project.rstrip("/") + "/"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) + os.defpath.split(os.pathsep):
        program = os.path.join(folder, "git")
        if os.path.isabs(folder) and not os.path.realpath(program).startswith(root) and os.access(program, os.X_OK):
            return program
    return ""
