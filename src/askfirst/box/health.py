"""What `askfirst doctor` and `askfirst box status` say about the engines and the sessions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from askfirst.box import engines, runs, session
from askfirst.box.engine import HOSTS, LOOPBACK, NEW_TOP_FILES, OVERLAY, SESSION_NETWORK, Probe
from askfirst.store import paths


@dataclass(frozen=True)
class Health:
    """One thing that was looked at."""

    works: bool
    subject: str  # an engine's name
    text: str
    way_out: str = ""


def doctor(*, anew: bool = False) -> tuple[Health, ...]:
    """Each engine, tried now with `anew`. The box as a whole works if one of them does."""
    found = []
    for engine in engines.ENGINES:
        probe = engines.probed(engine, anew=anew)
        found.append(_health(engine.name, probe))
    return tuple(found)


def _health(name: str, probe: Probe) -> Health:
    if not probe.works:
        text, _, way_out = probe.why_not.partition("; ")
        return Health(False, name, text, way_out)
    lacks = () if HOSTS in probe.abilities else _lacks(probe.abilities)
    return Health(True, name, "; ".join((f"works ({probe.version})" if probe.version else "works", *lacks)))


def _lacks(abilities: frozenset[str]) -> Iterator[str]:
    """What an engine cannot do, in words."""
    if NEW_TOP_FILES not in abilities:
        yield "a contained command reads the project and writes only to its build directories"
    elif OVERLAY not in abilities:
        yield "no overlay: the project is copied before each contained command"
    if LOOPBACK not in abilities:
        yield "no sockets: a server and its client do not run contained"
    elif SESSION_NETWORK not in abilities:
        yield "no network of the session's own: a server is reached only within its own call"


@dataclass(frozen=True)
class SessionState:
    """A session that has contained something, and what of it goes on."""

    name: str
    holder: int  # the process that keeps its network; 0 when it has ended
    active: tuple[str, ...]  # runs that go on


def sessions() -> tuple[SessionState, ...]:
    root = paths.private_dir("box", "sessions")
    found = []
    for name in sorted(os.listdir(root)):
        place = os.path.join(root, name)
        holder = session.named_process(os.path.join(place, "holder"))
        found.append(SessionState(name, holder, tuple(run for run, _ in session.active(place))))
    return tuple(found)


def session_of(run: runs.Run) -> str:
    return runs.session_place(run.plan)
