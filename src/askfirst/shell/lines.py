"""Where an error makes bash give up the rest of a line, and go on with the next one.

`echo $((1/0)); cd build` does not change the directory, and what stands on the next line runs where the first began. So
whatever a line sets, defines or enters behind (or inside) a command that may fail like this is not certain on the lines
that follow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askfirst.shell.syntax import (
    AndOr,
    Arithmetic,
    Branches,
    Evaluate,
    For,
    Group,
    Literal,
    Node,
    Parameter,
    Part,
    RawWord,
    Redirect,
    Script,
    Set,
    Simple,
)

if TYPE_CHECKING:
    from askfirst.shell.survey import Survey

# No division, no exponent, no octal number that could be wrong, and nothing that may expand to nothing.
_OPERAND = (
    r"[ \t]*(?:(?:\+\+|--)?[A-Za-z_][A-Za-z0-9_]*(?:\+\+|--)?|0|[1-9][0-9]{0,17}|\$[#?]|\$\{#[A-Za-z_][A-Za-z0-9_]*\})"
    r"[ \t]*"
)
CERTAIN = re.compile(
    rf"(?:[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*[-+*]?=(?!=))?{_OPERAND}(?:(?:[-+*]|[<>]=?|[=!]=|&&|\|\|){_OPERAND})*"
)
SLICE = re.compile(r":[ ]?-?[0-9]{1,9}(?::[0-9]{1,9})?\}")
ZEROS = re.compile(r"(?<![0-9A-Za-z_.])0[0-9]|\bdate\b")  # numbers such as 08, which arithmetic refuses


class LineErrors:
    """Which commands of a text may end in such an error."""

    def __init__(self, text: str, survey: Survey) -> None:
        self.survey = survey
        self.zeros = ZEROS.search(text) is not None  # a variable may hold `08`

    def may_stop(self, item: AndOr) -> bool:
        """Whether the rest of the line may be dropped because of this command."""
        # The commands of a pipeline, a subshell, a substitution run in shells of their own, which end alone.
        last_runs_here = self.survey.modes.expansion_changes
        return any(self.node(p.commands[-1]) for p in item.pipelines if len(p.commands) == 1 or last_runs_here)

    def node(self, node: Node) -> bool:
        if any(self.redirect(r) for r in node.redirects):
            return True
        if isinstance(node, Simple):
            return self.simple(node)
        if isinstance(node, Group):
            return not node.subshell and self.body(node.body)
        return self.compound(node)

    def compound(self, node: Node) -> bool:
        if isinstance(node, Branches):
            return self.words(node.words) or any(self.body(b) for b in node.bodies)
        if isinstance(node, For):
            return self.words(node.words or []) or self.body(node.body)
        if isinstance(node, Evaluate):
            parts = [p for arithmetic in node.arithmetic for p in arithmetic.parts]
            inside = node.body is not None and self.body(node.body)
            return inside or self.words(node.words) or any(self.part(p) for p in parts)
        return False

    def simple(self, node: Simple) -> bool:
        first = node.words[0].parts[0] if node.words else None
        calls_function = isinstance(first, Literal) and first.text in self.survey.movement.functions
        return calls_function or any(map(self.assignment, node.sets)) or self.words(node.words)

    def assignment(self, one: Set) -> bool:
        if self.survey.modes.locks or one.element or one.hazards:
            return True
        return self.word(one.word) or self.words(one.array or [])

    def body(self, script: Script) -> bool:
        return any(self.may_stop(item) for item, _ in script.items)

    def redirect(self, redirect: Redirect) -> bool:
        return self.word(redirect.target) or (redirect.body is not None and self.word(redirect.body))

    def words(self, words: list[RawWord]) -> bool:
        return any(map(self.word, words))

    def word(self, word: RawWord) -> bool:
        return any(map(self.part, word.parts))

    def part(self, part: Part) -> bool:
        if isinstance(part, Arithmetic):
            return self.zeros or not part.certain
        if isinstance(part, Parameter):
            if part.operator == ":":
                return not SLICE.fullmatch(part.words[0].text)
            return bool(part.hazards) or self.words(part.words)
        return False
