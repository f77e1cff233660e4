"""Where a path lies for these layers: in the project, in somebody's home, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from askfirst.knowledge.globs import Location, below, expand_braces, fold, home_relative, unaliased

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

__all__ = ["locate", "locate_pattern", "pattern_parts", "plain_text", "sibling_of"]

_WILDCARDS = "*?[{"
_HOME_SPELLINGS = ("~/", "$home/", "${home}/")


def locate(path: str, layers: Layers) -> Location:
    folded = unaliased(fold(path).rstrip("/") or "/")
    inside = below(folded, unaliased(fold(layers.project))) if layers.project else None
    if inside is not None and inside.startswith(".claude/worktrees/") and inside.count("/") > 2:
        inside = inside.split("/", 3)[3]  # a work tree that the agent's client made: a project like any other
    home = unaliased(fold(layers.home)) if layers.home else ""
    above_home = bool(below(home, folded)) and folded != "/"
    return Location(folded, inside, home_relative(folded, home), above_home)


def plain_text(text: str) -> str:
    """A word as it was written, folded, without its quotes and backslashes."""
    return fold(text.translate({ord(c): None for c in "\"'\\"}))


def locate_pattern(text: str, base: str | None, layers: Layers) -> list[Location]:
    """Where the files of a pattern lie, with its wildcards in place; one location for each alternative in braces.

    `base` is the real path of what stands before the first wildcard; None when only the text is known: then a relative
    pattern may be meant anywhere, in a home too.
    """
    plain = plain_text(text)
    if base is None:
        return [_locate_text(one, layers) for one in expand_braces(plain)]
    head, _ = pattern_parts(plain)
    if not head.endswith("/") and head:
        base = base.rpartition("/")[0]  # `.e*`: the base ends in the beginning of this very part
    depth = head.count("/")
    rests = ("/".join(one.split("/")[depth:]) for one in expand_braces(plain))
    return [locate(f"{base.rstrip('/')}/{rest}", layers) for rest in rests]


def pattern_parts(text: str) -> tuple[str, str]:
    """A pattern at its first wildcard: what is plain before it, and the rest."""
    start = min((at for c in _WILDCARDS if (at := text.find(c)) >= 0), default=len(text))
    return text[:start], text[start:]


def _locate_text(plain: str, layers: Layers) -> Location:
    for spelling in _HOME_SPELLINGS:
        if plain.startswith(spelling):
            rest = plain.removeprefix(spelling)
            return Location(f"/home/_/{rest}", None, rest)
    return locate(plain, layers) if plain.startswith("/") else Location(f"/{plain}", plain, plain)


def sibling_of(inside: str, own: Iterable[str]) -> str:
    """The neighbour of one's own service that this path lies in: `services/b` for own `services/a`."""
    for directory in own:
        parent, _, _ = directory.rpartition("/")
        relative = below(inside, parent) if parent else inside
        if parent and relative:
            return f"{parent}/{relative.split('/', 1)[0]}"
        if not parent and relative and "/" in relative:
            return relative.split("/", 1)[0]
    return ""
