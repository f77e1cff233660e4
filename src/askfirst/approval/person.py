"""Who may answer: a person at a terminal, not an agent and nothing below one.

This stops accidents and naive injections, not a hostile process of the same user: a process that leaves its parents
(`setsid -f`) and cleans its environment looks like a person. `askfirst doctor` says so.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Callable, Mapping

from askfirst import audit
from askfirst.agents.table import AGENTS
from askfirst.errors import AskfirstError
from askfirst.store import alerts
from askfirst.store.layers import load_layers

# Set by agents for the commands that they run; the last ones belong to agents without a row.
AGENT_VARIABLES = (
    *(name for agent in AGENTS.values() for name in agent.variables.split()),
    *"AI_AGENT AUGMENT_AGENT GOOSE_TERMINAL DROID_SESSION_ID AMP_THREAD_ID".split(),
)
AGENT_PROGRAMS = frozenset(
    (
        *(name for agent in AGENTS.values() for name in agent.programs.split()),
        *"aider goose amp crush droid auggie kiro-cli openhands".split(),
    )
)
# Interpreters that an agent may be a script of.
MAX_ANCESTORS = 64
PS_TIMEOUT_S = 10
_RUNNERS = frozenset("node nodejs bun deno python python3 ruby".split())


class NotAPerson(AskfirstError):
    """The answer comes from an agent, or nobody can tell. It was recorded as a violation."""


def require_person(what: str) -> None:
    """Raise NotAPerson unless this process is a person's; the attempt counts as a violation."""
    why = why_not_a_person(os.environ, has_terminal(), ancestors)
    if why:
        record_violation(what, why)
        raise NotAPerson(f"refused: {why}. Run `askfirst {what}` yourself, in your own terminal")


def why_not_a_person(
    environment: Mapping[str, str], terminal: bool, parents: Callable[[], tuple[tuple[str, ...], ...]]
) -> str:
    """Why this is not a person's process; "" when nothing speaks against it."""
    for name in AGENT_VARIABLES:
        if name in environment:
            return f"{name} is set, so an agent is running this"
    for words in parents():
        agent = agent_name(words)
        if agent:
            return f"an agent ({agent}) started this"
    return "" if terminal else "there is no terminal, so no person typed this"


def agent_name(words: tuple[str, ...]) -> str:
    """The agent that a process is, by its name and the words it was started with; "" when it is none."""
    names = [os.path.basename(w).removesuffix(".js").removesuffix(".mjs") for w in words[:2]]
    for name in names:
        if name in AGENT_PROGRAMS:
            return name
    if len(words) > 2 and names[1] in _RUNNERS:
        script = words[2]
        parts = script.replace("\\", "/").split("/")
        for part in (parts[-1].partition(".")[0], *parts):
            if part in AGENT_PROGRAMS:
                return part
    return ""


def has_terminal() -> bool:
    """A terminal that a person types at: standard input, and the one that controls this process."""
    try:
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    os.close(fd)
    return os.isatty(0)


def ancestors() -> tuple[tuple[str, ...], ...]:
    """For each process above this one: its name, then its argument words."""
    return _from_proc() if os.path.isdir("/proc/self") else _from_ps()


def _from_proc() -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    pid = os.getppid()
    while pid > 0 and len(found) < MAX_ANCESTORS:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                head, _, rest = file.read().rpartition(b")")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")[:3]
        except OSError:
            break
        name = head.partition(b"(")[2]
        found.append((os.fsdecode(name), *(os.fsdecode(w) for w in words if w)))
        pid = int(rest.split()[1])
    return tuple(found)


def _from_ps() -> tuple[tuple[str, ...], ...]:
    command = ["/bin/ps", "-axo", "pid=,ppid=,command="]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=PS_TIMEOUT_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    table = {int(row[0]): (int(row[1]), row[2:4]) for row in map(str.split, output.splitlines()) if len(row) > 2}
    found: list[tuple[str, ...]] = []
    pid = os.getppid()
    while pid in table and len(found) < MAX_ANCESTORS:
        pid, words = table[pid]
        found.append((os.path.basename(words[0]), *words))
    return tuple(found)


def record_violation(what: str, why: str) -> None:
    """In the log and in the count of the session that did it, as far as that is known.

    Recording must not turn a refusal into a crash.
    """
    names = (agent.session_variable for agent in AGENTS.values() if agent.session_variable)
    session = next((os.environ[name] for name in names if os.environ.get(name)), "")
    try:
        record = {"what": f"askfirst {what}", "why": why, "session": session, "pid": os.getpid(), "cwd": os.getcwd()}
        audit.append("violation", record, durable=True)
        alerts.count_violation(
            session, "", f"askfirst {what}: {why}", load_layers(os.getcwd(), session=session, agent="").settings
        )
    except (AskfirstError, OSError):
        pass


def user_name() -> str:
    """Who answers, from the system: an environment variable could claim anything."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def who(surface: str = "shell") -> str:
    """`ada at watch`: what stands in an answer as `by`."""
    return f"{user_name()} at {surface}"
