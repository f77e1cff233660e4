"""How else a command could have been written: what a block is held against besides the words that stand there.

`docker rmi` is `docker image rm`, `python -m pip` is `pip`, and `npx npm publish` starts `npm publish`. Only blocks
look here; an allow means its own words. The names are rows of knowledge/other_names.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from askfirst.knowledge.other_names import ONE_ACTION, ONE_WORD, RUNNERS, SUBCOMMANDS
from askfirst.knowledge.programs import PROGRAM_OF_PACKAGE, base_name

__all__ = ["Called", "Values", "after_options", "same_action", "started", "variants"]

Values: TypeAlias = tuple[str | None, ...]  # None: a word that is not known
Called: TypeAlias = tuple[str, Values]  # a program, and its arguments
_Name: TypeAlias = tuple[str, ...]

_BETWEEN = "…"
_DEEPEST = 4  # `npx npx npx npm publish`
_SEPARATES = str.maketrans(dict.fromkeys(";|&()\n", "\0"))


@lru_cache(maxsize=256)
def started(name: str, values: Values, depth: int = 0) -> tuple[Called, ...]:
    """The programs that this one may start, with their arguments: `npx -y npm@10 publish`, `python -m pip install`."""
    found: list[Called] = []
    for words in (*_of_module(name, values), *_of_runner(name, values)):
        program = words[0]
        if program is None or depth >= _DEEPEST:
            continue
        package = _without_version(program).lower()
        inner = (PROGRAM_OF_PACKAGE.get(package, _without_version(base_name(program)).lower()), words[1:])
        found += (inner, *started(*inner, depth + 1))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def same_action(name: str, values: Values) -> tuple[Called, ...]:
    """Other programs that do the same with these arguments: `docker-compose down`, `npx` and `npm exec`."""
    words = (name, *values)
    found = [
        (other[0], (*other[1:], *words[len(given) :]))
        for group in _groups(ONE_ACTION)
        for given in group
        if words[: len(given)] == given
        for other in group
        if other != given
    ]
    if name.startswith("git-"):
        found.append(("git", (name[4:], *values)))
    return tuple(found)


def variants(program: str, values: Values) -> Iterator[tuple[Values, bool]]:
    """The arguments with every other name of their sub-command, and whether it is certain that this is meant."""
    program = program.lower()
    for group in _subcommands(program):
        for given in group:
            rest, certain = _behind(given, values)
            if rest is not None:
                yield from (((*_plain(other), *rest), certain) for other in group if other != given)
    for at, word in enumerate(values[1:3], 1):
        for kind, more in _kinds(word):
            for other in next((group for group in _words(program) if (kind,) in group), ()):
                yield (*values[:at], *other, *more, *values[at + 1 :]), True
                named, rest = (more, values[at + 1 :]) if more else (values[at + 1 : at + 2], values[at + 2 :])
                if named:
                    yield (*values[:at], f"{other[0]}/{named[0]}", *rest), True


def _kinds(word: str | None) -> list[tuple[str, tuple[str, ...]]]:
    """`deploy/web`, `svc,deployments.apps`: the kinds of a cluster that a word names, and what it names of them."""
    if not word or word.startswith("-"):
        return []
    parts = [one.partition("/") for one in word.lower().split(",")]
    return [(kind.partition(".")[0], (name,) if name else ()) for kind, _, name in parts]


def _behind(name: _Name, values: Values) -> tuple[Values | None, bool]:
    """What stands behind this name of a sub-command; None where it does not stand there."""
    if _BETWEEN in name:
        first, option = name[0], name[-1]
        if values[:1] != (first,) or option not in values:
            return None, True
        at = values.index(option)
        return (*values[1:at], *values[at + 1 :]), True
    for index, token in enumerate(name):
        word = values[index] if index < len(values) else ""
        if word is None:
            return (None,), not index  # the word may become this one; the first is looked at as it stands
        if word != token:
            return None, True
    return values[len(name) :], True


def _plain(name: _Name) -> _Name:
    return tuple(token for token in name if token != _BETWEEN)


@lru_cache(maxsize=64)
def _groups(text: str) -> tuple[tuple[_Name, ...], ...]:
    lines = (line for line in text.splitlines() if line.strip())
    return tuple(tuple(tuple(name.split()) for name in line.split(",")) for line in lines)


@lru_cache(maxsize=64)
def _subcommands(program: str) -> tuple[tuple[_Name, ...], ...]:
    return _rows(SUBCOMMANDS, program)


@lru_cache(maxsize=64)
def _words(program: str) -> tuple[tuple[_Name, ...], ...]:
    return _rows(ONE_WORD, program)


def _rows(table: dict[str, str], program: str) -> tuple[tuple[_Name, ...], ...]:
    return tuple(group for names, text in table.items() if program in names.split() for group in _groups(text))


def _of_module(name: str, values: Values) -> list[Values]:
    """`python -I -m pip install`, `python3 -mpip`: the program of that name."""
    if name.rstrip("0123456789.") not in ("python", "pypy", "py"):
        return []
    for at, word in enumerate(values):
        if not word or word[0] != "-":
            # The value of an option (`-W ignore`), or the script.
            if at and (values[at - 1] or "")[-1:] in ("W", "X"):
                continue
            return []
        letters, found, joined = word[1:].partition("m")
        if set(letters) & set("-c"):
            return []
        if found and not set(letters) & set("WX"):
            return _module((joined, *values[at + 1 :]) if joined else values[at + 1 :])
    return []


def _module(words: Values) -> list[Values]:
    return [((words[0] or "").removesuffix(".__main__"), *words[1:])] if words else []


def _of_runner(name: str, values: Values) -> Iterator[Values]:
    for verbs in RUNNERS.get(name, ()):
        words = verbs.split()
        for start in (0, *after_options(values)):
            begun = values[start : start + len(words)]
            if len(begun) == len(words) and all(w in (v, "_") for w, v in zip(words, begun, strict=True)):
                yield from _programs(values[start + len(words) :])


def _programs(values: Values) -> Iterator[Values]:
    """Where the program may begin: here, behind options, behind `--`; or in a text that a shell reads (`-c TEXT`)."""
    dashes = [at + 1 for at, value in enumerate(values) if value == "--"][:1]
    for start in dict.fromkeys((0, *after_options(values), *dashes)):
        rest = tuple(itertools.dropwhile(_sets_a_variable, values[start:]))
        if rest and rest[0] and not rest[0].startswith("-"):
            yield rest
    for text in (value for value in values if value and " " in value.strip()):
        yield from (tuple(part.split()) for part in text.translate(_SEPARATES).split("\0") if part.strip())


def _sets_a_variable(word: str | None) -> bool:
    return word is not None and "=" in word and not word.startswith("-")


def _without_version(name: str) -> str:
    """`npm@latest`, `ruff==0.9`: the package whose program has its name."""
    return name[:1] + name[1:].partition("@")[0].partition("==")[0]


def after_options(values: Sequence[str | None]) -> list[int]:
    """Where a sub-command may begin: behind options and what could be their values."""
    starts, index = [], 0
    while index < len(values):
        value = values[index]
        if value is None or not value.startswith("-"):
            break
        starts.append(index + 1)
        if "=" not in value:
            starts.append(index + 2)
            # `--app NAME deploy`: the word behind an option may be its value or the sub-command.
            if index + 1 < len(values) and not (values[index + 1] or "-").startswith("-"):
                index += 1
        index += 1
    return [s for s in starts if s < len(values)]
