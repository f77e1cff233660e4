"""Which processes a session started: they carry its id in their environment, which every child inherits, also one that
left its parents behind (`nohup … &`). A name or a port says nothing about who started a process."""

from __future__ import annotations

import os

from askfirst.agents.table import AGENTS
from askfirst.model import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from askfirst.model import Fact

__all__ = ["with_own_processes"]

PS_TIMEOUT_S = 5.0
MAX_PIDS = 50


def with_own_processes(facts: tuple[Fact, ...], *, agent: str, session: str) -> tuple[Fact, ...]:
    """The same facts; a `kill` of nothing but processes of this session is allowed."""

    def is_own(pid: int) -> bool:
        return _started_by(pid, agent, session)

    return tuple(_of_own(f, is_own) if isinstance(f, Command) and f.name == "kill" else f for f in facts)


def _of_own(command: Command, is_own: Callable[[int], bool]) -> Command:
    pids = _pids(command)
    if command.action.allowed or not pids or not all(map(is_own, pids)):
        return command
    words = "stops processes that this session started"
    return command.replace(action=command.action.replace(allowed=True, description=words))


def _pids(command: Command) -> list[int]:
    """The processes that a `kill` names; [] where it names something else as well (a group, a job, a value of a
    variable), or where it is not certain what it names."""
    words = [w.value for w in command.argv[1:]]
    if words[:1] == ["-s"]:
        words = words[2:]
    elif words and words[0] is not None and words[0].startswith("-") and words[0] != "--":
        words = words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    known = [int(w) for w in words if w is not None and w.isascii() and w.isdigit() and int(w) > 1]
    return known if len(known) == len(words) <= MAX_PIDS else []


def _started_by(pid: int, agent: str, session: str) -> bool:
    row = AGENTS.get(agent)
    if row is None or not row.session_variable or not session:
        return False
    mark = f"{row.session_variable}={session}".encode()
    environ, words = _environ_and_words(pid)
    # A hook that waits for an answer was started by the session, too, and is not the session's to stop.
    return mark in environ and not any(b"askfirst" in word for word in words)


def _environ_and_words(pid: int) -> tuple[list[bytes], list[bytes]]:
    """What a process was started with. Nothing where that cannot be looked at: then it is nobody's."""
    try:
        if os.path.isdir("/proc/self"):
            with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/cmdline", "rb") as words:
                return environ.read().split(b"\0"), words.read().split(b"\0")
    except OSError:
        return [], []
    output = _from_ps(pid)
    return output, output


def _from_ps(pid: int) -> list[bytes]:
    import subprocess

    command = ("/bin/ps", "-Eww", "-o", "command=", "-p", str(pid))
    try:
        return subprocess.run(command, capture_output=True, timeout=PS_TIMEOUT_S, check=True).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return []
