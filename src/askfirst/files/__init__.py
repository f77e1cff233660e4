"""What a file write does: from a tool's input and the file on disk to facts that policy/writes.py can judge.

`facts_of_tool` for the file tools (Write, Edit, MultiEdit, NotebookEdit), `look` for writes that were found in shell
commands: both meet the same rules. Nothing here writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst.files.change import classify
from askfirst.files.content import BELOW_A_FILE, DIRECTORY, FileState, look_at
from askfirst.files.kept import IN_HEAD, MADE_BELOW, MADE_HERE, NOT_THERE, OwnFiles, files_below, why_kept
from askfirst.files.result import result_of
from askfirst.knowledge.globs import behind_wildcard, has_wildcards, wild
from askfirst.knowledge.places import BACK_TO_HEAD, DELETERS, RESTORES, SCRATCH_DIRS, SMALL_PATCH
from askfirst.knowledge.tools import DELETE_FILE, PATH_KEYS
from askfirst.links import links_below, other_names
from askfirst.model import Change, Fact, Unknown, Write
from askfirst.policy.writes import FROM_HISTORY, UPROOTING

if TYPE_CHECKING:
    from askfirst.policy.rules import WriteSettings

__all__ = ["facts_of_tool", "look", "real_path"]

# Programs of the shell that work on what is there. After every other one, nothing of it is left.
IN_PLACE = frozenset(
    {
        *("sed -i", "gsed -i", "yq -i", "dos2unix", "unix2dos", "chown", "chgrp"),
        *("ed", "vi", "vim", "nvim", "nano", "emacs", SMALL_PATCH),
    }
)
# These replace anything. What else writes over a binary file (a compiler, `cp` of what was built) made it in the first
# place.
TYPED_OVER = frozenset({"redirection", "tee"})
# After one of these, what lies at a path is not what was looked at.
REARRANGING = frozenset({"move", "link", "extract"})
# After these a path leads to another file than the one that was looked at.
MOVERS = frozenset({"mv", "ln", "git mv"})
# These copy whole trees into what is there.
COPIERS = frozenset({"cp", "gcp", "rsync", "ditto", "install"})
# Files that are made anew by every run: nobody keeps work in them.
REMADE_ENDINGS = (
    ".log",
    ".out",
    ".err",
    ".tmp",
    ".bak",
    ".patch",
    ".diff",
    ".orig",
    ".pid",
    ".o",
    ".pyc",
    ".tar",
    ".gz",
    ".zip",
    ".tgz",
    ".xz",
    ".bz2",
    ".zst",
    ".whl",
    ".jar",
    ".min.js",
    ".min.css",
    ".map",
    "-lock.json",
    ".lock",
)
REMADE_DIRS = frozenset({"build", "dist", "target", "coverage", ".cache", "__pycache__", "node_modules"})
# Only at the top: `src/log` and `pkg/out` may well be somebody's work.
REMADE_TOP_DIRS = frozenset({"out", "output", "logs", "log", "tmp", "temp", "results"})


def real_path(path: str, cwd: str) -> str | None:
    """Absolute, symlinks resolved as far as they exist; None for what cannot be a path."""
    if not path or "\0" in path:
        return None
    try:
        return os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    except (OSError, ValueError):
        return None


def facts_of_tool(
    tool: str,
    input: Mapping[str, Any],
    *,
    project: str,
    cwd: str,
    settings: WriteSettings,
    made_here: OwnFiles = lambda _: None,
) -> tuple[Fact, ...]:
    """The write that a file tool would do, with the resulting content; and, where that is not known, why."""
    given = input.get(PATH_KEYS.get(tool, "file_path"))
    if (tool not in PATH_KEYS and tool != DELETE_FILE) or not isinstance(given, str) or not given:
        return (Unknown("file tool", f"{tool} names no file", str(given or "")),)
    path = real_path(given, cwd)
    if path is None:
        return (Unknown("file tool", f"`{given!r}` is not a path", given),)
    if tool == DELETE_FILE:  # of askfirst's own server; what other agents delete is judged by the rules alone
        # The second fact is one that no rule, and no answer to another request, allows.
        return (Write(path, given, "delete", tool), Unknown("delete", "deleting a file always asks", given, (given,)))
    found = look_at(path, _project_of(path, project))
    result = result_of(tool, input, found)
    if result.content is not None:
        change = classify(path, found, result.content, settings)
    else:
        change = Change("MODIFY" if found.exists else "NEW", mode=found.mode, odd=found.odd)
    write = Write(path, given, "overwrite" if found.exists else "create", tool, result.content, change=change)
    write = _in_scratch(write, project, made_here)
    others = tuple(
        Write(name, given, write.how, tool, change=Change("MODIFY")) for name in _other_names(given, path, project, cwd)
    )
    if result.problem:
        return (
            write,
            *others,
            Unknown(
                "file content", f"askfirst cannot tell what {tool} would leave in {given}: {result.problem}", given
            ),
        )
    return (write, *others)


def _other_names(given: str, path: str, project: str, cwd: str) -> Iterator[str]:
    """Through links; and some clients take blanks or quotes off the ends of a name, or `..` out of the text before they
    open it (`link/../x`)."""
    yield from other_names(os.path.join(cwd, os.path.expanduser(given)), project, os.path.expanduser("~"))
    texts = {given, given.strip(), given.strip().strip("\"'`")} - {""}
    for text in {*texts, *(os.path.normpath(os.path.join(cwd, os.path.expanduser(text))) for text in texts)} - {given}:
        plain = real_path(text, cwd)
        if plain is not None and plain != path:
            yield plain


def look(
    facts: tuple[Fact, ...],
    *,
    project: str,
    settings: WriteSettings,
    made_here: OwnFiles = lambda _: None,
) -> tuple[Fact, ...]:
    """The same facts, with what each write in the project does to the file on disk. Never raises: what cannot be seen
    is odd, and asks. `made_here`: what this session knows of the file at a path (store/session_files.py)."""
    if not any(isinstance(f, Write) for f in facts):
        return facts
    facts = _with_what_is_kept(facts, project, made_here)
    facts = tuple(
        each for fact in facts for each in (_through_links(fact, project) if isinstance(fact, Write) else (fact,))
    )
    made = {f.path: f.by for f in facts if isinstance(f, Write) and f.by in MOVERS and f.how == "overwrite" and f.path}
    facts = tuple(_looked_at(_not_there_yet(f, made), project, settings) if isinstance(f, Write) else f for f in facts)
    return tuple(_in_scratch(f, project, made_here) if isinstance(f, Write) else f for f in facts)


def _in_scratch(write: Write, project: str, made_here: OwnFiles) -> Write:
    """What is written in a scratch directory, with why nothing of anybody else is lost. What is moved there may be all
    that is left of it."""
    path = write.path or ""
    scratch = path.startswith(tuple(f"{one}/" for one in SCRATCH_DIRS)) and not _project_of(path, project)
    if not scratch or write.below or write.how in UPROOTING or write.by in MOVERS:
        return write
    kept = _why_free(path, made_here)
    if kept == NOT_THERE and write.by in IN_PLACE:
        return write  # the backup of a file that lies elsewhere
    return replace(write, change=replace(write.change or Change("MODIFY"), kept=kept)) if kept else write


def _why_free(path: str, made_here: OwnFiles) -> str:
    folder = os.path.dirname(path)
    if folder not in SCRATCH_DIRS and os.path.lexists(folder) and made_here(folder) != "":
        return ""
    if not os.path.lexists(path):
        return NOT_THERE
    return MADE_HERE if made_here(path) == "" else ""


def _with_what_is_kept(facts: tuple[Fact, ...], project: str, made_here: OwnFiles) -> tuple[Fact, ...]:
    """Deletions, each with why nothing is lost by it. Where the same command moves, unpacks or brings back
    something, it may be that which is deleted: then nothing is known to be kept."""
    writes = [f for f in facts if isinstance(f, Write)]
    if not any(w.how == "delete" and w.by in DELETERS for w in writes):
        return facts
    if any(_rearranges(w) for w in writes if w.by not in DELETERS):
        return facts
    known = tuple(_kept(f, project, made_here) if isinstance(f, Write) else f for f in facts)
    return (*known, *(one for f in known if isinstance(f, Write) for one in _each_below(f)))


def _each_below(write: Write) -> list[Fact]:
    """What goes with a directory is judged file by file: some of it may be protected."""
    if write.path is None or write.change is None or write.change.kept != MADE_BELOW:
        return []
    files = files_below(write.path) or ()
    return [replace(write, path=file, text=file, below=False) for file in files]


def _through_links(write: Write, project: str) -> tuple[Write, ...]:
    """`cp -r src/. lib/` writes through the links that lie in `lib`: each is a file that it may write."""
    if write.by not in COPIERS or not write.below or write.path is None or write.how != "overwrite":
        return (write,)
    links = links_below(write.path)
    if links is None:
        return (replace(write, change=Change("REPLACE", odd="holds more files than are looked through for links")),)
    inner = [(place, os.path.relpath(place, write.path)) for place in links]
    met = [(place, name) for place, name in inner if _is_met(write.text, name)]
    shown = os.path.relpath(write.path, project) if has_wildcards(write.text) else write.text.rstrip("/")
    return (write, *(Write(os.path.realpath(p), f"{shown}/{name}", write.how, write.by) for p, name in met))


def _is_met(text: str, name: str) -> bool:
    """Whether a pattern stands for the place of this name, or for a directory above it; any other text does."""
    pattern = behind_wildcard(text)
    return "**" in pattern or "{" in text or all(map(wild, pattern, name.split("/")))


def _rearranges(write: Write) -> bool:
    """After it, other files than those that were looked at may lie in the places of a command."""
    brings_back = write.how in REARRANGING or write.by in ("git stash", BACK_TO_HEAD)
    return brings_back or write.by in MOVERS or (write.below and write.how != "delete")


def _kept(write: Write, project: str, made_here: OwnFiles) -> Write:
    if write.path is None or write.how != "delete" or write.by not in DELETERS:
        return write
    inside = _project_of(write.path, project)
    if not inside:
        return replace(write, change=Change("DELETE", kept=MADE_HERE)) if made_here(write.path) == "" else write
    if write.by == "git rm" and not os.path.lexists(f"{write.path}/.git"):
        # It refuses whatever HEAD holds otherwise, or not at all.
        return replace(write, change=Change("DELETE", kept=IN_HEAD))
    # What is restored must be what the session left there: a person may have changed a file that it made.
    made: OwnFiles = (lambda path: made_here(path) or None) if write.by == RESTORES else made_here
    return replace(write, change=Change("DELETE", kept=why_kept(write.path, inside, tree=write.below, made=made)))


def _not_there_yet(write: Write, made: dict[str, str]) -> Write:
    """`ln -s big.py x; echo > x`, `mv big.py x; echo > x`: what is lost is not at this path now, so looking there says
    nothing."""
    if write.by in MOVERS or write.path is None or write.how not in ("overwrite", "append"):
        return write
    path = write.path
    if not any(path == p or path.startswith(p + "/") for p in made):
        return write
    return replace(
        write, change=Change("REPLACE", odd="is moved or linked there by this same command before it is written")
    )


def _looked_at(write: Write, project: str, settings: WriteSettings) -> Write:
    if write.path is None or write.change is not None or write.below or not _project_of(write.path, project):
        return write
    if write.how not in ("overwrite", "append", "create") or write.by in FROM_HISTORY:
        return write
    found = look_at(write.path, project)
    if found.odd in (DIRECTORY, BELOW_A_FILE):
        return write  # `cp a src`, `cp a b`: one of both readings, and the other one stands in a fact of its own
    if write.how == "overwrite" and (write.content is not None or _takes_all(write, found, project)):
        change = classify(write.path, found, write.content, settings)
        if _is_remade(write.path, project):
            change = replace(change, kind="MODIFY" if found.exists else "NEW", lines=0, deleted=0, ratio=0.0)
        return replace(write, change=change)
    kind = "MODIFY" if found.exists else "NEW"
    return replace(write, change=_seen(kind, found.mode, found.odd, write, settings))


def _seen(kind: str, mode: int, odd: str, write: Write, settings: WriteSettings) -> Change:
    if write.how == "append" and write.content:
        # What is appended may bring in a secret; nothing goes away.
        added = classify(write.path or "", FileState(False), write.content, settings)
        return replace(added, kind=kind, mode=mode, odd=odd, new="", runs="")
    return Change(kind, mode=mode, odd=odd)


def _takes_all(write: Write, found: FileState, project: str) -> bool:
    """Whether a write of unknown content leaves nothing of what is there, and somebody may miss it."""
    if write.by in IN_PLACE or _is_remade(write.path or "", project):
        return False
    return write.by in TYPED_OVER or found.data is None or b"\0" not in found.data[:8192]


def _is_remade(path: str, project: str) -> bool:
    inside = path[len(project.rstrip("/")) + 1 :].lower()
    *parents, name = inside.split("/")
    return (
        name.endswith(REMADE_ENDINGS)
        or any(p in REMADE_DIRS for p in parents)
        or bool(REMADE_TOP_DIRS.intersection(parents[:1]))
    )


def _project_of(path: str, project: str) -> str:
    """The project, when the path lies in it: only there its file system and its links matter."""
    root = project.rstrip("/")
    return project if root and path.startswith(root + "/") else ""
