"""The files of a project that tools may look into: what rules refuse to show is never opened, nor what git ignores by
habit (environments, build output)."""

from __future__ import annotations

import errno
import os
import stat
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


def is_closed(project: str, path: str, layers: Layers) -> bool:
    """Whether even the name is none of this agent's business: it belongs to another service."""
    return judge((Read(os.path.join(project, path), path, "list_files"),), layers).decision == Decision.DENY


def data_of(real: str, limit: int) -> bytes:
    """What a file holds, up to one byte more than the limit. OSError where a link leads to it by now: the rules have
    judged this very path, and whoever runs code here may put a link in its place."""
    fd = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(fd, "rb") as file:
        opened, there = os.fstat(fd), os.lstat(real)
        if os.path.realpath(real) != real or not os.path.samestat(opened, there) or not stat.S_ISREG(opened.st_mode):
            raise OSError(errno.ELOOP, "not a plain file at this place", real)
        return file.read(limit + 1)


def text_in(project: str, path: str) -> str | None:
    """A file's text; None for what is binary, large, or not to be had."""
    try:
        data = data_of(os.path.join(os.path.realpath(project), path), MAX_FILE_BYTES)
    except OSError:
        return None
    if len(data) > MAX_FILE_BYTES or b"\0" in data[:BINARY_BYTES]:
        return None
    return data.decode("utf-8", "replace")


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
