"""A unified diff as the page draws it: numbered lines, coloured by their language, with the words that changed marked.

Colours come from Pygments, which Rich brings along. A line's parts put together are the line, whatever is coloured.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from askfirst.text import visible

MAX_COLOURED_CHARS = 200_000  # of one diff; beyond that it is drawn without colours
MAX_WORDS = 400  # of a line, for marking what changed in it
ALIKE = 0.4  # how much of two lines must be the same for their differences to be worth marking
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_WORDS = re.compile(r"\w+|\s+|.")
# What a reader tells apart by colour; everything else is plain.
_CLASSES = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Literal, "number"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Tag, "name"),
    (Name.Attribute, "attribute"),
    (Name.Decorator, "attribute"),
    (Name.Builtin, "attribute"),
)
Part = tuple[str, str, bool]  # text, colour, changed


@dataclass
class _DiffLine:
    sign: str  # " ", "+", "-", "@" between hunks
    text: str
    old: int = 0
    new: int = 0
    changed: tuple[tuple[int, int], ...] = ()


def rows_of(diff: str, path: str) -> list[dict[str, Any]]:
    """One object a line: `sign`, the numbers, and its parts."""
    lines = list(_lines(diff))
    _mark_words(lines)
    colours = _colours(lines, path) if len(diff) <= MAX_COLOURED_CHARS else {}
    return [
        {"sign": line.sign, "old": line.old, "new": line.new, "parts": _parts(line, colours.get(at, []))}
        for at, line in enumerate(lines)
    ]


def counts_of(diff: str) -> tuple[int, int]:
    """(added, removed)"""
    signs = [line.sign for line in _lines(diff)]
    return signs.count("+"), signs.count("-")


def _lines(diff: str) -> Iterator[_DiffLine]:
    old = new = 0
    inside = False
    for raw in diff.split("\n"):
        hunk = _HUNK.match(raw)
        if hunk is not None:
            old, new, inside = int(hunk[1]), int(hunk[2]), True
            yield _DiffLine("@", visible(raw))
        elif not inside or not raw:
            if raw and not raw.startswith(("--- ", "+++ ")):
                yield _DiffLine("@", visible(raw))  # a remark: what was left out, or why there is no diff
        elif raw[0] in " +-":
            sign, text = raw[0], visible(raw[1:], tabs=True)
            yield _DiffLine(sign, text, old if sign != "+" else 0, new if sign != "-" else 0)
            old, new = old + (sign != "+"), new + (sign != "-")
        else:
            yield _DiffLine("@", visible(raw))  # `\ No newline at end of file`


def _mark_words(lines: list[_DiffLine]) -> None:
    """Lines that were replaced one by one: mark where they differ."""
    at = 0
    while at < len(lines):
        removed = _run(lines, at, "-")
        added = _run(lines, at + len(removed), "+")
        for one, other in zip(removed, added, strict=False):
            _mark_pair(one, other)
        at += max(1, len(removed) + len(added))


def _run(lines: list[_DiffLine], at: int, sign: str) -> list[_DiffLine]:
    end = at
    while end < len(lines) and lines[end].sign == sign:
        end += 1
    return lines[at:end]


def _mark_pair(one: _DiffLine, other: _DiffLine) -> None:
    old, new = _WORDS.findall(one.text), _WORDS.findall(other.text)
    if len(old) > MAX_WORDS or len(new) > MAX_WORDS:
        return
    found = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if found.ratio() < ALIKE:
        return
    changes = [code for code in found.get_opcodes() if code[0] != "equal"]
    one.changed = tuple((len("".join(old[:a])), len("".join(old[:b]))) for _, a, b, _, _ in changes if b > a)
    other.changed = tuple((len("".join(new[:c])), len("".join(new[:d]))) for _, _, _, c, d in changes if d > c)


def _colours(lines: list[_DiffLine], path: str) -> dict[int, list[tuple[str, str]]]:
    """For each line its text in coloured pieces. What was there and what will be are read as two texts."""
    lexer = _lexer(path.rpartition("/")[2])
    if lexer is None:
        return {}
    found: dict[int, list[tuple[str, str]]] = {}
    for signs in (" -", "+ "):
        numbers = [at for at, line in enumerate(lines) if line.sign in signs]
        text = "\n".join(lines[at].text for at in numbers)
        pieces = _by_line(lexer, text)
        if len(pieces) == len(numbers):
            found.update(zip(numbers, pieces, strict=True))
    return found


def _by_line(lexer: Lexer, text: str) -> list[list[tuple[str, str]]]:
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, value in lexer.get_tokens(text):
        for n, piece in enumerate(value.split("\n")):
            if n:
                lines.append([])
            if piece:
                lines[-1].append((piece, _class_of(kind)))
    return lines


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer | None:
    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _class_of(kind: _TokenType) -> str:
    return next((name for family, name in _CLASSES if kind in family), "")


def _parts(line: _DiffLine, pieces: list[tuple[str, str]]) -> list[Part]:
    """The line in pieces of one colour, each changed or not."""
    if "".join(text for text, _ in pieces) != line.text:
        pieces = [(line.text, "")] if line.text else []
    cuts = sorted({edge for span in line.changed for edge in span})
    parts: list[Part] = []
    at = 0
    for text, colour in pieces:
        inner = [cut - at for cut in cuts if at < cut < at + len(text)]
        for start, end in zip([0, *inner], [*inner, len(text)], strict=True):
            is_changed = any(a <= at + start < b for a, b in line.changed)
            parts.append((text[start:end], colour, is_changed))
        at += len(text)
    return parts
