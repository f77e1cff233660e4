"""What does not change while one text is walked, also by the walks over programs inside its calls."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from askfirst.shell.plain_words import plain_words
from askfirst.shell.walk.credentials import Credentials

if TYPE_CHECKING:
    from askfirst.shell.surroundings import Surroundings
    from askfirst.shell.survey.variables import Variables


class Source:
    def __init__(self, text: str, variables: Variables, surroundings: Surroundings) -> None:
        self.text, self.surroundings = text, surroundings
        self.credentials = Credentials(variables)
        self._words: tuple[str, ...] | None = None
        self._traced: bool | None = None
        self._programs: dict[tuple[str, str | None], tuple[str | None, str]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        """Every plain word of the text, in which blocks are looked for."""
        if self._words is None:
            self._words = plain_words(self.text)
        return self._words

    @property
    def traced(self) -> bool:
        if self._traced is None:
            self._traced = traces(self.text)
        return self._traced

    def program(self, name: str, cwd: str | None) -> tuple[str | None, str]:
        """The real path of the program a name stands for, and why it is not the one a rule means."""
        key = (name, cwd if "/" in name else None)
        if key not in self._programs:
            around = self.surroundings
            path = around.real_path(name, cwd) if "/" in name else around.find_program(name)
            self._programs[key] = path, around.foreign(path) if path else ""
        return self._programs[key]


def traces(script: str) -> bool:
    """Whether the shell may print every command with its words: `set -x`, `bash -eux`, `set -o xtrace`."""
    words = script.split()
    return "xtrace" in script or any(
        w[:1] == "-" and "x" in w and not w.startswith("--") and before.endswith(("set", "sh"))
        for before, w in pairwise(words)
    )
