"""A file that is ours from the first line to the last: a plugin, a hook script. What somebody else wrote there is never replaced."""

from __future__ import annotations

import os

from askfirst.agents.claude.install import Change
from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError
from askfirst.install import record
from askfirst.install.json_hooks import Found, refuse_leading_out

MARK = b"written by `askfirst init`"


def install(path: str, data: bytes, *, mode: int, inside: str = "") -> Change:
    refuse_leading_out(path, inside)
    before = record.read_settings(path)
    if before == data:
        return Change(path, "already there")
    if before is not None and MARK not in before:
        raise ConfigError("is there already, and not askfirst's", file=path, hint="move it away; nothing was changed")
    known = record.recall(path)
    made = (
        known[0].made_dirs if known is not None and before is not None else record.missing_dirs(os.path.dirname(path))
    )
    record.remember(record.Edit(path, False, sha256_hex(data), made), b"")
    record.write_settings(path, data, new_mode=mode)
    if record.read_settings(path) != data:
        raise ConfigError(
            "somebody else wrote this file at the same moment", file=path, hint="run `askfirst init` again"
        )
    return Change(path, "written")


def uninstall(path: str) -> Change:
    present = record.read_settings(path)
    known = record.recall(path)
    record.forget(path)
    if present is None or MARK not in present:
        return Change(path, "not there")
    os.unlink(path)
    if known is not None:
        record.remove_empty(known[0].made_dirs)
    return Change(path, "removed")


def look(path: str, wanted: bytes) -> Found:
    try:
        with open(path, "rb") as file:
            data = file.read(record.MAX_SETTINGS_BYTES)
    except FileNotFoundError:
        return Found(path)
    except OSError as error:
        return Found(path, exists=True, broken=f"cannot be read: {error.strerror}")
    if MARK not in data:
        return Found(path, exists=True)
    return Found(
        path,
        exists=True,
        registered=True,
        weak=() if data == wanted else ("it is not what `askfirst init` writes now",),
    )
