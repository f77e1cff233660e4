"""A unified diff in colours. The signs carry the meaning; colour and highlighting only help the eye."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.syntax import Syntax
from rich.text import Text

from askfirst.text import visible
from askfirst.tui.wrap import exact_lines

SIGNS = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
HUNK = re.compile(r"@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
MAX_BLANK_ROWS = 3
MAX_COLOURED_ROWS = 3000  # behind them the signs alone have to do


def diff_lines(diff: str, path: str, width: int) -> list[Text]:
    """The diff's rows; the two header lines are left out, since the path stands above."""
    lines = [(line[:1], line[1:]) for line in _without_header(diff)]
    shown = [(sign, visible(code, tabs=True)) for sign, code in lines]
    coloured = {
        sign: _highlighted([code for s, code in shown[:MAX_COLOURED_ROWS] if s == sign], path, SIGNS[sign])
        for sign in "+-"
    }
    rows: list[Text] = []
    blanks = at = 0
    for index, (sign, code) in enumerate(shown):
        text = next(coloured[sign], None) if sign in coloured else None
        if _is_blank(sign, code):
            blanks += 1
            if _ends_run(shown, index):
                rows += _blank(sign, blanks)
                blanks = 0
        elif sign == "@" and (hunk := HUNK.match(lines[index][1])):
            rows += _unchanged(int(hunk[1]) - at - 1)
            at = int(hunk[1]) + int(hunk[2] or 1) - 1
        elif sign in coloured:
            rows += _signed(sign, code, text, width)
        else:
            shift = " " if sign == " " else ""  # below the code of the others
            rows += exact_lines(shift + sign + lines[index][1], width, style=SIGNS.get(sign, "dim"), tabs=True)
    return rows


def _ends_run(shown: list[tuple[str, str]], index: int) -> bool:
    """Whether the blank line at this place is the last of its run."""
    sign = shown[index][0]
    return index + 1 == len(shown) or shown[index + 1][0] != sign or bool(shown[index + 1][1].strip())


def _unchanged(count: int) -> list[Text]:
    """What lies between two hunks, as its count."""
    return [Text(f"⋮ {count} unchanged line{'s' * (count > 1)}", "cyan")] if count > 0 else []


def _without_header(diff: str) -> list[str]:
    lines = diff.rstrip("\n").split("\n") if diff else []
    has_header = len(lines) > 1 and lines[0].startswith("--- ") and lines[1].startswith("+++ ")
    return lines[2:] if has_header else lines


def _is_blank(sign: str, code: str) -> bool:
    return sign in ("+", "-", " ", "") and not code.strip()


def path_in(diff: str) -> str:
    """The file that a diff is about; "" when it does not say."""
    line = diff.split("\n", 2)[1] if diff.startswith("--- ") else ""
    return line.removeprefix("+++ b/") if line.startswith("+++ b/") else ""


def _blank(sign: str, count: int) -> list[Text]:
    """Blank lines as they are; a long run of them, with which a diff could be pushed off the screen, as its count."""
    style = SIGNS.get(sign, "dim")
    if count > MAX_BLANK_ROWS:
        return [Text.assemble((f"{sign} ", f"bold {style}"), (f"⋮ {count} blank lines", "dim"))]
    return [Text(f"{sign} ", f"bold {style}") for _ in range(count)]


def _signed(sign: str, code: str, coloured: Text | None, width: int) -> list[Text]:
    style = SIGNS[sign]
    pieces = exact_lines(code, width - 2) or [Text("")]
    if coloured is not None and len(pieces) == 1 and pieces[0].plain == code:
        return [Text.assemble((f"{sign} ", f"bold {style}"), coloured)]
    return [Text.assemble((f"{sign} ", f"bold {style}"), Text.assemble((p.plain, style))) for p in pieces]


def _highlighted(codes: list[str], path: str, style: str) -> Iterator[Text | None]:
    """Each line in its language's colours; nothing for an unknown language, or from where a line would change."""
    lexer = Syntax.guess_lexer(path)
    if lexer not in ("default", "text") and codes:
        # All lines at once: a lexer for each would take seconds, and would not see a text that spans several lines.
        lines = (
            Syntax("", lexer, theme="ansi_dark", background_color="default")
            .highlight("\n".join(codes))
            .split("\n", allow_blank=True)
        )
        for code, text in zip(codes, lines, strict=False):
            if text.plain.rstrip() != code.rstrip():  # a highlighter that changes the text would lie about it
                return
            text.rstrip()
            text.style = style
            yield text
