"""Tools that only look: read_file, search_file, count_matches, list_files. Secrets are refused, and masked where they turn up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from askfirst.digest import sha256_hex
from askfirst.mcp.patterns import Clock, compiled, spans
from askfirst.mcp.place import Place, inside, readable, text_of
from askfirst.mcp.result import Failure
from askfirst.model import Decision, Read
from askfirst.policy.paths import judge_read
from askfirst.policy.rules import Layers
from askfirst.redact import redact

DEFAULT_BYTES = 32_000
MOST_BYTES = 131_072
DEFAULT_LINES = 200
MOST_SNIPPETS = 200
MOST_ENTRIES = 2000
SKIPPED = frozenset((".git", "node_modules", ".venv", "__pycache__", ".tox", "target", "dist", ".mypy_cache"))


def read_file(place: Place, path: str, start_line: int = 1, end_line: int = 0, max_bytes: int = DEFAULT_BYTES) -> dict[str, Any]:
    if not 1 <= max_bytes <= MOST_BYTES:
        raise Failure("InvalidArgument", f"max_bytes is 1 to {MOST_BYTES}")
    if start_line < 1 or (end_line and end_line < start_line):
        raise Failure("InvalidArgument", "lines count from 1, and end_line is not before start_line")
    real = readable(place, path, place.layers())
    data, text = text_of(real, path)
    lines = text.splitlines(keepends=True)
    last = min(end_line or start_line + DEFAULT_LINES - 1, len(lines))
    if lines and start_line > len(lines):
        raise Failure("InvalidRange", f"`{path}` has {len(lines)} lines", "choose a smaller start_line")
    shown: list[str] = []
    size = 0
    for line in lines[start_line - 1 : last]:
        size += len(line.encode())
        if size > max_bytes and shown:
            break
        shown.append(line)
    content = "".join(shown).encode()[:max_bytes].decode("utf-8", "ignore")
    end = start_line + len(shown) - 1
    return {
        "path": os.path.relpath(real, place.project),
        "content": redact(content),
        "returned_range": {"start_line": start_line, "end_line": end},
        "total_lines": len(lines),
        "base_hash": f"sha256:{sha256_hex(data)}",
        "truncated": end < len(lines) or size > max_bytes,
        "max_bytes": max_bytes,
    }


def list_files(place: Place, path: str = ".", recursive: bool = False) -> dict[str, Any]:
    real = inside(place, path)
    if not os.path.isdir(real):
        raise Failure("FileNotFound", f"`{path}` is not a directory", "list `.` first")
    entries: list[dict[str, Any]] = []
    for folder, names in _walk(real, recursive):
        for name in names:
            if len(entries) >= MOST_ENTRIES:
                return {"path": path, "entries": entries, "truncated": True}
            full = os.path.join(folder, name)
            kind = "link" if os.path.islink(full) else "directory" if os.path.isdir(full) else "file"
            entries.append(
                {"path": os.path.relpath(full, place.project), "type": kind, "size": os.lstat(full).st_size if kind == "file" else 0}
            )
    return {"path": path, "entries": entries, "truncated": False}


def _walk(top: str, recursive: bool) -> Iterator[tuple[str, list[str]]]:
    for folder, directories, files in os.walk(top):
        directories[:] = sorted(d for d in directories if d not in SKIPPED or not recursive)
        yield folder, sorted([*directories, *files])
        if not recursive:
            return
        directories[:] = [d for d in directories if not os.path.islink(os.path.join(folder, d))]


def search_file(place: Place, path: str, regex: str, recursive: bool = False) -> dict[str, Any]:
    """Lines that match, each with its file and number."""
    pattern, clock = compiled(regex), Clock()
    found: list[dict[str, Any]] = []
    for shown, text in _texts(place, path, recursive, clock):
        starts = _line_starts(text)
        for start, _ in spans(pattern, text, clock):
            if len(found) >= MOST_SNIPPETS:
                return {"matches": found, "truncated": True}
            number = _line_of(starts, start)
            line = text[starts[number] : text.find("\n", starts[number]) if "\n" in text[starts[number] :] else len(text)]
            found.append({"path": shown, "line": number + 1, "text": redact(line)[:400]})
    return {"matches": found, "truncated": False}


def count_matches(place: Place, path: str, regex: str, recursive: bool = False) -> dict[str, Any]:
    pattern, clock = compiled(regex), Clock()
    by_file = {shown: sum(1 for _ in spans(pattern, text, clock)) for shown, text in _texts(place, path, recursive, clock)}
    return {"count": sum(by_file.values()), "files": {name: n for name, n in by_file.items() if n}}


def _texts(place: Place, path: str, recursive: bool, clock: Clock) -> Iterator[tuple[str, str]]:
    """Text files below a path. What may not be read, and what is not text, is passed over; a file named outright fails instead."""
    layers = place.layers()
    real = inside(place, path)
    if not os.path.isdir(real):
        real = readable(place, path, layers)
        yield os.path.relpath(real, place.project), text_of(real, path)[1]
        return
    for folder, names in _walk(real, recursive):
        for name in names:
            clock.check()
            full = os.path.join(folder, name)
            shown = os.path.relpath(full, place.project)
            if os.path.isfile(full) and not os.path.islink(full) and _may_read(full, shown, layers):
                try:
                    yield shown, text_of(full, shown)[1]
                except Failure:
                    continue


def _may_read(full: str, shown: str, layers: Layers) -> bool:
    return judge_read(Read(full, shown, "search_file"), layers).decision == Decision.ALLOW


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _line_of(starts: list[int], at: int) -> int:
    import bisect

    return bisect.bisect_right(starts, at) - 1
