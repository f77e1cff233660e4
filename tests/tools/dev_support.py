"""A small analyst for the models of tools: one project directory, no shell grammar."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from askfirst.model import Command, Unknown, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools import model

if TYPE_CHECKING:
    from askfirst.model import Fact


class PlainAnalyst(Analyst):
    """Resolves paths and reads files for real; a hidden command is modelled like any other."""

    def __init__(self, project: Path, home: Path | None = None) -> None:
        self._project, self._home = str(project), str(home or project.parent / "home")

    def script(self, text: str, call: Call, via: str, shell: str) -> tuple[Fact, ...]:
        return (Unknown("script", f"{via} runs a text", text),)

    def argv(self, words: tuple[Word, ...], call: Call, via: str, **_more: object) -> tuple[Fact, ...]:
        outcome = model(Call(words, call.text, call.cwd), self)
        name = words[0].value or ""
        return (Command(name, words, call.text, call.cwd, action=outcome.action), *outcome.facts)

    def path(self, text: str, cwd: str | None) -> str | None:
        if text.startswith("/"):
            return os.path.realpath(text)
        return os.path.realpath(os.path.join(cwd, text)) if cwd is not None else None

    def read_file(self, path: str, limit: int = 65536) -> str | None:
        try:
            data = Path(path).read_bytes()
        except OSError:
            return None
        return data.decode("utf-8", "surrogateescape") if len(data) <= limit else None

    def read_part(self, path: str, at: int, size: int) -> bytes | None:
        try:
            return Path(path).read_bytes()[at : at + size]
        except OSError:
            return None

    def names_in(self, path: str) -> tuple[str, ...] | None:
        return tuple(os.listdir(path)) if os.path.isdir(path) else ()

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    @property
    def project(self) -> str:
        return self._project

    @property
    def home(self) -> str:
        return self._home


def outcome_of(command: str, analyst: Analyst, cwd: str | None = "") -> Outcome:
    """What the tables say about one simple command without shell syntax."""
    words = tuple(_word(w, analyst) for w in shlex.split(command))
    return model(Call(words, command, analyst.project if cwd == "" else cwd), analyst)


def _word(text: str, analyst: Analyst) -> Word:
    if text.startswith("~"):
        text = analyst.home + text[1:]
    if any(c in text for c in "$`"):
        return Word(text, None, prefix=text.partition("$")[0])
    return Word(text, text)


def doubts(outcome: Outcome, analyst: Analyst) -> list[str]:
    """Why an outcome would not be allowed with every profile switched on: what a judge has to look at."""
    found = [] if outcome.action.allowed or outcome.action.profile else ["not allowed"]
    for fact in outcome.facts:
        path = getattr(fact, "path", "")
        if isinstance(fact, Unknown):
            found.append(f"{fact.what}: {fact.why}")
        elif isinstance(fact, Command):
            found += [] if fact.action.allowed or fact.action.profile else [f"runs {fact.name}"]
        elif type(fact).__name__ == "Write" and not (path or "").startswith(analyst.project + "/"):
            found.append(f"writes {path}")
    return found
