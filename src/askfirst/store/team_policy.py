"""The organisation's rules as they came from a team's database: a copy, with its hash.

    team/policy.json    version and SHA-256 of the copy that counts
    team/policy.yaml    the copy

It counts beside the organisation's own files, and whether or not the database can be reached: a missing database never
widens anything. A copy that is not the one that was pulled closes the gate.
"""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError
from askfirst.store import atomic, paths

MARK, COPY = "team/policy.json", "team/policy.yaml"


def in_force() -> str:
    """The copy's path, if there is one. Raises ConfigError when it is not what was pulled."""
    mark = os.path.join(paths.state_dir(), MARK)
    try:
        wanted = jsontext.loads(atomic.read_private(mark, 4096))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {error}", file=mark, hint="run `askfirst team policy pull`") from None
    path = os.path.join(paths.state_dir(), COPY)
    if sha256_hex(content() or b"") != wanted.get("sha256"):
        raise ConfigError("is not what was pulled", file=path, hint="run `askfirst team policy pull`")
    return path


def version() -> int:
    """0 where nothing was pulled."""
    try:
        value = jsontext.loads(atomic.read_private(os.path.join(paths.state_dir(), MARK), 4096))
        return int(value["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def content() -> bytes | None:
    try:
        return atomic.read_private(os.path.join(paths.state_dir(), COPY), 1 << 20)
    except FileNotFoundError:
        return None


def keep(new_version: int, text: str) -> None:
    """The new copy first, then the mark: a process that dies in between leaves the gate closed, not open."""
    paths.private_dir("team")
    data = text.encode()
    atomic.write_atomic(os.path.join(paths.state_dir(), COPY), data)
    mark = jsontext.dumps({"version": new_version, "sha256": sha256_hex(data)})
    atomic.write_atomic(os.path.join(paths.state_dir(), MARK), mark.encode())
