"""What runs while words are expanded: substitutions, and arithmetic over what variables hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.shell import environment
from askfirst.shell.call import Stdin
from askfirst.shell.syntax import Arithmetic, Literal, Parameter, Part, Substitution

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State


def visit(walk: Walk, parts: list[Part], state: State) -> None:
    for part in parts:
        if isinstance(part, Literal):
            continue
        if walk.ledger is not None:
            walk.ledger.visit(part)
        if isinstance(part, Substitution):
            substitution(walk, part, state)
        elif isinstance(part, Parameter):
            walk.hazards(part.hazards)
            if part.operator in ("=", ":="):
                walk.unknown_if(environment.kept(part.name, None), "environment", part.name)
            for word in part.words:
                walk.visit(word.parts, state)
        elif isinstance(part, Arithmetic):
            walk.hazards(part.hazards)
            for name in part.sets:
                walk.unknown_if(environment.kept(name, None), "environment", name)
            walk.visit(part.parts, state)


def substitution(walk: Walk, part: Substitution, state: State) -> None:
    inner = state.copy()
    if part.kind == ">(":
        inner.stdin = Stdin("pipe")
    walk.run(part.script, inner)
