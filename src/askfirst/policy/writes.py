"""Judges writes. Private to policy: callers go through `judge`. Pure: the facts carry real paths, and what a write does
to the file on disk (Write.change) where somebody looked; nothing here touches a disk.

The checks stand in order of power: what no file may lift (devices, the gate's own files, what runs outside the
project), what the settings forbid (policy/write_limits.py), what a person should see, and last what is simply allowed.
An unknown path asks."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from askfirst.knowledge import obeyed, places, secrets
from askfirst.knowledge.globs import (
    MAX_BRACES,
    Location,
    PathPatterns,
    below,
    expand_braces,
    fold,
    glob,
    has_wildcards,
    leads_to,
    matches,
    once,
)
from askfirst.model import Change, Decision, Finding, Write
from askfirst.policy.findings import allow, ask, block
from askfirst.policy.locations import locate, plain_text
from askfirst.policy.write_limits import out_of_place, past_limits

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

__all__ = ["describe", "is_replacement", "judge_write", "loaded_by_itself"]

# What makes a path another thing than it was: whoever moves, links or deletes a parent, moves what is protected below
# it.
UPROOTING = frozenset({"delete", "move", "link"})
MAX_NAMES_SHOWN = 4
_BRACKETS = re.compile(r"\[[^]]+\]|[*?]")
_CODE = ("x", "js", "ts", "mjs", "json", "py")
_ALL_OF_A_KIND = re.compile(r"\*\*?(?:\.(?:\w+|\{[\w,]+\}))?")
_BY_HAND = "ask a person to change it by hand"
_VERBS = {
    "delete": "deletes",
    "move": "moves",
    "link": "makes a link to",
    "mode": "changes the permissions of",
}

_protected = once(lambda: PathPatterns(pattern for pattern, _, _ in places.PROTECTED))
_agent_loaded = once(lambda: PathPatterns(pattern for pattern, _ in places.AGENT_LOADED))


# What these write, git holds, and what was there before as well.
FROM_HISTORY = frozenset({"git checkout", "git switch", "git stash", places.BACK_TO_HEAD})


def judge_write(write: Write, layers: Layers) -> Finding:
    """The finding for one write. What a branch brings is not the agent's text: where it may not be written, a person is
    asked whether to go there."""
    finding = _judged(write, layers)
    if write.by in FROM_HISTORY and finding.decision == Decision.DENY and not write.below:
        return ask(write, "branch", f"{write.by} would change it: {finding.reason}")
    return finding


def _judged(write: Write, layers: Layers) -> Finding:
    """The first check that has something to say decides."""
    if write.path is None:
        return _unknown_place(write, layers)
    location = locate(write.path, layers)
    for check in (
        _device,
        _gate,
        _uprooted,
        _unnamed_files,
        _called_so,
        _several_names,
        past_limits,
        _deleted,
        _content,
        _auto_loaded,
        _shadows_module,
        out_of_place,
    ):
        finding = check(write, location, layers)
        if finding is not None:
            return finding
    return _by_place(write, location)


def _unknown_place(write: Write, layers: Layers) -> Finding:
    named = _named_home(write.text)
    blocked = _gate(write, locate(named, layers), layers) if named else None
    if blocked is not None:
        return blocked
    if "askfirst" in write.text and ("which " in write.text or "command -" in write.text):
        return block(write, "gate-code", f"`{write.text}` is the askfirst program")
    return ask(write, "unknown-path", f"askfirst cannot tell which file `{write.text}` is")


def _named_home(text: str) -> str:
    """`~ann/.bashrc`: where ann's home is only the shell knows, but what stands there is somebody's."""
    name, slash, rest = text.strip("\"'").partition("/")
    is_user = name.startswith("~") and name[1:].replace("-", "").replace("_", "").isalnum()
    return f"/home/{name[1:]}/{rest}" if slash and is_user else ""


# --- what no file may lift --------------------------------------------------------------------------------------------


def _device(write: Write, location: Location, layers: Layers) -> Finding | None:
    device = below(location.path, "/dev")
    if not device:
        return None
    if device in places.HARMLESS_DEVICES and write.how not in UPROOTING:
        return allow(write, "harmless-device", "goes nowhere")
    if any(glob(fold(p), device) for p in places.BLOCK_DEVICES):
        return block(write, "block-device", f"writes to the device {location.path}", advice="write to a file")
    if device.startswith(("tcp/", "udp/")):
        return ask(write, "network-device", "bash opens a network connection for this path")
    if device == "tty" or device.startswith(("pts/", "tty", "console")):
        return ask(write, "terminal", "writes to a terminal, where it could draw a false dialog")
    return ask(write, "device", f"{location.path} is a device")


def _gate(write: Write, location: Location, layers: Layers) -> Finding | None:
    """The gate's own files, and what runs by itself."""
    for directory in layers.own_dirs:
        if below(location.path, fold(directory)) is not None:
            return block(write, "gate-state", f"`{write.text}` belongs to askfirst's configuration and state")
    for pattern in layers.settings.protected_paths:
        if matches(pattern, location) or matches(f"{pattern.rstrip('/')}/**", location):
            return block(write, "protected-path", f"`{write.text}` is a protected path", advice=_BY_HAND)
    if location.name == ".git" and write.how in ("overwrite", "append", "link") and not write.below:
        return block(write, "git-config", f"`{write.text}` tells git where its repository and hooks are")
    number = next(_protected().hits(location), None)
    if number is None:
        return _beside_settings(write, location)
    _, rule, why = places.PROTECTED[number]
    return block(write, rule, f"`{write.text}` is protected: {why}", advice=_BY_HAND)


def _beside_settings(write: Write, location: Location) -> Finding | None:
    """What an agent's client keeps next to its settings: notes are files like any other, the rest may be loaded. An
    empty directory holds nothing to load, and what may be executed says nothing about what is."""
    number = next(_agent_loaded().hits(location), None)
    if number is None or write.by == "mkdir" or (write.how == "mode" and location.inside is not None):
        return None
    if any(matches(p, location) for p in places.OWN_NOTES) and write.how not in UPROOTING:
        return allow(write, "agent-notes", "a note that the agent keeps for itself")
    if location.inside is not None and any(matches(p, location) for p in places.AGENT_NOTES):
        return None
    return ask(write, "agent-loaded", f"`{write.text}`: {places.AGENT_LOADED[number][1]}")


def _uprooted(write: Write, location: Location, layers: Layers) -> Finding | None:
    """Whole trees: the root, a home, the project and its parents, and parents of what is protected."""
    if location.inside is not None and has_wildcards(write.text):
        return None  # `rm *.log`: some files of it, not the tree
    if _takes_root(write, location, layers):
        reason = f"{_verb(write)} {location.path} as a whole"
        return block(write, "root-tree", reason, advice="name a directory inside the project")
    if write.how not in UPROOTING:
        return None
    if location.name == ".git":
        return block(write, "git-config", f"`{write.text}` holds the repository, its hooks and its configuration")
    protected = (*(p for p, _, _ in places.PROTECTED), *layers.settings.protected_paths, *layers.own_dirs)
    pattern = next((p for p in protected if leads_to(location, p)), "")
    return block(write, "protected-parent", f"`{write.text}` holds the protected `{pattern}`") if pattern else None


def _takes_root(write: Write, location: Location, layers: Layers) -> bool:
    if write.how not in UPROOTING and not (write.how == "mode" and write.below):
        return False
    if location.path in places.SYSTEM_ROOTS or location.home == "":
        return True
    holds_project = bool(layers.project) and below(fold(layers.project), location.path) is not None
    return holds_project and write.how != "mode"


def _unnamed_files(write: Write, location: Location, layers: Layers) -> Finding | None:
    """Writes below a directory, whose files are not named one by one."""
    if write.change is not None and write.change.kept:
        return None
    if write.how == "delete" and location.inside is not None and _is_made_anew(write):
        return allow(write, "made-anew", "tools make it anew")
    if write.below and location.inside == "":
        reason = f"{_verb(write)} files of the project without naming them; protected ones may be among them"
        return ask(write, "project-tree", reason)
    if write.how == "extract":
        such = f", perhaps `{write.text}`" if write.text.startswith(f"{location.inside}/") else ""
        return ask(write, "archive", f"askfirst cannot tell which files `{write.by}` would write{such}")
    if write.below and write.how == "delete":
        return ask(write, "delete-tree", f"deletes everything below `{write.text}`")
    return None


def _is_made_anew(write: Write) -> bool:
    """`find . -name '*.pyc' -delete`."""
    names = expand_braces(plain_text(write.text).rpartition("/")[2])
    return all(name in places.MADE_ANEW for name in names)


def _called_so(write: Write, location: Location, layers: Layers) -> Finding | None:
    """`src/*/conftest.py`, `src/conf*st.py`: in which directory it lies is not known, but what it may be called is."""
    if not write.below or not has_wildcards(write.text):
        return None
    parts = plain_text(write.text).split("/")
    first = next((n for n, part in enumerate(parts) if has_wildcards(part)), len(parts))
    folder = "/".join((write.path or "", *("x" if has_wildcards(part) else part for part in parts[first:-1])))
    for name in _names_like(parts[-1]):
        finding = _judged(replace(write, path=f"{folder}/{name}", below=False), layers)
        if finding.decision != Decision.ALLOW:
            return replace(finding, fact=write)
    return None


@lru_cache(maxsize=64)
def _names_like(last: str) -> list[str]:
    """The names that the last part of a pattern is after. `*`, `*.ts` and `*.{js,ts}` are after all files of a kind."""
    if not has_wildcards(last):
        return [last] if last else []
    if _ALL_OF_A_KIND.fullmatch(last):
        return []
    known = (f.rpartition("/")[2] for files, _ in obeyed.asking() for f in files)
    wanted = expand_braces(last) if last.count("{") <= MAX_BRACES else ["*"]
    plain = [name for name in known if "*" not in name and any(glob(one, fold(name)) for one in wanted)]
    samples = (one.removesuffix("*") + end for one in wanted for end in (_CODE if one.endswith("*") else ("",)))
    return plain + [_BRACKETS.sub("x", sample) for sample in samples]


def _several_names(write: Write, location: Location, layers: Layers) -> Finding | None:
    """`a -f b`, `a .env b.md`: a list of names (`find | xargs cat`) makes other files, or options, of such a name, and
    a shell others of `.?/x`."""
    if write.how in ("delete", "mode") or not location.inside:
        return None
    if secrets.is_odd_pattern(location.inside):
        return ask(write, "several-names", f"to a shell `{write.text}` is a pattern, and may stand for other files")
    odd = secrets.odd_pieces(location.inside)
    reason = f"a list of names that holds `{write.text}` is also one of `{odd[0]}`" if odd else ""
    return ask(write, "several-names", reason) if odd else None


def _deleted(write: Write, location: Location, layers: Layers) -> Finding | None:
    """What git or the tools can bring back needs no question; the rest is gone."""
    if write.how != "delete" or write.by not in places.DELETERS:
        return None
    if write.change is not None and write.change.kept:
        return allow(write, "kept", f"nothing is lost: {write.change.kept}")
    if write.by == places.RESTORES:
        return ask(write, "delete", f"throws away what was changed in `{write.text}`, and not by this session alone")
    return ask(write, "delete", f"deletes `{write.text}`, which git's HEAD does not hold as it is now")


def _verb(write: Write) -> str:
    return _VERBS.get(write.how, "writes")


# --- what a person should see -----------------------------------------------------------------------------------------


def is_plain_edit(write: Write, layers: Layers) -> bool:
    """Whether nothing about it needs a look beyond where it goes: somebody looked, and it keeps most of what is there,
    brings no secret and hits an ordinary file."""
    change = write.change
    return change is not None and not change.odd and not change.secrets and not is_replacement(change, layers)


def _content(write: Write, location: Location, layers: Layers) -> Finding | None:
    """What the write does to the file, as far as somebody looked."""
    change = write.change
    if change is not None and change.odd:
        return ask(write, "odd-target", f"`{write.text}`: {change.odd}")
    if change is not None and change.secrets:
        return ask(write, "secret-content", f"puts a secret into `{write.text}`: {'; '.join(change.secrets[:3])}")
    if change is not None and is_replacement(change, layers):
        reason = f"replaces most of `{write.text}`: {describe(change)}; a person must see this in every mode"
        return ask(write, "replace", reason)
    if write.content == b"" and write.how == "overwrite" and (change is None or change.lines):
        return ask(write, "empties", f"empties `{write.text}`")
    return None


def is_replacement(change: Change, layers: Layers) -> bool:
    """A file with more lines than the limit, of which at least the given share goes away: a person must see it, in
    every mode."""
    limits = layers.settings.writes
    return change.kind == "REPLACE" and change.lines > limits.replace_lines and change.ratio >= limits.replace_ratio


def describe(change: Change) -> str:
    """One line: `deletes 214 of 270 lines and adds 3 (80% changed), DELETED: class State, def run`."""
    text = f"deletes {change.deleted} of {change.lines} lines and adds {change.added} ({change.ratio:.0%} changed)"
    if not change.new:
        text = f"the new content is unknown, so all {change.lines} lines may be lost"
    if change.names:
        hidden = len(change.names) - MAX_NAMES_SHOWN
        more = f" and {hidden} more" if hidden > 0 else ""
        text += ", DELETED: " + ", ".join(change.names[:MAX_NAMES_SHOWN]) + more
    return text


def _auto_loaded(write: Write, location: Location, layers: Layers) -> Finding | None:
    """Files that decide what a later, allowed command runs."""
    if location.inside is None or _decides_nothing(write) or _goes_away(write, location):
        return None
    change = write.change
    if location.name in obeyed.PARTLY_LOADED and change is not None and change.new:
        if not change.runs:
            return None
        return ask(write, "auto-loaded", f"changes {change.runs} in `{write.text}`, which tools run automatically")
    for number in obeyed.by_place().hits(location):
        pattern, why = obeyed.places()[number]
        if not (pattern == "**/.git/**" and location.inside == ".git" and not write.below):
            return ask(write, "auto-loaded", f"`{write.text}`: {why}")
    row = obeyed.by_name().group(location.name)
    if row is None:
        return None
    why = obeyed.asking()[row][1]
    return ask(write, "auto-loaded", f"`{write.text}` decides what later commands run: {why}")


def loaded_by_itself(write: Write, layers: Layers) -> str:
    """Why some tool will obey what is written here without being told to; "" where none does. An agent's notes count:
    its next session reads them first."""
    if write.path is None or _decides_nothing(write):
        return ""
    location = locate(write.path, layers)
    number = next(_agent_loaded().hits(location), None)
    if number is not None and not any(matches(p, location) for p in places.OWN_NOTES):
        return places.AGENT_LOADED[number][1]
    found = _auto_loaded(write, location, layers) or _shadows_module(write, location, layers)
    return found.reason if found is not None else ""


def _decides_nothing(write: Write) -> bool:
    """Deleting or marking a file says nothing about what runs, an empty directory holds nothing, and what HEAD has is
    what ran before."""
    return write.how in ("delete", "mode") or write.by in ("mkdir", places.BACK_TO_HEAD)


def _goes_away(write: Write, location: Location) -> bool:
    """What is moved is obeyed where it comes to lie, and that is judged as a write; here it is missing, as after a
    deletion, and nothing is lost. A repository without one of its files is no repository."""
    return write.how == "move" and ".git" not in (location.inside or "").split("/")


def _shadows_module(write: Write, location: Location, layers: Layers) -> Finding | None:
    """`yaml.py` at the project's root is what Python tools started there import."""
    inside = location.inside
    if (
        inside is None
        or _decides_nothing(write)
        or _goes_away(write, location)
        or not inside.endswith((".py", ".so", ".pyc", ".pyd"))
    ):
        return None
    stem, dot, ending = inside.partition("/")[0].partition(".")
    alone = dot and (ending in _MODULE_ENDINGS or ending.startswith(("cpython-", "cp3")))
    if not _is_module(stem) or not (alone or "/__init__." in inside):
        return None
    reason = f"Python tools started here would import `{write.text}` instead of the module `{stem}`"
    return ask(write, "shadows-module", reason)


# What stands behind a module's name: `json.abi3.so`; also `cpython-311-x86_64-linux-gnu.so`, `cp311-win_amd64.pyd`.
_MODULE_ENDINGS = ("py", "pyc", "so", "abi3.so", "pyd")


def _is_module(stem: str) -> bool:
    return stem not in places.NOT_SHADOWED and (stem in sys.stdlib_module_names or stem in places.SHADOWED_MODULES)


# --- by place ---------------------------------------------------------------------------------------------------------


def _by_place(write: Write, location: Location) -> Finding:
    if location.inside is not None:
        return allow(write, "write-in-project", "inside the project")
    if _is_scratch(write, location):
        what = "an empty directory" if write.by == "mkdir" else "a file"
        return allow(write, "scratch", f"{what} in the scratch directory")
    return ask(write, "outside", f"{_verb(write)} {write.path}, outside the project")


def _is_scratch(write: Write, location: Location) -> bool:
    """A file or a new directory in /tmp."""
    if write.below or not _is_shown_there(write, location):
        return False
    if location.path in places.SCRATCH_DIRS or write.text.endswith("/"):
        return write.by in _INTO  # `cp a /tmp/`: what it comes to be called there is a write of its own
    if obeyed.by_name().have(location.name) or _is_loaded_there(location):
        return False
    if write.by == "mkdir":
        return True
    if write.how in ("overwrite", "append", "create") and write.by in places.SCRATCH_BY:
        if location.name.endswith(places.SCRATCH_ENDINGS):
            return True
    return write.how not in UPROOTING and write.by in places.SCRATCH_FRESH_BY and _is_fresh(write, location)


def _is_loaded_there(location: Location) -> bool:
    """`/tmp/json.py`, `/tmp/yaml/__init__.py`, `/tmp/node_modules/x.js`: what scripts of that directory would load."""
    parts = location.path.split("/")
    stem, dot, _ = location.name.partition(".py")
    return "node_modules" in parts or (bool(dot) and any(map(_is_module, (*parts[:-1], stem))))


def _is_shown_there(write: Write, location: Location) -> bool:
    """A path that climbs there (`../../tmp/x`), or leads there through a link of the project, is not what its writer
    shows. `/tmp/.X11-unix` is where others look."""
    text = write.text.strip("\"'")
    shown = text.startswith(("/tmp/", "/var/tmp/", "/private/", "$", *places.SCRATCH_DIRS)) or "/" not in text
    plain = "/.." not in text and "/." not in location.path
    return shown and plain and any(below(location.path, d) is not None for d in places.SCRATCH_DIRS)


def _is_fresh(write: Write, location: Location) -> bool:
    """Whether nothing of anybody else is there, and the name says that nothing obeys what will be."""
    endings = places.SCRATCH_ENDINGS + places.DATA_ENDINGS
    if write.by not in places.SCRATCH_FETCHERS:
        endings += places.SCRATCH_SOURCES
    return write.change is not None and bool(write.change.kept) and location.name.endswith(endings)


_INTO = frozenset("cp gcp install".split())
