"""Which files of a directory come to a place where tools obey them, when the whole of it is copied, moved or linked:
`mv drafts .github` brings workflows, `cp -r x venv` brings the programs of an environment. Files that are obeyed by
their names were so before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from askfirst.files import COPIERS, MOVERS
from askfirst.knowledge.globs import Location, PathPatterns, below, fold, has_wildcards, once
from askfirst.knowledge.obeyed import by_name as names
from askfirst.knowledge.obeyed import by_place
from askfirst.knowledge.places import PROTECTED
from askfirst.model import Fact, Read, Write

__all__ = ["with_carried"]

MAX_FILES = 5_000  # that are looked at in one directory
MAX_FOUND = 20
_BRINGING = COPIERS | MOVERS  # of others, an archive of a directory is a file


def with_carried(facts: tuple[Fact, ...], project: str) -> tuple[Fact, ...]:
    """The same facts, and a write for each such file, or for all where there are too many. Never raises."""
    written = [f for f in facts if isinstance(f, Write) and f.path is not None and f.how == "overwrite"]
    held: dict[str, set[str]] = {}
    found: dict[Write, None] = {}
    for target in (f for f in written if f.by in _BRINGING or f.by[1:] in _BRINGING):
        for source in _sources(facts, target):
            inside = held.get(source, set()) | _held(source, written)
            held.setdefault(target.path or "", set()).update(inside)
            if len(inside) > MAX_FILES and _may_be_obeyed(source, target, project):
                found[replace(target, how="extract", below=True)] = None
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
    outside = below(source, project) is None
    for inner in sorted(inside):
        path = f"{target.path}/{inner}"
        shown = below(path, project)
        if not shown:
            continue
        if outside and any(True for _ in _protected().hits(Location(fold(path), fold(shown)))):
            # Whether it comes along (`--exclude .git`) is for a person to see: a question, and no block.
            yield replace(target, text=shown, how="extract", below=True)
        elif _obeyed(path, shown, by_name=outside) - (
            set() if outside else _obeyed(f"{source}/{inner}", below(f"{source}/{inner}", project) or "")
        ):
            yield replace(target, path=path, text=shown, below=False)


def _obeyed(path: str, inside: str, *, by_name: bool = False) -> set[int]:
    location = Location(fold(path), fold(inside))
    found = set(by_place().hits(location))
    return found | {-1} if by_name and names().have(location.name) else found


def _may_be_obeyed(source: str, target: Write, project: str) -> bool:
    """Whether files that nobody has looked at may be obeyed there, and were not before."""
    shown = below(target.path or "", project)
    if not shown:
        return False
    return below(source, project) is None or not _obeying_parts().isdisjoint(fold(shown).split("/"))


_protected = once(lambda: PathPatterns(pattern for pattern, _, _ in PROTECTED))
_obeying_parts = once(
    lambda: frozenset(
        part for p in by_place().patterns for part in fold(p).split("/") if part and not has_wildcards(part)
    )
)
