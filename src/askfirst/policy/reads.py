"""Judges reads: secrets ask, whatever shows them; everything else may be read. Private to policy: callers go through
`judge`.

What a secret is stands in knowledge/secrets.py. A path that is only partly known asks when a secret's name or place
fits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.knowledge import secrets
from askfirst.knowledge.globs import MAX_BRACES, Location, below, fold, holds_homes
from askfirst.knowledge.programs import COUNTERS
from askfirst.model import Finding, Read
from askfirst.policy.findings import allow, ask, forbid
from askfirst.policy.locations import locate, locate_pattern, pattern_parts, plain_text, sibling_of

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

__all__ = ["judge_read"]


def judge_read(read: Read, layers: Layers) -> Finding:
    """The finding for one read."""
    if read.text.startswith("<(") or (read.path is None and read.by in COUNTERS):
        return allow(read, "read", "shows no file's content by itself")
    if read.path is None:
        why = _unknown_file(read.text, layers)
        return ask(read, "unknown-path", why) if why else allow(read, "read", "matches no file that holds secrets")
    location = locate(read.path, layers)
    return (
        _secret(read, read.path, location, layers)
        or _of_another_service(read, location, layers)
        or allow(read, "read", "not a secret")
    )


def _secret(read: Read, path: str, location: Location, layers: Layers) -> Finding | None:
    """Whether the file holds secrets, or the tree below it does. Of a pattern, `path` is the part before its first
    wildcard."""
    pattern = secrets.is_pattern(read.text)
    if pattern and secrets.is_harmless_name(plain_text(read.text).rpartition("/")[2]):
        return None
    if pattern and _may_match(read.text, path, layers):
        return ask(read, "unknown-path", f"`{read.text}` may match files that hold secrets")
    if secrets.is_secret(location) or any(below(location.path, fold(d)) is not None for d in layers.own_dirs[:1]):
        return ask(read, "secret-read", f"`{read.text}` holds secrets")
    if _is_over_homes(read.text, location, layers) if pattern else secrets.is_above_secrets(location):
        what = f"`{read.text}` may match files of any home" if pattern else f"reads everything below {path}"
        return ask(read, "read-home", f"{what}, keys and passwords included")
    if secrets.is_private(location):
        return ask(read, "private-read", f"`{read.text}` is hidden in a home, where programs keep tokens and passwords")
    if any(below(fold(d), location.path) is not None for d in layers.own_dirs[:1]):
        return ask(read, "read-home", f"reads everything below {path}, askfirst's own state included")
    return None


def _is_over_homes(text: str, location: Location, layers: Layers) -> bool:
    """Whether a pattern goes into homes. (`/srv/*.md` stays above the home `/srv/people/u`.)"""
    head, rest = pattern_parts(text)
    if head and not head.endswith("/"):
        location = locate(location.path.rpartition("/")[0] or "/", layers)  # `/ho*/u`: its last part only begins so
    if location.inside is not None:
        return False
    if location.above_home and "**" not in rest:
        return rest.count("/") > (below(fold(layers.home), location.path) or "").count("/")
    return holds_homes(location)


def _of_another_service(read: Read, location: Location, layers: Layers) -> Finding | None:
    limits = layers.settings.writes
    if not location.inside or not limits.own or layers.settings.toolbox.isolation == "SHARED":
        return None
    own = tuple(fold(d).strip("/") for d in limits.own)
    shared = (*own, *(fold(d).strip("/") for d in limits.read_only))
    if any(below(location.inside, d) is not None for d in shared) or not sibling_of(location.inside, own):
        return None
    return forbid(read, "sibling", f"`{read.text}` belongs to another service", advice=f"stay within {', '.join(own)}")


def _unknown_file(text: str, layers: Layers) -> str:
    """Why a path that is only partly known may be a secret; "" when no secret's name fits."""
    if any(sign in text for sign in ("$", "`", "{}", "…")):
        return f"askfirst cannot tell which file `{text}` is: its name comes from data"
    if secrets.is_pattern(text):
        return f"`{text}` may match files that hold secrets" if _may_match(text, None, layers) else ""
    if secrets.is_secret_name(plain_text(text).rpartition("/")[2]):
        return f"`{text}` holds secrets, by its name"
    return f"askfirst cannot tell where `{text}` is"


def _may_match(text: str, base: str | None, layers: Layers) -> bool:
    """Whether a file name pattern (`.e*`, `~/.s*/*`) may match a secret."""
    plain = plain_text(text)
    if plain.count("{") > MAX_BRACES:
        return True  # nobody writes so many alternatives to be understood
    within = plain.startswith(layers.project.rstrip("/") + "/") and "/.." not in plain
    anywhere = plain[:1] in ("~", "/", "$") and not within
    # `**` is how the analysis writes what `find` selects, whose `*` also stands for a leading dot.
    dotted = "**/" in plain
    for location in locate_pattern(text, base, layers):
        name = location.name
        if secrets.is_harmless_name(name):
            continue
        if secrets.may_match_place(location):
            return True
        if (anywhere or not secrets.is_ordinary(name)) and secrets.may_match_name(name, dotted=dotted):
            return True
    return False
