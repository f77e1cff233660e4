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

__all__ = ["with_names"]

MAX_NAMES = 100
_PATTERN = re.compile(r"(?P<folder>/?(?:[\w.@-]+/)*)(?P<last>(?!\.)[\w.@*?-]*[*?][\w.@*?-]*)", re.ASCII)
_BEFORE = re.compile(r"\s*(?:cd [\w./@~-]+\s*&&\s*)?")
_QUIET = r"\s*(?:2>&1|[12]?>\s*/dev/null)"
_REDIRECTED = re.compile(_QUIET)
_BESIDE = re.compile(
    rf"(?:{_QUIET})*"
    rf"(?:\s*\|\s*(?:head|tail|grep|wc|sort|uniq|cat)\b(?:[ \t]+[\w\"'.:/,-]+|{_QUIET})*)*"
    r"[ \t]*(?:$|\n|;|&&|\|\|)"
)


def with_names(call: Call, analyst: Analyst) -> Call:
    """The call with its patterns as the names that match, where all of them can be seen."""
    if call.cwd is None or call.via or not any(w.glob and w.value is None for w in call.words[1:]):
        return call
    if not _is_first(call.text, analyst.whole_text()):
        return call
    return replace(call, words=tuple(name for word in call.words for name in _named(word, call.cwd, analyst)))


def _named(word: Word, cwd: str, analyst: Analyst) -> tuple[Word, ...]:
    pattern = _PATTERN.fullmatch(word.text) if word.value is None and word.glob and not word.among else None
    if pattern is None:
        return (word,)
    folder = analyst.path(pattern["folder"] or ".", cwd)
    names = analyst.names_in(folder) if folder is not None else None
    # Settings of a shell can make a pattern match names that begin with a dot, or in another case.
    found = [name for name in names or () if fnmatch.fnmatchcase(name.lower(), pattern["last"].lower())]
    if not 0 < len(found) <= MAX_NAMES or any(name.startswith((".", "-", "+", "@")) for name in found):
        return (word,)
    return tuple(Word(name, name) for name in (pattern["folder"] + name for name in sorted(found)))


def _is_first(text: str, whole: str) -> bool:
    before = _BEFORE.match(whole)
    start = before.end() if before is not None else 0
    return (
        whole.startswith(text, start)
        and whole.count(text) == 1
        and not any(c in _REDIRECTED.sub("", text) for c in "(`<>$")
        and _BESIDE.match(whole, start + len(text)) is not None
    )
