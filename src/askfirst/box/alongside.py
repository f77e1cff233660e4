"""Build directories that contained commands write directly while they go on: what lies there may change between the
judging of another call and its run, as nowhere else on the disk. `mkdir dist/d && sleep 1 && cp x.json dist/d/` is a
copy into the agent's settings where a contained process puts a link in the place of `dist/d`."""

from __future__ import annotations

import marshal
import os
import re
from collections.abc import Iterator
from dataclasses import replace

from askfirst.box.session import named_process
from askfirst.knowledge.globs import below
from askfirst.model import Command, Fact, Read, Unknown, Write
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.policy.pinning import machine_of
from askfirst.store import clock, ids, paths

__all__ = ["LIVE", "sessions_folder", "with_live"]

LIVE = "live build"
WAITS_S = 600.0  # so long a run that was prepared may begin
_PARTS = re.compile(r"[^\w.@+-]+")


def sessions_folder() -> str:
    return os.path.join(paths.state_dir(), "box", "sessions")


def with_live(case: Case) -> Case:
    """The case, asked about where it reads or writes what a contained command may change meanwhile."""
    found = next((b for b in _written_now() if any(_touches(fact, b) for fact in case.facts)), "")
    if not found:
        return case
    name = os.path.relpath(found, case.layers.project)
    why = f"a contained command that goes on writes `{name}`, so what lies there may be changed before this runs"
    text = str(case.request.input.get("command") or name)
    facts = (*case.facts, Unknown(LIVE, why, text))
    return replace(case, facts=facts, verdict=judge(facts, case.layers))


def _touches(fact: Fact, build: str) -> bool:
    """By the path that it has now, or by a name that leads through the directory. A directory above it is read with all
    that it holds."""
    if isinstance(fact, Command):
        return not machine_of(fact) and _is_used(fact, build)
    if isinstance(fact, Read):
        return not fact.on and _is_meant(fact.path, fact.text, build, below_it=True)
    return isinstance(fact, Write) and _is_meant(fact.path, fact.text, build, below_it=fact.below)


def _is_used(command: Command, build: str) -> bool:
    if command.cwd is not None and below(command.cwd, build) is not None:
        return True
    words = (w.value if w.value is not None else w.prefix for w in command.argv[1:])
    return any(_names(word, build) for word in words if " " not in word)


def _is_meant(path: str | None, text: str, build: str, *, below_it: bool) -> bool:
    if path is None or below(path, build) is not None:
        return path is not None
    return (below_it and below(build, path) is not None) or _names(text, build)


def _names(text: str, build: str) -> bool:
    return os.path.basename(build) in _PARTS.split(text)


def _written_now() -> Iterator[str]:
    """The build directories of runs that go on, or may begin."""
    for session in _names_in(sessions_folder()):
        active = os.path.join(sessions_folder(), session, "active")
        for name in filter(ids.is_id, _names_in(active)):
            yield from _builds_of(os.path.join(active, name), os.path.join(paths.state_dir(), "box", "runs", name))


def _builds_of(active: str, place: str) -> list[str]:
    waits = os.path.join(place, "spec")
    try:
        status = os.stat(active)
        goes_on = named_process(active) if status.st_size else clock.wall() - status.st_mtime < WAITS_S
        if not goes_on:
            return []
        with open(waits if os.path.exists(waits) else os.path.join(place, "used"), "rb") as file:
            return list(marshal.load(file).get("builds", ()))
    except (OSError, ValueError, EOFError, TypeError, AttributeError):
        return []


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
