"""Everything that `$`, a backtick or `<(` begins.

What bash evaluates becomes a node; what depends on data that are not in the text, a hazard.
"""

from __future__ import annotations

import re

from askfirst.shell.reading.ansi_quotes import decode
from askfirst.shell.reading.arithmetic import ArithmeticReader
from askfirst.shell.reading.reader import BREAK, NAME
from askfirst.shell.syntax import Hazard, Literal, Opaque, Parameter, Part, RawWord, Substitution

OPERAND_RUN = re.compile(r"[^}{\\'\"`$<>\n]+")
SUBSCRIPT = re.compile(
    r"\[(?:([@*]|-?[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\})\]"
)
NOT_IN_ZSH = re.compile(r"\\[^abeEfnrtv\\'\"]")
# Longer ones first.
OPERATORS = tuple(":- := :? :+ - = ? + ## # %% % // /# /% / ^^ ^ ,, ,".split())
UNREADABLE = "a parameter expansion that askfirst cannot read"


class ExpansionReader(ArithmeticReader):
    def dollar(self, *, quoted: bool) -> list[Part]:
        i, c = self.pos, self.at(1)
        if c == "(":
            return [self.parenthesis_behind_dollar(quoted)]
        if c == "{":
            return [self.parameter(quoted)]
        if c == "[":
            self.pos = i + 2
            self.ledger.differ("`$[…]` is text to every other `sh`", "sh")
            return [self.arithmetic(i, "]", quoted)]
        name = NAME.match(self.text, i + 1)
        if name:
            return [self.plain_parameter(name.group(), name.end(), quoted)]
        if c and c in "@*#?-$!0123456789":
            self.pos = i + 2
            return [Parameter(i, c, "", quoted, [], [], every=c == "@")]
        if c == "\\":
            self.no_continuation(i + 1)
        if not quoted and c == "'":
            return [self.ansi_quoted()]
        if not quoted and c == '"':
            self.ledger.differ('`$"…"` is quoted text in bash only', "zsh", "sh")
            self.pos = i + 2
            return self.double_quoted()
        if c and c in "=~^+":
            self.ledger.differ("zsh reads a flag behind `$`", "zsh")
        self.pos = i + 1
        return [Literal("$", quoted)]

    def parenthesis_behind_dollar(self, quoted: bool) -> Part:
        """`$( … )` and `$(( … ))`."""
        i = self.pos
        self.no_continuation(i + 2)
        self.accounted.add(i)
        if self.at(2) == "(":
            self.pos = i + 3
            return self.arithmetic(i, "))", quoted)
        self.pos = i + 2
        return self.ledger.created(Substitution(i, "$(", quoted, self.nested(")")))

    def plain_parameter(self, name: str, end: int, quoted: bool) -> Parameter:
        start, self.pos = self.pos, end
        if self.continued(end):
            after = self.text[end + 2 : end + 3]
            if quoted or (after and after not in BREAK):
                raise self.fail("a line continuation inside a token")
        return Parameter(start, name, "", quoted, [], [])

    def ansi_quoted(self) -> Part:
        """`$'…'`."""
        i = self.pos
        value, self.pos = decode(self.text, i + 2)
        self.inert.append((i, self.pos))
        if "\n" in self.text[i : self.pos]:
            self.no_pending()
        if NOT_IN_ZSH.search(self.text, i, self.pos):
            self.ledger.differ("shells read the escapes in `$'…'` differently", "zsh")
        self.ledger.differ("`$'…'` is no quote to every `sh`", "sh")
        return Literal(value, True) if value is not None else Opaque()

    def process_substitution(self) -> Substitution:
        i, kind = self.pos, self.text[self.pos : self.pos + 2]
        self.no_continuation(i + 2)
        self.accounted.add(i)
        self.pos = i + 2
        script = self.nested(")")
        if not script.items:
            raise self.fail("an empty process substitution")  # bash 5.2 forgets it inside another one
        return self.ledger.created(Substitution(i, kind, False, script))

    def backtick(self, *, quoted: bool, heredoc: bool = False) -> Substitution:
        text, start = self.text, self.pos
        out: list[str] = []
        i = start + 1
        while True:
            c = text[i : i + 1]
            if not c:
                raise self.fail("a backtick is not closed")
            if c == "`":
                break
            if c == "\\":
                after = text[i + 1 : i + 2]
                if after == "\n" or (after == '"' and heredoc):
                    raise self.fail("a backslash inside backticks that shells read differently")
                if not after:
                    raise self.fail("a backtick is not closed")
                out.append(after if after in "\\`$" or (quoted and after == '"') else c + after)
                i += 2
            else:
                out.append(c)
                i += 1
        unescaped = "".join(out)
        if "\n" in unescaped:
            self.no_pending()
        self.inert.append((start, i + 1))
        self.pos = i + 1
        return self.ledger.created(Substitution(start, "`", quoted, self.other_text(unescaped)))

    # -- `${…}`

    def parameter(self, quoted: bool) -> Parameter:
        """`${…}` of every kind."""
        start = self.pos
        self.accounted.add(start)
        self.pos = start + 2
        length, indirect = self.parameter_prefix()
        name = self.parameter_name()
        words: list[RawWord] = []
        hazards: list[Hazard] = []
        elements = self.subscript(hazards) if self.at() == "[" else ""
        operator = "#length" if length else "!" if indirect else elements
        if indirect:
            self.indirection(start, elements, hazards)
        if self.at() == "}":
            self.pos += 1
        elif length or indirect:
            raise self.fail(UNREADABLE)
        else:
            operator = self.operation(quoted, words, hazards)
        for hazard in hazards:
            hazard.text = hazard.text or self.text[start : self.pos]
        every = elements == "[@]" or name == "@" or indirect or has_every(words)
        return self.ledger.created(
            Parameter(start, name, operator, quoted, words, hazards, every=every and not length, braced=True)
        )

    def parameter_prefix(self) -> tuple[bool, bool]:
        """Whether `#` (the length) or `!` (indirection) stands before the name."""
        length = self.at() == "#" and self.at(1) not in ("", "}")
        indirect = self.at() == "!" and (self.at(1).isalnum() or self.at(1) == "_")
        if length or indirect:
            self.pos += 1
        return length, indirect

    def indirection(self, start: int, elements: str, hazards: list[Hazard]) -> None:
        """Behind `${!name`: `@}` and `*}` list names, `[@]` lists indices, and all else reads the variable it names."""
        if self.at() in ("@", "*") and self.at(1) == "}":
            self.pos += 1
        elif elements not in ("[@]", "[*]"):
            why = "indirect expansion: the name of the variable is data"
            hazards.append(Hazard("expansion", why, self.text[start : self.pos + 1]))

    def parameter_name(self) -> str:
        name = NAME.match(self.text, self.pos)
        if name:
            self.pos = name.end()
            return name.group()
        begin = self.pos
        while self.at() and self.at() in "0123456789":
            self.pos += 1
        if self.pos == begin:
            if not self.at() or self.at() not in "@*#?-$!":
                raise self.fail(UNREADABLE)
            self.pos += 1
        return self.text[begin : self.pos]

    def subscript(self, hazards: list[Hazard]) -> str:
        found = SUBSCRIPT.match(self.text, self.pos)
        if not found:
            raise self.fail("an array subscript that is not a plain number or name")
        if not found.group(1):
            name = found.group(2) or found.group(3) or found.group(4)
            why = f"an array subscript is evaluated, and `{name}` may hold more than a number"
            hazards.append(Hazard("expansion", why, "", name))
            if found.group(4):
                self.accounted.add(found.start(4) - 2)
        self.pos = found.end()
        return found.group() if found.group() in ("[@]", "[*]") else "[]"

    def operation(self, quoted: bool, words: list[RawWord], hazards: list[Hazard]) -> str:
        """What follows the name inside `${…}`, up to and including the closing brace."""
        text, i = self.text, self.pos
        c = self.at()
        if c == "@":
            operator = text[i : i + 2]
            if self.at(2) != "}" or operator[1] not in "QEAaUuLKkP":
                raise self.fail(UNREADABLE)
            if operator == "@P":
                hazards.append(Hazard("expansion", "`@P` runs the substitutions in a variable's value", ""))
            self.pos = i + 3
            return operator
        if c == ":" and self.at(1) not in ("-", "=", "?", "+"):
            self.pos = i + 1
            inner = self.arithmetic(i, "}", True)
            words.append(RawWord(i, self.pos, text[i : self.pos], [inner]))
            return ":"
        for operator in OPERATORS:
            if text.startswith(operator, i):
                self.pos = i + len(operator)
                words.append(self.operand(quoted))
                return operator
        raise self.fail(UNREADABLE)

    def operand(self, quoted: bool) -> RawWord:
        text, start = self.text, self.pos
        parts: list[Part] = []
        while True:
            run = OPERAND_RUN.match(text, self.pos)
            if run:
                parts.append(Literal(run.group(), quoted))
                self.pos = run.end()
            if self.at() == "}":
                word = RawWord(start, self.pos, text[start : self.pos], parts)
                self.pos += 1
                return word
            parts.extend(self.operand_parts(quoted))

    def operand_parts(self, quoted: bool) -> list[Part]:
        c, after = self.at(), self.at(1)
        if c == "$" and after not in ("'", '"'):
            return self.dollar(quoted=quoted)
        if c == "`":
            return [self.backtick(quoted=quoted, heredoc=True)]
        if c in ("'", '"') and not quoted:
            return self.quotes_in_operand(c)
        if c == "\\" and after and after not in "\n'\"":
            return [self.escaped()]
        if c and c in "<>" and after != "(" and not self.text.startswith("<<", self.pos):
            self.pos += 1
            return [Literal(c, quoted)]
        raise self.fail(UNREADABLE)

    def quotes_in_operand(self, quote: str) -> list[Part]:
        if quote == '"':
            self.pos += 1
            return self.double_quoted()
        part = self.single_quoted()
        if "}" in part.text:
            raise self.fail("a brace inside quotes inside `${…}`")
        return [part]


def has_every(words: list[RawWord]) -> bool:
    return any(isinstance(part, Parameter) and part.every for word in words for part in word.parts)
