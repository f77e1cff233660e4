"""Reads rule files from the disk: safely, through the cache, with their examples checked.

Each is taken whole, or raises ConfigError.
"""

from __future__ import annotations

import errno
import os
import stat

from askfirst import audit
from askfirst.digest import sha256, sha256_hex
from askfirst.errors import ConfigError, StoreError, Unreadable
from askfirst.policy.rules import Layers, OrgFile, ProjectFile
from askfirst.store import paths, rulecache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact
    from askfirst.policy.examples import FailedExample
    from askfirst.policy.rules import Rule
    from askfirst.shell.surroundings import Surroundings

__all__ = ["org_file", "placed", "project_rules", "read_file", "surroundings"]

_MAX_BYTES = 64 * 1024
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


def org_file(path: str) -> OrgFile | None:
    data = read_file(path)
    if data is None:
        return None
    from_cache = rulecache.get(key := rulecache.key_of("org", path, data))
    if from_cache is None:
        from askfirst.policy.config import parse_org
        from askfirst.policy.yamltext import decode

        file = parse_org(decode(data, path), path)
        _check((*file.blocked, *file.allowed, *file.dangerous), ANY_PROJECT, data, path)
        from_cache = (
            tuple(map(rulecache.pack, file.blocked)),
            tuple(map(rulecache.pack, file.allowed)),
            tuple(map(rulecache.pack, file.dangerous)),
            file.settings,
        )
        rulecache.put(key, from_cache)
        _note_change(path, data)
    blocked, allowed, dangerous, settings = from_cache
    rules = [tuple(map(rulecache.unpack, part)) for part in (blocked, allowed, dangerous)]
    return OrgFile(rules[0], rules[1], rules[2], settings)


def _note_change(path: str, data: bytes) -> None:
    """A content that was not in force before stands in the log.

    (A project's file has its record from `askfirst trust`.)
    """
    try:
        record = {"what": "new content in force:", "file": path, "sha256": sha256_hex(data)}
        audit.append("config", record, durable=True)
    except StoreError:
        return  # the verdict that follows cannot be written either, and that is a deny


def project_rules(path: str, data: bytes, project: str, *, most: int) -> ProjectFile:
    from_cache = rulecache.get(key := rulecache.key_of("project", path, data, project, str(most)))
    if from_cache is None:
        from askfirst.policy.config import parse_project
        from askfirst.policy.yamltext import decode

        file = parse_project(decode(data, path), path, most=most)
        _check(tuple(placed(r, project) for r in file.rules), project, data, path)
        from_cache = (tuple(map(rulecache.pack, file.rules)), file.profiles, file.writes)
        rulecache.put(key, from_cache)
    rules, profiles, writes = from_cache
    return ProjectFile(tuple(placed(rulecache.unpack(r), project) for r in rules), profiles, writes)


def placed(rule: Rule, project: str) -> Rule:
    """A script's entry with its real path.

    It does not count while it leads out of the project or its content is another.
    """
    if not rule.name.startswith(("./", "/")):
        return rule
    path = os.path.realpath(os.path.join(project, rule.name))
    root = os.path.realpath(project).rstrip("/") + "/"
    if rule.name.startswith("./") and not path.startswith(root):
        return rule.replace(path=path, void=f"{rule.name} leads out of the project, to {path}")
    if rule.sha256 and _digest(path) != rule.sha256:
        return rule.replace(path=path, void=f"the content of {rule.name} does not match its sha256")
    return rule.replace(path=path)


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
    from askfirst.shell.surroundings import Surroundings

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


def _check(rules: tuple[Rule, ...], project: str, data: bytes, path: str) -> None:
    """Run the entries' own examples; a failing one refuses the file."""
    if not any(r.match or r.not_match for r in rules):
        return
    from askfirst.policy.examples import failing_example
    from askfirst.shell import analyze

    around = surroundings(project)

    def facts_of(text: str) -> tuple[Fact, ...]:
        return analyze(text, around)

    layers = Layers(project, home=paths.home())
    for rule in rules:
        lie = failing_example(rule, facts_of, layers)
        if lie is not None:
            raise _place_of(lie, data, path)


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
