"""The dialog's part of a merge (approval/merging.py): the list of ways, the numbered file, the typed line number."""

from __future__ import annotations

from rich.text import Text

from askfirst.approval.merging import MEANING, file_lines, line_count
from askfirst.approval.question import Question
from askfirst.files.merge import line_number
from askfirst.tui.wrap import exact_lines, flow

MAX_TYPED_CHARS = 12
STRATEGY_KEYS = {"r": "replace", "a": "append", "i": "insert", "e": "extend"}


def strategy_rows(question: Question, width: int) -> list[Text]:
    rows = [Text(""), *flow([("How should the new content be merged with the file?", "bold")], width), Text("")]
    for key, name in STRATEGY_KEYS.items():
        if name in question.strategies:
            head = Text.assemble((f" {key.upper()} ", "reverse bold"), " ", (name.ljust(9), "bold"))
            pieces = flow([(MEANING[name], "")], width - 14)
            rows += [Text.assemble(head if n == 0 else " " * 13, " ", piece) for n, piece in enumerate(pieces)]
    return rows


def line_rows(question: Question, width: int) -> list[Text]:
    rows: list[Text] = []
    for line in file_lines(question):
        rows += exact_lines(line, width, tabs=True) or [Text(line)]
    return [Text(""), *rows]


class LineEntry:
    """The number of a line, typed and validated. It ends with one, or with Esc, which goes back: whatever else is typed
    answers nothing."""

    def __init__(self, question: Question) -> None:
        self.count = line_count(question)
        self.typed = ""
        self.problem = ""

    def key(self, name: str, char: str) -> int | None:
        """A line number when one was given, None while it goes on."""
        if name == "backspace":
            self.typed = self.typed[:-1]
        elif name == "enter":
            return self._entered()
        elif char:
            self.typed, self.problem = (self.typed + char)[:MAX_TYPED_CHARS], ""
        return None

    def _entered(self) -> int | None:
        line = line_number(self.typed, self.count)
        if line is None:
            self.problem, self.typed = f"`{self.typed}` is not a number from 0 to {self.count}", ""
        return line
