"""What the installer changed, so that it can be undone exactly: for each file its bytes before and the hash of what was written.

Kept in the state directory, never in the repository.
"""

from __future__ import annotations

import os
import stat

from askfirst import jsontext
from askfirst._record import Record
from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError, StoreError
from askfirst.store import paths
from askfirst.store.atomic import read_private, remove, write_all, write_atomic

MAX_SETTINGS_BYTES = 4 << 20


class Edit(Record):
    """One file that `init` wrote."""

    path: str
    existed: bool
    after: str  # SHA-256 of what was written
    made_dirs: tuple[str, ...] = ()  # directories that were made for it, outermost first


def _place(path: str, ending: str) -> str:
    return os.path.join(paths.private_dir("installs"), sha256_hex(path)[:32] + ending)


def remember(edit: Edit, before: bytes) -> None:
    write_atomic(_place(edit.path, ".before"), before)
    record = {"path": edit.path, "existed": edit.existed, "after": edit.after, "made_dirs": list(edit.made_dirs)}
    write_atomic(_place(edit.path, ".json"), jsontext.dumps(record).encode())


def remember_change(path: str, before: bytes | None, data: bytes) -> None:
    """Before the first byte of a file changes: the record and the backup.

    Installed before, and nobody changed it since (only the interpreter moved): what counts as "before" is still what stood there
    before the first time.
    """
    known = recall(path)
    if known is not None and before is not None and known[0].after == sha256_hex(before):
        remember(known[0].replace(after=sha256_hex(data)), known[1])
    else:
        remember(Edit(path, before is not None, sha256_hex(data), missing_dirs(os.path.dirname(path))), before or b"")


def recall(path: str) -> tuple[Edit, bytes] | None:
    """The last edit of a file and its bytes before, or None when there is none (or it cannot be read: then it is undone by content)."""
    try:
        value = jsontext.loads(read_private(_place(path, ".json")))
        before = read_private(_place(path, ".before"))
        return Edit(value["path"], value["existed"], value["after"], tuple(value["made_dirs"])), before
    except (OSError, ValueError, KeyError, TypeError, StoreError):
        return None


def backup_of(path: str) -> str:
    """Where it is kept what stood in the file before; "" when there was no file."""
    known = recall(path)
    return _place(path, ".before") if known is not None and known[0].existed else ""


def forget(path: str) -> None:
    remove(_place(path, ".json"))
    remove(_place(path, ".before"))


# Files of others


def read_settings(path: str) -> bytes | None:
    """A settings file's bytes; None when there is none. A symlink, a device or a huge file is refused: it is not ours to guess about."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot be looked at: {error.strerror}", file=path) from error
    if stat.S_ISLNK(found.st_mode):
        raise ConfigError(
            f"is a symlink to {os.path.realpath(path)}",
            file=path,
            hint="make it a plain file, or add the hooks by hand; nothing was changed",
        )
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError("is not a plain file", file=path, hint="move it away; nothing was changed")
    if found.st_size > MAX_SETTINGS_BYTES:
        raise ConfigError("is larger than 4 MiB", file=path, hint="nothing was changed")
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=path, hint="nothing was changed") from error


def write_settings(path: str, data: bytes, *, new_mode: int = 0o644) -> None:
    """Replace or create, atomically, with mode and owner kept."""
    made = _make_dirs(os.path.dirname(path))
    try:
        found = os.lstat(path)
        mode, owner = stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid)
    except FileNotFoundError:
        mode, owner = new_mode, None
    temporary = f"{path}.askfirst-{os.getpid()}"
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            write_all(handle, data)
            if owner is not None and owner != (os.geteuid(), os.getegid()):
                os.fchown(handle, *owner)
            os.fchmod(handle, mode)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.rename(temporary, path)
    except OSError as error:
        remove(temporary)
        for directory in reversed(made):
            os.rmdir(directory)
        raise ConfigError(f"cannot be written: {error.strerror}", file=path, hint="nothing was changed") from error


def missing_dirs(directory: str) -> tuple[str, ...]:
    """What has to be made for this directory, outermost first."""
    missing = []
    while not os.path.isdir(directory):
        missing.append(directory)
        directory = os.path.dirname(directory)
    return tuple(reversed(missing))


def _make_dirs(directory: str) -> tuple[str, ...]:
    made = missing_dirs(directory)
    for path in made:
        try:
            os.mkdir(path)
        except OSError as error:
            raise ConfigError(f"cannot be made: {error.strerror}", file=path, hint="nothing was changed") from error
    return made


def remove_empty(directories: tuple[str, ...]) -> None:
    for directory in reversed(directories):
        try:
            os.rmdir(directory)
        except OSError:
            return  # somebody has put something there: it stays
