"""Where a text runs: handed down, as one value, to every text inside a text."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askfirst.shell.call import Stdin

if TYPE_CHECKING:
    from askfirst.shell.dialects import Dialect
    from askfirst.shell.surroundings import Surroundings
    from askfirst.shell.survey import Survey
    from askfirst.shell.walk.detours import Detours


@dataclass(frozen=True)
class Context:
    surroundings: Surroundings
    dialect: Dialect
    detours: Detours  # what the commands so far have changed; grows with every text
    cwd: str | None  # None when it is not certain
    relied_on: set[str]  # directories that `cd` must find, or what follows runs elsewhere; grows with every text
    via: tuple[str, ...] = ()  # how the text was reached: ("bash -c", "eval")
    level: int = 0  # how many texts are around it
    outer: Survey | None = None  # the survey of the text around it
    functions: AbstractSet[str] = frozenset()  # functions that are certainly defined
    stdin: Stdin = Stdin()
    given_data: bool = False  # options, or several words in one, may be among the words that it is started with
