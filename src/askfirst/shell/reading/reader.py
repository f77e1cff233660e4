"""One text under the reader: the position in it, what is still owed (heredocs), and which characters are accounted for.

Every sign of an expansion must end up in a node or in quoted text; one that belongs to nothing is refused, because the
reader may have lost its way before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askfirst.shell.syntax import Arithmetic, GiveUp, Literal, Part, RawWord, Redirect, Script, Substitution

if TYPE_CHECKING:
    from askfirst.shell.reading.ledger import Ledger

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESIDUE = re.compile(r"`|\$\(|\$\{|[<>]\(|<<|\\\n")
BREAK = " \t\n;&|()<>"


class Reader:
    """The state of reading one text, and the small steps."""

    def __init__(self, text: str, depth: int, ledger: Ledger) -> None:
        self.text, self.size, self.pos = text, len(text), 0
        self.depth, self.ledger = depth, ledger
        self.pending: list[Redirect] = []  # heredocs whose body begins at the next newline
        self.heredocs = 0  # how many heredocs this text has so far
        self.nesting = 0  # how many `$(`, `<(`, `(` are open
        self.substitutions = 0  # how many `$(`, `<(`, `>(` are open
        self.edits: list[tuple[int, int, str]] = []  # what bashlex must not see, and what it sees instead
        self.seen: list[tuple[int, tuple[tuple[int, int], ...]]] = []  # simple commands that bashlex must find
        self.accounted: set[int] = set()  # signs of expansions that became nodes
        self.inert: list[tuple[int, int]] = []  # text that means itself

    # -- what later links of the chain add

    def nested(self, close: str) -> Script:
        raise NotImplementedError

    def other_text(self, text: str) -> Script:
        raise NotImplementedError

    def other_reader(self, text: str) -> Reader:
        raise NotImplementedError

    def heredoc_text(self) -> RawWord:
        raise NotImplementedError

    def dollar(self, *, quoted: bool) -> list[Part]:
        raise NotImplementedError

    def backtick(self, *, quoted: bool, heredoc: bool = False) -> Substitution:
        raise NotImplementedError

    def arithmetic(self, start: int, close: str, quoted: bool) -> Arithmetic:
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

    def no_continuation(self, position: int) -> None:
        if self.continued(position):
            raise self.fail("a line continuation inside a token")

    def check_residue(self) -> None:
        """Every sign of an expansion in the text belongs to a node or to text that means itself."""
        self.inert.sort()
        spans, k = self.inert, 0
        for sign in RESIDUE.finditer(self.text):
            at = sign.start()
            while k < len(spans) and spans[k][1] <= at:
                k += 1
            if at not in self.accounted and not (k < len(spans) and spans[k][0] <= at):
                raise GiveUp(f"a `{sign.group().strip()}` that belongs to nothing", at)


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
