"""Text of others, made safe to draw.

What an agent proposes is drawn on a person's terminal. Rich passes escape sequences, OSC 52, C1, right-to-left and
zero-width characters through, executes markup in a plain `str` and turns `:bomb:` into a picture. So every foreign text
goes through `visible` first, and every console is made by `console`."""

from __future__ import annotations

import unicodedata
from typing import IO, TYPE_CHECKING

__all__ = ["console", "one_line", "visible"]

if TYPE_CHECKING:
    from rich.console import Console

# `str.isprintable` counts these as printing, but nothing is drawn for them (fillers, blank braille, invisible vowels
# and notes).
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
# Marks that are drawn through or around the character before them: a struck-out or enclosed character reads as another
# one.
_OVERLAYS = ((0x0334, 0x0338), (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0x180B, 0x180F), (0xE0100, 0xE01EF))
_MARKS_PER_LETTER = 2  # Vietnamese needs two; more is a stack that covers its neighbours


def visible(text: str, *, newlines: bool = False, tabs: bool = False) -> str:
    """Every character that does not print, or hides another, becomes `⟨U+XXXX⟩`; what prints stays as it is.

    `newlines` keeps line ends (the caller lays the lines out), `tabs` shows a tab as an arrow and spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = _MARKS_PER_LETTER  # a text must not begin with a mark: it would sit on the frame
    kept = {**({"\n": "\n"} if newlines else {}), **({"\t": "→   "} if tabs else {})}
    for char in text:
        if char in kept:
            shown.append(kept[char])
            marks = _MARKS_PER_LETTER
        elif not char.isprintable() or char in _BLANK:
            shown.append(_spelled_out(char))
            marks = _MARKS_PER_LETTER
        elif char.isascii() or not _is_mark(char):
            shown.append(char)
            marks = 0 if char != " " else _MARKS_PER_LETTER
        else:
            hides = marks >= _MARKS_PER_LETTER or _is_overlay(char)
            shown.append(_spelled_out(char) if hides else char)
            marks += not hides
    return "".join(shown)


def _spelled_out(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩"


def _is_overlay(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _OVERLAYS)


def one_line(text: str, limit: int = 200) -> str:
    """The visible text on one line, cut with an ellipsis: for lists and receipts, never for what a person decides
    on."""
    shown = visible(" ".join(text.split("\n")))
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def console(
    file: IO[str] | None = None,
    *,
    stderr: bool = False,
    width: int | None = None,
    height: int | None = None,
    record: bool = False,
    force_terminal: bool | None = None,
) -> Console:
    """The one way to make a Rich console: no markup, no highlighting, no emoji codes; NO_COLOR is respected by Rich
    itself."""
    from rich.console import Console

    return Console(
        file=file,
        stderr=stderr,
        width=width,
        height=height,
        record=record,
        force_terminal=force_terminal,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")
