"""Permanent approvals: entries appended to the project's rule file, by any number of processes, with nothing lost.

The file is the team's: its comments, order, style, mode, owner and a symlink in its place stay. It is changed under a
lock beside it, by a temporary file in its own directory, after a last look whether an editor has saved meanwhile. What
cannot be done safely is not done: the error names the reason and the lines to add by hand.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError, StoreError
from askfirst.policy.config import parse_project
from askfirst.policy.yaml_writing import render
from askfirst.policy.yamltext import decode
from askfirst.store import atomic, exchange, paths
from askfirst.store.exchange import Directory
from askfirst.store.paths import project_file
from askfirst.store.rulefiles import placed
from askfirst.store.trust import is_trusted, only, trust
from askfirst.store.yaml_insert import insert, value_of, without

if TYPE_CHECKING:
    from askfirst.policy.rules import Rule

MAX_BYTES = 64 * 1024
LOCK_WAIT_S = 30.0
MAX_TRIES = 8
_MEANT = ("name", "args", "action", "target")  # by these a changed entry is known as the same
_HEAD = "# Commands that agents may run in this project without asking. See `askfirst allowed`, `askfirst check`.\n"


class NotStored(StoreError):
    """The file was left alone. The message has the reason and what to add by hand."""

    def __init__(self, path: str, reason: str, entries: Iterable[Mapping[str, Any]]) -> None:
        self.reason, self.lines = reason, render(tuple(dict(e) for e in entries), indent=2)
        super().__init__(
            f"{path} was not changed ({reason}); to make it permanent, add below `commands:`\n{self.lines}".rstrip()
        )


def rules_of(entries: tuple[Mapping[str, Any], ...], project: str) -> tuple[Rule, ...]:
    """The rules that these entries would be. Raises ConfigError when a rule file may not hold them."""
    file = parse_project(f"version: 2\ncommands:\n{render(entries, indent=2)}\n", "the new entry")
    if file.problems:
        raise ConfigError.of(file.problems[0])
    return tuple(placed(rule, project) for rule in file.rules)


def append(project: str, entries: Iterable[Mapping[str, Any]], *, most: int) -> str:
    """Append the entries that are not there yet, and give back the file. Raises NotStored."""
    path, wanted = project_file(project), [dict(e) for e in entries]
    try:
        rules_of(tuple(wanted), project)  # what would not count is not written
        os.makedirs(os.path.dirname(path), exist_ok=True)
        real = os.path.realpath(path)
        with _file_lock(real):
            for _ in range(MAX_TRIES):
                if _append_once(path, real, wanted, most):
                    return path
        raise NotStored(path, "another program keeps changing it", wanted)
    except ConfigError as error:
        raise NotStored(path, error.problem, wanted) from error
    except NotStored:
        raise
    except StoreError as error:
        raise NotStored(path, str(error), wanted) from error
    except OSError as error:
        raise NotStored(path, error.strerror or str(error), wanted) from error


def rewrite(path: str, old: str | None, new: str) -> None:
    """Replace a rule file's text, which a person has just seen, if it is still the old one (None: if there is none).
    Raises StoreError."""
    real = os.path.realpath(path)
    try:
        if old is None:
            os.makedirs(os.path.dirname(real), exist_ok=True)
        with _file_lock(real):
            before = _look(real)
            if (before.data if before is not None else None) != (old.encode() if old is not None else None):
                raise StoreError(f"{path}: it has changed meanwhile, so nothing was written")
            if not _trusted_and_replaced(path, real, new.encode(), before):
                raise StoreError(f"{path}: it has changed meanwhile, so nothing was written")
    except (OSError, TimeoutError) as error:
        raise StoreError(f"{path}: cannot be written: {error}") from error


def take_out(project: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Remove entries that stand there as they were appended.

    "" when none of them is left; else why they are still there.
    """
    path, wanted = project_file(project), [dict(e) for e in entries]
    real = os.path.realpath(path)
    try:
        with _file_lock(real):
            for _ in range(MAX_TRIES):
                before = _look(real)
                new = without(before.data.decode("utf-8"), wanted, file=path).encode() if before is not None else None
                if (
                    before is None
                    or new is None
                    or new == before.data
                    or _trusted_and_replaced(path, real, new, before)
                ):
                    only(path, new)
                    return _changed_by_hand(path, new, wanted)
        return f"{path}: another program keeps changing it"
    except (OSError, ConfigError, StoreError) as error:
        return str(error)


def _changed_by_hand(path: str, data: bytes | None, entries: list[dict[str, Any]]) -> str:
    """An entry that somebody has edited is not ours to remove, and still allows what was taken back."""
    value = value_of(data.decode("utf-8")) if data is not None else None
    there = (value.get("commands") if isinstance(value, dict) else None) or []
    for entry in entries:
        for other in there:
            same = {"name": other} if isinstance(other, str) else other
            if isinstance(same, dict) and all(same.get(key) == entry.get(key) for key in _MEANT):
                return f"{path}: the entry `{entry['name']}` was changed by hand, and still stands there"
    return ""


@dataclass(frozen=True)
class _RuleFile:
    """The file as it was when it was read."""

    data: bytes
    mode: int
    uid: int
    gid: int
    inode: int


def _append_once(path: str, real: str, wanted: list[dict[str, Any]], most: int) -> bool:
    """False: the file changed meanwhile, try again."""
    before = _look(real)
    text = before.data.decode("utf-8") if before is not None else _HEAD
    missing = _missing(text, wanted, most, path)
    if not missing:
        return True
    new = insert(text, missing, file=path).encode()
    _check(path, new, most)
    return _trusted_and_replaced(path, real, new, before)


def _check(path: str, data: bytes, most: int) -> None:
    """A file that would not be read with the new entries is not written."""
    parse_project(decode(data, path), path, most=most)


def _trusted_and_replaced(path: str, real: str, new: bytes, before: _RuleFile | None) -> bool:
    """Put the new content in place of the old. False: something else stands there by now.

    The person has just seen the entry; the rest of the file counts as trusted only if it already was. Trusted before it
    is there: a hook that reads the new content at once must not find it untrusted.
    """
    if before is None or is_trusted(path, before.data):
        trust(path, new)
    return _create(real, new) if before is None else _replace(real, new, before)


def _file_lock(real: str) -> atomic.Lock:
    """In the state directory: nothing of ours is left in a repository."""
    return atomic.Lock(os.path.join(paths.private_dir("locks"), sha256_hex(os.fsencode(real))[:32]), wait_s=LOCK_WAIT_S)


def _missing(text: str, wanted: list[dict[str, Any]], most: int, path: str) -> list[dict[str, Any]]:
    """The entries that are not there yet, if there is room for them."""
    try:
        value = value_of(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError("it is not valid YAML", file=path) from error
    there = (value.get("commands") if isinstance(value, dict) else None) or []
    if not isinstance(there, list):
        raise ConfigError("`commands` is not a list", file=path)
    missing = [e for e in wanted if e not in there]
    if missing and len(there) + len(missing) > most:
        raise ConfigError(f"it has {len(there)} commands, and the limit is {most}", file=path)
    return missing


def _look(real: str) -> _RuleFile | None:
    try:
        fd = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise ConfigError("it is not a regular file", file=real)
        if found.st_nlink > 1:
            raise ConfigError("it has several hard links, which replacing it would break", file=real)
        data = b""
        while len(data) <= MAX_BYTES and (part := os.read(fd, MAX_BYTES + 1)):
            data += part
    finally:
        os.close(fd)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"it is larger than {MAX_BYTES // 1024} kB", file=real)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError("it is not UTF-8", file=real) from error
    return _RuleFile(data, stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid, found.st_ino)


def _create(real: str, data: bytes) -> bool:
    directory = os.path.dirname(real)
    temporary = os.path.join(directory, atomic.random_name(".askfirst-"))
    try:
        atomic.new_file(temporary, data, 0o644)
        os.link(temporary, real)
    except FileExistsError:
        return False
    finally:
        atomic.remove(temporary)
    atomic.sync_dir(directory)
    return True


def _replace(real: str, data: bytes, before: _RuleFile) -> bool:
    """Old or new, never anything else. False: an editor, which knows nothing of our lock, has saved meanwhile, or is
    saving: one that truncates and then writes still has the old file open, and that is what comes out."""
    temporary, base = atomic.random_name(".askfirst-"), sha256_hex(before.data)
    with Directory(os.path.dirname(real)) as here:
        try:
            exchange.prepare(here, temporary, data, before.mode, owner=(before.uid, before.gid))
            exchange.swap_in(here, temporary, os.path.basename(real), base)
        except exchange.Conflict:
            return False
        finally:
            # Anything else that lies there is somebody's save, and is kept.
            if here.fingerprint(temporary) in (base, sha256_hex(data)):
                here.unlink(temporary)
    return True
