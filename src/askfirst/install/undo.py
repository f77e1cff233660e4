"""What `init` wrote, so that `uninstall` can undo it exactly: for each file its bytes before, and the hash of what
was written.

Kept in the state directory, never in the repository.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.install import settings_file
from askfirst.store import paths
from askfirst.store.atomic import read_private, remove, write_atomic

# What was done to a file.
WRITTEN, UNCHANGED = "written", "already there"
RESTORED, REMOVED, CLEANED, ABSENT = "restored", "removed", "edited", "not there"


@dataclass(frozen=True)
class Done:
    """What was done to one file."""

    path: str
    did: str  # one of the above
    backup: str = ""


@dataclass(frozen=True)
class Installed:
    """One file that `init` wrote."""

    path: str
    existed: bool
    after: str  # SHA-256 of what was written
    made_dirs: tuple[str, ...] = ()  # directories that were made for it, outermost first


def _place(path: str, ending: str) -> str:
    return os.path.join(paths.private_dir("installs"), sha256_hex(path)[:32] + ending)


def remember(installed: Installed, before: bytes) -> None:
    write_atomic(_place(installed.path, ".before"), before)
    value = vars(installed) | {"made_dirs": list(installed.made_dirs)}
    write_atomic(_place(installed.path, ".json"), jsontext.dumps(value).encode())


def remember_change(path: str, before: bytes | None, data: bytes) -> None:
    """Before the first byte of a file changes: the record and the backup.

    Installed before, and nobody changed it since (only the interpreter moved): what counts as "before" is still what
    stood there before the first time.
    """
    known = recall(path)
    if known is not None and before is not None and known[0].after == sha256_hex(before):
        remember(replace(known[0], after=sha256_hex(data)), known[1])
        return
    made = settings_file.missing_dirs(os.path.dirname(path))
    remember(Installed(path, before is not None, sha256_hex(data), made), before or b"")


def recall(path: str) -> tuple[Installed, bytes] | None:
    """The last installation into a file, and its bytes before; None when there is no (readable) record of it."""
    try:
        value = jsontext.loads(read_private(_place(path, ".json")))
        before = read_private(_place(path, ".before"))
        return Installed(value["path"], value["existed"], value["after"], tuple(value["made_dirs"])), before
    except (OSError, ValueError, KeyError, TypeError, StoreError):
        return None


def backup_of(path: str) -> str:
    """Where the file's bytes before are kept; "" when there was no file."""
    known = recall(path)
    return _place(path, ".before") if known is not None and known[0].existed else ""


def forget(path: str) -> None:
    remove(_place(path, ".json"))
    remove(_place(path, ".before"))


def put_back(path: str, present: bytes, cleaned: bytes) -> Done:
    """The bytes before `init`; where somebody changed the file since, `cleaned`: the file without what is ours."""
    known = recall(path)
    if known is not None and sha256_hex(present) == known[0].after:
        installed, before = known
        if installed.existed:
            settings_file.write(path, before)
            forget(path)
            return Done(path, RESTORED)
        return remove_created(installed)
    if cleaned != present:
        settings_file.write(path, cleaned)
    forget(path)
    return Done(path, CLEANED if cleaned != present else ABSENT)


def remove_created(installed: Installed) -> Done:
    """A file that `init` made goes, and the directories that it made for it."""
    os.unlink(installed.path)
    settings_file.remove_empty(installed.made_dirs)
    forget(installed.path)
    return Done(installed.path, REMOVED)
