"""Which engine this machine has. Each is tried once; what came of it is remembered with the kernel, the system's
release and the engine's own file, and tried anew when one of them changes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable

from askfirst.box.bubblewrap import Bubblewrap
from askfirst.box.engine import HOSTS, NEW_TOP_FILES, Engine, Probe
from askfirst.box.landlock import Landlock
from askfirst.box.seatbelt import Seatbelt
from askfirst.box.srt import Srt
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

# In the order in which they are preferred.
ENGINES: tuple[Engine, ...] = (Bubblewrap(), Landlock(), Seatbelt(), Srt())
FORMAT = 2
# A failure may end without anything changing that can be seen (an administrator's setting): it is forgotten sooner.
KEEP_FAILURE_S = 3600.0


def available(hosts: Iterable[str] = ()) -> Engine | None:
    """The engine to use, or None: then everything asks. With `hosts`, one that lets a command reach them."""
    wanted = bool(tuple(hosts))
    for engine in ENGINES:
        probe = probed(engine)
        if probe.works and (HOSTS in probe.abilities) == wanted:
            return engine
    return None


def writes_only_builds(engine: Engine) -> bool:
    """Whether a contained command may change nothing of the project but its build directories."""
    return not probed(engine).abilities & {NEW_TOP_FILES, HOSTS}


def probed(engine: Engine, *, anew: bool = False) -> Probe:
    """What trying this engine has shown, remembered. `anew`: try it now."""
    path = os.path.join(paths.private_dir("box"), f"probe-{engine.name}.json")
    key = _key(engine)
    known = None if anew else _read(path, key)
    if known is not None:
        return known
    probe = engine.probe()
    record = {
        "key": key,
        "at": time.time(),
        "works": probe.works,
        "why_not": probe.why_not,
        "version": probe.version,
        "abilities": sorted(probe.abilities),
    }
    atomic.write_atomic(path, json.dumps(record).encode())
    return probe


def forget(engine: Engine) -> None:
    """It failed to start although it worked before: the next command tries it anew."""
    atomic.remove(os.path.join(paths.private_dir("box"), f"probe-{engine.name}.json"))


def _read(path: str, key: list[object]) -> Probe | None:
    try:
        record = json.loads(atomic.read_private(path))
        if record["key"] != key or not (record["works"] or time.time() - record["at"] < KEEP_FAILURE_S):
            return None
        return Probe(record["works"], record["why_not"], record["version"], frozenset(record["abilities"]))
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return None


def _key(engine: Engine) -> list[object]:
    system, program = os.uname(), engine.program()
    mtime = os.stat(program).st_mtime_ns if program else 0
    return [FORMAT, engine.name, program, mtime, system.release, system.version, os.getuid()]
