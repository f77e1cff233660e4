"""Heredocs: the delimiter, and the body that begins at the next newline."""

from __future__ import annotations

import re

from askfirst.shell.reading.expansions import ExpansionReader
from askfirst.shell.reading.reader import BREAK, merged
from askfirst.shell.syntax import GiveUp, Literal, Part, RawWord, Redirect

RUN = re.compile(r"[^\\$`]+")
DELIMITER = re.compile(
    r"(?:[A-Za-z0-9_.,:@%+/^!#-]|\\[A-Za-z0-9_.,:@%+/^!#-]|'[A-Za-z0-9_.,:@%+/^!# -]*'|\"[A-Za-z0-9_.,:@%+/^!# -]*\")+"
)
QUOTES = re.compile(r"\\(.)|['\"]")


class HeredocReader(ExpansionReader):
    def heredoc_delimiter(self, redirect_start: int) -> tuple[str, bool]:
        """The delimiter at the current position, quotes removed, and whether it was quoted."""
        found = DELIMITER.match(self.text, self.pos)
        after = self.text[found.end() : found.end() + 1] if found else ""
        if not found or (after and after not in BREAK) or self.text.startswith(("<(", ">("), found.end()):
            raise GiveUp("a heredoc delimiter that shells read differently", redirect_start)
        raw = found.group()
        value = QUOTES.sub(lambda m: m.group(1) or "", raw)
        if not value or value.startswith("#") or "\n" in value:
            raise GiveUp("a heredoc delimiter that shells read differently", redirect_start)
        self.inert.append(found.span())
        self.pos = found.end()
        return value, value != raw

    def read_heredoc(self, redirect: Redirect, delimiter: str) -> None:
        """The body that begins at the current position, up to and including the line with the delimiter."""
        text, start = self.text, self.pos
        redirect.at = start
        lines: list[str] = []
        while True:
            if self.pos >= self.size:
                raise GiveUp(f"a heredoc is not closed by a line `{delimiter}`", start)
            line, self.pos = self.heredoc_line(redirect.expands)
            if redirect.operator == "<<-":
                line = line.lstrip("\t")
            if line == delimiter:
                break
            if self.nesting and line.startswith(delimiter) and ")" in line:
                raise GiveUp("a heredoc delimiter followed by `)` on its line", start)
            lines.append(line + "\n")
        body = "".join(lines)
        self.inert.append((start, self.pos))
        newline = "\n" if text[self.pos - 1] == "\n" else " "
        self.edits.append((start, self.pos, " " * (self.pos - start - 1) + newline))
        if redirect.expands:
            redirect.body = self.other_reader(body).heredoc_text()
        else:
            redirect.body = RawWord(0, len(body), body, [Literal(body, True)])

    def heredoc_line(self, joins: bool) -> tuple[str, int]:
        """One line and the position behind it; where the delimiter is unquoted, a final backslash joins lines first."""
        text, i = self.text, self.pos
        pieces: list[str] = []
        while True:
            end = text.find("\n", i)
            line, after = (text[i:], self.size) if end < 0 else (text[i:end], end + 1)
            if not joins or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                return "".join(pieces) + line, after
            if end < 0:
                raise GiveUp("the text ends in a backslash", i)
            pieces.append(line[:-1])
            i = after

    def heredoc_text(self) -> RawWord:
        """The whole text as the body of a heredoc whose delimiter was not quoted."""
        parts: list[Part] = []
        while self.pos < self.size:
            run = RUN.match(self.text, self.pos)
            if run:
                parts.append(Literal(run.group(), True))
                self.inert.append(run.span())
                self.pos = run.end()
                continue
            c = self.at()
            if c == "\\":
                parts.append(self.escape_in_quotes("$`\\"))
            elif c == "$":
                parts.extend(self.dollar(quoted=True))
            else:
                parts.append(self.backtick(quoted=True, heredoc=True))
        self.check_residue()
        return RawWord(0, self.size, self.text, merged(parts))
