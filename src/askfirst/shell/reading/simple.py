"""Simple commands: assignments, words and redirections, in any order that bash allows."""

from __future__ import annotations

import re

from askfirst.knowledge.shells import RESERVED
from askfirst.shell.reading.expansions import SUBSCRIPT
from askfirst.shell.reading.tokens import TokenParser
from askfirst.shell.syntax import DECLARES, Hazard, Literal, Named, Node, RawWord, Redirect, Set, Simple

REDIRECT = re.compile(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(&>>|&>|<<<|<<-|<<|<&|<>|>>|>&|>\||<(?!\()|>(?!\())")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n]*\])?(\+?=)")
ELEMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[")
FUNCTION_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
PARENTHESES = re.compile(r"\([ \t]*\)")
MAX_DIGITS_OF_DESCRIPTOR = 4
# A path with one directory in parentheses, and nothing in it that any shell expands otherwise.
IN_PARENTHESES = re.compile(
    r"([A-Za-z0-9_./][A-Za-z0-9_./@+-]*/|/)\(([A-Za-z0-9_-]+)\)(/[A-Za-z0-9_./@+-]*)(?=[ \t\n;&|]|\Z)"
)


class SimpleParser(TokenParser):
    def function_body(self, start: int, name: str) -> Node:
        raise NotImplementedError

    def simple(self) -> Node:
        start = self.pos
        command = Simple([], [], [], "")
        end = start
        spans: list[tuple[int, int]] = []  # of assignments and words
        while True:
            self.skip_blanks()
            c = self.at()
            redirect = REDIRECT.match(self.text, self.pos) if c and c in "0123456789{<>&" else None
            if redirect:
                command.redirects.append(self.redirect(redirect))
                end = self.pos
                continue
            if not c or c in "\n;&|)":
                break
            if c == "(":
                return self.function_definition(start, command)
            begin = self.pos
            self.assignment_or_word(command)
            end = self.pos
            spans.append((begin, end))
        if end == start:
            raise self.fail("a command is missing")
        if spans or command.redirects:
            self.seen.append((start, tuple(spans)))
        command.text = self.text[start:end]
        return command

    def assignment_or_word(self, command: Simple) -> None:
        words = command.words
        assignment = ASSIGNMENT.match(self.text, self.pos)
        if assignment and not words:
            command.sets.append(self.assignment(assignment))
            return
        if assignment and words[0].text in DECLARES and self.text.startswith("(", assignment.end()):
            one = self.assignment(assignment)
            command.sets.append(one)
            words.append(one.word)
            return
        if not words and ELEMENT.match(self.text, self.pos):
            raise self.fail("an array element that askfirst cannot read")
        named = IN_PARENTHESES.match(self.text, self.pos) if words else None
        word = self.word() if named is None else self.path_with_name(named)
        if not words and word.text in RESERVED and (command.sets or command.redirects):
            raise self.fail("a reserved word in place of a command's name")
        words.append(word)

    def path_with_name(self, found: re.Match[str]) -> RawWord:
        """`app/(home)/page.tsx` as an argument."""
        start, self.pos = self.pos, found.end()
        before, name, after = found.groups()
        self.mask(start, self.pos, "x" * (self.pos - start))
        return RawWord(start, self.pos, found.group(), [Literal(before, True), Named(name), Literal(after, True)])

    def function_definition(self, start: int, command: Simple) -> Node:
        """`name () …`, where the name is already read."""
        found = PARENTHESES.match(self.text, self.pos)
        alone = len(command.words) == 1 and not command.sets and not command.redirects
        if not found or not alone or not FUNCTION_NAME.fullmatch(command.words[0].text):
            raise self.fail("a `(` where none may stand")
        self.pos = found.end()
        return self.function_body(start, command.words[0].text)

    # -- assignments

    def assignment(self, found: re.Match[str]) -> Set:
        start = self.pos
        hazards: list[Hazard] = []
        if found.group(2):
            self.pos = found.start(2)
            self.subscript(hazards)
            if self.pos != found.start(3):
                raise self.fail("an array subscript that is not a plain number or name")
        self.pos = found.end()
        append = found.group(3) == "+="
        kept = len(self.edits)
        array: list[RawWord] | None = None
        if self.at() == "(":
            array = self.array(hazards)
            word = RawWord(start, self.pos, self.text[start : self.pos], [])
        else:
            word = self.assigned_word()
        for hazard in hazards:
            hazard.text = hazard.text or self.text[start : self.pos]
        del self.edits[kept:]
        filler = found.group(1) + "=" + "x" * (self.pos - start - len(found.group(1)) - 1)
        self.mask(start, self.pos, filler)
        return Set(found.group(1), word, append, array, hazards, element=bool(found.group(2)))

    def assigned_word(self) -> RawWord:
        """The word behind `=`, which may be empty."""
        if self.continued(self.pos):
            self.continuation_behind_word()
        elif self.at_word():
            return self.word()
        return RawWord(self.pos, self.pos, "", [Literal("", True)])

    def array(self, hazards: list[Hazard]) -> list[RawWord]:
        self.pos += 1
        words: list[RawWord] = []
        while True:
            self.skip_newlines_inside()
            if self.at() == ")":
                self.pos += 1
                if self.at() and self.at() not in " \t\n;&|)<>":
                    raise self.fail("a word glued to an array")  # bash: the whole is one text, and no array
                return words
            if not self.at_word():
                raise self.fail("an array that askfirst cannot read")
            if self.at() != "[" or self.array_index(hazards):
                words.append(self.word())

    def array_index(self, hazards: list[Hazard]) -> bool:
        """`[index]=` of `[index]=value`; the index of a plain array is evaluated. Whether a value follows."""
        found = SUBSCRIPT.match(self.text, self.pos)
        if not found or not self.text.startswith("=", found.end()):
            raise self.fail("an array that askfirst cannot read")
        self.subscript(hazards)
        self.pos += 1
        return bool(self.at()) and self.at() not in " \t\n)"

    # -- redirections

    def redirects_behind(self, redirects: list[Redirect]) -> None:
        """The redirections behind a compound command."""
        self.skip_blanks()
        while found := REDIRECT.match(self.text, self.pos):
            redirects.append(self.redirect(found))
            self.skip_blanks()

    def redirect(self, found: re.Match[str]) -> Redirect:
        start, operator = self.pos, found.group(2)
        fd = found.group(1) or ""
        if (operator.startswith("&") and fd) or (fd.isdigit() and len(fd) > MAX_DIGITS_OF_DESCRIPTOR):
            raise self.fail("a redirection that askfirst cannot read")  # a number too large for bash is a word
        self.pos = found.end()
        if fd.startswith("{"):
            self.mask(start, start + len(fd), " " * len(fd))
        self.no_glue()
        if operator in ("<<", "<<-"):
            self.accounted.update((found.start(2), found.start(2) + 1))
            self.blanks_in_line()
            return self.heredoc(start, found, fd)
        if operator == "<<<":
            self.accounted.update(range(found.start(2), found.end()))
            self.mask(found.start(2), found.end(), "<  ")
        self.blanks_in_line()
        self.check_target(operator)
        target = self.word()
        return Redirect(start, self.pos, fd, operator, target, self.text[start : self.pos])

    def check_target(self, operator: str) -> None:
        if not self.at_word() or self.at() == "#":
            raise self.fail("a redirection without a target")
        if operator in ("<&", ">&") and self.at() == "-" and self.at(1) and self.at(1) not in " \t\n;&|()<>":
            raise self.fail("a word glued to `>&-`")  # bash: the descriptor is closed, and a new word begins
        if self.at() == "!":
            raise self.fail("zsh and bash read `>!` differently")

    def heredoc(self, start: int, found: re.Match[str], fd: str) -> Redirect:
        delimiter, quoted = self.heredoc_delimiter(start)
        begin = found.start(2)
        self.mask(begin, self.pos, "<" + "x" * (self.pos - begin - 1))
        target = RawWord(self.pos, self.pos, delimiter, [Literal(delimiter, True)])
        redirect = Redirect(start, self.pos, fd, found.group(2), target, self.text[start : self.pos])
        redirect.expands = not quoted
        self.heredocs += 1
        self.ledger.created(redirect)
        self.pending.append(redirect)
        return redirect
