"""Lines that fit: wrapping by terminal cells, and the collapsing of emptiness.

Commands are broken exactly at the edge, so that no character is lost or moved; prose is broken at spaces. Both return
lines that a terminal of that width draws on one row each, which is what paging counts on.
"""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.text import Text

from askfirst.text import visible

MIN_COUNTED_SPACES = 32  # a longer run of spaces is shown as its count: it would look like the end of the command
WHOLE = r"⟨U\+[0-9A-F]{4,6}⟩|."  # what a row ends before or after: the sign for one hidden character is read as one
CONTINUED = "↪ "  # before each row that belongs to the line above


def exact_lines(text: str, width: int, *, style: str = "", tabs: bool = False) -> list[Text]:
    """Every character of the text, on rows of `width` cells.

    Runs of blank lines and of many spaces become their count.
    """
    rows: list[Text] = []
    blank = 0
    for line in [*visible(text, newlines=True, tabs=tabs).split("\n"), None]:
        if line is not None and not line.strip():
            blank += 1
            continue
        if blank:
            # One blank line is drawn as such; at the end of the text there is nothing left that it could separate.
            is_separator = blank == 1 and line is not None
            rows.append(Text("") if is_separator else Text(f"⋮ {blank} blank line{'s' * (blank > 1)}", "dim"))
            blank = 0
        if line is not None:
            rows.extend(_break_exactly(_count_spaces(line), width, style))
    return rows


def flow(parts: list[tuple[str, str]], width: int, *, first: str = "", hang: int | None = None) -> list[Text]:
    """Styled prose, broken at spaces.

    `first` starts the first row; the others are indented by `hang` cells, or as deep.
    """
    indent = cell_len(first) if hang is None else hang
    text = Text()
    for part, style in parts:
        text.append(visible(part), style)
    room_first, room = max(8, width - cell_len(first)), max(8, width - indent)
    pieces = list(text.divide(_prose_breaks(text.plain, room_first, room))) if text.plain else [Text("")]
    rows = []
    for number, piece in enumerate(pieces):
        piece.rstrip()
        rows.append(Text.assemble(first if number == 0 else " " * indent, piece))
    return rows


def pad(line: Text, width: int) -> Text:
    """The line, exactly `width` cells wide."""
    copy = line.copy()
    copy.truncate(width, overflow="crop", pad=True)
    return copy


def fit(text: str, width: int) -> str:
    """One row of visible text, cut in the middle: the start and the end of a path both matter."""
    shown = visible(text)
    if cell_len(shown) <= width:
        return shown
    left, right = (width - 1) // 2, width - 1 - (width - 1) // 2
    return _take(shown, left) + "…" + _take(shown[::-1], right)[::-1]


def _take(text: str, cells: int) -> str:
    taken = ""
    for char in text:
        cells -= cell_len(char)
        if cells < 0:
            break
        taken += char
    return taken


def _count_spaces(line: str) -> str:
    shown, run = "", 0
    for char in line + "\0":
        if char == " ":
            run += 1
            continue
        shown += " " * run if run < MIN_COUNTED_SPACES else f"⟨{run} spaces⟩"
        shown += char
        run = 0
    return shown[:-1]


def _break_exactly(line: str, width: int, style: str) -> list[Text]:
    rows, row, used, room = [], "", 0, width
    for piece in re.findall(WHOLE, line, re.DOTALL):
        cells = cell_len(piece)
        if used + cells > room:
            rows.append(row)
            row, used, room = "", 0, width - len(CONTINUED)
        row, used = row + piece, used + cells
    rows.append(row)
    return [Text.assemble((CONTINUED if n else "", "dim"), (r, style)) for n, r in enumerate(rows)]


def _prose_breaks(plain: str, room_first: int, room: int) -> list[int]:
    """Offsets at which a new row begins."""
    breaks: list[int] = []
    start, last_space, used, limit = 0, -1, 0, room_first
    for offset, char in enumerate(plain):
        used += cell_len(char)
        if used > limit and char != " ":
            begin = last_space + 1 if last_space >= start else offset
            breaks.append(begin)
            start, limit = begin, room
            used = cell_len(plain[begin : offset + 1])
        if char == " ":
            last_space = offset
    return breaks
