"""Saying yes to a write in another way: the strategies of files/merge.py, chosen in the dialog.

The person sees the final diff before it counts: choosing a strategy makes another question of it, which has to be read and armed like
the first. A merge is allowed once, never remembered: the same call later would be the unmerged one.
"""

from __future__ import annotations

import os

from rich.text import Text

from askfirst.approval.question import Question
from askfirst.approval.tui_text import exact_lines, flow
from askfirst.errors import AskfirstError
from askfirst.files.content import decode, look_at, style_of
from askfirst.files.merge import TRIES, numbered
from askfirst.model import Duration

KEYS = {"r": "replace", "a": "append", "i": "insert", "e": "extend"}
MEANING = {
    "replace": "the new text instead of the old, as the agent asked",
    "append": "the old text, then the new one after it",
    "insert": "the new text after a line that you name",
    "extend": "only what is new: functions, methods, classes and imports that are not there yet",
}
ONCE_ONLY = "a merge is allowed once: the same call later would not be merged"


def offered(question: Question) -> tuple[str, ...]:
    return question.strategies if len(question.strategies) > 1 and question.proposed else ()


def path_of(question: Question) -> str:
    return os.path.realpath(os.path.join(question.cwd or question.project, os.path.expanduser(question.text)))


def strategy_rows(question: Question, width: int) -> list[Text]:
    rows = [Text(""), *flow([("How should the new content meet what is there?", "bold")], width), Text("")]
    for key, name in KEYS.items():
        if name in question.strategies:
            head = Text.assemble((f" {key.upper()} ", "reverse bold"), " ", (name.ljust(9), "bold"))
            pieces = flow([(MEANING[name], "")], width - 14)
            rows += [Text.assemble(head if n == 0 else " " * 13, " ", piece) for n, piece in enumerate(pieces)]
    return rows


def file_lines(question: Question) -> list[str]:
    """The file as it is now, with numbers; empty when it cannot be read as text."""
    data = look_at(path_of(question)).data or b""
    text = decode(data, style_of(data))
    return numbered(text) if text is not None else []


def line_rows(question: Question, width: int) -> list[Text]:
    rows: list[Text] = []
    for line in file_lines(question):
        rows += exact_lines(line, width, tabs=True) or [Text(line)]
    return [Text(""), *rows]


def merged(question: Question, strategy: str, line: int | None) -> tuple[Question, dict[str, object]] | str:
    """The question about the merged text and the answer's `extra`; or why it cannot be merged."""
    from askfirst.files.show import preview
    from askfirst.redact import redact

    extra: dict[str, object] = {"strategy": strategy} | ({"line": line} if line is not None else {})
    try:
        seen = preview(path_of(question), question.proposed, extra, question.project)
    except (AskfirstError, OSError) as error:
        return str(error)
    choices = tuple(c if c.duration == Duration.ONCE or c.refused else c.replace(refused=ONCE_ONLY, wide_scope="", wide_entry="")
                    for c in question.choices)
    notes = (*question.notes, *((seen.warning,) if seen.warning else ()))
    words = f"{strategy} at line {line}" if line is not None else strategy
    deleted = tuple(map(redact, seen.deleted))
    why = f"{question.why} (as the agent asked for it, before the merge)"
    shown = question.replace(change=f"merged: {words}", diff=redact(seen.diff), deleted=deleted, choices=choices, notes=notes, why=why)
    return shown, extra


class LineEntry:
    """The number of a line, typed: validated, three tries; giving up is a deny."""

    def __init__(self, question: Question) -> None:
        self.count = len(file_lines(question))
        self.typed = ""
        self.problem = ""
        self._tries = 0

    def key(self, name: str, char: str) -> int | str | None:
        """A line number when one was given, words when it is over without one, None while it goes on."""
        if name == "escape":
            return "no line was chosen, so nothing is written"
        if name == "backspace":
            self.typed = self.typed[:-1]
        elif name == "enter":
            return self._entered()
        elif char:
            self.typed, self.problem = (self.typed + char)[:12], ""
        return None

    def _entered(self) -> int | str | None:
        if not self.typed.strip():
            return "no line was chosen, so nothing is written"
        if self.typed.isascii() and self.typed.isdigit() and int(self.typed) <= self.count:
            return int(self.typed)
        self._tries += 1
        self.problem, self.typed = f"`{self.typed}` is not a number from 0 to {self.count}", ""
        return f"no valid line in {TRIES} tries, so nothing is written" if self._tries >= TRIES else None
