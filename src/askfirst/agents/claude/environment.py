"""Variables that a repository's settings give to the client, to its hooks and to every command.

Some of them load code into whatever runs, or move the files by which askfirst decides (seen: `XDG_CONFIG_DIRS` in
`.claude/settings.json` put the repository's own rules in force, `BASH_ENV` ran a script before every command). With one
of those everything is denied.
"""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst.knowledge.variables import REACHES_GATE, REACHES_GATE_PREFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 4 << 20
FILES = (".claude/settings.json", ".claude/settings.local.json")

REMOVE = "a person has to remove it (their own variables belong in ~/.claude/settings.json)"


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
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        # The client may read it a moment later: what cannot be looked at counts as the worst that could stand there.
        return f"cannot be read ({error.strerror}), so askfirst cannot tell which variables it sets"
    if len(data) > MAX_BYTES:
        return f"is larger than {MAX_BYTES >> 20} MiB, so askfirst does not look for the variables that it sets"
    if b'"env"' not in data and b"\\u" not in data:
        return ""
    try:
        found = names_in(jsontext.loads(data))
    except (ValueError, RecursionError):
        # The client may still read it: it takes the last of two equal keys. By the letters, then.
        found = [n for n in sorted(REACHES_GATE) if f'"{n}"'.encode() in data] + [
            p for p in REACHES_GATE_PREFIXES if f'"{p}'.encode() in data
        ]
        if not found and b"\\u" in data:
            return "askfirst cannot tell which variables it sets; they may load code or move askfirst's files"
    if not found:
        return ""
    return f"`env` sets {', '.join(found)}, which can load code into every command or move askfirst's own files"


def names_in(settings: Any) -> list[str]:
    env = settings.get("env") if isinstance(settings, dict) else None
    return (
        sorted(n for n in env if n in REACHES_GATE or n.startswith(REACHES_GATE_PREFIXES))
        if isinstance(env, dict)
        else []
    )
