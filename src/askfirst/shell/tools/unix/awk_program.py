"""Reads an awk program far enough to know what it runs, reads and writes.

Promises: a program that this reader accepts calls no `system`, has no pipe and no output redirection that is not in the
answer. What it cannot be sure of (an output file that is computed, gawk's `@`, a change of ARGV) is in `doubts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from askfirst.knowledge.variables import looks_secret

Token: TypeAlias = tuple[str, str]  # kind (word, number, string, regex, op, newline, end) and text

_KEYWORDS = frozenset(
    "BEGIN END BEGINFILE ENDFILE if else while for do print printf return in next nextfile exit delete function func "
    "getline break continue switch case default".split()
)
_STATEMENT_ENDS = frozenset([";", "}", "\n", ""])
_TWO = ("||", "&&", ">>", ">=", "<=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "^=", "++", "--", "|&", "!~", "**")


@dataclass(frozen=True)
class AwkProgram:
    runs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def read_awk(text: str) -> AwkProgram:
    try:
        tokens = _tokens(text)
    except (IndexError, ValueError):
        return AwkProgram(doubts=("the `awk` program is not understood",))
    return _Meaning(tokens).program()


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    parens: list[bool] = []  # whether the parenthesis belongs to if, while, for: a regex may follow it
    after_condition = False
    at = 0
    while at < len(text):
        behind = _behind_blank(text, at)
        if behind > at:
            at = behind
            continue
        regex = text[at] == "/" and _regex_may_start(tokens, after_condition)
        token, at = _token(text, at, regex=regex)
        after_condition = False
        if token == ("op", "("):
            parens.append(bool(tokens) and tokens[-1] in _CONDITIONS)
        elif token == ("op", ")"):
            after_condition = parens.pop() if parens else False
        tokens.append(token)
    tokens.append(("end", ""))
    return tokens


_CONDITIONS = (("word", "if"), ("word", "while"), ("word", "for"), ("word", "switch"))


def _behind_blank(text: str, at: int) -> int:
    """Where a blank, a continued line or a comment ends; `at` when none begins there."""
    if text[at] in " \t\r":
        return at + 1
    if text[at] == "\\" and text[at + 1] in "\r\n":
        return at + (2 if text[at + 1] == "\n" else 3)
    if text[at] == "#":
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    return at


def _token(text: str, at: int, *, regex: bool) -> tuple[Token, int]:
    """The token that begins at `at`, and where it ends. `regex`: it is a regular expression, no division."""
    char = text[at]
    if char == '"':
        end = _string_end(text, at)
        return ("string", text[at + 1 : end - 1]), end
    if regex:
        end = _regex_end(text, at)
        return ("regex", text[at + 1 : end - 1]), end
    if char.isalpha() or char == "_":
        end = _word_end(text, at)
        return ("word", text[at:end]), end
    if char.isdigit() or (char == "." and text[at + 1 : at + 2].isdigit()):
        end = at + 1
        while end < len(text) and (text[end].isalnum() or text[end] == "."):
            end += 1
        return ("number", text[at:end]), end
    if char == "\n":
        return ("newline", "\n"), at + 1
    mark = text[at : at + 2] if text[at : at + 2] in _TWO else char
    return ("op", mark), at + len(mark)


def _word_end(text: str, at: int) -> int:
    """Behind a name; gawk's namespaces are a part of it (`awk::x`)."""
    end = at + 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_" or text[end : end + 2] == "::"):
        end += 2 if text[end] == ":" else 1
    return end


def _string_end(text: str, at: int) -> int:
    at += 1
    while text[at] != '"':
        if text[at] == "\n":
            raise ValueError
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _regex_end(text: str, at: int) -> int:
    """An unclosed bracket makes every awk refuse the program, so a slash in brackets may be trusted not to end the
    regex.
    """
    at += 1
    while text[at] != "/":
        if text[at] == "\n":
            raise ValueError
        if text[at] == "\\":
            at += 2
        elif text[at] == "[":
            at = _bracket_end(text, at)
        else:
            at += 1
    return at + 1


def _bracket_end(text: str, at: int) -> int:
    at += 1
    if text[at] == "^":
        at += 1
    if text[at] == "]":
        at += 1
    while text[at] != "]":
        if text[at] == "\n" or text[at : at + 2] == "\\]":
            raise ValueError
        if text[at] == "[" and text[at + 1] in ":.=":
            at = text.index(text[at + 1] + "]", at + 2) + 2
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def _regex_may_start(tokens: list[Token], after_condition: bool) -> bool:
    if not tokens:
        return True
    kind, text = tokens[-1]
    if kind == "word":
        if text == "getline":
            raise ValueError  # both readings are possible
        return text in _KEYWORDS
    if kind in ("number", "string", "regex"):
        return False
    if text == ")":
        return after_condition
    if text == "$":
        raise ValueError
    return text not in ("]", "++", "--")


class _Meaning:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.runs: list[str] = []
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.doubts: list[str] = []
        self.printing = False
        self.depth = 0

    def program(self) -> AwkProgram:
        for at, (kind, text) in enumerate(self.tokens):
            if kind == "word":
                self.word(at, text)
            elif kind == "op":
                self.operator(at, text)
            elif kind == "newline" and not (at and self.tokens[at - 1][1] in (",", "&&", "||", "do", "else", "{")):
                self.printing = False
        return AwkProgram(tuple(self.runs), tuple(self.reads), tuple(self.writes), tuple(self.doubts))

    def word(self, at: int, text: str) -> None:
        if text in ("print", "printf"):
            self.printing, self.depth = True, 0
        elif text == "system":
            self.system(at)
        elif text == "getline":
            self.getline(at)
        elif text == "ARGV":
            self.doubts.append("the `awk` program may change which files it reads")
        elif "::" in text:
            self.doubts.append("the `awk` program uses namespaces")
        elif text == "ENVIRON":
            self.environment(at)
        elif text == "PROCINFO" and self.tokens[at + 1] != ("op", "["):
            self.doubts.append("the `awk` program hands on what it knows of the process")
        elif text == "SYMTAB":
            self.doubts.append("the `awk` program sets variables by name")

    def environment(self, at: int) -> None:
        """One variable with a harmless name may be read, not all of them."""
        kind, name = self.tokens[min(at + 2, len(self.tokens) - 1)]
        if self.tokens[at + 1] != ("op", "[") or kind != "string" or looks_secret(name):
            self.doubts.append("the `awk` program reads the environment, credentials included")

    def operator(self, at: int, text: str) -> None:
        if text in (";", "}", "{"):
            self.printing = False
        elif text in ("(", "["):
            self.depth += 1
        elif text in (")", "]"):
            self.depth -= 1
        elif text == "@":
            self.doubts.append("the `awk` program loads or calls something by name")
        elif text == "|&":
            self.doubts.append("the `awk` program talks to another process")
        elif text == "|":
            self.pipe(at)
        elif text in (">", ">>") and (text == ">>" or (self.printing and self.depth <= 0)):
            self.redirect(at)

    def literal(self, at: int) -> str | None:
        """The string at `at`, when the statement ends behind it and it holds no escapes."""
        kind, text = self.tokens[at]
        if (
            kind == "string"
            and "\\" not in text
            and self.tokens[at + 1][1] in _STATEMENT_ENDS
            and self.tokens[at + 1][0] != "string"
        ):
            return text
        return None

    def system(self, at: int) -> None:
        self.doubts.append("the `awk` program runs commands")
        following = self.tokens[at + 1 : at + 4]
        if len(following) == 3 and following[0][1] == "(" and following[1][0] == "string" and following[2][1] == ")":
            self.runs.append(following[1][1].replace('\\"', '"').replace("\\\\", "\\"))

    def pipe(self, at: int) -> None:
        if self.tokens[at + 1] == ("word", "getline"):
            self.doubts.append("the `awk` program runs commands")
            if at and self.tokens[at - 1][0] == "string":
                self.runs.append(self.tokens[at - 1][1].replace('\\"', '"'))
            return
        command = self.literal(at + 1)
        if command is None or not self.printing:
            self.doubts.append("the `awk` program pipes into a command that is not known")
        else:
            self.runs.append(command)

    def redirect(self, at: int) -> None:
        name = self.literal(at + 1)
        if name is None or name.startswith("/inet"):
            self.doubts.append("the `awk` program writes a file whose name is not known")
        else:
            self.writes.append(name)

    def getline(self, at: int) -> None:
        after = at + 1
        depth = 0
        while after < len(self.tokens):
            kind, text = self.tokens[after]
            if depth == 0 and not (kind in ("word", "number") or text in ("$", "[")):
                break
            depth += {"[": 1, "]": -1}.get(text, 0) if kind == "op" else 0
            after += 1
        if self.tokens[min(after, len(self.tokens) - 1)] != ("op", "<"):
            return
        kind, name = self.tokens[after + 1]
        closing = self.tokens[min(after + 2, len(self.tokens) - 1)]
        if (
            kind == "string"
            and "\\" not in name
            and closing[0] != "string"
            and closing[1] in (*_STATEMENT_ENDS, ")", "&&", "||")
            and not name.startswith("/inet")
        ):
            self.reads.append(name)
        else:
            self.doubts.append("the `awk` program reads a file whose name is not known")
