"""Tools that only look: read_file, search_file, count_matches, list_files. Secrets are refused, and masked where they
turn up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from askfirst import proposals
from askfirst.digest import sha256_hex
from askfirst.masking import masker_of
from askfirst.model import Decision, Read
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers
from askfirst.redact import redact
from askfirst.store.layers import flow_settings
from askfirst.toolbox.code_files import is_closed
from askfirst.toolbox.place import Place, lines_of, on_view, open_directory, permitted, read_permit, readable, text_of
from askfirst.toolbox.regexes import matched
from askfirst.toolbox.tool_result import Failure

DEFAULT_LINES = 200
MAX_SNIPPETS = 200
MAX_ENTRIES = 2000
MAX_FILES = 20_000
SKIPPED = frozenset((".git", "node_modules", ".venv", "__pycache__", ".tox", "target", "dist", ".mypy_cache"))


def read_file(place: Place, path: str, start_line: int = 1, end_line: int = 0, max_bytes: int = 0) -> dict[str, Any]:
    if start_line < 1 or (end_line and end_line < start_line):
        raise Failure("InvalidArgument", "lines count from 1, and end_line is not before start_line")
    on_view(place, path)
    real, permit = read_permit(place, path)
    limits = permit.layers.settings.toolbox
    most = limits.max_read_kib * 1024
    max_bytes = max_bytes or min(limits.read_kib * 1024, most)
    if not 1 <= max_bytes <= most:
        raise Failure("InvalidArgument", f"max_bytes is 1 to {most}", "read a range of lines instead")
    data, text = text_of(real, path)
    lines = lines_of(text)
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
    shown_path = os.path.relpath(real, place.project)
    answer = {
        "path": shown_path,
        "content": redact(masker_of(place.project, os.environ, flow_settings(), real).text(content)),
        "returned_range": {"start_line": start_line, "end_line": end},
        "total_lines": len(lines),
        "base_hash": f"sha256:{sha256_hex(data)}",
        "truncated": end < len(lines) or size > max_bytes,
        "max_bytes": max_bytes,
    }
    return proposals.response("allowed", "fs.read", shown_path, data=answer, head=permit.head)


def list_files(place: Place, path: str = ".", recursive: bool = False) -> dict[str, Any]:
    layers = permitted(place, "LS", path=on_view(place, path)).layers
    entries: list[dict[str, Any]] = []
    for full, kind in _walk(open_directory(place, path, layers), recursive):
        if len(entries) >= MAX_ENTRIES:
            return {"path": path, "entries": entries, "truncated": True}
        name = os.path.relpath(full, place.project)
        if not is_closed(place.project, name, layers):
            entries.append({"path": name, "type": kind, "size": _size(full) if kind == "file" else 0})
    return {"path": path, "entries": entries, "truncated": False}


def _walk(top: str, recursive: bool) -> Iterator[tuple[str, str]]:
    """(path, kind) of what is below a directory; what cannot be listed is passed over, links are not followed."""
    for folder, directories, files in os.walk(top):
        directories[:] = sorted(d for d in directories if d not in SKIPPED or not recursive)
        for name in sorted([*directories, *files]):
            full = os.path.join(folder, name)
            yield full, "link" if os.path.islink(full) else "directory" if name in directories else "file"
        if not recursive:
            return


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0  # gone since it was listed


def search_file(place: Place, path: str, regex: str, recursive: bool = False) -> dict[str, Any]:
    """Lines that match, each with its file and number."""
    files, cut = _files(place, path, recursive)
    result = matched("search", [regex], files=files, most=MAX_SNIPPETS)
    found = [{"path": shown, "line": number, "text": redact(line)} for shown, number, line in result["found"]]
    return {"matches": found, "truncated": result["truncated"] or cut}


def count_matches(place: Place, path: str, regex: str, recursive: bool = False) -> dict[str, Any]:
    files, cut = _files(place, path, recursive)
    counts = matched("count", [regex], files=files)["counts"]
    return {"count": sum(counts.values()), "files": {name: n for name, n in counts.items() if n}, "truncated": cut}


def _files(place: Place, path: str, recursive: bool) -> tuple[list[tuple[str, str]], bool]:
    """(path to show, real path) of files to search, and whether there were too many. What may not be read is passed
    over; a file that is named outright fails instead."""
    real = on_view(place, path)
    if not os.path.isdir(real):
        readable(place, path)
        text_of(real, path)
        return [(os.path.relpath(real, place.project), real)], False
    layers = permitted(place, "Grep", path=real).layers
    found: list[tuple[str, str]] = []
    for full, kind in _walk(real, recursive):
        shown = os.path.relpath(full, place.project)
        if kind == "file" and _may_read(full, shown, layers):
            if len(found) >= MAX_FILES:
                return found, True
            found.append((shown, full))
    return found, False


def _may_read(full: str, shown: str, layers: Layers) -> bool:
    return judge((Read(full, shown, "search_file"),), layers).decision == Decision.ALLOW
