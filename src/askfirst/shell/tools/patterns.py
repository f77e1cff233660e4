"""Patterns of file names as the names that they stand for: `ruff check *.py`, `rm *.log`, `chmod +x scripts/*.sh`.

A pattern becomes what lies in the directory when the command runs. So the directory is looked at, and the command must
be the first of its script: nothing that stands before it, in it or beside it in a pipeline may have made a name then.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import replace

from askfirst.model import Word
from askfirst.shell.call import Analyst, Call

__all__ = ["is_first", "with_names"]

MAX_NAMES = 100
_PATTERN = re.compile(r"(?P<folder>/?(?:[\w.@-]+/)*)(?P<last>(?!\.)[\w.@*?-]*[*?][\w.@*?-]*)", re.ASCII)
_BEFORE = re.compile(r"\s*(?:cd [\w./@~-]+\s*&&\s*)?")
_QUIET = r"\s*(?:2>&1|[12]?>\s*/dev/null)"
_REDIRECTED = re.compile(_QUIET)
# `sort -o FILE` and `uniq IN FILE` make a file, perhaps before the pattern beside them is looked up.
_SORTED = rf"(?:sort|uniq)\b(?:[ \t]+-[a-np-zA-Z0-9,.]+|{_QUIET})*"
_BESIDE = re.compile(
    rf"(?:{_QUIET})*"
    rf"(?:\s*\|\s*(?:(?:head|tail|grep|wc|cat)\b(?:[ \t]+[\w\"'.:/,-]+|{_QUIET})*|{_SORTED}))*"
    r"[ \t]*(?:$|\n|;|&&|\|\|)"
)


def with_names(call: Call, analyst: Analyst) -> Call:
    """The call with its patterns as the names that match, where all of them can be seen."""
    if call.cwd is None or call.via:
        return call
    if not is_first(call.text, analyst.whole_text()):
        return call
    return replace(call, words=tuple(name for word in call.words for name in _named(word, call.cwd, analyst)))


def _named(word: Word, cwd: str, analyst: Analyst) -> tuple[Word, ...]:
    pattern = _PATTERN.fullmatch(word.text) if word.value is None and word.glob and not word.among else None
    folder = analyst.path(pattern["folder"] or ".", cwd) if pattern is not None else None
    if pattern is None or folder is None:
        return (word,)
    found = _matching(pattern["last"], analyst.names_in(folder) or ())
    return tuple(Word(name, name) for name in (pattern["folder"] + name for name in sorted(found))) or (word,)


def _matching(last: str, names: tuple[str, ...]) -> list[str]:
    """The names that a pattern stands for; none where that cannot be told, or one may be more than a name."""
    if "**" in last:
        return []  # which a setting of the shell takes through all directories
    if "?" in last and not all(name.isascii() for name in names):
        return []  # how many characters a name has is the locale's to say
    # Settings of a shell can make a pattern match names that begin with a dot, or in another case.
    found = [name for name in names if fnmatch.fnmatchcase(name.lower(), last.lower())]
    odd = len(found) > MAX_NAMES or any(name.startswith((".", "-", "+", "@")) for name in found)
    return [] if odd else found


def is_first(text: str, whole: str) -> bool:
    """Whether nothing runs before a command, or beside it, that could change what it finds."""
    before = _BEFORE.match(whole)
    start = before.end() if before is not None else 0
    return (
        whole.startswith(text, start)
        and whole.count(text) == 1
        and not any(c in _REDIRECTED.sub("", text) for c in "(`<>$")
        and _BESIDE.match(whole, start + len(text)) is not None
    )
