"""Names of files that are more than names to whoever is given them: `-f.env` is an option to `file *`, `@.env` stands
for the words in a file to `strings *`, and without quotes a shell, and `xargs`, make several words of `a -f b` and
other files of `.?/x`.

Who is given names from the disk stands in the command; which names those are is looked up here: what lies where the
command runs, what the same text makes there, and, below it, what git's index has (nothing else makes such a name
without a question)."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from itertools import takewhile

from askfirst.files.head import tracked_odd
from askfirst.knowledge.globs import fits_name, has_wildcards
from askfirst.knowledge.programs import RESPONSE_FILES, base_name
from askfirst.knowledge.secrets import is_odd_pattern, odd_pieces
from askfirst.model import Command, Fact, Read, Unknown, Word, Write

__all__ = ["with_odd_names"]

# No option of these shows, runs or writes anything.
_HARMLESS = frozenset("ls cat echo head stat basename dirname readlink realpath".split())
_QUOTES = str.maketrans(dict.fromkeys("\"'\\"))


def _is_from_disk(word: Word) -> bool:
    return word.value is None and (word.glob or bool(word.among))


def with_odd_names(facts: tuple[Fact, ...], project: str) -> tuple[Fact, ...]:
    """The same facts, and one more for each name that may be something else. Never raises."""
    commands = [fact for fact in facts if isinstance(fact, Command) and any(map(_is_from_disk, fact.argv))]
    made = {part for fact in facts if isinstance(fact, Write) for part in fact.text.translate(_QUOTES).split("/")}
    tracked = tracked_odd(project) if any(any(map(_is_split, one.argv)) for one in commands) else []
    readers = {fact.by.partition(" ")[0] for fact in facts if isinstance(fact, Read) and has_wildcards(fact.text)}
    more: list[Fact] = []
    for command in commands:
        more += _options(command, made)
        if any(map(_is_split, command.argv)):
            more += _split(command, tracked, project, reads=base_name(command.name) in readers)
    return (*facts, *dict.fromkeys(more))


def _options(command: Command, made: set[str]) -> Iterator[Fact]:
    name = base_name(command.name)
    if name in _HARMLESS:
        return
    marks = ("-", "@") if name in RESPONSE_FILES else ("-",)
    for word in filter(_is_from_disk, takewhile(lambda w: w.value != "--", command.argv[1:])):
        for odd in sorted(one for one in _beginnings(word, command.cwd, made) if one.startswith(marks)):
            yield Unknown("option", f"the name `{odd}` may be an option to `{name}`", odd)
            return


def _beginnings(word: Word, cwd: str | None, made: set[str]) -> Iterator[str]:
    """What names that are given may begin with: `**/*.py` is what lies in the directory, or below it."""
    texts = [(one.text if one.value is None else one.value).translate(_QUOTES) for one in word.among or (word,)]
    found = made.union(*map(_listed, _folders(texts, cwd or "")))
    for first in {text.partition("/")[0] for text in texts}:
        if not has_wildcards(first):
            yield first
        yield from (name for name in found if fits_name("*" if first == "**" else first, name))


def _folders(texts: list[str], cwd: str) -> list[str]:
    """Where they lie: `ls DIR` gives the names in it, without the directory."""
    if len(texts) == 1 or texts[-1] != "*":
        return [cwd]
    others = (os.path.join(cwd, text) for text in texts[:-1])
    return [place for one in others for place in (glob.glob(one) if has_wildcards(one) else [one])]


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (OSError, ValueError):
        return []


def _is_split(word: Word) -> bool:
    """Whether it is taken apart: a name that a lister or a variable gives, without quotes. (A pattern gives each name
    as one word.)"""
    return word.value is None and word.many and bool(word.among) and not word.each


def _split(command: Command, tracked: list[str], project: str, *, reads: bool) -> Iterator[Fact]:
    for name in tracked:
        for piece in odd_pieces(name):
            if piece.startswith("-"):
                why = f"the name of a file makes `{piece}` of a list, which `{command.name}` may take for an option"
                yield Unknown("option", why, piece)
            elif reads:
                place = os.path.realpath(os.path.join(command.cwd or project, piece))
                yield Read(place, piece, command.name)
        if "xargs" not in command.via and is_odd_pattern(name):
            yield Unknown("expansion", f"the name `{name}` is a pattern to the shell, and may stand for others", name)
