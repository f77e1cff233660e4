"""The other names of a file that links lead to: whoever writes `.git/hooks/pre-push` changes a hook, also where that is
a link to `scripts/pre-push`."""

from __future__ import annotations

import os
from collections.abc import Callable

__all__ = ["MAX_LINKS", "link_target", "links_below", "other_names"]

MAX_LINKS = 40  # as the kernel follows
MAX_LOOKED_THROUGH = 20_000
# Filled by package managers, which link a lot in them; what else writes there is judged for the name alone.
NOT_LOOKED_THROUGH = frozenset({".git", "node_modules", ".venv", "venv"})


def link_target(path: str) -> str | None:
    """What a symbolic link says; None for everything else."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None


def other_names(
    path: str, project: str, home: str, target_of: Callable[[str], str | None] = link_target
) -> dict[str, bool]:
    """Each name that an absolute path has on its way through links, and whether the last part of it is the link.

    Links outside of the project and the home, and those that lead to the project, are only other spellings of it."""
    found: dict[str, bool] = {}
    here, rest, followed = "", path.split("/"), 0
    while rest and followed < MAX_LINKS:
        name = rest.pop(0)
        if name in ("", "."):
            continue
        place = os.path.dirname(here) if name == ".." else f"{here.rstrip('/')}/{name}"
        target = target_of(place) if name != ".." else None
        if target is None:
            here = place
            continue
        followed += 1
        if ".." not in rest and _is_below(place, project, home) and not _is_below(project, os.path.realpath(place)):
            found["/".join([place, *filter(None, rest)])] = not any(rest)
        here, rest = ("" if target.startswith("/") else here), target.split("/") + rest
    return found


def _is_below(path: str, *roots: str) -> bool:
    return any(f"{path}/".startswith(f"{root.rstrip('/')}/") for root in roots if root.rstrip("/"))


def links_below(folder: str) -> list[str] | None:
    """The links in a directory, at any depth, that lead out of it; None where there is more in it than is looked
    through."""
    found, todo, seen = [], [folder], 0
    root = os.path.realpath(folder)
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                here = list(entries)
        except OSError:
            continue
        seen += len(here)
        if seen > MAX_LOOKED_THROUGH:
            return None
        found += [e.path for e in here if e.is_symlink() and not _is_below(os.path.realpath(e.path), root)]
        todo += [e.path for e in here if e.is_dir(follow_symlinks=False) and e.name not in NOT_LOOKED_THROUGH]
    return found
