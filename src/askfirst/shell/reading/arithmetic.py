"""Arithmetic: `$(( ))`, `(( ))`, subscripts and offsets. Bash evaluates names, and the text that variables hold, again.

So every name that is read is a hazard, unless the script can only put numbers into it (survey/variables.py).
"""

from __future__ import annotations

import re

from askfirst.shell.lines import CERTAIN
from askfirst.shell.numbers import is_number_parameter, prints_a_number
from askfirst.shell.reading.quotes import QuoteReader
from askfirst.shell.reading.reader import NAME
from askfirst.shell.syntax import Arithmetic, GiveUp, Hazard, Parameter, Part, Substitution

TOKEN = re.compile(r"[0-9][0-9A-Za-z_#@]*|[A-Za-z_][A-Za-z0-9_]*|[ \t\n+*/%<>=!&|^~?:,.-]")
SETS = re.compile(r"[ \t\n)]*(?:(?P<plain>=)(?!=)|(?:[-+*/%&|^]|<<|>>)=(?!=)|\+\+|--)")


class ArithmeticReader(QuoteReader):
    def arithmetic(self, start: int, close: str, quoted: bool) -> Arithmetic:
        """An arithmetic expression up to and including `close`."""
        begin = self.pos
        found = Arithmetic(start, start, quoted, [], [], [])
        depth, brackets = 0, 0
        while not self.at_end_of_arithmetic(close, depth, brackets):
            c = self.at()
            token = TOKEN.match(self.text, self.pos)
            if token:
                self.arithmetic_token(token.group(), token.end(), found)
            elif c == "$":
                self.arithmetic_parts(self.dollar(quoted=True), found)
            elif c == "`":
                self.arithmetic_parts([self.backtick(quoted=True, heredoc=True)], found)
            elif c and c in "()[]":
                depth += (c == "(") - (c == ")")
                brackets += (c == "[") - (c == "]")
                if depth < 0 or brackets < 0:
                    raise GiveUp("an arithmetic expression that askfirst cannot read", start)
                self.pos += 1
            else:
                raise GiveUp("an arithmetic expression that askfirst cannot read", start)
        found.certain = CERTAIN.fullmatch(self.text, begin, self.pos) is not None
        self.pos += len(close)
        found.end = self.pos
        return self.ledger.created(found)

    def at_end_of_arithmetic(self, close: str, depth: int, brackets: int) -> bool:
        # Where a bracket is open, zsh takes `$((` for the beginning of two shells of their own.
        return not depth and not brackets and self.text.startswith(close, self.pos)

    def arithmetic_token(self, token: str, end: int, found: Arithmetic) -> None:
        c = token[0]
        if c == "\n":
            self.no_pending()
        if c.isalpha() or c == "_":
            self.arithmetic_name(token, end, found)
        elif c in "<>":
            self.accounted.add(self.pos)
        self.pos = end

    def arithmetic_name(self, name: str, end: int, found: Arithmetic) -> None:
        change = SETS.match(self.text, end)
        i = self.pos
        while i and self.text[i - 1] in " \t\n(":  # zsh: `++(x)`, `(x)=7`
            i -= 1
        before, after = self.text[i - 2 : i], self.text[end : end + 1]
        if after in ("$", "`"):
            raise self.fail("a name that an expansion completes")  # `a$i=5` sets a1
        if change or before in ("++", "--") or after == "[":
            found.sets.append(name)
            if change and change.group("plain") and ")" not in change.group():
                return  # bash evaluates the content in `(x)=7`, and then calls it an error
        found.hazards.append(number_hazard(name, name))

    def arithmetic_parts(self, parts: list[Part], found: Arithmetic) -> None:
        for part in parts:
            found.parts.append(part)
            if isinstance(part, Parameter):
                if not is_number_parameter(part):
                    name = part.name if part.operator == "" and NAME.match(part.name) else ""
                    found.hazards.append(number_hazard(f"${part.name}", name))
            elif not isinstance(part, Arithmetic) and not (
                isinstance(part, Substitution) and prints_a_number(part.script)
            ):
                text = self.text[self.pos - 1 : self.pos]
                found.hazards.append(Hazard("expansion", "arithmetic evaluates the output of a command", text))


def number_hazard(shown: str, name: str) -> Hazard:
    why = f"arithmetic evaluates what `{shown}` holds, and it may be more than a number"
    return Hazard("expansion", why, shown, name)
