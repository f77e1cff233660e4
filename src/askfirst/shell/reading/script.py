"""Lists, pipelines, and texts inside texts: the end of the chain, which reads a whole script.

Each region that bashlex can check (the whole text, the inside of a substitution, a branch of `case`) gets its list of
edits: what must be masked so that bashlex reads a plain skeleton.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askfirst.shell.reading.compound import COMPOUND, CompoundParser
from askfirst.shell.reading.tokens import ENDS_A_LIST
from askfirst.shell.syntax import AndOr, Coproc, Function, Node, Pipeline, Script, Simple

if TYPE_CHECKING:
    from askfirst.shell.reading.ledger import Ledger

TIME_OPTION = re.compile(r"-p(?=[ \t])")
TIME_STRANGE = re.compile(r"--?p?(?=[ \t\n;&|]|\Z)|-p")


class ScriptParser(CompoundParser):
    def __init__(self, text: str, depth: int, ledger: Ledger, regions: list[Script]) -> None:
        super().__init__(text, depth, ledger)
        self.regions = regions  # all scripts that bashlex can check, of this text and of texts inside it

    # -- texts inside the text

    def program(self) -> Script:
        """The whole text as a script."""
        script = self.region()
        if self.pos < self.size:
            raise self.fail(f"`{self.at()}` where a command should begin")
        if self.pending:
            raise self.fail("a heredoc without a body")
        self.check_residue()
        return script

    def region(self) -> Script:
        edits, seen = self.edits, self.seen
        self.edits, self.seen = [], []
        script = self.commands()
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
        script = self.region()
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

    def other_reader(self, text: str) -> ScriptParser:
        self.deeper()
        self.depth -= 1
        return ScriptParser(text, self.depth + 1, self.ledger, self.regions)

    def other_text(self, text: str) -> Script:
        return self.other_reader(text).program()

    # -- lists

    def commands(self) -> Script:
        """Commands up to the end, a closing `)`, a `;;` or a reserved word that ends a list."""
        script = Script(self.text, self.pos)
        while True:
            if self.skip_newlines() and script.items:
                script.items[-1][0].last = True
            if self.at_end_of_list():
                break
            item = self.and_or()
            self.skip_blanks()
            separator = self.separator()
            if separator == "\n":
                item.last = True
            script.items.append((item, ";" if separator == "\n" else separator))
            if not separator:
                break
        script.end = self.pos
        return script

    def at_end_of_list(self) -> bool:
        return self.at() in ("", ")") or self.text.startswith((";;", ";&"), self.pos) or self.keyword() in ENDS_A_LIST

    def separator(self) -> str:
        """What ends an item: a newline, `;` or `&`; "" where the list ends with it."""
        c = self.at()
        if c == "\n":
            self.mask(self.pos, self.pos + 1, ";")
            self.newline()
            return c
        if c == "&" or (c == ";" and self.at(1) not in (";", "&")):
            self.pos += 1
            self.no_glue()
            return c
        return ""

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

    # -- pipelines

    def pipeline(self) -> Pipeline:
        self.skip_blanks()
        timed = self.keyword() == "time"
        if timed:
            self.time()
        negated = self.keyword() == "!"
        if negated:
            self.negation()
        result = Pipeline([self.command()], negated=negated)
        while True:
            self.skip_blanks()
            if self.at() != "|" or self.at(1) == "|":
                break
            if self.at(1) == "&":
                self.ledger.differ("not every `sh` has `|&`", "sh")
                self.pos += 1
            self.pos += 1
            self.no_glue()
            self.skip_newlines()
            if self.keyword() == "!":
                raise self.fail("`!` inside a pipeline")
            result.commands.append(self.command(after_pipe=True))
        if timed and any(not isinstance(c, Simple) or c.sets for c in result.commands):
            self.ledger.differ("zsh measures it in a shell of its own", "zsh")
        return result

    def time(self) -> None:
        start = self.pos
        self.ledger.differ("`time` is a program to every other `sh`", "sh")
        self.pos += 4
        self.skip_blanks()
        if TIME_OPTION.match(self.text, self.pos):
            self.pos += 2
            self.ledger.differ("`-p` is an option of `time` in bash only", "zsh")
            self.skip_blanks()
        if TIME_STRANGE.match(self.text, self.pos) or self.keyword() == "time":
            raise self.fail("an unusual form of `time`")
        self.mask(start, self.pos, " " * (self.pos - start))

    def negation(self) -> None:
        self.pos += 1
        self.skip_blanks()
        if self.text[self.pos - 1] == "!" or self.keyword() in ("!", "time"):
            raise self.fail("an unusual form of `!`")

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
            self.ledger.differ("zsh takes `time` behind `|` for a reserved word", "zsh")
            node = self.simple()
        elif keyword in COMPOUND:
            node = self.compound(keyword)
        elif keyword:
            raise self.fail(f"`{keyword}` where a command should begin")
        else:
            node = self.simple()
        if not isinstance(node, Simple | Function | Coproc):
            self.redirects_behind(node.redirects)
            # `fi fi`, `} done`: reserved words may follow directly.
            if self.at() and self.at() not in "\n;&|)" and self.keyword() not in ENDS_A_LIST:
                raise self.fail("something behind a compound command")
        self.depth -= 1
        return node


def is_one_command(script: Script) -> bool:
    if len(script.items) != 1:
        return False
    pipelines = script.items[0][0].pipelines
    return len(pipelines) == 1 and len(pipelines[0].commands) == 1 and isinstance(pipelines[0].commands[0], Simple)
