"""Reads rule files from the disk: safely, through the cache, with their examples checked.

A file that may hold a block is good, or raises ConfigError; allowing entries with a mistake are named and left out.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from askfirst import audit
from askfirst.digest import sha256, sha256_hex
from askfirst.errors import ConfigError, StoreError, Unreadable
from askfirst.model import Decision, Fact
from askfirst.policy.rules import Layers, OrgFile, OwnProfile, Problem, ProjectFile, Rule
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings
from askfirst.store import atomic, paths, rulecache

if TYPE_CHECKING:
    from askfirst.policy.examples import FailedExample

__all__ = ["org_file", "placed", "project_rules", "read_file", "surroundings"]

_MAX_BYTES = 64 * 1024
_MISTAKE = "mistake"  # the first word of a cached one
# Where the examples of an organisation's file are judged: with `/` every installed program would be one of the project.
ANY_PROJECT = "/nonexistent/project"


def read_file(path: str, *, inside: str = "") -> bytes | None:
    """A rule file's bytes; None when there is none.

    Refuses a symlink, a file that others can write, and what is no plain file.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP or os.path.islink(path):
            raise ConfigError(
                "is a symbolic link", file=path, hint="replace the link with the file: a link can be pointed elsewhere"
            ) from None
        raise Unreadable(
            f"cannot be read: {error.strerror}", file=path, hint="fix its owner and mode, or remove it"
        ) from None
    try:
        found = os.fstat(fd)
        _refuse_odd(found, path, inside)
        data = b""
        while len(data) <= _MAX_BYTES:
            chunk = os.read(fd, _MAX_BYTES + 1)
            if not chunk:
                break
            data += chunk
        return data
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}", file=path, hint="fix or remove it") from None
    finally:
        os.close(fd)


def _refuse_odd(found: os.stat_result, path: str, inside: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError("is not a regular file", file=path, hint="replace it with a regular file")
    # A group of one's own (its number is the user's) is nobody else.
    shared_group = found.st_mode & stat.S_IWGRP and not (found.st_gid == found.st_uid == os.geteuid())
    if found.st_mode & stat.S_IWOTH or shared_group:
        raise ConfigError("other users can write this file", file=path, hint=f"run `chmod go-w {path}`")
    if inside:
        folder = os.path.dirname(path)
        if os.path.realpath(folder) != os.path.normpath(
            os.path.join(os.path.realpath(inside), os.path.relpath(folder, inside))
        ):
            raise ConfigError(
                "lies behind a symbolic link", file=path, hint="put the directory itself into the project"
            )
    elif found.st_uid not in (0, os.geteuid()):
        raise ConfigError("belongs to another user", file=path, hint=f"run `chown` on {path}, or remove it")


def org_file(path: str, *, profiles: tuple[str, ...] = (), fresh: bool = False) -> OrgFile | None:
    """`profiles`: names that a stronger file defines. `fresh`: not from the cache, as for a person who has just put
    something right."""
    data = read_file(path)
    if data is None:
        return None
    file = _org_file.__wrapped__(path, data, profiles, fresh=True) if fresh else _org_file(path, data, profiles)
    _note_change(path, data)
    return file


# A process that judges many calls finds the same content again and again.
@lru_cache(maxsize=8)
def _org_file(path: str, data: bytes, profiles: tuple[str, ...], *, fresh: bool = False) -> OrgFile:
    def parsed() -> tuple[Any, ...]:
        from askfirst.policy.config import parse_org
        from askfirst.policy.yamltext import decode

        file = parse_org(decode(data, path), path, profiles=profiles)
        problems = list(file.problems)
        _checked((*file.blocked, *file.dangerous), ANY_PROJECT, data, path, problems)
        own = (
            (p.name, p.description, p.include, _packed(_checked(p.rules, ANY_PROJECT, data, path, problems)))
            for p in file.profiles
        )
        allowed = _checked(file.allowed, ANY_PROJECT, data, path, problems)
        packed = (_packed(file.blocked), _packed(allowed), _packed(file.dangerous))
        return (*packed, file.settings, tuple(own), tuple(problems))

    key = rulecache.key_of("org", path, data, *profiles)
    blocked, allowed, dangerous, settings, own, problems = _cached(key, parsed, fresh=fresh)
    rules = [_unpacked(part) for part in (blocked, allowed, dangerous)]
    defined = tuple(OwnProfile(name, described, include, _unpacked(r)) for name, described, include, r in own)
    return OrgFile(rules[0], rules[1], rules[2], settings, defined, problems)


def _packed(rules: tuple[Rule, ...]) -> tuple[Any, ...]:
    return tuple(map(rulecache.pack, rules))


def _unpacked(values: tuple[Any, ...]) -> tuple[Rule, ...]:
    return tuple(map(rulecache.unpack, values))


def _cached(key: str, parsed: Callable[[], tuple[Any, ...]], *, fresh: bool) -> tuple[Any, ...]:
    """A file's rules from the cache, or made now and kept there; so is its mistake: a broken file is read once."""
    found: tuple[Any, ...] | None = None if fresh else rulecache.get(key)
    if found is None:
        try:
            found = parsed()
        except ConfigError as error:
            rulecache.put(key, (_MISTAKE, error.values()))
            raise
        rulecache.put(key, found)
    elif found[0] == _MISTAKE:
        raise ConfigError.of(found[1])
    return found


def _note_change(path: str, data: bytes) -> None:
    """A content that was not in force before stands in the log.

    (A project's file has its record from `askfirst trust`.) What the log has last is kept beside it: a cache that was
    emptied is no change.
    """
    digest = _digest_of(data)
    try:
        mark = os.path.join(paths.private_dir("noted"), sha256_hex(os.fsencode(path)))
        if _first_line(mark) == digest:
            return
        audit.append("config", {"what": "new content in force:", "file": path, "sha256": digest}, durable=True)
        atomic.write_atomic(mark, digest.encode())
    except (OSError, StoreError):
        return  # the verdict that follows cannot be written either, and that is a deny


@lru_cache(maxsize=8)
def _digest_of(data: bytes) -> str:
    return sha256_hex(data)


def _first_line(path: str) -> str:
    try:
        return atomic.read_private(path, 200).decode("ascii", "replace")
    except FileNotFoundError:
        return ""


def project_rules(
    path: str, data: bytes, project: str, *, most: int, profiles: tuple[str, ...] = (), fresh: bool = False
) -> ProjectFile:
    """`profiles`: names that the organisation defines."""
    known = (path, data, project, most, profiles)
    file = _project_file.__wrapped__(*known, fresh=True) if fresh else _project_file(*known)
    return replace(file, rules=tuple(placed(rule, project) for rule in file.rules))


@lru_cache(maxsize=8)
def _project_file(
    path: str, data: bytes, project: str, most: int, profiles: tuple[str, ...], *, fresh: bool = False
) -> ProjectFile:
    def parsed() -> tuple[Any, ...]:
        from askfirst.policy.config import parse_project
        from askfirst.policy.yamltext import decode

        file = parse_project(decode(data, path), path, most=most, profiles=profiles)
        problems = list(file.problems)
        good = _checked(file.rules, project, data, path, problems)
        return _packed(good), file.profiles, file.writes, tuple(problems), file.box, file.toolbox

    key = rulecache.key_of("project", path, data, project, str(most), *profiles)
    rules, *others = _cached(key, parsed, fresh=fresh)
    return ProjectFile(_unpacked(rules), *others)


def placed(rule: Rule, project: str) -> Rule:
    """A script's entry with its real path.

    It does not count while it leads out of the project or its content is another.
    """
    if not rule.name.startswith(("./", "/")):
        return rule
    path = os.path.realpath(os.path.join(project, rule.name))
    root = os.path.realpath(project).rstrip("/") + "/"
    if rule.name.startswith("./") and not path.startswith(root):
        return replace(rule, path=path, void=f"{rule.name} leads out of the project, to {path}")
    if rule.sha256 and _digest(path) != rule.sha256:
        return replace(rule, path=path, void=f"the content of {rule.name} does not match its sha256")
    return replace(rule, path=path)


def _digest(path: str) -> str:
    found = sha256()
    try:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 16):
                found.update(chunk)
    except OSError:
        return ""
    return found.hexdigest()


def surroundings(project: str, cwd: str = "") -> Surroundings:
    """What the analysis may know when no agent has told it more."""
    environ = os.environ
    cwd = cwd or project
    found = tuple(p for p in environ.get("PATH", os.defpath).split(os.pathsep) if p)
    return Surroundings(
        cwd=cwd,
        project=project,
        home=paths.home(),
        path=found,
        variables={n: environ[n] for n in ("HOME", "USER", "TMPDIR") if n in environ} | {"PWD": cwd},
    )


def _checked(
    rules: tuple[Rule, ...], project: str, data: bytes, path: str, problems: list[Problem]
) -> tuple[Rule, ...]:
    """The rules whose own examples hold. An allowing entry that lies does not count; any other refuses the file."""
    if not any(r.match or r.not_match for r in rules):
        return rules
    from askfirst.policy.examples import failing_example

    around = surroundings(project)

    def facts_of(text: str) -> tuple[Fact, ...]:
        return analyze(text, around)

    layers = Layers(project, home=paths.home())
    good = []
    for rule in rules:
        lie = failing_example(placed(rule, project), facts_of, layers)
        if lie is None:
            good.append(rule)
        elif rule.decision == Decision.ALLOW:
            problems.append(_place_of(lie, data, path).values())
        else:
            raise _place_of(lie, data, path)
    return tuple(good)


def _place_of(lie: FailedExample, data: bytes, path: str) -> ConfigError:
    """The error at the example itself, or at its entry where the example is written in another way (escapes, several
    lines)."""
    from askfirst.policy.yamltext import error_at

    lines = tuple(data.decode("utf-8", "replace").split("\n"))
    first = lie.rule.origin.line
    key = -1  # of `match` or `not_match`: the name and the arguments above it may hold the same words
    for number in range(first, len(lines) + 1):
        key = lines[number - 1].find("match") if key < 0 else 0
        column = lines[number - 1].find(lie.example, key) if key >= 0 else -1
        if column >= 0:
            return error_at(lie.problem, path, lines, number, column + 1, lie.hint, len(lie.example))
    entry = lines[first - 1]
    return error_at(lie.problem, path, lines, first, len(entry) - len(entry.lstrip(" -")) + 1, lie.hint)
