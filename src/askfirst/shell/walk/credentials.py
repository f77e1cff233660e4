"""Credentials of the environment that a script hands on: `echo $GITHUB_TOKEN`, `x=$GITHUB_TOKEN; curl -d $x`.

A variable that the script sets itself is not one of them, whatever its name.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from askfirst.knowledge.variables import is_credential
from askfirst.model import HANDS_ON
from askfirst.shell.syntax import VALUELESS, Parameter, Part

if TYPE_CHECKING:
    from askfirst.shell.survey.variables import Variables
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State


def hand_on(walk: Walk, parts: list[Part], state: State) -> None:
    """These parts become an argument or the text of a program: it prints them, or they go on from there."""
    for part in parts:
        if isinstance(part, Parameter) and part.operator not in VALUELESS:
            from_outside = part.name not in state.given and is_credential(part.name)
            if from_outside or walk.source.credentials.are_in(part.name):
                walk.unknown("secrets", f"{HANDS_ON} `${part.name}`, which may be a credential", part.name)
            for word in part.words:
                hand_on(walk, word.parts, state)


class Credentials:
    """Which variables of a script are made of credentials that it does not set itself."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self._sources: set[str] | None = None  # credentials that some variable is made of
        self._found: tuple[AbstractSet[str], set[str]] | None = None

    def are_in(self, name: str) -> bool:
        """`x=$GITHUB_TOKEN; echo $x`."""
        if self._sources is None:
            self._sources = {s for made_of in self.variables.sources.values() for s in made_of if is_credential(s)}
        own = frozenset(c for c in self._sources if c in self.variables.times)
        if self._found is None or self._found[0] != own:
            self._found = own, self.holders(own)
        return name in self._found[1]

    def holders(self, own: AbstractSet[str]) -> set[str]:
        """All variables made of a credential, directly or by way of others; `own` are those the script sets itself."""
        makes: dict[str, list[str]] = {}
        waiting: list[str] = []
        for name, made_of in self.variables.sources.items():
            for source in made_of:
                makes.setdefault(source, []).append(name)
            if any(source == name or source not in own for source in made_of if is_credential(source)):
                waiting.append(name)
        found = set(waiting)
        while waiting:
            new = [name for name in makes.get(waiting.pop(), ()) if name not in found]
            found.update(new)
            waiting.extend(new)
        return found
