"""Patches in the form that Codex and its kin send (`*** Begin Patch`): every file in one becomes facts of its own.

The agent's own reader is generous: it finds a place also where spaces or quotes differ. Here only an exact fit counts;
for everything else the file is known and its content is not, which is asked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askfirst.files import facts_of_tool, real_path
from askfirst.files.content import decode, look_at, style_of
from askfirst.links import other_names
from askfirst.model import Fact, Unknown, Write

if TYPE_CHECKING:
    from askfirst.policy.rules import WriteSettings

BEGIN, END, END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"
HEADS = {"*** Add File: ": "add", "*** Update File: ": "update", "*** Delete File: ": "delete"}
MOVE = "*** Move to: "
BY = "Edit"


@dataclass(frozen=True)
class Chunk:
    """A run of lines that changes: `old` is found behind the lines in `where`, and becomes `new`."""

    where: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    at_end: bool = False


@dataclass(frozen=True)
class FilePatch:
    """What a patch does to one file."""

    kind: str  # add, update, delete
    path: str
    to: str = ""  # where the file goes, for a move
    lines: tuple[str, ...] = ()  # as they stand in the patch, below the head


class PatchError(Exception):
    """The text is not such a patch."""


def facts_of_patch(text: str, *, project: str, cwd: str, settings: WriteSettings) -> tuple[Fact, ...]:
    """What the patch would write and delete; one Unknown when it is not understood as a whole."""
    try:
        parts = parse(text)
    except PatchError as error:
        return (Unknown("patch", f"askfirst cannot read the patch: {error}", text[:2000]),)
    facts: list[Fact] = []
    for part in parts:
        facts += _facts(part, project, cwd, settings)
    touched = [f.path for f in facts if isinstance(f, Write)]
    for path in sorted({p for p in touched if p is not None and touched.count(p) > 1}):
        # Each part was judged against what is on disk now; the second would meet what the first has left.
        facts.append(Unknown("patch", f"the patch changes {path} more than once", path))
    return tuple(facts)


def deletion(given: object, cwd: str, project: str) -> tuple[Fact, ...]:
    """A file that a tool would delete."""
    if not isinstance(given, str) or real_path(given, cwd) is None:
        return (Unknown("file tool", "the deletion names no file", str(given or "")),)
    return _taken(given, cwd, project, "delete", "Delete")


def _taken(given: str, cwd: str, project: str, how: str, by: str) -> tuple[Fact, ...]:
    """What goes away from a place: by its real name, by that which the text has without `..`, and by those of links."""
    path = os.path.join(cwd, os.path.expanduser(given))
    names = other_names(path, project, os.path.expanduser("~"))
    found = dict.fromkeys((real_path(given, cwd), real_path(os.path.normpath(path), cwd), *names))
    return tuple(Write(path, given, how, by) for path in found)


def _facts(part: FilePatch, project: str, cwd: str, settings: WriteSettings) -> Iterator[Fact]:
    if part.kind == "delete":
        yield from deletion(part.path, cwd, project)
        return
    content, problem = _added(part) if part.kind == "add" else _updated(part, cwd)
    target = part.to or part.path
    given: Mapping[str, object] = {"file_path": target, "content": content}
    for fact in facts_of_tool("Write", given, project=project, cwd=cwd, settings=settings):
        if isinstance(fact, Write):
            yield replace(fact, by=BY)
        elif content is not None:
            yield fact
    if content is None:
        yield Unknown("file content", f"askfirst cannot tell what the patch would leave in {target}: {problem}", target)
    if part.to:
        yield from _taken(part.path, cwd, project, "move", BY)


# Reading


def parse(text: str) -> tuple[FilePatch, ...]:
    lines = text.strip("\n").split("\n")
    if len(lines) < 3 or lines[0].rstrip() != BEGIN or lines[-1].rstrip() != END:
        raise PatchError(f"it is not enclosed in `{BEGIN}` and `{END}`")
    parts: list[FilePatch] = []
    body: list[str] = []
    for line in lines[1:-1]:
        head = next((h for h in HEADS if line.startswith(h)), "")
        if head:
            parts = _closed(parts, body)
            parts.append(FilePatch(HEADS[head], _path(line[len(head) :])))
        elif not parts:
            raise PatchError(f"`{line[:60]}` comes before the first file")
        elif line.startswith(MOVE) and not body and parts[-1].kind == "update" and not parts[-1].to:
            parts[-1] = replace(parts[-1], to=_path(line[len(MOVE) :]))
        elif line.lstrip().startswith("***") and line.rstrip() != END_OF_FILE:
            # Also with blanks before it: a reader that trims its lines would begin another file here.
            raise PatchError(f"unknown line `{line[:60]}`")
        else:
            body.append(line)
    return tuple(_closed(parts, body))


def _closed(parts: list[FilePatch], body: list[str]) -> list[FilePatch]:
    """The part above is complete: it takes its lines."""
    if parts:
        if parts[-1].kind == "delete" and any(line.strip() for line in body):
            raise PatchError("a deleted file is followed by lines")
        if parts[-1].kind == "add" and any(not line.startswith("+") for line in body):
            raise PatchError("a line of a new file does not begin with `+`")
        parts[-1] = replace(parts[-1], lines=tuple(body))
    body.clear()
    return parts


def _path(text: str) -> str:
    path = text.strip()
    if not path or any(not c.isprintable() for c in path):
        raise PatchError("a file has no name")
    if path.startswith("~"):
        # The agent takes this for a directory named `~`.
        return f"./{path}"
    return path


# Results


def _added(part: FilePatch) -> tuple[str | None, str]:
    return "".join(f"{line[1:]}\n" for line in part.lines), ""


def _updated(part: FilePatch, cwd: str) -> tuple[str | None, str]:
    path = real_path(part.path, cwd)
    found = look_at(path) if path is not None else None
    if found is None or not found.exists or found.data is None:
        return None, "the file is not there, or cannot be read whole"
    text = decode(found.data, style_of(found.data))
    if text is None:
        return None, "the file is not text"
    try:
        return _applied(text, _chunks(part.lines)), ""
    except PatchError as error:
        return None, str(error)


def _chunks(lines: tuple[str, ...]) -> tuple[Chunk, ...]:
    chunks: list[Chunk] = []
    where: list[str] = []
    old: list[str] = []
    new: list[str] = []

    def close(*, at_end: bool = False) -> None:
        if old or new:
            chunks.append(Chunk(tuple(where), tuple(old), tuple(new), at_end))
            where.clear()
            old.clear()
            new.clear()

    for line in lines:
        if line.startswith("@@"):
            close()
            if line[2:].strip():
                where.append(line[3:] if line.startswith("@@ ") else line[2:])
        elif line.rstrip() == END_OF_FILE:
            close(at_end=True)
        elif line[:1] in ("", " "):
            old.append(line[1:])
            new.append(line[1:])
        elif line[0] == "-":
            old.append(line[1:])
        elif line[0] == "+":
            new.append(line[1:])
        else:
            raise PatchError(f"`{line[:60]}` is not a line of a patch")
    close()
    if where or not chunks:
        raise PatchError("a part of the patch changes nothing")
    return tuple(chunks)


def _applied(text: str, chunks: tuple[Chunk, ...]) -> str:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    result: list[str] = []
    at = 0
    for chunk in chunks:
        for line in chunk.where:
            place = _find(lines, (line,), at)
            result += lines[at : place + 1]
            at = place + 1
        if not chunk.old:
            place = len(lines)
        elif chunk.at_end:
            place = _find(lines, chunk.old, max(at, len(lines) - len(chunk.old)))
        else:
            place = _find(lines, chunk.old, at)
        result += lines[at:place]
        result += chunk.new
        at = place + len(chunk.old)
    return "".join(f"{line}\n" for line in result + lines[at:])


def _find(lines: list[str], wanted: tuple[str, ...], start: int) -> int:
    for place in range(start, len(lines) - len(wanted) + 1):
        if tuple(lines[place : place + len(wanted)]) == wanted:
            return place
    raise PatchError(f"`{wanted[0][:60]}` is not in the file as the patch has it")
