"""Words of bash, read strictly: quotes, expansions and substitutions with exact spans, or `GiveUp`.

Everything that bash would expand becomes a node. Places where versions of bash, or bash and its manual, are known to disagree are
refused, not guessed: a line continuation inside a token, quotes inside a quoted `${…}`, an unusual heredoc delimiter.
"""

from __future__ import annotations

from askfirst.patterns import compiled
from askfirst.shell import ansi
from askfirst.shell.lines import CERTAIN
from askfirst.shell.numbers import prints_a_number
from askfirst.shell.syntax import (
    Arithmetic,
    GiveUp,
    Hazard,
    Literal,
    Opaque,
    Parameter,
    Redirect,
    Script,
    Substitution,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.syntax import Part

MAX_DEPTH = 40
MAX_NODES = 6000
MAX_COMMANDS = 4000

NAME = compiled(r"[A-Za-z_][A-Za-z0-9_]*")
RUN = compiled(r"[^ \t\n\r\f\v\\'\"`$<>()|&;]+")
QUOTED_RUN = compiled(r"[^\"\\$`]+")
HEREDOC_RUN = compiled(r"[^\\$`]+")
OPERAND_RUN = compiled(r"[^}{\\'\"`$<>\n]+")
SUBSCRIPT = compiled(
    r"\[(?:([@*]|-?[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\})\]"
)
ARITHMETIC_TOKEN = compiled(r"[0-9][0-9A-Za-z_#@]*|[A-Za-z_][A-Za-z0-9_]*|[ \t\n+*/%<>=!&|^~?:,.-]")
SETS = compiled(r"[ \t\n)]*(?:(?P<plain>=)(?!=)|(?:[-+*/%&|^]|<<|>>)=(?!=)|\+\+|--)")
DELIMITER = compiled(
    r"(?:[A-Za-z0-9_.,:@%+/^!#-]|\\[A-Za-z0-9_.,:@%+/^!#-]|'[A-Za-z0-9_.,:@%+/^!# -]*'|\"[A-Za-z0-9_.,:@%+/^!# -]*\")+"
)
QUOTES = compiled(r"\\(.)|['\"]")
NOT_IN_ZSH = compiled(r"\\[^abeEfnrtv\\'\"]")
BREAK = " \t\n;&|()<>"
NUMERIC_SPECIALS = "#?$!"


class Reader:
    """Reads one text. The grammar (grammar.py) is a subclass: a substitution inside a word needs all of it."""

    def __init__(self, text: str, depth: int, ledger: Ledger) -> None:
        self.text, self.size, self.pos = text, len(text), 0
        self.depth, self.ledger = depth, ledger
        self.pending: list[Redirect] = []  # heredocs whose body begins at the next newline
        self.nesting = 0  # how many `$(`, `<(`, `(` are open
        self.edits: list[tuple[int, int, str]] = []
        self.seen: list[tuple[int, tuple[tuple[int, int], ...]]] = []
        self.accounted: set[int] = set()
        self.inert: list[tuple[int, int]] = []

    # -- the grammar's part

    def nested(self, close: str) -> Script:
        raise NotImplementedError

    def other_text(self, text: str) -> Script:
        raise NotImplementedError

    def other_reader(self, text: str) -> Reader:
        raise NotImplementedError

    # -- small steps

    def fail(self, why: str) -> GiveUp:
        return GiveUp(why, self.pos)

    def at(self, offset: int = 0) -> str:
        return self.text[self.pos + offset : self.pos + offset + 1]

    def continued(self, position: int) -> bool:
        return self.text.startswith("\\\n", position)

    def no_pending(self) -> None:
        if self.pending:
            raise self.fail("a heredoc begins on a line that goes on in a quote or substitution")

    # -- words

    def word(self, *, regexp: bool = False) -> Word:
        """The word at the current position; at least one character long."""
        text, start = self.text, self.pos
        parts: list[Part] = []
        while self.pos < self.size:
            run = RUN.match(text, self.pos)
            if run:
                literal = run.group()
                if not literal.isascii() and any(c.isspace() for c in literal):
                    raise self.fail("a blank that shells read differently")
                parts.append(Literal(literal, False))
                self.pos = run.end()
                continue
            c = text[self.pos]
            if c in "<>" and self.at(1) == "(":
                parts.append(self.process_substitution())
            elif regexp and c in "(|":
                parts.append(self.regexp_group(c))
            elif c in BREAK:
                break
            elif c == "\\":
                if self.at(1) == "\n":
                    self.continuation_in_word()
                    break
                if not self.at(1):
                    raise self.fail("the text ends in a backslash")
                self.inert.append((self.pos, self.pos + 2))
                parts.append(Literal(self.at(1), True))
                self.pos += 2
            elif c == "'":
                parts.append(self.single_quoted())
            elif c == '"':
                self.pos += 1
                parts.extend(self.double_quoted())
            elif c == "$":
                parts.extend(self.dollar(quoted=False))
            elif c == "`":
                parts.append(self.backtick(quoted=False))
            else:
                raise self.fail("a blank that shells read differently")
        end = self.pos
        if end == start:
            raise self.fail("a word is missing")
        if text[end - 1] == "}" and text[end : end + 1] in ("<", ">") and text[start] == "{":
            raise self.fail("a descriptor whose name is not plain")  # `{a['$(cmd)']}> f` runs cmd
        if "{" in text[start:end] and any(isinstance(p, Literal) and not p.quoted and "$" in p.text for p in parts):
            raise self.fail("a `$` that braces may complete")  # `{$,a}{x@P}` becomes `${x@P}`
        word = Word(start, end, text[start:end], merged(parts))
        if not word.plain or any(c in word.text for c in "{}~*?[]!#=^"):
            self.edits.append((start, end, "x" * (end - start)))
        return word

    def continuation_in_word(self) -> None:
        """A line continuation directly behind a word: harmless when the next line begins with a blank, else it glues."""
        after = self.text[self.pos + 2 : self.pos + 3]
        if after and after not in " \t\n;&|)":
            raise self.fail("a line continuation inside a word")
        # The caller skips it like a blank.

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
            self.inert.append((self.pos, self.pos + 2))
            self.pos += 2
            return Literal(c, True)
        self.pos += 1
        return Literal("\\", True)

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

    # -- expansions

    def dollar(self, *, quoted: bool) -> list[Part]:
        text, i = self.text, self.pos
        c = self.at(1)
        if c == "(":
            if self.continued(i + 2):
                raise self.fail("a line continuation inside a token")
            self.accounted.add(i)
            if self.at(2) == "(":
                self.pos = i + 3
                return [self.arithmetic(i, "))", quoted)]
            self.pos = i + 2
            return [self.ledger.created(Substitution(i, "$(", quoted, self.nested(")")))]
        if c == "{":
            return [self.braces(quoted)]
        if c == "[":
            self.pos = i + 2
            return [self.arithmetic(i, "]", quoted)]
        name = NAME.match(text, i + 1)
        if name:
            self.pos = name.end()
            if self.continued(self.pos):
                after = text[self.pos + 2 : self.pos + 3]
                if quoted or (after and after not in BREAK):
                    raise self.fail("a line continuation inside a token")
            return [Parameter(i, name.group(), "", quoted, [], [])]
        if c and c in "@*#?-$!0123456789":
            self.pos = i + 2
            return [Parameter(i, c, "", quoted, [], [], every=c == "@")]
        if c == "\\" and self.continued(i + 1):
            raise self.fail("a line continuation inside a token")
        if not quoted and c == "'":
            value, self.pos = ansi.decode(text, i + 2)
            self.inert.append((i, self.pos))
            if "\n" in text[i : self.pos]:
                self.no_pending()
            if NOT_IN_ZSH.search(text, i, self.pos):
                self.ledger.bash_only.append("shells read the escapes in `$'…'` differently")
            return [Literal(value, True) if value is not None else Opaque()]
        if not quoted and c == '"':
            self.ledger.bash_only.append('`$"…"` is quoted text in bash only')
            self.pos = i + 2
            return self.double_quoted()
        if c and c in "=~^+":
            self.ledger.bash_only.append("zsh reads a flag behind `$`")
        self.pos = i + 1
        return [Literal("$", quoted)]

    def process_substitution(self) -> Substitution:
        i, kind = self.pos, self.text[self.pos : self.pos + 2]
        if self.continued(i + 2):
            raise self.fail("a line continuation inside a token")
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
        cooked = "".join(out)
        if "\n" in cooked:
            self.no_pending()
        self.inert.append((start, i + 1))
        self.pos = i + 1
        return self.ledger.created(Substitution(start, "`", quoted, self.other_text(cooked)))

    def braces(self, quoted: bool) -> Parameter:
        """`${…}` of every kind. What is evaluated in it becomes a node; what depends on data becomes a hazard."""
        text, start = self.text, self.pos
        self.accounted.add(start)
        self.pos = start + 2
        length = self.at() == "#" and self.at(1) not in ("", "}")
        bang = self.at() == "!" and (self.at(1).isalnum() or self.at(1) == "_")
        if length or bang:
            self.pos += 1
        name = self.parameter_name()
        words: list[Word] = []
        hazards: list[Hazard] = []
        every = self.subscript(hazards) if self.at() == "[" else ""
        operator = "#length" if length else every
        if bang:
            operator = "!"
            if self.at() in ("@", "*") and self.at(1) == "}":
                self.pos += 1
            elif every not in ("[@]", "[*]"):
                hazards.append(
                    Hazard(
                        "expansion", "indirect expansion: the name of the variable is data", text[start : self.pos + 1]
                    )
                )
        if self.at() == "}":
            self.pos += 1
        elif length or bang:
            raise self.fail("a parameter expansion that is not understood")
        else:
            operator = self.operation(quoted, words, hazards)
        for hazard in hazards:
            hazard.text = hazard.text or text[start : self.pos]
        many = not length and (every == "[@]" or name == "@" or bang or any(is_many(p) for w in words for p in w.parts))
        return self.ledger.created(Parameter(start, name, operator, quoted, words, hazards, every=many, braced=True))

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
                raise self.fail("a parameter expansion that is not understood")
            self.pos += 1
        return self.text[begin : self.pos]

    def subscript(self, hazards: list[Hazard]) -> str:
        found = SUBSCRIPT.match(self.text, self.pos)
        if not found:
            raise self.fail("an array subscript that is not a plain number or name")
        if not found.group(1):
            name = found.group(2) or found.group(3) or found.group(4)
            hazards.append(
                Hazard(
                    "expansion", f"an array subscript is evaluated, and `{name}` may hold more than a number", "", name
                )
            )
            if found.group(4):
                self.accounted.add(found.start(4) - 2)
        self.pos = found.end()
        return found.group() if found.group() in ("[@]", "[*]") else "[]"

    def operation(self, quoted: bool, words: list[Word], hazards: list[Hazard]) -> str:
        """What follows the name inside `${…}`, up to and including the closing brace."""
        text, i = self.text, self.pos
        c = self.at()
        if c == "@":
            operator = text[i : i + 2]
            if self.at(2) != "}" or operator[1] not in "QEAaUuLKkP":
                raise self.fail("a parameter expansion that is not understood")
            if operator == "@P":
                hazards.append(Hazard("expansion", "`@P` runs the substitutions in a variable's value", ""))
            self.pos = i + 3
            return operator
        if c == ":" and self.at(1) not in ("-", "=", "?", "+"):
            self.pos = i + 1
            inner = self.arithmetic(i, "}", True)
            words.append(Word(i, self.pos, text[i : self.pos], [inner]))
            return ":"
        for operator in (
            ":-",
            ":=",
            ":?",
            ":+",
            "-",
            "=",
            "?",
            "+",
            "##",
            "#",
            "%%",
            "%",
            "//",
            "/#",
            "/%",
            "/",
            "^^",
            "^",
            ",,",
            ",",
        ):
            if text.startswith(operator, i):
                self.pos = i + len(operator)
                words.append(self.operand(quoted))
                return operator
        raise self.fail("a parameter expansion that is not understood")

    def operand(self, quoted: bool) -> Word:
        text, start = self.text, self.pos
        parts: list[Part] = []
        while True:
            run = OPERAND_RUN.match(text, self.pos)
            if run:
                parts.append(Literal(run.group(), quoted))
                self.pos = run.end()
            c = self.at()
            if c == "}":
                word = Word(start, self.pos, text[start : self.pos], parts)
                self.pos += 1
                return word
            if c == "$" and self.at(1) not in ("'", '"'):
                parts.extend(self.dollar(quoted=quoted))
            elif c == "`":
                parts.append(self.backtick(quoted=quoted, heredoc=True))
            elif c == '"' and not quoted:
                self.pos += 1
                parts.extend(self.double_quoted())
            elif c == "'" and not quoted:
                part = self.single_quoted()
                if "}" in part.text:
                    raise self.fail("a brace inside quotes inside `${…}`")
                parts.append(part)
            elif c == "\\" and self.at(1) and self.at(1) not in "\n'\"":
                self.inert.append((self.pos, self.pos + 2))
                parts.append(Literal(self.at(1), True))
                self.pos += 2
            elif c and c in "<>" and self.at(1) != "(" and not text.startswith("<<", self.pos):
                parts.append(Literal(c, quoted))
                self.pos += 1
            else:
                raise self.fail("a parameter expansion that is not understood")

    def arithmetic(self, start: int, close: str, quoted: bool) -> Arithmetic:
        """An arithmetic expression up to and including `close`. Bash evaluates names, and the text that variables hold, again."""
        text = self.text
        parts: list[Part] = []
        sets: list[str] = []
        hazards: list[Hazard] = []
        depth, brackets, begin = 0, 0, self.pos
        while True:
            c = self.at()
            token = ARITHMETIC_TOKEN.match(text, self.pos)
            if close in (";", "))") and depth == 0 and text.startswith(close, self.pos):
                self.pos += len(close)
                break
            if len(close) == 1 and c == close and depth == 0 and brackets == 0:
                self.pos += 1
                break
            if token:
                if c == "\n":
                    self.no_pending()
                if c.isalpha() or c == "_":
                    self.arithmetic_name(token.group(), token.end(), sets, hazards)
                elif c in "<>":
                    self.accounted.add(self.pos)
                self.pos = token.end()
            elif c == "$":
                self.arithmetic_part(self.dollar(quoted=True), parts, hazards)
            elif c == "`":
                self.arithmetic_part([self.backtick(quoted=True, heredoc=True)], parts, hazards)
            elif c and c in "()[]":
                depth += (c == "(") - (c == ")")
                brackets += (c == "[") - (c == "]")
                if depth < 0 or brackets < 0:
                    raise GiveUp("an arithmetic expression that is not understood", start)
                self.pos += 1
            else:
                raise GiveUp("an arithmetic expression that is not understood", start)
        certain = CERTAIN.fullmatch(text, begin, self.pos - len(close)) is not None
        return self.ledger.created(Arithmetic(start, self.pos, quoted, parts, sets, hazards, certain=certain))

    def arithmetic_name(self, name: str, end: int, sets: list[str], hazards: list[Hazard]) -> None:
        change = SETS.match(self.text, end)
        i = self.pos
        while i and self.text[i - 1] in " \t\n(":  # zsh: `++(x)`, `(x)=7`
            i -= 1
        before, after = self.text[i - 2 : i], self.text[end : end + 1]
        if after in ("$", "`"):
            raise self.fail("a name that an expansion completes")  # `a$i=5` sets a1
        if change or before in ("++", "--") or after == "[":
            sets.append(name)
            if change and change.group("plain") and ")" not in change.group():
                return  # bash evaluates the content in `(x)=7`, and then calls it an error
        hazards.append(
            Hazard(
                "expansion", f"arithmetic evaluates what `{name}` holds, and it may be more than a number", name, name
            )
        )

    def arithmetic_part(self, found: list[Part], parts: list[Part], hazards: list[Hazard]) -> None:
        for part in found:
            parts.append(part)
            if isinstance(part, Parameter):
                if part.operator == "#length" or (part.operator == "" and part.name in NUMERIC_SPECIALS):
                    continue
                name = part.name if part.operator == "" and NAME.match(part.name) else ""
                hazards.append(
                    Hazard(
                        "expansion",
                        f"arithmetic evaluates what `${part.name}` holds, and it may be more than a number",
                        f"${part.name}",
                        name,
                    )
                )
            elif not isinstance(part, Arithmetic) and not (
                isinstance(part, Substitution) and prints_a_number(part.script)
            ):
                hazards.append(
                    Hazard(
                        "expansion", "arithmetic evaluates the output of a command", self.text[self.pos - 1 : self.pos]
                    )
                )

    # -- heredocs

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
            redirect.body = Word(0, len(body), body, [Literal(body, True)])

    def heredoc_line(self, joins: bool) -> tuple[str, int]:
        """One line of a heredoc and the position behind it; with an unquoted delimiter a final backslash joins lines first."""
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

    def heredoc_text(self) -> Word:
        """The whole text as the body of a heredoc whose delimiter was not quoted."""
        parts: list[Part] = []
        while self.pos < self.size:
            run = HEREDOC_RUN.match(self.text, self.pos)
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
        return Word(0, self.size, self.text, merged(parts))

    # -- the residue check

    def check_residue(self) -> None:
        """Every sign of an expansion in the text belongs to a node or to text that stands for itself."""
        self.inert.sort()
        spans, k = self.inert, 0
        for sign in RESIDUE.finditer(self.text):
            at = sign.start()
            while k < len(spans) and spans[k][1] <= at:
                k += 1
            if at not in self.accounted and not (k < len(spans) and spans[k][0] <= at):
                raise GiveUp(f"a `{sign.group().strip()}` that belongs to nothing", at)


RESIDUE = compiled(r"`|\$\(|\$\{|[<>]\(|<<|\\\n")


class Ledger:
    """Counts what was found and what the walk has visited, over all texts of one analysis."""

    def __init__(self) -> None:
        self.nodes: list[object] = []
        self.visited: set[int] = set()
        self.commands = 0
        self.bash_only: list[str] = []  # why zsh would read something else

    if TYPE_CHECKING:
        from typing import TypeVar

        T = TypeVar("T")

    def created(self, node: T) -> T:
        self.nodes.append(node)
        if len(self.nodes) > MAX_NODES:
            raise GiveUp("too many expansions", what="too long")
        return node

    def count_command(self) -> None:
        self.commands += 1
        if self.commands > MAX_COMMANDS:
            raise GiveUp(f"more than {MAX_COMMANDS:,} commands", what="too long")

    def visit(self, node: object) -> None:
        self.visited.add(id(node))

    def missed(self) -> bool:
        return any(id(node) not in self.visited for node in self.nodes)


def is_many(part: Part) -> bool:
    return isinstance(part, Parameter) and part.every


def merged(parts: list[Part]) -> list[Part]:
    """Neighbouring literals of the same sort become one."""
    if len(parts) < 2:
        return parts
    out: list[Part] = []
    texts: list[str] = []
    quoted = False
    for part in parts:
        if isinstance(part, Literal):
            if texts and part.quoted != quoted:
                out.append(Literal("".join(texts), quoted))
                texts = []
            quoted = part.quoted
            texts.append(part.text)
            continue
        if texts:
            out.append(Literal("".join(texts), quoted))
            texts = []
        out.append(part)
    if texts:
        out.append(Literal("".join(texts), quoted))
    return out
