"""Variables that a repository's settings give to the client, to its hooks and to every command.

Some of them load code into whatever runs, or move the files by which askfirst decides (seen: `XDG_CONFIG_DIRS` in
`.claude/settings.json` put the repository's own rules in force, `BASH_ENV` ran a script before every command,
`GIT_EXTERNAL_DIFF` ran one at an allowed `git diff`). With one of those everything is denied.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from typing import Any

from askfirst import jsontext
from askfirst.knowledge.variables import chooses_for_client, reaches_gate, runs_code_of_repository

MAX_BYTES = 4 << 20  # the client takes less than 2 MiB
FILES = (".claude/settings.json", ".claude/settings.local.json")

REMOVE = "a person has to remove it (their own variables belong in ~/.claude/settings.json)"
CANNOT_TELL = "askfirst cannot tell which variables it sets; they may load code or move askfirst's files"


def tampering(project: str) -> str:
    """Why nothing may be judged in this project as it stands; "" when its settings set nothing of the kind."""
    for name in FILES:
        path = os.path.join(project, name)
        why = tampering_in(path)
        if why:
            return f"{path}: {why}: {REMOVE}"
    return ""


def tampering_in(path: str) -> str:
    try:
        data = read(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        # What cannot be looked at counts as the stricter: the client might read it a moment later.
        return f"cannot be read ({error.strerror}), so {CANNOT_TELL}"
    if len(data) > MAX_BYTES:
        return f"is larger than {MAX_BYTES >> 20} MiB, so askfirst does not look for the variables that it sets"
    try:
        text = decoded(data)
    except ValueError as error:
        return f"{error}, so {CANNOT_TELL}"
    if '"env"' not in text and "\\u" not in text:
        return ""
    try:
        found = names_in(jsontext.loads(text), os.path.dirname(os.path.dirname(path)))
    except (ValueError, RecursionError):
        # The client may still read it: it takes the last of two equal keys. By the letters, then.
        found = list(dict.fromkeys(word for word in text.split('"') if closes(word, "/")))
        if not found and "\\u" in text:
            return CANNOT_TELL
    if not found:
        return ""
    what = "which can load code into every command, move askfirst's own files or send a token elsewhere"
    return f"`env` sets {', '.join(found)}, {what}"


def read(path: str) -> bytes:
    """A little more than MAX_BYTES at most; a FIFO in the place of the file does not hold up the hook."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        chunks: list[bytes] = []
        while chunk := os.read(handle, MAX_BYTES + 1 - sum(map(len, chunks))):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(handle)


def decoded(data: bytes) -> str:
    """The text of a settings file, in the encodings that the client reads (tried with 2.1.197 and 2.1.325): UTF-8, and
    UTF-16 in the order of Windows where a mark says so. Raises ValueError for anything else."""
    try:
        text = data.decode("utf-16") if data.startswith(b"\xff\xfe") else data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise ValueError("it is neither UTF-8 nor UTF-16 with a mark") from None
    if "\0" in text:
        raise ValueError("it is UTF-16 without a mark or UTF-32, or holds NUL")
    return text


def names_in(settings: Any, project: str = "") -> list[str]:
    env = settings.get("env") if isinstance(settings, dict) else None
    return sorted(name for name, value in env.items() if closes(name, value, project)) if isinstance(env, dict) else []


def closes(name: str, value: object, project: str = "") -> bool:
    """Whether a repository must not set this variable, or not to this value."""
    if not reaches_gate(name) and name.startswith("CLAUDE"):
        return chooses_for_client(name, str(value))
    return reaches_gate(name) or runs_code_of_repository(name, str(value), project)
