"""Files that belong to an agent or a person: read with suspicion, replaced atomically, with mode and owner kept."""

from __future__ import annotations

import os
import stat

from askfirst.errors import ConfigError
from askfirst.store.atomic import remove, write_all

MAX_BYTES = 4 << 20
UNCHANGED = "nothing was changed"
FIX_BY_HAND = f"fix it by hand first; {UNCHANGED}"


def read(path: str) -> bytes | None:
    """The file's bytes; None when there is no file.

    A symlink, a device or a huge file is refused: askfirst does not guess there.
    """
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=path, hint=UNCHANGED) from error
    if stat.S_ISLNK(found.st_mode):
        raise ConfigError(
            f"is a symlink to {os.path.realpath(path)}",
            file=path,
            hint=f"replace it with a regular file, or add the hooks by hand; {UNCHANGED}",
        )
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError("is not a regular file", file=path, hint=f"move it away; {UNCHANGED}")
    if found.st_size > MAX_BYTES:
        raise ConfigError("is larger than 4 MiB", file=path, hint=UNCHANGED)
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=path, hint=UNCHANGED) from error


def write(path: str, data: bytes, *, new_mode: int = 0o644) -> None:
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
        raise ConfigError(f"cannot be written: {error.strerror}", file=path, hint=UNCHANGED) from error


def refuse_leading_out(path: str, inside: str) -> None:
    """A repository could make its settings directory a symlink to anywhere.

    `inside`: the project; "" where any place is right.
    """
    directory = os.path.dirname(path)
    if inside and os.path.realpath(directory) != os.path.join(
        os.path.realpath(inside), os.path.relpath(directory, inside)
    ):
        raise ConfigError(
            f"is a symlink to {os.path.realpath(directory)}",
            file=directory,
            hint=f"replace it with a directory; {UNCHANGED}",
        )


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
            raise ConfigError(f"cannot be created: {error.strerror}", file=path, hint=UNCHANGED) from error
    return made


def remove_empty(directories: tuple[str, ...]) -> None:
    for directory in reversed(directories):
        try:
            os.rmdir(directory)
        except OSError:
            return  # somebody has put something there: it stays
