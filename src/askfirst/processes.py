"""Which processes a session started: they carry its id in their environment, which every child inherits, also one that
left its parents behind (`nohup … &`). A name or a port says nothing about who started a process: what it means is
looked up (kills.py)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

from askfirst.agents.table import AGENTS
from askfirst.model import Command, Fact

__all__ = ["KILLERS", "pids_of", "started_below", "with_own_processes"]

KILLERS = frozenset({"kill", "pkill", "killall", "fuser"})
PS_TIMEOUT_S = 5.0
MAX_PIDS = 50


def with_own_processes(facts: tuple[Fact, ...], text: str, *, agent: str, session: str) -> tuple[Fact, ...]:
    """The same facts; what stops nothing but processes of this session is allowed. `text`: the script."""
    row = AGENTS.get(agent)
    if row is None or not row.session_variable or not session:
        return facts
    mark = f"{row.session_variable}={session}".encode()

    def is_own(pid: int) -> bool:
        return _is_marked(pid, mark)

    facts = tuple(_of_own(f, is_own) if isinstance(f, Command) and f.name == "kill" else f for f in facts)
    if any(isinstance(f, Command) and f.name in KILLERS and not f.action.allowed for f in facts):
        from askfirst.kills import with_own_stops

        facts = with_own_stops(facts, text, is_own)
    return facts


def _of_own(command: Command, is_own: Callable[[int], bool]) -> Command:
    pids = pids_of(command)
    if command.action.allowed or not pids or not all(map(is_own, pids)):
        return command
    words = "stops processes that this session started"
    return replace(command, action=replace(command.action, allowed=True, description=words))


def pids_of(command: Command) -> list[int]:
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


def _is_marked(pid: int, mark: bytes) -> bool:
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


def started_below(client: int, command: str, *, since: float) -> bool:
    """Whether a client's own child, started after `since`, is a shell that was given exactly this command.

    Claude Code runs `bash -c "… eval 'COMMAND' …"`. Only its first `eval` counts: the text of a command may hold
    another, and a process that the agent's commands have started is no child of the client itself.
    """
    return any(_began(pid) >= since and _evaluated(pid) == command for pid in _children(client))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except (OSError, ValueError):
        return found
    return found


def _began(pid: int) -> float:
    """When a process began, on the wall clock; 0 when that cannot be told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat, open("/proc/uptime", "rb") as uptime:
            ticks = int(stat.read().rpartition(b")")[2].split()[19])
            up_s = float(uptime.read().split()[0])
    except (OSError, ValueError, IndexError):
        return 0.0
    # A tick is a hundredth of a second: what began within the same one as the question counts as later.
    return time.time() - up_s + (ticks + 1) / os.sysconf("SC_CLK_TCK")


def _evaluated(pid: int) -> str | None:
    """What the shell of a process was told to evaluate."""
    import shlex

    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read().split(b"\0")]
        if "-c" not in words:
            return None
        script = next((w for w in words if "eval " in w), "")
        parts = shlex.split(script)
        return parts[parts.index("eval") + 1]
    except (OSError, ValueError, IndexError):
        return None
