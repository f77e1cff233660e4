"""Quotes and escapes, as far as all shells agree about them."""

from __future__ import annotations

import re

from askfirst.shell.reading.reader import Reader
from askfirst.shell.syntax import GiveUp, Literal, Part

QUOTED_RUN = re.compile(r"[^\"\\$`]+")


class QuoteReader(Reader):
    def single_quoted(self) -> Literal:
        end = self.text.find("'", self.pos + 1)
        if end < 0:
            raise self.fail("a quote is not closed")
        value = self.text[self.pos + 1 : end]
        if "\n" in value:
            self.no_pending()
        self.inert.append((self.pos, end + 1))
        self.pos = end + 1
        return Literal(value, True)

    def double_quoted(self) -> list[Part]:
        """The parts up to and including the closing quote; the opening one is already read."""
        text, begin = self.text, self.pos
        parts: list[Part] = [Literal("", True)]
        while True:
            run = QUOTED_RUN.match(text, self.pos)
            if run:
                parts.append(Literal(run.group(), True))
                if "\n" in run.group():
                    self.no_pending()
                self.inert.append(run.span())
                self.pos = run.end()
            c = self.at()
            if c == '"':
                self.pos += 1
                return parts
            if c == "\\":
                parts.append(self.escape_in_quotes('$`"\\'))
            elif c == "$":
                parts.extend(self.dollar(quoted=True))
            elif c == "`":
                parts.append(self.backtick(quoted=True))
            else:
                raise GiveUp("a quote is not closed", begin)

    def escape_in_quotes(self, special: str) -> Literal:
        c = self.at(1)
        if c == "\n":
            self.no_pending()
            self.accounted.add(self.pos)
            self.pos += 2
            return Literal("", True)
        if c and c in special:
            return self.escaped()
        self.pos += 1
        return Literal("\\", True)

    def escaped(self) -> Literal:
        """A backslash and the character that it quotes."""
        c = self.at(1)
        self.inert.append((self.pos, self.pos + 2))
        self.pos += 2
        return Literal(c, True)

    def regexp_group(self, c: str) -> Literal:
        """Behind `=~`, `|` and balanced parentheses belong to the word."""
        if c == "|":
            self.pos += 1
            return Literal("|", False)
        depth, i = 0, self.pos
        while True:
            c = self.text[i : i + 1]
            if not c or c in "'\"`$\n" or self.continued(i):
                raise self.fail("a regular expression with quotes or expansions inside parentheses")
            if c == "\\":
                i += 1
            elif c == "(":
                depth += 1
            elif c == ")":
                depth -= 1
            i += 1
            if depth == 0:
                break
        value = self.text[self.pos : i]
        self.inert.append((self.pos, i))
        self.pos = i
        return Literal(value, False)
