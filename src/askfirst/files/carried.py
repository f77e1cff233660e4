"""Which files of a directory come to a place where tools obey them, when the whole of it is copied, moved or linked:
`mv drafts .github` brings workflows, `cp -r x venv` brings the programs of an environment. Files that are obeyed by
their names were so before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from askfirst.knowledge.globs import Location, below, fold
from askfirst.knowledge.obeyed import by_place
from askfirst.model import Fact, Read, Write

__all__ = ["with_carried"]

MAX_FILES = 5_000  # that are looked at in one directory
MAX_FOUND = 20


def with_carried(facts: tuple[Fact, ...], project: str) -> tuple[Fact, ...]:
    """The same facts, and a write for each such file. Never raises."""
    written = [f for f in facts if isinstance(f, Write) and f.path is not None and f.how == "overwrite"]
    held: dict[str, set[str]] = {}
    found: dict[Write, None] = {}
    for target in written:
        for source in _sources(facts, target):
            inside = held.get(source, set()) | _held(source, written)
            held.setdefault(target.path or "", set()).update(inside)
            found |= dict.fromkeys(_newly_obeyed(source, target, inside, project))
            if len(found) > MAX_FOUND:
                return (*facts, *found)
    return (*facts, *found)


def _sources(facts: tuple[Fact, ...], target: Write) -> list[str]:
    """What the program that writes the target takes from elsewhere."""
    taken = (
        f.path
        for f in facts
        if (isinstance(f, Read) or (isinstance(f, Write) and f.how in ("move", "link"))) and f.by == target.by
    )
    return [path for path in dict.fromkeys(taken) if path is not None and below(target.path or "", path) is None]


def _held(source: str, written: list[Write]) -> set[str]:
    """The files below a directory, relative to it, and those that the script has put there."""
    found = {inner for write in written if (inner := below(write.path or "", source))}
    for folder, _, files in os.walk(source):
        found.update(os.path.relpath(os.path.join(folder, name), source) for name in files)
        if len(found) > MAX_FILES:
            break
    return found


def _newly_obeyed(source: str, target: Write, inside: set[str], project: str) -> Iterator[Write]:
    for inner in sorted(inside):
        path = f"{target.path}/{inner}"
        shown = below(path, project)
        if shown and _obeyed(path, shown) - _obeyed(f"{source}/{inner}", below(f"{source}/{inner}", project) or ""):
            yield replace(target, path=path, text=shown, below=False)


def _obeyed(path: str, inside: str) -> set[int]:
    return set(by_place().hits(Location(fold(path), fold(inside))))
