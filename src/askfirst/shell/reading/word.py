"""Words of bash, read strictly: quotes, expansions and substitutions with exact spans, or `GiveUp`.

Places where versions of bash, or bash and its manual, are known to disagree are refused, not guessed: a line
continuation inside a token, quotes inside a quoted `${…}`, an unusual heredoc delimiter.
"""

from __future__ import annotations

import re

from askfirst.shell.reading.heredocs import HeredocReader
from askfirst.shell.reading.reader import BREAK, merged
from askfirst.shell.syntax import Literal, Part, RawWord

RUN = re.compile(r"[^ \t\n\r\f\v\\'\"`$<>()|&;]+")
OTHER_BLANK = "a blank that shells read differently"


class WordReader(HeredocReader):
    def word(self, *, regexp: bool = False) -> RawWord:
        """The word at the current position; at least one character long."""
        text, start = self.text, self.pos
        parts: list[Part] = []
        while self.pos < self.size:
            run = RUN.match(text, self.pos)
            if run:
                literal = run.group()
                if not literal.isascii() and any(c.isspace() for c in literal):
                    raise self.fail(OTHER_BLANK)
                parts.append(Literal(literal, False))
                self.pos = run.end()
                continue
            found = self.word_parts(text[self.pos], regexp)
            if found is None:
                break
            parts.extend(found)
        if self.pos == start:
            raise self.fail("a word is missing")
        self.check_word(text[start : self.pos], parts)
        word = RawWord(start, self.pos, text[start : self.pos], merged(parts))
        if not word.plain or any(c in word.text for c in "{}~*?[]!#=^"):
            self.edits.append((start, self.pos, "x" * (self.pos - start)))
        return word

    def word_parts(self, c: str, regexp: bool) -> list[Part] | None:
        """What `c` begins inside a word; None where it ends the word."""
        if c in "<>" and self.at(1) == "(":
            return [self.process_substitution()]
        if regexp and c in "(|":
            return [self.regexp_group(c)]
        if c in BREAK:
            return None
        if c == "\\":
            return self.escape_in_word()
        if c == "'":
            return [self.single_quoted()]
        if c == '"':
            self.pos += 1
            return self.double_quoted()
        if c == "$":
            return self.dollar(quoted=False)
        if c == "`":
            return [self.backtick(quoted=False)]
        raise self.fail(OTHER_BLANK)

    def escape_in_word(self) -> list[Part] | None:
        after = self.at(1)
        if after == "\n":
            self.continuation_behind_word()
            return None
        if not after:
            raise self.fail("the text ends in a backslash")
        return [self.escaped()]

    def continuation_behind_word(self) -> None:
        """Harmless where the next line begins with a blank, else it glues. The caller skips it like a blank."""
        after = self.text[self.pos + 2 : self.pos + 3]
        if after and after not in " \t\n;&|)":
            raise self.fail("a line continuation inside a word")

    def check_word(self, text: str, parts: list[Part]) -> None:
        if text[0] == "{" and text[-1] == "}" and self.at() in ("<", ">"):
            raise self.fail("a descriptor whose name is not plain")  # `{a['$(cmd)']}> f` runs cmd
        if "{" in text and any(isinstance(p, Literal) and not p.quoted and "$" in p.text for p in parts):
            raise self.fail("a `$` that braces may complete")  # `{$,a}{x@P}` becomes `${x@P}`
