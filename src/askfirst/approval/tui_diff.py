"""A unified diff in colours. The signs carry the meaning; colour and the language's own highlighting only help the eye."""

from __future__ import annotations

from rich.text import Text

from askfirst.approval.tui_text import exact_lines
from askfirst.text import visible

SIGNS = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}


def diff_lines(diff: str, path: str, width: int) -> list[Text]:
    """The diff's rows; the two header lines are left out, since the path stands above."""
    colour = _highlighter(path)
    rows: list[Text] = []
    for number, line in enumerate(diff.rstrip("\n").split("\n") if diff else []):
        if number < 2 and line.startswith(("--- ", "+++ ")):
            continue
        sign = line[:1]
        style = SIGNS.get(sign, "")
        if sign in "+-" and sign:
            rows += _signed(sign, visible(line[1:], tabs=True), style, width, colour)
        else:
            rows += exact_lines(line, width, style=style or "dim", tabs=True) or [Text(" ")]
    return rows


def _signed(sign: str, code: str, style: str, width: int, colour: _Highlighter) -> list[Text]:
    pieces = exact_lines(code, width - 2) or [Text("")]
    if len(pieces) == 1 and pieces[0].plain == code:
        return [Text.assemble((f"{sign} ", f"bold {style}"), colour(code, style))]
    return [Text.assemble((f"{sign} ", f"bold {style}"), Text.assemble((p.plain, style))) for p in pieces]


class _Highlighter:
    def __init__(self, lexer: str) -> None:
        self._lexer = lexer

    def __call__(self, code: str, style: str) -> Text:
        if self._lexer and code.strip():
            from rich.syntax import Syntax

            text = Syntax("", self._lexer, theme="ansi_dark", background_color="default").highlight(code)
            text.rstrip()
            if text.plain == code.rstrip():  # a highlighter that changes the text would lie about it
                text.style = style
                return text
        return Text(code, style)


def _highlighter(path: str) -> _Highlighter:
    from rich.syntax import Syntax

    lexer = Syntax.guess_lexer(path)
    return _Highlighter("" if lexer in ("default", "text") else lexer)
