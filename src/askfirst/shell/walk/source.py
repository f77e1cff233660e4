"""What does not change while one text is walked, also by the walks over programs inside its calls."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from askfirst.knowledge.variables import CHOOSES_ENVIRONMENT
from askfirst.shell.plain_words import plain_words
from askfirst.shell.walk.credentials import Credentials

if TYPE_CHECKING:
    from askfirst.model import Action
    from askfirst.shell.call import Call
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

    def program_in(self, folder: str, name: str) -> str | None:
        return replace(self.surroundings, path=(folder,)).find_program(name)

    def environment_of(self, call: Call) -> str:
        """The directory in which a plain `uv run` looks for programs first: of the environment beside the nearest
        pyproject.toml. (With uv 0.13.8: an activated environment is passed over, a file of the name, too.)"""
        around, folder = self.surroundings, call.cwd or ""
        project = around.project.rstrip("/")
        options = [w.value for w in call.words[1:]]
        head = list(takewhile(lambda word: word in ("run", *_KEEPS_ENVIRONMENT), options))
        named = options[len(head)] if len(head) < len(options) else None
        if call.assignments or around.exported.intersection(CHOOSES_ENVIRONMENT) or not named or named[0] == "-":
            return ""
        while folder.startswith(f"{project}/") and not around.exists(f"{folder}/pyproject.toml"):
            folder = folder.rpartition("/")[0]
        own = f"{folder}/.venv"
        there = around.exists(f"{folder}/pyproject.toml") and around.real_path(own, "/") == own
        return f"{own}/bin" if there and (folder == project or folder.startswith(f"{project}/")) else ""

    def activated_by(self, action: Action) -> str:
        """The directory with which the PATH begins once a file of the project's virtual environment is sourced; ""
        where the file is another one, or was made for another directory."""
        own = action.target.removesuffix("/bin/activate")
        project = self.surroundings.project.rstrip("/") + "/"
        if not own.endswith(("/.venv", "/venv")) or own == action.target or not own.startswith(project):
            return ""
        # Nothing else in the text may change what names stand for, wherever it stands: loops and functions go back.
        if self.text.count("activate") > 1 or "PATH" in self.text or len(_CHANGING.intersection(self.words)) > 1:
            return ""
        text = self.surroundings.read_file(action.target, 65536) or ""
        named = _ENVIRONMENT.findall(text)
        plain = "PATH=$VIRTUAL_ENV/bin:$PATH" in text.replace('"', "")
        return (
            f"{own}/bin" if plain and named and all(self.surroundings.real_path(n, "/") == own for n in named) else ""
        )


_KEEPS_ENVIRONMENT = ("--frozen", "--locked", "--no-sync", "--offline", "--no-progress", "-q", "--quiet")
_CHANGING = frozenset(("source", ".", "eval", "hash", "alias", "trap"))
_ENVIRONMENT = re.compile(r"""^\s*(?:export )?VIRTUAL_ENV=["']?(/[^"'$`\n]*?)["']?\s*$""", re.MULTILINE)


def traces(script: str) -> bool:
    """Whether the shell may print every command with its words: `set -x`, `bash -eux`, `set -o xtrace`."""
    words = script.split()
    return "xtrace" in script or any(
        w[:1] == "-" and "x" in w and not w.startswith("--") and before.endswith(("set", "sh"))
        for before, w in pairwise(words)
    )
