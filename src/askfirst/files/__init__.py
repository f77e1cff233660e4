"""What a file write does: from a tool's input and the file on disk to facts that policy/paths.py can judge.

`facts_of_tool` for the file tools (Write, Edit, MultiEdit, NotebookEdit), `look` for writes that were found in shell commands: both
meet the same rules. Nothing here writes.
"""

from __future__ import annotations

import os

from askfirst.files.change import classify
from askfirst.files.content import Found, look_at
from askfirst.files.result import PATH_KEYS, result_of
from askfirst.model import Change, Unknown, Write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.model import Fact
    from askfirst.policy.rules import WriteSettings

__all__ = ["facts_of_tool", "look", "real_path"]

# Shell programs after which nothing of the old content is left. Others (`sed -i`, a formatter) work on it.
REPLACERS = frozenset({"redirection", "tee", "cp", "mv", "install", "curl", "wget", "dd"})
# Files that are made anew by every run: nobody keeps work in them.
REMADE_ENDINGS = (".log", ".out", ".err", ".tmp", ".bak", ".patch", ".diff", ".orig", ".pid", ".o", ".pyc")
REMADE_DIRS = frozenset({"build", "dist", "target", "out", "output", "coverage", "logs", "log", "tmp", "temp", ".cache",
                         "__pycache__", "results"})


def real_path(path: str, cwd: str) -> str | None:
    """Absolute, symlinks resolved as far as they exist; None for what cannot be a path."""
    if not path or "\0" in path:
        return None
    try:
        return os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    except (OSError, ValueError):
        return None


def facts_of_tool(tool: str, input: Mapping[str, Any], *, project: str, cwd: str, settings: WriteSettings) -> tuple[Fact, ...]:
    """The write that a file tool would do, with the resulting content; and, where that is not known, why."""
    given = input.get(PATH_KEYS.get(tool, "file_path"))
    if tool not in PATH_KEYS or not isinstance(given, str) or not given:
        return (Unknown("file tool", f"{tool} names no file", str(given or "")),)
    path = real_path(given, cwd)
    if path is None:
        return (Unknown("file tool", f"`{given!r}` is not a path", given),)
    found = look_at(path, _project_of(path, project))
    result = result_of(tool, input, found)
    if result.content is not None:
        change = classify(path, found, result.content, settings)
    else:
        change = Change("MODIFY" if found.exists else "NEW", mode=found.mode, odd=found.odd)
    write = Write(path, given, "overwrite" if found.exists else "create", tool, result.content, change=change)
    if result.problem:
        return (write, Unknown("file content", f"what {tool} leaves in {given} is not known: {result.problem}", given))
    return (write,)


def look(facts: tuple[Fact, ...], *, project: str, settings: WriteSettings) -> tuple[Fact, ...]:
    """The same facts, with what each write in the project does to the file on disk. Never raises: what cannot be seen is odd, and asks."""
    if not any(isinstance(f, Write) for f in facts):
        return facts
    return tuple(_looked_at(f, project, settings) if isinstance(f, Write) else f for f in facts)


def _looked_at(write: Write, project: str, settings: WriteSettings) -> Write:
    if write.path is None or write.change is not None or write.below or not _project_of(write.path, project):
        return write
    if write.how not in ("overwrite", "append", "create"):
        return write
    found = look_at(write.path, project)
    if found.odd == "is a directory":
        return write  # `cp a src`: what is written there stands in a fact of its own
    if write.how == "overwrite" and (write.content is not None or (write.by in REPLACERS and not _is_remade(write.path, project))):
        return write.replace(change=classify(write.path, found, write.content, settings))
    kind = "MODIFY" if found.exists else "NEW"
    return write.replace(change=_seen(kind, found.mode, found.odd, write, settings))


def _seen(kind: str, mode: int, odd: str, write: Write, settings: WriteSettings) -> Change:
    if write.how == "append" and write.content:
        # What is appended may bring in a secret; nothing goes away.
        added = classify(write.path or "", Found(False), write.content, settings)
        return added.replace(kind=kind, mode=mode, odd=odd, new="", runs="")
    return Change(kind, mode=mode, odd=odd)


def _is_remade(path: str, project: str) -> bool:
    inside = path[len(project.rstrip("/")) + 1 :].lower()
    *parents, name = inside.split("/")
    return name.endswith(REMADE_ENDINGS) or any(p in REMADE_DIRS for p in parents)


def _project_of(path: str, project: str) -> str:
    """The project, when the path lies in it: only there its file system and its links matter."""
    root = project.rstrip("/")
    return project if root and path.startswith(root + "/") else ""
