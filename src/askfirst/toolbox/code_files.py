"""The files of a project that tools may look into: what rules refuse to show is never opened, nor what git ignores by
habit (environments, build output)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from askfirst.files.related_tests import SKIPPED
from askfirst.model import Decision, Read
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers

MAX_FILES = 20_000
MAX_FILE_BYTES = 1 << 20
BINARY_BYTES = 8192

_LANGUAGES = {
    "python": "py pyi",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "rust": "rs",
    "go": "go",
    "java": "java",
    "kotlin": "kt kts",
    "c": "c h",
    "cpp": "cc cpp cxx hpp hh",
    "csharp": "cs",
    "ruby": "rb",
    "php": "php",
    "swift": "swift",
    "scala": "scala",
    "lua": "lua",
    "bash": "sh bash",
    "css": "css",
    "html": "html htm",
    "json": "json",
    "yaml": "yaml yml",
}
_BY_ENDING = {ending: language for language, endings in _LANGUAGES.items() for ending in endings.split()}


@dataclass(frozen=True)
class CodeFile:
    project: str
    path: str  # relative
    full_path: str
    text: str
    language: str


def language_of(path: str) -> str:
    """As ast-grep names it; "" where nobody knows."""
    return _BY_ENDING.get(path.rpartition(".")[2].lower(), "") if "." in os.path.basename(path) else ""


def paths(project: str, top: str = "") -> Iterator[str]:
    """Files of the project, relative, in order; links are not followed."""
    for folder, directories, files in os.walk(os.path.join(project, top)):
        directories[:] = sorted(
            d for d in directories if d not in SKIPPED and not os.path.islink(os.path.join(folder, d))
        )
        for name in sorted(files):
            full = os.path.join(folder, name)
            if not os.path.islink(full):
                yield os.path.relpath(full, project)


def may_show(project: str, path: str, layers: Layers) -> bool:
    return judge((Read(os.path.join(project, path), path, "search_file"),), layers).decision == Decision.ALLOW


def text_in(project: str, path: str) -> str | None:
    """A file's text; None for what is binary, large, or not to be had."""
    full = os.path.join(project, path)
    try:
        if os.path.getsize(full) > MAX_FILE_BYTES:
            return None
        with open(full, "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError:
        return None
    return None if b"\0" in data[:BINARY_BYTES] else data.decode("utf-8", "replace")


def sources(project: str, layers: Layers, *, holding: str) -> tuple[list[CodeFile], bool]:
    """Files in a known language that hold a word, and whether there were too many to look at all."""
    found: list[CodeFile] = []
    for number, path in enumerate(paths(project)):
        if number >= MAX_FILES:
            return found, True
        language = language_of(path)
        if language in ("", "json", "yaml", "css", "html"):
            continue
        text = text_in(project, path)
        if text is not None and holding in text and may_show(project, path, layers):
            found.append(CodeFile(project, path, os.path.join(project, path), text, language))
    return found, False
