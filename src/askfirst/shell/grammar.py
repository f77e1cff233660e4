"""Bash's grammar over the words of lex.py: a recursive descent that accepts what is certain and gives up on the rest.

Every compound command is here, because bashlex knows only some of them. Each region that bashlex can check (the whole text, the
inside of a substitution, a branch of `case`) gets its list of edits: what must be masked so that bashlex reads a plain skeleton.
"""

from __future__ import annotations

from askfirst.knowledge.shells import RESERVED
from askfirst.patterns import compiled
from askfirst.shell.lex import MAX_DEPTH, NAME, SUBSCRIPT, Ledger, Reader
from askfirst.shell.numbers import prints_a_number
from askfirst.shell.syntax import (
    DECLARES,
    AndOr,
    Arithmetic,
    Branches,
    Coproc,
    Evaluate,
    For,
    Function,
    GiveUp,
    Group,
    Hazard,
    Literal,
    Pipeline,
    Redirect,
    Script,
    Set,
    Simple,
    Substitution,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from askfirst.shell.syntax import Node

KEYWORDS = "(?:" + "|".join(word.translate({ord(c): "\\" + c for c in "{}[]"}) for word in RESERVED) + ")"
KEYWORD = compiled(KEYWORDS + r"(?=[ \t\n;&|()<>]|\Z)")
GLUED_KEYWORD = compiled(KEYWORDS + r"\\\n")
REDIRECT = compiled(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(&>>|&>|<<<|<<-|<<|<&|<>|>>|>&|>\||<(?!\()|>(?!\())")
ASSIGNMENT = compiled(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n]*\])?(\+?=)")
NAMED_COMPOUND = compiled(r"[A-Za-z_][A-Za-z0-9_]*[ \t]+(?:if|case|for|while|until|select|\[\[)[ \t\n]")
FUNCTION_NAME = compiled(r"[A-Za-z_][A-Za-z0-9_.:-]*")
COMPARES_NUMBERS = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
TIME_OPTION = compiled(r"-p(?=[ \t])")
TIME_STRANGE = compiled(r"--?p?(?=[ \t\n;&|]|\Z)|-p")
CASE_END = compiled(r";;&|;;|;&")
FUNCTION_HEAD = compiled(r"[ \t]*(?:\([ \t]*\))?(?=[ \t\n({])")
BLANK_PARENTHESES = compiled(r"[ \t]*\([ \t]*\)")
COPROC_NAME = compiled(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=\(|\{[ \t\n])")
ELEMENT = compiled(r"[A-Za-z_][A-Za-z0-9_]*\[")
PARENTHESES = compiled(r"\([ \t]*\)")
INTEGER = compiled(r"[-+]?[0-9]+\Z")


class Parser(Reader):
    def __init__(self, text: str, depth: int, ledger: Ledger, regions: list[Script]) -> None:
        super().__init__(text, depth, ledger)
        self.substitutions = 0  # how many `$(`, `<(`, `>(` are open
        self.lines = 0  # how many newlines have ended something
        self.heredocs = 0  # how many heredocs this text has so far
        self.regions = regions  # all scripts that bashlex can check, of this text and of texts inside it

    # -- texts inside the text

    def program(self) -> Script:
        """The whole text as a script."""
        script = self.region(self.text, 0)
        if self.pos < self.size:
            raise self.fail(f"`{self.at()}` where a command should begin")
        if self.pending:
            raise self.fail("a heredoc without a body")
        self.check_residue()
        return script

    def region(self, source: str, start: int) -> Script:
        edits, seen = self.edits, self.seen
        self.edits, self.seen = [], []
        script = self.commands()
        script.start, script.end = start, self.pos
        script.edits, script.seen = self.edits, self.seen
        self.regions.append(script)
        self.edits, self.seen = edits, seen
        return script

    def nested(self, close: str) -> Script:
        self.deeper()
        outer, self.pending = self.pending, []
        start, heredocs = self.pos, self.heredocs
        self.nesting += 1
        self.substitutions += 1
        script = self.region(self.text, start)
        self.nesting -= 1
        self.substitutions -= 1
        if self.pending:
            raise self.fail("a heredoc whose body lies outside its substitution")
        if self.heredocs > heredocs and not is_one_command(script):
            # Bash 5.2 prints a substitution and reads it again, and joins `c6; c4` to one command behind a heredoc.
            raise self.fail("more than a heredoc and its command inside a substitution")
        self.heredocs = heredocs
        self.pending = outer
        if outer and "\n" in self.text[start : self.pos]:
            self.no_pending()
        self.expect(close)
        self.depth -= 1
        return script

    def other_reader(self, text: str) -> Parser:
        self.deeper()
        self.depth -= 1
        return Parser(text, self.depth + 1, self.ledger, self.regions)

    def other_text(self, text: str) -> Script:
        return self.other_reader(text).program()

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise GiveUp("too deeply nested", self.pos, "too long")

    # -- tokens

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

    def newline(self) -> None:
        self.pos += 1
        self.lines += 1
        pending, self.pending = self.pending, []
        for redirect in pending:
            self.read_heredoc(redirect, str(redirect.target.text))

    def skip_newlines(self) -> None:
        self.skip_blanks()
        while self.at() == "\n":
            self.newline()
            self.skip_blanks()

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

    def mask(self, start: int, end: int, replacement: str) -> None:
        self.edits.append((start, end, replacement))

    def mask_all(self, start: int, kept: int, seen: int) -> None:
        """bashlex sees one plain word in place of everything since `start`."""
        del self.edits[kept:]
        del self.seen[seen:]
        self.mask(start, self.pos, "x" * (self.pos - start))
        self.seen.append((start, ((start, self.pos),)))

    # -- lists

    def commands(self) -> Script:
        """Commands up to the end, a closing `)`, a `;;` or a reserved word that ends a list."""
        script = Script(self.text, self.pos)
        while True:
            lines = self.lines
            self.skip_newlines()
            if script.items and self.lines > lines:
                script.items[-1][0].last = True
            if self.at() in ("", ")") or self.text.startswith(";;", self.pos) or self.text.startswith(";&", self.pos):
                break
            if self.keyword() in ("then", "else", "elif", "fi", "esac", "do", "done", "}"):
                break
            item = self.and_or()
            self.skip_blanks()
            c = self.at()
            if c == "\n":
                self.mask(self.pos, self.pos + 1, ";")
                self.newline()
                item.last = True
                script.items.append((item, ";"))
                continue
            if c == ";" and self.at(1) not in (";", "&"):
                self.pos += 1
                self.no_glue()
                script.items.append((item, ";"))
            elif c == "&":
                self.pos += 1
                self.no_glue()
                script.items.append((item, "&"))
            else:
                script.items.append((item, ""))
                break
        script.end = self.pos
        return script

    def no_glue(self) -> None:
        if self.continued(self.pos):
            raise self.fail("a line continuation inside a token")

    def and_or(self) -> AndOr:
        self.skip_blanks()
        result = AndOr([], [], self.pos)
        result.pipelines.append(self.pipeline())
        while True:
            result.end = self.pos
            self.skip_blanks()
            operator = self.text[self.pos : self.pos + 2]
            if operator not in ("&&", "||"):
                return result
            self.pos += 2
            self.skip_newlines()
            result.operators.append(operator)
            result.pipelines.append(self.pipeline())

    def pipeline(self) -> Pipeline:
        self.skip_blanks()
        timed = self.keyword() == "time"
        if timed:
            start = self.pos
            self.pos += 4
            self.skip_blanks()
            if TIME_OPTION.match(self.text, self.pos):
                self.pos += 2
                self.ledger.bash_only.append("`-p` is an option of `time` in bash only")
                self.skip_blanks()
            if TIME_STRANGE.match(self.text, self.pos) or self.keyword() == "time":
                raise self.fail("an unusual form of `time`")
            self.mask(start, self.pos, " " * (self.pos - start))
        negated = self.keyword() == "!"
        if negated:
            self.pos += 1
            self.skip_blanks()
            if self.text[self.pos - 1] == "!" or self.keyword() in ("!", "time"):
                raise self.fail("an unusual form of `!`")
        result = Pipeline([self.command()], negated=negated)
        while True:
            self.skip_blanks()
            if self.at() != "|" or self.at(1) == "|":
                if timed and any(not isinstance(c, Simple) or c.sets for c in result.commands):
                    self.ledger.bash_only.append("zsh measures it in a shell of its own")
                return result
            self.pos += 2 if self.at(1) == "&" else 1
            self.no_glue()
            self.skip_newlines()
            if self.keyword() == "!":
                raise self.fail("`!` inside a pipeline")
            result.commands.append(self.command(after_pipe=True))

    # -- commands

    def command(self, *, after_pipe: bool = False) -> Node:
        self.deeper()
        self.ledger.count_command()
        self.skip_blanks()
        keyword = self.keyword()
        if self.at() == "(":
            node = self.parenthesis()
        elif keyword == "time" and after_pipe:
            self.mask(self.pos, self.pos + 4, "xxxx")  # behind `|` bash takes it for a program
            self.ledger.bash_only.append("zsh takes `time` behind `|` for a reserved word")
            node = self.simple()
        elif keyword in COMPOUND:
            node = getattr(self, COMPOUND[keyword])()
        elif keyword:
            raise self.fail(f"`{keyword}` where a command should begin")
        else:
            node = self.simple()
        if not isinstance(node, Simple | Function | Coproc):
            self.redirects_behind(node.redirects)
        self.depth -= 1
        return node

    def redirects_behind(self, redirects: list[Redirect]) -> None:
        while True:
            self.skip_blanks()
            found = REDIRECT.match(self.text, self.pos)
            if not found:
                break
            redirects.append(self.redirect(found))
        if self.at() and self.at() not in "\n;&|)":
            # `fi fi`, `} done`: reserved words may follow directly.
            if self.keyword() not in ("then", "else", "elif", "fi", "esac", "do", "done", "}"):
                raise self.fail("something behind a compound command")

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
        if not name or name.group() in RESERVED:
            raise self.fail("a loop over a name that is not plain")
        self.pos = name.end()
        if self.at() not in (" ", "\t", "\n", ";"):
            raise self.fail("a loop over a name that is not plain")
        words: list[Word] | None = None
        self.skip_blanks()
        if self.at() == ";":
            self.pos += 1
        else:
            self.skip_newlines()
            if self.keyword() == "in":
                self.pos += 2
                words = self.words_to_separator()
        return For(name.group(), words, self.do_body(), select)

    def words_to_separator(self) -> list[Word]:
        words: list[Word] = []
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
            if not c or c in "&|()" or (c in "<>" and self.at(1) != "("):
                raise self.fail("a loop's words are not understood")
            words.append(self.word())

    def arithmetic_for(self, start: int) -> Node:
        kept, seen = len(self.edits), len(self.seen)
        self.pos += 2
        parts: list[Arithmetic] = []
        for close in (";", ";", "))"):
            parts.append(self.arithmetic(self.pos, close, True))
        self.mask_all(start, kept, seen)
        end = self.pos
        self.edits.pop()
        self.seen.pop()
        self.skip_blanks()
        if self.at() == ";":
            self.mask(self.pos, self.pos + 1, " ")
            self.pos += 1
        self.mask(start, end, "while " + "x" * (end - start - 7) + ";")
        self.seen.append((start, ((start + 6, end - 1),)))
        self.edits.sort()
        return Evaluate([], parts, [], self.do_body())

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
            bodies.append(self.region(self.text, self.pos))
            self.nesting -= 1
            terminator = CASE_END.match(self.text, self.pos)
            if terminator:
                self.pos = terminator.end()
            elif self.keyword() != "esac":
                raise self.fail("`;;` is missing")
        if self.pending:
            raise self.fail("a heredoc that leaves its branch")
        self.mask_all(start, kept, seen)
        return Branches(words, bodies, loop=False)

    def case_patterns(self, words: list[Word]) -> None:
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
                raise self.fail("a pattern of `case` that is not understood")
            self.pos += 1
            self.skip_blanks()

    def function_command(self) -> Node:
        start = self.pos
        self.pos += 8
        self.skip_blanks()
        name = FUNCTION_NAME.match(self.text, self.pos)
        if not name:
            raise self.fail("a function whose name is not plain")
        self.pos = name.end()
        if not FUNCTION_HEAD.match(self.text, self.pos):
            raise self.fail("a function whose name is not plain")
        found = BLANK_PARENTHESES.match(self.text, self.pos)
        if found:
            self.pos = found.end()
        return self.function_body(start, name.group())

    def function_body(self, start: int, name: str) -> Node:
        if name in RESERVED:
            raise self.fail("a function with the name of a reserved word")
        self.skip_newlines()
        keyword = self.keyword()
        if self.at() != "(" and keyword not in ("{", "if", "case", "for", "while", "until", "select", "[["):
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
            # To bash the second word may still begin the command: a `[` in it lasts to its `]`, whatever stands between them.
            raise self.fail("an unusual form of `coproc`")
        return Coproc(name, node)

    def condition(self) -> Node:
        """`[[ … ]]`: a flat list of words is enough, for only what is evaluated matters."""
        start, kept, seen = self.pos, len(self.edits), len(self.seen)
        self.pos += 2
        tokens: list[Word | str] = []
        while True:
            self.skip_condition_blanks()
            if self.keyword() == "]]":
                self.pos += 2
                break
            c = self.at()
            pair = self.text[self.pos : self.pos + 2]
            if pair in ("&&", "||"):
                tokens.append(pair)
                self.pos += 2
            elif c and (c in "()" or (c in "<>" and pair[1:] != "(")):
                tokens.append(c)
                self.pos += 1
                self.no_glue()
            elif not c or c in ";&|":
                raise self.fail("a condition that is not understood")
            else:
                last = tokens[-1] if tokens else ""
                tokens.append(self.word(regexp=isinstance(last, Word) and last.text == "=~"))
        self.mask_all(start, kept, seen)
        return Evaluate([t for t in tokens if isinstance(t, Word)], [], list(condition_hazards(tokens)))

    def skip_condition_blanks(self) -> None:
        self.skip_blanks()
        while self.at() == "\n":
            self.no_pending()
            self.pos += 1
            self.skip_blanks()

    # -- simple commands

    def simple(self) -> Node:
        start, end = self.pos, self.pos
        sets: list[Set] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        spans: list[tuple[int, int]] = []
        while True:
            self.skip_blanks()
            c = self.at()
            redirect = REDIRECT.match(self.text, self.pos) if c and c in "0123456789{<>&" else None
            if redirect:
                redirects.append(self.redirect(redirect))
                end = self.pos
                continue
            if not c or c in "\n;&|)":
                break
            begin = self.pos
            if c == "(":
                if len(words) == 1 and not sets and not redirects and FUNCTION_NAME.fullmatch(words[0].text):
                    return self.function_definition(start, words[0].text)
                raise self.fail("a `(` where none may stand")
            assignment = ASSIGNMENT.match(self.text, self.pos)
            if assignment and not words:
                sets.append(self.assignment(assignment))
            elif assignment and words[0].text in DECLARES and self.text.startswith("(", assignment.end()):
                one = self.assignment(assignment)
                sets.append(one)
                words.append(one.word)
            else:
                if not words and ELEMENT.match(self.text, self.pos):
                    raise self.fail("an array element that is not understood")
                word = self.word()
                if not words and word.text in RESERVED and (sets or redirects):
                    raise self.fail("a reserved word in place of a command's name")
                words.append(word)
            end = self.pos
            spans.append((begin, end))
        if end == start:
            raise self.fail("a command is missing")
        if spans or redirects:
            self.seen.append((start, tuple(spans)))
        return Simple(sets, words, redirects, self.text[start:end])

    def function_definition(self, start: int, name: str) -> Node:
        found = PARENTHESES.match(self.text, self.pos)
        if not found:
            raise self.fail("a `(` where none may stand")
        self.pos = found.end()
        return self.function_body(start, name)

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
        array: list[Word] | None = None
        if self.at() == "(":
            array = self.array(hazards)
            word = Word(start, self.pos, self.text[start : self.pos], [])
        elif (
            not self.at()
            or self.at() in " \t\n;&|)"
            or (self.at() in "<>" and self.at(1) != "(")
            or self.continued(self.pos)
        ):
            if self.continued(self.pos):
                self.continuation_in_word()
            word = Word(self.pos, self.pos, "", [Literal("", True)])
        else:
            word = self.word()
        for hazard in hazards:
            hazard.text = hazard.text or self.text[start : self.pos]
        del self.edits[kept:]
        filler = found.group(1) + "=" + "x" * (self.pos - start - len(found.group(1)) - 1)
        self.mask(start, self.pos, filler)
        return Set(found.group(1), word, append, array, hazards, element=bool(found.group(2)))

    def array(self, hazards: list[Hazard]) -> list[Word]:
        self.pos += 1
        words: list[Word] = []
        while True:
            self.skip_condition_blanks()
            c = self.at()
            if c == ")":
                self.pos += 1
                if self.at() and self.at() not in " \t\n;&|)<>":
                    raise self.fail("a word glued to an array")  # bash: the whole is one text, and no array
                return words
            if not c or c in ";&|(" or (c in "<>" and self.at(1) != "("):
                raise self.fail("an array that is not understood")
            if c == "[":
                # `[index]=value`: the index of a plain array is evaluated.
                found = SUBSCRIPT.match(self.text, self.pos)
                if found and self.text.startswith("=", found.end()):
                    self.subscript(hazards)
                    self.pos += 1
                    if not self.at() or self.at() in " \t\n)":
                        continue
                else:
                    raise self.fail("an array that is not understood")
            words.append(self.word())

    def redirect(self, found: re.Match[str]) -> Redirect:
        start, operator = self.pos, found.group(2)
        fd = found.group(1) or ""
        if (operator.startswith("&") and fd) or (len(fd.strip("0123456789")) == 0 and len(fd) > 4):
            raise self.fail("a redirection that is not understood")  # a number too large for bash is a word
        self.pos = found.end()
        if fd.startswith("{"):
            self.mask(start, start + len(fd), " " * len(fd))
        self.no_glue()
        here = operator in ("<<", "<<-")
        if here:
            self.accounted.update((found.start(2), found.start(2) + 1))
        if operator == "<<<":
            self.accounted.update(range(found.start(2), found.end()))
            self.mask(found.start(2), found.end(), "<  ")
        self.blanks_in_line()
        if here:
            return self.heredoc(start, found, fd)
        if not self.at() or self.at() in "\n;&|()#" or (self.at() in "<>" and self.at(1) != "("):
            raise self.fail("a redirection without a target")
        if operator in ("<&", ">&") and self.at() == "-" and self.at(1) and self.at(1) not in " \t\n;&|()<>":
            raise self.fail("a word glued to `>&-`")  # bash: the descriptor is closed, and a new word begins
        if self.at() == "!":
            raise self.fail("zsh and bash read `>!` differently")
        target = self.word()
        return Redirect(start, self.pos, fd, operator, target, self.text[start : self.pos])

    def heredoc(self, start: int, found: re.Match[str], fd: str) -> Redirect:
        delimiter, quoted = self.heredoc_delimiter(start)
        begin = found.start(2)
        self.mask(begin, self.pos, "<" + "x" * (self.pos - begin - 1))
        target = Word(self.pos, self.pos, delimiter, [Literal(delimiter, True)])
        redirect = Redirect(start, self.pos, fd, found.group(2), target, self.text[start : self.pos])
        redirect.expands = not quoted
        self.heredocs += 1
        self.ledger.created(redirect)
        self.pending.append(redirect)
        return redirect

    def blanks_in_line(self) -> None:
        while self.at() and self.at() in " \t":
            self.pos += 1
        self.no_glue()


def is_one_command(script: Script) -> bool:
    if len(script.items) != 1:
        return False
    item = script.items[0][0]
    return (
        len(item.pipelines) == 1
        and len(item.pipelines[0].commands) == 1
        and isinstance(item.pipelines[0].commands[0], Simple)
    )


def condition_hazards(tokens: list[Word | str]) -> list[Hazard]:
    """What `[[ ]]` evaluates although it is data: both sides of `-eq`, and the name behind `-v`."""
    out: list[Hazard] = []
    for i, token in enumerate(tokens):
        if not isinstance(token, Word):
            continue
        if token.text in COMPARES_NUMBERS:
            for side in tokens[max(0, i - 1) : i] + tokens[i + 1 : i + 2]:
                out.extend(number_hazard(side))
        elif token.text in ("-v", "-R"):
            after = tokens[i + 1] if i + 1 < len(tokens) else ""
            if not (isinstance(after, Word) and NAME.fullmatch(after.text)):
                out.append(
                    Hazard("expansion", f"`[[ {token.text} ]]` evaluates a subscript in its argument", token.text)
                )
    return out


def number_hazard(side: Word | str) -> list[Hazard]:
    from askfirst.shell.syntax import Parameter

    if not isinstance(side, Word):
        return [Hazard("expansion", "`[[ ]]` evaluates a comparison that is not understood", "[[ ]]")]
    if INTEGER.match(side.text):
        return []
    parts = [p for p in side.parts if not (isinstance(p, Literal) and p.text == "")]
    part = parts[0] if len(parts) == 1 else None
    why = f"`[[ ]]` evaluates `{side.text}` as arithmetic, and it may be more than a number"
    if isinstance(part, Arithmetic) or (isinstance(part, Substitution) and prints_a_number(part.script)):
        return []
    if isinstance(part, Parameter):
        if part.operator == "#length" or (part.operator == "" and part.name in "#?$!"):
            return []
        if part.operator == "" and NAME.match(part.name):
            return [Hazard("expansion", why, side.text, part.name)]
    if isinstance(part, Literal) and not part.quoted and NAME.fullmatch(part.text):
        return [Hazard("expansion", why, side.text, part.text)]
    return [Hazard("expansion", why, side.text)]


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
