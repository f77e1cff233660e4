"""The files that the words of a command name: where a name may begin in a word, and what is there."""

from __future__ import annotations

import os
import stat

from askfirst.model import DELETED, Command

__all__ = ["is_text", "named_files", "names_in"]

MAX_BYTES = 4 << 20
MAX_WORD = 400  # longer ones are texts

# Behind these a file's name may begin: `--mount type=bind,src=/etc`, `user:/etc/x`, `@/etc/passwd`.
_BEFORE_A_NAME = frozenset("=:,@;|+([{<>'\"&%!?#*")


def names_in(text: str) -> list[str]:
    """The parts of a word that may name a file. An address names none, unless it is one of a file."""
    scheme, address, rest = text.partition("://")
    if address:
        named = scheme.lower().endswith("file")
        return (
            [scheme, "/" + rest] if named else [scheme, *(rest[n:] for n in range(len(rest)) if rest[n - 1] in "=,@")]
        )
    parts = [text, *(text[n:] for n in range(1, len(text)) if text[n - 1] in _BEFORE_A_NAME)]
    if text.startswith("-"):
        parts.append(text[2:])  # a glued value: `-C..`
        if "/" in text:
            parts.append(text[text.index("/") :])  # `-I/usr/include`, `-abc/usr/include`
    return parts


def named_files(command: Command) -> tuple[str, ...]:
    """The texts among what it is given: a script, a list of packages, statements. What it writes itself is not meant,
    nor a database or an archive."""
    if command.cwd is None or not os.path.isdir(command.cwd):
        return ()
    written = {path for path, _, digest in command.beside if digest != DELETED}
    paths = (os.path.realpath(os.path.join(command.cwd, name)) for name in _names(command))
    return tuple(path for path in dict.fromkeys(paths) if path not in written and is_text(path))


def _names(command: Command) -> list[str]:
    words = [w.value for w in command.argv[1:] if w.value and len(w.value) <= MAX_WORD and "\n" not in w.value]
    names = [name for word in words for name in names_in(word) if name]
    if "-m" in words[:-1]:
        module = words[words.index("-m") + 1].replace(".", "/")
        names += [f"{module}.py", f"{module}/__main__.py", f"{module}/__init__.py"]
    return names


def is_text(path: str) -> bool:
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
            return False
        with open(path, "rb") as file:
            return b"\0" not in file.read(1024)
    except (OSError, ValueError):
        return False
