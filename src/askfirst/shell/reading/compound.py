"""Compound commands, functions and co-processes. All are read here, because bashlex knows only some of them."""

from __future__ import annotations

import re

from askfirst.knowledge.shells import RESERVED
from askfirst.shell.reading.conditions import condition_hazards
from askfirst.shell.reading.reader import NAME
from askfirst.shell.reading.simple import ELEMENT, FUNCTION_NAME, SimpleParser
from askfirst.shell.syntax import (
    Arithmetic,
    Branches,
    Coproc,
    Evaluate,
    For,
    Function,
    Group,
    Node,
    RawWord,
    Script,
    Simple,
)

NAMED_COMPOUND = re.compile(r"[A-Za-z_][A-Za-z0-9_]*[ \t]+(?:if|case|for|while|until|select|\[\[)[ \t\n]")
CASE_END = re.compile(r";;&|;;|;&")
FUNCTION_HEAD = re.compile(r"[ \t]*(?:\([ \t]*\))?(?=[ \t\n({])")
BLANK_PARENTHESES = re.compile(r"[ \t]*\([ \t]*\)")
COPROC_NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=\(|\{[ \t\n])")
BODIES = ("{", "if", "case", "for", "while", "until", "select", "[[")


class CompoundParser(SimpleParser):
    def commands(self) -> Script:
        raise NotImplementedError

    def region(self) -> Script:
        raise NotImplementedError

    def compound(self, keyword: str) -> Node:
        node: Node = getattr(self, COMPOUND[keyword])()
        return node

    # -- groups

    def parenthesis(self) -> Node:
        if self.at(1) == "(":
            return self.double_parenthesis()
        self.pos += 1
        self.no_glue()
        self.nesting += 1
        body = self.commands()
        self.nesting -= 1
        self.expect(")")
        if not body.items:
            raise self.fail("an empty subshell")
        return Group(body, subshell=True)

    def double_parenthesis(self) -> Node:
        start, kept, seen = self.pos, len(self.edits), len(self.seen)
        self.pos += 2
        inner = self.arithmetic(start, "))", True)
        self.mask_all(start, kept, seen)
        return Evaluate([], [inner], [])

    def group(self) -> Node:
        self.pos += 1
        body = self.commands()
        self.expect_keyword("}")
        if not body.items:
            raise self.fail("an empty group")
        return Group(body, subshell=False)

    # -- branches

    def if_command(self) -> Node:
        self.pos += 2
        bodies = [self.commands()]
        self.expect_keyword("then")
        bodies.append(self.commands())
        while True:
            word = self.expect_keyword("fi", "else", "elif")
            if word == "fi":
                break
            bodies.append(self.commands())
            if word == "elif":
                self.expect_keyword("then")
                bodies.append(self.commands())
        if not all(body.items for body in bodies):
            raise self.fail("an empty branch")
        return Branches([], bodies, loop=False)

    def case_command(self) -> Node:
        start, kept, seen = self.pos, len(self.edits), len(self.seen)
        self.pos += 4
        self.skip_blanks()
        words = [self.word()]
        self.expect_keyword("in")
        bodies: list[Script] = []
        while True:
            self.skip_newlines()
            if self.keyword() == "esac":
                self.pos += 4
                break
            self.case_patterns(words)
            self.nesting += 1
            bodies.append(self.region())
            self.nesting -= 1
            terminator = CASE_END.match(self.text, self.pos)
            if terminator:
                if terminator.group() != ";;":
                    self.ledger.differ("not every `sh` has `;&`", "sh")
                self.pos = terminator.end()
            elif self.keyword() != "esac":
                raise self.fail("`;;` is missing")
        if self.pending:
            raise self.fail("a heredoc that leaves its branch")
        self.mask_all(start, kept, seen)
        return Branches(words, bodies, loop=False)

    def case_patterns(self, words: list[RawWord]) -> None:
        if self.at() == "(":
            self.pos += 1
            self.skip_blanks()
        while True:
            words.append(self.word())
            self.skip_blanks()
            if self.at() == ")":
                self.pos += 1
                return
            if self.at() != "|":
                raise self.fail("a pattern of `case` that askfirst cannot read")
            self.pos += 1
            self.skip_blanks()

    def condition(self) -> Node:
        """`[[ … ]]`: a flat list of words is enough, for only what is evaluated matters."""
        start, kept, seen = self.pos, len(self.edits), len(self.seen)
        self.pos += 2
        tokens: list[RawWord | str] = []
        while True:
            self.skip_newlines_inside()
            if self.keyword() == "]]":
                self.pos += 2
                break
            tokens.append(self.condition_token(tokens[-1] if tokens else ""))
        self.mask_all(start, kept, seen)
        return Evaluate([t for t in tokens if isinstance(t, RawWord)], [], condition_hazards(tokens))

    def condition_token(self, last: RawWord | str) -> RawWord | str:
        c = self.at()
        pair = self.text[self.pos : self.pos + 2]
        if pair in ("&&", "||"):
            self.pos += 2
            return pair
        if c and (c in "()" or (c in "<>" and pair[1:] != "(")):
            self.pos += 1
            self.no_glue()
            return c
        if not c or c in ";&|":
            raise self.fail("a condition that askfirst cannot read")
        return self.word(regexp=isinstance(last, RawWord) and last.text == "=~")

    # -- loops

    def while_command(self) -> Node:
        self.pos += 5
        condition = self.commands()
        return Branches([], [condition, self.do_body()], loop=True)

    def do_body(self) -> Script:
        self.expect_keyword("do")
        body = self.commands()
        self.expect_keyword("done")
        if not body.items:
            raise self.fail("an empty loop")
        return body

    def for_command(self) -> Node:
        start, select = self.pos, self.at() == "s"
        self.pos += 6 if select else 3
        if select:
            self.mask(start, self.pos, "for   ")
        self.skip_blanks()
        if self.text.startswith("((", self.pos) and not select:
            return self.arithmetic_for(start)
        name = NAME.match(self.text, self.pos)
        if not name or name.group() in RESERVED or self.text[name.end() : name.end() + 1] not in (" ", "\t", "\n", ";"):
            raise self.fail("a loop over a name that is not plain")
        self.pos = name.end()
        words: list[RawWord] | None = None
        self.skip_blanks()
        if self.at() == ";":
            self.pos += 1
        else:
            self.skip_newlines()
            if self.keyword() == "in":
                self.pos += 2
                words = self.words_to_separator()
        return For(name.group(), words, self.do_body(), select)

    def words_to_separator(self) -> list[RawWord]:
        words: list[RawWord] = []
        while True:
            self.skip_blanks()
            c = self.at()
            if c == "\n":
                self.newline()
                return words
            if c == ";":
                self.pos += 1
                if self.at() in (";", "&"):
                    raise self.fail("`;;` in a loop's words")
                return words
            if not self.at_word():
                raise self.fail("words of a loop that askfirst cannot read")
            words.append(self.word())

    def arithmetic_for(self, start: int) -> Node:
        """`for ((a; b; c))`: to bashlex, a `while` with one word."""
        kept, seen = len(self.edits), len(self.seen)
        self.pos += 2
        parts: list[Arithmetic] = []
        for close in (";", ";", "))"):
            parts.append(self.arithmetic(self.pos, close, True))
        del self.edits[kept:]
        del self.seen[seen:]
        end = self.pos
        self.skip_blanks()
        if self.at() == ";":
            self.mask(self.pos, self.pos + 1, " ")
            self.pos += 1
        self.mask(start, end, "while " + "x" * (end - start - 7) + ";")
        self.seen.append((start, ((start + 6, end - 1),)))
        self.edits.sort()
        return Evaluate([], parts, [], self.do_body())

    # -- functions and co-processes

    def function_command(self) -> Node:
        start = self.pos
        self.pos += 8
        self.skip_blanks()
        name = FUNCTION_NAME.match(self.text, self.pos)
        if not name or not FUNCTION_HEAD.match(self.text, name.end()):
            raise self.fail("a function whose name is not plain")
        self.pos = name.end()
        found = BLANK_PARENTHESES.match(self.text, self.pos)
        if found:
            self.pos = found.end()
        return self.function_body(start, name.group())

    def function_body(self, start: int, name: str) -> Node:
        if name in RESERVED:
            raise self.fail("a function with the name of a reserved word")
        self.skip_newlines()
        if self.at() != "(" and self.keyword() not in BODIES:
            raise self.fail("a function without a body in braces")
        body = self.command()
        return Function(name, body, self.text[start : self.pos])

    def coproc_command(self) -> Node:
        start = self.pos
        self.pos += 6
        self.skip_blanks()
        name = "COPROC"
        if self.substitutions:
            # Bash 5.2 prints it as `coproc COPROC …`, and then runs a program of that name.
            raise self.fail("`coproc` inside a substitution")
        named = COPROC_NAME.match(self.text, self.pos)
        if named and named.group(1) not in RESERVED:
            name = named.group(1)
            self.pos = named.end()
        if self.keyword() not in ("", "{") or NAMED_COMPOUND.match(self.text, self.pos):
            raise self.fail("an unusual form of `coproc`")
        self.mask(start, self.pos, " " * (self.pos - start))
        node = self.command()
        if isinstance(node, Simple) and any(ELEMENT.match(word.text.replace("\\\n", "")) for word in node.words[1:2]):
            # To bash the second word may still begin the command: a `[` in it lasts to its `]`, whatever is between.
            raise self.fail("an unusual form of `coproc`")
        return Coproc(name, node)


COMPOUND = {
    "{": "group",
    "if": "if_command",
    "while": "while_command",
    "until": "while_command",
    "for": "for_command",
    "select": "for_command",
    "case": "case_command",
    "function": "function_command",
    "coproc": "coproc_command",
    "[[": "condition",
}
