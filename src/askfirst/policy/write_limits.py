"""What the settings say about writes: deny globs, scope, size, and directories for new files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from askfirst.knowledge.globs import Location, PathPatterns, below, fold
from askfirst.knowledge.secrets import is_harmless_name
from askfirst.knowledge.tools import EDITORS, FILE_TOOLS
from askfirst.knowledge.variables import INERT, is_obeyed
from askfirst.model import Finding, Write
from askfirst.policy.findings import ask, forbid
from askfirst.policy.locations import sibling_of
from askfirst.policy.rules import Layers, WriteSettings

__all__ = ["out_of_place", "past_limits"]

_DEFAULTS = WriteSettings()
_SAYS_WHERE = ("_PROXY", "_BASE_URL", "_ENDPOINT", "_ENDPOINT_URL")


def past_limits(write: Write, location: Location, layers: Layers) -> Finding | None:
    """The limit that a write does not keep to, from the organisation's and the project's files."""
    limits = layers.settings.writes
    denied = _denied(write, location, limits)
    if denied is not None or location.inside is None:
        return denied
    return _not_here(write, location.inside, limits) or _too_large(write, limits)


def out_of_place(write: Write, location: Location, layers: Layers) -> Finding | None:
    """Where the settings do not expect it. A yes to this is for the place, whatever the content, so what the content
    and the name mean is asked first."""
    limits = layers.settings.writes
    if location.inside is None:
        return None
    return _outside_scope(write, location.inside, limits) or _in_new_directory(write, location.inside, limits)


def _denied(write: Write, location: Location, limits: WriteSettings) -> Finding | None:
    found = next((limits.deny[number] for number in _patterns(limits.deny).hits(location)), "")
    if not found or is_harmless_name(location.name):
        return None
    if write.by in FILE_TOOLS:
        return forbid(
            write,
            "deny-glob",
            f"`{write.text}` holds secrets, by its name; agents do not write such files",
            advice="write an example file, and let a person fill in the real one",
            default=found in _DEFAULTS.deny,
        )
    if _is_new(write) and location.inside is not None and (write.by == "cp" or _is_plain_environment(write, location)):
        return None  # `cp .env.example .env`, or what the command itself says: nothing is lost or shown
    return ask(write, "deny-glob", f"`{write.text}` holds secrets, by its name")


def _is_plain_environment(write: Write, location: Location) -> bool:
    """`cat > .env <<EOF`, with settings and nothing else: no secret (the content is looked through later), and no
    variable by which programs find code, or whom to talk to."""
    if write.content is None or not (location.name == ".env" or location.name.startswith(".env.")):
        return False
    lines = (line.strip() for line in write.content.decode(errors="replace").splitlines())
    return all(not line or line.startswith("#") or _is_plain_setting(line) for line in lines)


def _is_plain_setting(line: str) -> bool:
    name, equals, value = line.removeprefix("export ").partition("=")
    obeyed = name not in INERT and (is_obeyed(name.upper()) or name.endswith(_SAYS_WHERE))
    return bool(equals) and name.isidentifier() and not obeyed and "$" not in value and "`" not in value


@lru_cache(maxsize=16)
def _patterns(denied: tuple[str, ...]) -> PathPatterns:
    return PathPatterns(denied)


def _is_new(write: Write) -> bool:
    return write.change is not None and write.change.kind == "NEW"


def _not_here(write: Write, inside: str, limits: WriteSettings) -> Finding | None:
    for directory in limits.read_only:
        if below(inside, fold(directory)) is not None:
            reason = f"`{directory}` is read-only here"
            return forbid(write, "read-only", reason, advice="propose the change to its owners")
    own = _own(limits)
    sibling = sibling_of(inside, own) if _is_outside(inside, own) else ""
    if not sibling:
        return None
    reason = f"`{sibling}` belongs to another service"
    return forbid(write, "sibling", reason, advice=f"stay within {', '.join(own)}")


def _outside_scope(write: Write, inside: str, limits: WriteSettings) -> Finding | None:
    own = _own(limits)
    return ask(write, "scope", f"outside {', '.join(own)}") if _is_outside(inside, own) else None


def _own(limits: WriteSettings) -> tuple[str, ...]:
    return tuple(fold(d).strip("/") for d in limits.own)


def _is_outside(inside: str, own: tuple[str, ...]) -> bool:
    return bool(own) and all(below(inside, d) is None for d in own)


def _too_large(write: Write, limits: WriteSettings) -> Finding | None:
    # An edit writes what it adds; whoever edits a large file has not written it.
    size = write.change.grown if write.change is not None and write.by in EDITORS else len(write.content or b"")
    if size <= limits.max_kib * 1024:
        return None
    return forbid(
        write,
        "too-large",
        f"{-(-size // 1024)} KiB is over the limit of {limits.max_kib} KiB",
        advice="write a smaller file, or ask a person to raise `writes: max_kib` in the settings",
        default=limits.max_kib == _DEFAULTS.max_kib,
    )


def _in_new_directory(write: Write, inside: str, limits: WriteSettings) -> Finding | None:
    if not _is_new(write) or limits.create_anywhere or _may_create(inside, limits.create_in):
        return None
    if limits.create_in_known and not _makes_directory(write):
        return None
    where = ", ".join(d or "the root" for d in limits.create_in)
    return ask(
        write, "create-dir", f"new files belong in {where}; the settings can add directories (writes: create_in)"
    )


def _makes_directory(write: Write) -> bool:
    """Where nobody has named directories for new files, those that the project has are as good, and commands may make
    others."""
    return write.by in FILE_TOOLS and write.change is not None and bool(write.change.fresh)


def _may_create(inside: str, create_in: Iterable[str]) -> bool:
    for directory in create_in:
        directory = fold(directory).strip("/")
        if (not directory and "/" not in inside) or (directory and below(inside, directory)):
            return True
    return False
