"""What patterns and whole directories mean on the disk, where their text does not say it: `cp x src/*.py` writes the
`conftest.py` that lies there, and `cat *.txt` or `grep -R x docs` shows what the links there lead to.

Links of the project are found where a pattern looks, and, for whole directories, in git's index: nothing else makes one
without a question. So are names with blanks in them, of which a list of names makes several: `cat $(find . -name
'*.md')` reads three files for `a /etc/shadow b.md`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from askfirst.files.head import tracked_links, tracked_odd
from askfirst.knowledge.globs import behind_wildcard, below, fits_name, fold, has_wildcards
from askfirst.knowledge.obeyed import by_name
from askfirst.knowledge.secrets import odd_pieces
from askfirst.model import Fact, Read, Unknown, Write

__all__ = ["with_meant"]

MAX_NAMES = 20_000  # that are looked at for one pattern


def with_meant(facts: tuple[Fact, ...], project: str) -> tuple[Fact, ...]:
    """The same facts, and one more for each file that is obeyed or leads elsewhere. Never raises."""
    links = tracked_links(project) if any(isinstance(fact, Read) for fact in facts) else []
    listed = [fact for fact in facts if isinstance(fact, Read) and "**/" in fact.text]
    split = [piece for name in (tracked_odd(project) if listed else ()) for piece in odd_pieces(name)]
    found = dict.fromkeys(one for fact in facts for one in _meant(fact, links, project))
    return (*facts, *found, *dict.fromkeys(_split_off(fact, piece, project) for fact in listed for piece in split))


def _split_off(read: Read, piece: str, project: str) -> Fact:
    if piece.startswith("-"):
        why = f"the name of a file makes `{piece}` of a list, which `{read.by}` may take for an option"
        return Unknown("option", why, piece)
    return replace(read, path=os.path.realpath(os.path.join(project, piece)), text=piece)


def _meant(fact: Fact, links: list[str], project: str) -> Iterator[Fact]:
    if not isinstance(fact, Read | Write) or fact.path is None:
        return
    rest = behind_wildcard(fact.text)
    if isinstance(fact, Write):
        if fact.below and rest:
            yield from _obeyed(fact, fact.path, rest)
    elif rest and "**" not in rest:
        places = (place for place in _matching(fact.path, rest) if os.path.realpath(place) != place)
        yield from (_read_through(fact, place) for place in places)
    elif rest or os.path.isdir(fact.path):
        yield from (_read_through(fact, link) for link in links if _is_meant(link, fact, rest, project))


def _obeyed(write: Write, folder: str, rest: list[str]) -> Iterator[Fact]:
    """The files that are there now, match, and decide what later commands run."""
    for place in _matching(folder, rest):
        if by_name().have(fold(os.path.basename(place))):
            yield replace(write, path=os.path.realpath(place), text=os.path.relpath(place, folder), below=False)


def _read_through(read: Read, place: str) -> Fact:
    return replace(read, path=os.path.realpath(place), text=os.path.basename(place))


def _is_meant(link: str, read: Read, rest: list[str], project: str) -> bool:
    """Of a whole directory, what lies in the project is meant anyway; of `**/*.py`, only what is called so."""
    if below(link, read.path or "") is None:
        return False
    if not rest or rest[-1] == "*":
        return below(os.path.realpath(link), project) is None
    return fits_name(rest[-1], os.path.basename(link))


def _matching(folder: str, parts: list[str]) -> Iterator[str]:
    """What is there of a pattern, as far as it can be looked at."""
    left, places = MAX_NAMES, [folder]
    for part in parts:
        following: list[str] = []
        for place in places:
            try:
                names = os.listdir(place) if has_wildcards(part) else [part]
            except OSError:
                continue
            left -= len(names)
            if left < 0:
                return
            following += [os.path.join(place, name) for name in names if fits_name(part, name)]
        places = following
    yield from (place for place in places if os.path.lexists(place))
