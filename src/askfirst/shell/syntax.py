"""The tree of a script: what bash's grammar makes of the text, with a span on every node.

Nothing here decides anything. A construct whose meaning depends on data that is not in the text carries a `Hazard`,
which the walk turns into an Unknown fact.
"""

from __future__ import annotations

from typing import TypeAlias

DECLARES = frozenset(("declare", "typeset", "local", "export", "readonly"))  # builtins whose arguments are assignments
VALUELESS = ("+", ":+", "#length", "!")  # operators of `${…}` that do not hand on the variable's own value


class GiveUp(Exception):
    """The text is not understood with certainty. Says why, and where."""

    def __init__(self, why: str, at: int = -1, what: str = "syntax") -> None:
        super().__init__(why)
        self.why, self.at, self.what = why, at, what


class Hazard:
    """Bash would evaluate something that this text does not show."""

    __slots__ = ("name", "text", "what", "why")

    def __init__(self, what: str, why: str, text: str, name: str = "") -> None:
        self.what, self.why, self.text = what, why, text
        self.name = name  # the variable whose content would be evaluated: no hazard when it can only hold a number


class Literal:
    """Characters that mean themselves, quotes removed. Unquoted ones may still be a pattern, a brace or a tilde."""

    __slots__ = ("quoted", "text")

    def __init__(self, text: str, quoted: bool) -> None:
        self.text, self.quoted = text, quoted


class Named:
    """`(home)` inside a path: to zsh a pattern for `home`, or, where options say so, the text itself. Bash and its kin
    refuse the whole line."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Opaque:
    """Quoted characters whose value depends on the locale: `$'\\xe9'`."""

    __slots__ = ()


class Parameter:
    """`$name` or `${…}`. `operator` is "" for the plain form."""

    __slots__ = ("braced", "every", "hazards", "name", "operator", "quoted", "start", "words")

    def __init__(
        self,
        start: int,
        name: str,
        operator: str,
        quoted: bool,
        words: list[RawWord],
        hazards: list[Hazard],
        *,
        every: bool = False,
        braced: bool = False,
    ) -> None:
        self.start, self.name, self.operator, self.quoted = start, name, operator, quoted
        self.words, self.hazards = words, hazards
        self.every = every  # all elements: a word each, also in quotes
        self.braced = braced


class Substitution:
    """`$( )`, backticks, `<( )`, `>( )`: a program of its own."""

    __slots__ = ("kind", "quoted", "script", "start")

    def __init__(self, start: int, kind: str, quoted: bool, script: Script) -> None:
        self.start, self.kind, self.quoted, self.script = start, kind, quoted, script


class Arithmetic:
    """`$(( ))`, `(( ))` or a part of a C-style `for`: the names it reads and sets, and the expansions in it."""

    __slots__ = ("certain", "end", "hazards", "parts", "quoted", "sets", "start")

    def __init__(
        self,
        start: int,
        end: int,
        quoted: bool,
        parts: list[Part],
        sets: list[str],
        hazards: list[Hazard],
        *,
        certain: bool = False,
    ) -> None:
        self.start, self.end, self.quoted = start, end, quoted
        self.parts, self.sets, self.hazards = parts, sets, hazards
        self.certain = certain  # bash cannot find an error in it


class RawWord:
    """A word before bash expands it. What becomes of it is a `model.Word` (words.py)."""

    __slots__ = ("end", "parts", "plain", "start", "text")

    def __init__(self, start: int, end: int, text: str, parts: list[Part]) -> None:
        self.start, self.end, self.text, self.parts = start, end, text, parts
        # Every character stands for itself or may be a pattern; nothing was quoted or expanded.
        self.plain = len(parts) == 1 and isinstance(parts[0], Literal) and not parts[0].quoted


class Set:
    """An assignment: `name=word`, `name+=word`, `name[index]=word`, `name=(words)`."""

    __slots__ = ("append", "array", "element", "hazards", "name", "word")

    def __init__(
        self, name: str, word: RawWord, append: bool, array: list[RawWord] | None, hazards: list[Hazard], element: bool
    ) -> None:
        self.name, self.word, self.append, self.array, self.hazards = name, word, append, array, hazards
        self.element = element  # one element of an array, which `$name` need not be


class Redirect:
    __slots__ = ("at", "body", "end", "expands", "fd", "operator", "start", "target", "text")

    def __init__(self, start: int, end: int, fd: str, operator: str, target: RawWord, text: str) -> None:
        self.start, self.end, self.fd, self.operator, self.target, self.text = start, end, fd, operator, target, text
        self.body: RawWord | None = None  # of a heredoc
        self.expands = False  # the heredoc's delimiter was not quoted
        self.at = -1  # where a heredoc's body begins in its script's source


class Simple:
    __slots__ = ("redirects", "sets", "text", "words")

    def __init__(self, sets: list[Set], words: list[RawWord], redirects: list[Redirect], text: str) -> None:
        self.sets, self.words, self.redirects, self.text = sets, words, redirects, text


class Group:
    """`{ … }` or `( … )`."""

    __slots__ = ("body", "redirects", "subshell")

    def __init__(self, body: Script, subshell: bool) -> None:
        self.body, self.subshell = body, subshell
        self.redirects: list[Redirect] = []


class Branches:
    """`if`, `case`, `while`, `until`: conditions and bodies that may or may not run, in the order of the text."""

    __slots__ = ("bodies", "loop", "redirects", "words")

    def __init__(self, words: list[RawWord], bodies: list[Script], loop: bool) -> None:
        self.words, self.bodies, self.loop = words, bodies, loop
        self.redirects: list[Redirect] = []


class For:
    """`for NAME in …` and `select`; words is None when it runs over the positional parameters."""

    __slots__ = ("body", "name", "redirects", "select", "words")

    def __init__(self, name: str, words: list[RawWord] | None, body: Script, select: bool) -> None:
        self.name, self.words, self.body, self.select = name, words, body, select
        self.redirects: list[Redirect] = []


class Evaluate:
    """`[[ … ]]`, `(( … ))`, and the head of a C-style `for` with its body."""

    __slots__ = ("arithmetic", "body", "hazards", "redirects", "words")

    def __init__(
        self, words: list[RawWord], arithmetic: list[Arithmetic], hazards: list[Hazard], body: Script | None = None
    ) -> None:
        self.words, self.arithmetic, self.hazards, self.body = words, arithmetic, hazards, body
        self.redirects: list[Redirect] = []


class Function:
    __slots__ = ("body", "name", "redirects", "text")

    def __init__(self, name: str, body: Node, text: str) -> None:
        self.name, self.body, self.text = name, body, text
        self.redirects: list[Redirect] = []


class Coproc:
    __slots__ = ("body", "name", "redirects")

    def __init__(self, name: str, body: Node) -> None:
        self.name, self.body = name, body
        self.redirects: list[Redirect] = []


class Pipeline:
    __slots__ = ("commands", "negated")

    def __init__(self, commands: list[Node], *, negated: bool = False) -> None:
        self.commands, self.negated = commands, negated


class AndOr:
    __slots__ = ("end", "last", "operators", "pipelines", "start")

    def __init__(self, pipelines: list[Pipeline], operators: list[str], start: int = 0) -> None:
        self.pipelines, self.operators, self.start, self.end = pipelines, operators, start, start
        self.last = False  # a newline ends it: bash has read this far before it runs it


class Script:
    """A list of commands: the whole text, a body, or the inside of a substitution.

    `edits` and `seen` are for the second opinion (reading/second_opinion.py): what to put in place of what bashlex
    cannot read, and which simple commands it must then find where.
    """

    __slots__ = ("edits", "end", "items", "seen", "source", "start")

    def __init__(self, source: str, start: int) -> None:
        self.source, self.start, self.end = source, start, len(source)
        self.items: list[tuple[AndOr, str]] = []
        self.edits: list[tuple[int, int, str]] = []
        self.seen: list[tuple[int, tuple[tuple[int, int], ...]]] = []  # where a simple command begins, and its words


def literal_text(word: RawWord) -> str | None:
    """The word's text, quotes removed, when nothing in it is expanded."""
    if all(isinstance(p, Literal) for p in word.parts):
        return "".join(p.text for p in word.parts if isinstance(p, Literal))
    return None


def filled_parts(word: RawWord) -> list[Part]:
    """The parts of a word without the empty quotes in it."""
    return [p for p in word.parts if not (isinstance(p, Literal) and p.text == "")]


def only_part(word: RawWord) -> Part | None:
    """The one part that a word consists of, empty quotes aside."""
    parts = filled_parts(word)
    return parts[0] if len(parts) == 1 else None


Part: TypeAlias = Literal | Named | Opaque | Parameter | Substitution | Arithmetic
Node: TypeAlias = Simple | Group | Branches | For | Evaluate | Function | Coproc
