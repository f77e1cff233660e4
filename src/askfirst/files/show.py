"""What a person is shown about a write, as values: what is DELETED first, then the diff; and what a merge would make of
it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from askfirst.digest import sha256_hex
from askfirst.files.big import compare
from askfirst.files.bind import CHANGED
from askfirst.files.change import PYTHON, deleted_names, text_of, unified_diff
from askfirst.files.content import WHOLE, decode, encode, lines_of, look_at, style_of, with_ends
from askfirst.files.lines import changed
from askfirst.files.merge import MergeError, from_answer, merge
from askfirst.model import Write

MAX_DIFF = 400_000  # characters; nobody pages through more


@dataclass(frozen=True)
class Shown:
    change: str = ""  # NEW, MODIFY, REPLACE
    diff: str = ""
    deleted: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    proposed: str = ""  # the new text, for the preview of a merge; "" when no strategy but replace makes sense


def shown(write: Write, project: str = "", progress: Callable[[int, int], None] | None = None) -> Shown:
    """The question's part about one write. Texts are not redacted here: whoever stores or draws them does that."""
    if write.path is None or write.change is None:
        return Shown()
    path = _relative(write.path, project)
    found = look_at(write.path)
    if found.exists and found.data is None and found.size > WHOLE:
        counts = compare(write.path, write.content, progress)
        return Shown(write.change.kind, counts.diff, _deleted(counts.deleted, counts.lines, ()), ())
    old = found.data if found.exists else None
    if write.content is None:
        return Shown(write.change.kind, "", _deleted(write.change.deleted, write.change.lines, write.change.names))
    names = deleted_names(write.path, text_of(old), text_of(write.content)) if old else ()
    diff = cut(unified_diff(path, old, write.content))
    deleted = _deleted(write.change.deleted, write.change.lines, names)
    ways = _ways(write, old)
    return Shown(write.change.kind, diff, deleted, ways, text_of(write.content) if ways else "")


def cut(diff: str) -> str:
    if len(diff) <= MAX_DIFF:
        return diff
    rest = diff.count("\n", MAX_DIFF)
    return diff[:MAX_DIFF].rpartition("\n")[0] + f"\n\\ … {rest} more lines of the diff are not shown\n"


def _deleted(lines: int, of: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """What goes away: names, where the language has them, and last how many lines."""
    if not lines:
        return ()
    text = f"{lines} of {of} lines" if of else f"{lines} lines"
    return (*names, text)


def _ways(write: Write, old: bytes | None) -> tuple[str, ...]:
    """Merging is for a whole content that meets an existing text."""
    if write.by not in ("Write", "propose") or not old or decode(old, style_of(old)) is None:
        return ()
    return (
        ("replace", "append", "insert", "extend")
        if (write.path or "").endswith(PYTHON)
        else ("replace", "append", "insert")
    )


def _relative(path: str, project: str) -> str:
    root = project.rstrip("/")
    return path[len(root) + 1 :] if root and path.startswith(root + "/") else path.lstrip("/")


@dataclass(frozen=True)
class Preview:
    text: str  # the final text
    diff: str
    deleted: tuple[str, ...]
    warning: str


def preview(path: str, proposed: str, extra: Mapping[str, Any] | None, project: str = "") -> Preview:
    """What a chosen strategy would make of the file as it is now: the person sees this before the answer counts."""
    old = look_at(path).data or b""
    strategy, line = from_answer(extra)
    merged = merge(text_of(old), proposed, strategy, line)
    new = encode(merged.text, style_of(old)) or merged.text.encode("utf-8", "replace")
    lines = lines_of(text_of(old))
    gone = sum(b - a for a, b, _, _ in changed(lines, lines_of(text_of(new))))
    deleted = _deleted(gone, len(lines), deleted_names(path, text_of(old), text_of(new)))
    return Preview(merged.text, cut(unified_diff(_relative(path, project), old, new)), deleted, merged.warning)


def updated_input(
    tool: str, input: Mapping[str, Any], extra: Mapping[str, Any] | None, *, cwd: str, base: str = ""
) -> dict[str, Any]:
    """The tool's input after the merge a person chose. Raises MergeError where that is not possible: then nothing is
    written.

    `base`: SHA-256 of what the person saw there (Binding.base); the merge is made with that and nothing else.
    """
    strategy, line = from_answer(extra)
    given = dict(input)
    if strategy == "replace":
        return given
    path, content = input.get("file_path"), input.get("content")
    if tool != "Write" or not isinstance(path, str) or not isinstance(content, str):
        raise MergeError(f"{tool} cannot be merged; approve it as it is, or deny it")
    real = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    found = look_at(real)
    if not found.exists or found.data is None or decode(found.data, style_of(found.data)) is None:
        raise MergeError(f"{path}: is not a text file that could be merged with")
    if base and sha256_hex(found.data) != base:
        raise MergeError(f"{path}: {CHANGED}")
    merged = merge(text_of(found.data), content.replace("\r\n", "\n"), strategy, line).text
    given["content"] = with_ends(merged, style_of(found.data))  # the tool writes line ends as they come
    return given
