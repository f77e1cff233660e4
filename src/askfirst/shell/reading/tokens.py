"""Between the words: blanks, comments, newlines, reserved words, and what bashlex is shown in place of them."""

from __future__ import annotations

import re

from askfirst.knowledge.shells import RESERVED
from askfirst.shell.reading.word import WordReader
from askfirst.shell.syntax import GiveUp, Node

MAX_DEPTH = 40

KEYWORDS = "(?:" + "|".join(word.translate({ord(c): "\\" + c for c in "{}[]"}) for word in RESERVED) + ")"
KEYWORD = re.compile(KEYWORDS + r"(?=[ \t\n;&|()<>]|\Z)")
GLUED_KEYWORD = re.compile(KEYWORDS + r"\\\n")
ENDS_A_LIST = ("then", "else", "elif", "fi", "esac", "do", "done", "}")


class TokenParser(WordReader):
    def command(self, *, after_pipe: bool = False) -> Node:
        raise NotImplementedError

    # -- what stands between tokens

    def skip_blanks(self) -> None:
        """Blanks, line continuations and a comment, all of which may stand between tokens."""
        text = self.text
        while self.pos < self.size:
            c = text[self.pos]
            if c in " \t":
                self.pos += 1
            elif c == "\\" and self.at(1) == "\n":
                self.accounted.add(self.pos)
                self.edits.append((self.pos, self.pos + 2, "  "))
                self.pos += 2
            elif c == "#":
                end = text.find("\n", self.pos)
                end = self.size if end < 0 else end
                self.inert.append((self.pos, end))
                self.edits.append((self.pos, end, " " * (end - self.pos)))
                self.pos = end
            else:
                return

    def blanks_in_line(self) -> None:
        while self.at() and self.at() in " \t":
            self.pos += 1
        self.no_glue()

    def no_glue(self) -> None:
        self.no_continuation(self.pos)

    def newline(self) -> None:
        self.pos += 1
        pending, self.pending = self.pending, []
        for redirect in pending:
            self.read_heredoc(redirect, str(redirect.target.text))

    def skip_newlines(self) -> bool:
        """Whether there was one."""
        self.skip_blanks()
        found = False
        while self.at() == "\n":
            found = True
            self.newline()
            self.skip_blanks()
        return found

    def skip_newlines_inside(self) -> None:
        """Inside `[[ ]]` and an array, where no heredoc's body can begin."""
        self.skip_blanks()
        while self.at() == "\n":
            self.no_pending()
            self.pos += 1
            self.skip_blanks()

    # -- tokens

    def keyword(self) -> str:
        """The reserved word at the current position, or ""."""
        found = KEYWORD.match(self.text, self.pos)
        if found:
            return found.group()
        if GLUED_KEYWORD.match(self.text, self.pos):
            raise self.fail("a line continuation directly behind a reserved word")
        return ""

    def expect(self, token: str) -> None:
        if not self.text.startswith(token, self.pos):
            raise self.fail(f"`{token}` is missing")
        self.pos += len(token)

    def expect_keyword(self, *words: str) -> str:
        self.skip_newlines()
        found = self.keyword()
        if found not in words:
            raise self.fail(f"`{words[0]}` is missing")
        self.pos += len(found)
        return found

    def at_word(self) -> bool:
        """Whether a word, and no operator, begins here."""
        c = self.at()
        return bool(c) and c not in " \t\n;&|()" and (c not in "<>" or self.at(1) == "(")

    # -- nesting, and the skeleton for bashlex

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise GiveUp("too deeply nested", self.pos, "too long")

    def mask(self, start: int, end: int, replacement: str) -> None:
        self.edits.append((start, end, replacement))

    def mask_all(self, start: int, kept: int, seen: int) -> None:
        """bashlex sees one plain word in place of everything since `start`."""
        del self.edits[kept:]
        del self.seen[seen:]
        self.mask(start, self.pos, "x" * (self.pos - start))
        self.seen.append((start, ((start, self.pos),)))
