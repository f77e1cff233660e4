"""A terminal small enough to trust: it understands what the dialog draws with, and refuses everything else.

Refusing is the point. A sequence this model does not know can only come from a text of the agent that was not made
visible.
"""

from __future__ import annotations

import codecs
import re

from rich.cells import cell_len

CUT = re.compile(r"\x1b(\[[?0-9;]*)?(?=\x1b)")  # a sequence that a signal cut off: the next ESC cancels it
CSI = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")
OSC = re.compile(r"\x1b\](2|9|777);([a-zA-Z0-9 :;]*)\x07")  # the title, a notification: words of ours only
MODES = {"2004", "25", "2026"}
TITLES = ("22;2", "23;2")  # put aside, and brought back


class Screen:
    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.lines: list[list[str]] = [[]]  # every row since the start; the last `rows` are on screen
        self.row = self.column = 0
        self.modes: dict[str, bool] = {}
        self.bells = 0
        self.title, self.titles_kept = "", 0
        self.notified: list[str] = []
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a frame may be cut off by a signal
        self._rest = ""

    def feed(self, data: bytes) -> None:
        text = self._decoder.decode(data)
        self.raw += text
        text, self._rest = self._rest + text, ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                match, cut, string = CSI.match(text, at), CUT.match(text, at), OSC.match(text, at)
                if string is not None:
                    self._string(*string.groups())
                    at = string.end()
                    continue
                if cut is not None:
                    at = cut.end()
                    continue
                if match is None:
                    if len(text) - at < 60:
                        self._rest = text[at:]
                        return
                    raise AssertionError(f"an unknown sequence was drawn: {text[at : at + 24]!r}")
                self._sequence(*match.groups())
                at = match.end()
            else:
                self._character(text[at])
                at += 1

    def _sequence(self, private: str, numbers: str, final: str) -> None:
        if private:
            assert numbers in MODES and final in "hl", f"unknown mode ?{numbers}{final}"
            self.modes[numbers] = final == "h"
        elif final == "A":
            self.row = max(len(self.lines) - self.rows, 0, self.row - int(numbers or 1))
        elif final == "K" and numbers == "2":
            self.lines[self.row] = []
        elif final == "J" and not numbers:
            self.lines[self.row] = self.lines[self.row][: self.column]
            del self.lines[self.row + 1 :]
        elif final == "t" and numbers in TITLES:
            # The guardian brings it back as well; there is nothing below the first.
            self.titles_kept = max(0, self.titles_kept + (1 if numbers == TITLES[0] else -1))
        else:
            assert final == "m", f"unknown sequence {numbers}{final}"

    def _string(self, number: str, words: str) -> None:
        if number == "2":
            self.title = words
        else:
            self.notified.append(words)

    def _character(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._down()
        elif char == "\a":
            self.bells += 1
        else:
            assert char.isprintable(), f"a control character was drawn: {char!r}"
            cells = cell_len(char)
            if self.column + cells > self.columns:
                self._down()
                self.column = 0
            line = self.lines[self.row]
            line.extend(" " * (self.column - len(line)))
            line[self.column : self.column + max(1, cells)] = [char, *[""] * (cells - 1)] if cells else [char]
            self.column += cells

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append([])

    def text(self) -> str:
        """What a person sees now."""
        return "\n".join("".join(line).rstrip() for line in self.lines[-self.rows :])

    def history(self) -> str:
        """What stays in the scroll-back, too."""
        return "\n".join("".join(line).rstrip() for line in self.lines)
