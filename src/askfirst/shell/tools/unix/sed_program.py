"""Reads a sed program far enough to know what it runs, reads and writes.

Promises: a program that this reader accepts has no `e`, `w`, `r`, `s///e` or `s///w` that is not in the answer.
Everything it is not sure about is `None`: GNU, BSD and busybox differ, and a program that one of them reads otherwise
must not pass.
"""

from __future__ import annotations

from dataclasses import dataclass

_PLAIN = "=dDgGhHnNpPxzF"
_MAY_COUNT = "lLqQ"


@dataclass(frozen=True)
class SedProgram:
    runs: tuple[str, ...] = ()  # texts that a shell runs; "" when it runs what it reads
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    drops: str = ""  # the command that may take most lines of a file away, when there is one: `1,$d`


# More lines than this in one numbered range can be half of a file that is worth a question.
_FEW_LINES = 50


def read_sed(text: str) -> SedProgram | None:
    try:
        return _Reader(text).program()
    except (IndexError, _GiveUp):
        return None


class _GiveUp(Exception):
    pass


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.runs: list[str] = []
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.drops = ""
        self.narrow: list[bool] = []  # for each open `{`: whether its address keeps to a few lines

    def program(self) -> SedProgram:
        while True:
            while self.peek() and self.peek() in " \t\n;}":
                if self.take() == "}" and self.narrow:
                    self.narrow.pop()
            if self.at >= len(self.text):
                return SedProgram(tuple(self.runs), tuple(self.reads), tuple(self.writes), self.drops)
            self.one()

    def one(self) -> None:
        start = self.at
        self.address()
        where, at, kind = self.text[start : self.at].strip(), self.at, self.peek()
        self.command()
        if kind == "{":
            self.narrow.append(not _is_wide(where))
        elif not any(self.narrow) and _takes_most(where, kind, self.text[at : self.at]):
            self.drops = self.drops or self.text[start : self.at].strip()

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self) -> str:
        char = self.text[self.at]
        self.at += 1
        return char

    def skip(self, characters: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in characters:
            self.at += 1

    def line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line, self.at = self.text[self.at : end], end
        return line

    def address(self) -> None:
        if self.one_address():
            self.skip(" \t")
            if self.peek() == ",":
                self.at += 1
                self.skip(" \t")
                if self.peek() in "+~" and self.peek():
                    self.at += 1
                if not self.one_address():
                    raise _GiveUp
        self.skip(" \t")
        while self.peek() == "!":
            self.at += 1
            self.skip(" \t")

    def one_address(self) -> bool:
        char = self.peek()
        if char.isdigit() and char:
            self.skip("0123456789")
            if self.peek() == "~":
                self.at += 1
                self.skip("0123456789")
        elif char == "$":
            self.at += 1
        elif char in ("/", "\\"):
            self.at += 1
            self.regex(char if char == "/" else self.take())
            self.skip("IM")
        else:
            return False
        return True

    def regex(self, delimiter: str) -> None:
        """Up to the delimiter; brackets hide it.

        An unclosed bracket makes every sed refuse the program, so brackets may be trusted.
        """
        if delimiter in "\\\n[":
            raise _GiveUp
        while True:
            char = self.take()
            if char == delimiter:
                return
            if char == "\n":
                raise _GiveUp
            if char == "\\":
                self.take()
            elif char == "[":
                self.bracket(delimiter)

    def bracket(self, delimiter: str) -> None:
        if self.peek() == "^":
            self.at += 1
        if self.peek() == "]":
            self.at += 1
        while True:
            char = self.take()
            if char == "]":
                return
            if char == "\n":
                raise _GiveUp
            if char == "\\" and self.peek() in ("]", delimiter):
                if self.peek() == "]":
                    raise _GiveUp  # a literal backslash for POSIX, an escaped bracket for others
                self.at += 1
            elif char == "[" and self.peek() in ":.=" and self.peek():
                kind = self.take()
                end = self.text.index(kind + "]", self.at) if kind + "]" in self.text[self.at :] else -1
                if end < 0:
                    raise _GiveUp
                self.at = end + 2

    def until(self, delimiter: str) -> None:
        while True:
            char = self.take()
            if char == delimiter:
                return
            if char == "\\":
                self.take()
            elif char == "\n":
                raise _GiveUp

    def command(self) -> None:
        char = self.take()
        if char == "{":
            return
        if char == "#":
            self.line()
        elif char in _PLAIN:
            self.end()
        elif char in _MAY_COUNT:
            self.skip(" \t")
            self.skip("0123456789")
            self.end()
        elif char in "aic":
            self.appended()
        elif char in ":btT":
            self.label(char)
        elif char in "rRwW":
            self.file(char)
        elif char == "e":
            self.runs.append(self.line().strip())
        elif char == "s":
            self.substitute()
        elif char == "y":
            delimiter = self.take()
            if delimiter in "\\\n":
                raise _GiveUp
            self.until(delimiter)
            self.until(delimiter)
            self.end()
        else:
            raise _GiveUp

    def end(self) -> None:
        self.skip(" \t")
        if self.peek() not in ("", ";", "\n", "}", "#"):
            raise _GiveUp
        if self.peek() == "#":
            self.line()

    def appended(self) -> None:
        """Text up to a line that does not end in a backslash."""
        while True:
            line = self.line()
            backslashes = len(line) - len(line.rstrip("\\"))
            if backslashes % 2 == 0 or self.at >= len(self.text):
                return
            self.at += 1

    def label(self, char: str) -> None:
        line_start = self.at
        self.skip(" \t")
        while self.peek() and self.peek() not in "; \t\n}":
            self.at += 1
        if char == ":" and self.at == line_start:
            raise _GiveUp
        self.end()

    def file(self, char: str) -> None:
        name = self.line().strip(" \t")
        if not name:
            raise _GiveUp
        (self.reads if char in "rR" else self.writes).append(name)

    def substitute(self) -> None:
        delimiter = self.take()
        self.regex(delimiter)
        self.replacement(delimiter)
        while True:
            char = self.peek()
            if char and char in "gpiImM0123456789":
                self.at += 1
            elif char == "e":
                self.at += 1
                self.runs.append("")
            elif char == "w":
                self.at += 1
                self.file("w")
                return
            else:
                self.end()
                return

    def replacement(self, delimiter: str) -> None:
        while True:
            char = self.take()
            if char == delimiter:
                return
            if char == "\\":
                self.take()


# Patterns that nearly every line matches, and those of them that take the whole line.
_WHOLE = frozenset((".*", "^.*", ".*$", "^.*$", "..*", "^..*$", ".+", "^.+$", ".\\+", "^.\\+$", ".\\{1,\\}", "[^\\n]*"))
_ANY = _WHOLE | {"", ".", "^", "$", "^.", ".$"}


def _takes_most(where: str, kind: str, command: str) -> bool:
    """Whether a command, with -i, may leave less than half of a file: what is quit, deleted or blanked nearly
    everywhere.
    """
    if kind in ("q", "Q"):
        return where != "$"
    if kind in ("d", "D", "c", "z"):
        return _is_wide(where)
    if kind != "s" or len(command) < 3 or not _is_wide(where):
        return False
    pattern, replacement, flags = [*command[2:].split(command[1]), "", ""][:3]
    return (pattern in _WHOLE or (pattern == "." and "g" in flags)) and "&" not in replacement


def _is_wide(where: str) -> bool:
    """Whether an address can be half of a large file. `/x/` and `/x/,/y/` are taken for what they say."""
    if not where or where.endswith("!"):
        return True
    first, _, last = where.partition(",")
    if first.isdigit() and last.isdigit():
        return int(last) - int(first) >= _FEW_LINES
    if first.isdigit() and last.startswith("+"):
        return not last[1:].isdigit() or int(last[1:]) >= _FEW_LINES
    if "~" in where or last == "$":
        return True
    return where.startswith("/") and where[1:].rstrip("IM").removesuffix("/") in _ANY
