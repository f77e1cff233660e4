"""Variables that a repository gives to an agent in a `.env`, which some agents load into themselves, and so into their
hooks and into every command.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from askfirst.knowledge.variables import reaches_gate, runs_code_of_repository

__all__ = ["tampering_by_dotenv"]

MAX_BYTES = 1 << 20
# Every process has these, and a `.env` does not change what is set.
_ALWAYS_SET = frozenset(("PATH", "HOME", "SHELL"))


def tampering_by_dotenv(project: str, folder: str) -> str:
    """Why nothing may be judged: a `.env` reaches into the gate. The one in the agent's own folder is for the agent
    alone, and must not load code into commands either; a plain one is mostly a person's, for their application.
    """
    for directory in _directories(project):
        for path, own in ((f"{directory}/{folder}/.env", True), (f"{directory}/.env", False)):
            try:
                text = _text_of(path)
            except OSError as error:
                return f"{path} cannot be read ({error.strerror}), so askfirst cannot tell which variables it sets"
            names = {
                name
                for name, value in _assignments(text)
                if name not in _ALWAYS_SET
                and (reaches_gate(name) or (own and runs_code_of_repository(name, value, project)))
            }
            if names:
                what = "which can load code into every command or move askfirst's own files"
                return f"{path} sets {', '.join(sorted(names))}, {what}: a person has to remove it"
    return ""


def _directories(project: str) -> Iterator[str]:
    """From the one that the agent was started in to the project's root."""
    root = project.rstrip("/")
    here = os.path.realpath(".")
    while here.startswith(f"{root}/"):
        yield here
        here = os.path.dirname(here)
    yield root


def _text_of(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    try:
        return os.read(fd, MAX_BYTES).decode("utf-8", "replace") if stat.S_ISREG(os.fstat(fd).st_mode) else ""
    finally:
        os.close(fd)


def _assignments(text: str) -> Iterator[tuple[str, str]]:
    """`NAME=value`, `export NAME=value`, `NAME: value`; blanks may stand around the sign, and a new line before it."""
    before = ""
    for line in (line.strip() for line in text.splitlines()):
        if not line:
            continue
        if line[0] in "=:":
            line = before + line
        before = line
        words = line.split(None, 1)
        rest = words[1] if words[0] == "export" and len(words) > 1 else line
        end = next((at for at, c in enumerate(rest) if not (c.isalnum() or c in "_.-")), len(rest))
        value = rest[end:].lstrip()
        if end and value[:1] in ("=", ":"):
            yield rest[:end], value[1:].strip().strip("'\"`")
