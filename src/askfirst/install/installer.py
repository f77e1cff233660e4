"""What `askfirst init`, `uninstall` and `doctor` need of an agent: its settings, and how the gate gets in and out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from askfirst.agents import wire_of
from askfirst.agents.registered import NOT_OURS, lies_in
from askfirst.agents.table import AGENTS
from askfirst.errors import UsageError
from askfirst.install.check import FAIL, OK, WARN, Check
from askfirst.install.command import gate_command, init_command
from askfirst.install.probe import probe
from askfirst.install.undo import Done


@dataclass(frozen=True)
class Registration:
    """What stands in one settings file of an agent now."""

    path: str
    exists: bool = False
    broken: str = ""  # why the agent would not read it, and then has no gate
    registered: bool = False  # a hook of askfirst's stands in it
    weak: tuple[str, ...] = ()  # what about that hook lets calls through
    commands: tuple[str, ...] = ()  # the command lines that stand there, as the agent runs them: `doctor` tries each
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Trouble:
    """What keeps a registered hook from running, and the way out."""

    text: str
    way_out: str


class Installer(Protocol):
    """One agent's settings. Each folder's `install.py` has one instance, `INSTALLER`.

    A scope is `user` (all projects of this user), `project` (shared through the repository) or `local` (this project,
    this machine).
    """

    name: str
    scopes: tuple[str, ...] = ("user", "project")

    @property
    def title(self) -> str:
        return AGENTS[self.name].title

    @abstractmethod
    def settings_path(self, scope: str, project: str) -> str: ...

    @abstractmethod
    def install(self, scope: str, project: str) -> Done:
        """Idempotent. Raises ConfigError, and then has changed nothing."""

    @abstractmethod
    def uninstall(self, scope: str, project: str) -> Done:
        """Byte for byte as before, unless somebody else changed the file since."""

    @abstractmethod
    def look(self, scope: str, project: str) -> Registration: ...

    @abstractmethod
    def install_mcp(self, scope: str, project: str) -> str:
        """Registers `askfirst mcp`; a line that says what was done, or what is left to do."""

    def uninstall_mcp(self, scope: str, project: str) -> tuple[Done, ...]:
        """Nothing where the person registered the server with the agent's own command."""
        return ()

    def gate_command(self, scope: str = "") -> str:
        return gate_command(self.name, scope)

    def warnings(self) -> tuple[str, ...]:
        """What a person should know after `init`."""
        return ()

    def runs_inside(self, command: str, project: str) -> bool:
        """Whether a registered command is something of the project's own, which is not tried."""
        return lies_in(command, project)

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        return ()

    def weak_spots(self) -> tuple[Trouble, ...]:
        """What the agent's own settings leave open beside the hook."""
        return ()

    def looks(self, project: str) -> dict[str, Registration]:
        """scope -> what stands there; also places that `init` does not write, where an agent has such."""
        return {scope: self.look(scope, project) for scope in self.scopes}

    def broken_files(self, project: str) -> tuple[str, ...]:
        """Files of the agent's settings that it may not take, wherever the gate stands."""
        return tuple(self._broken_words(found) for found in self.looks(project).values() if found.broken)

    def _broken_words(self, found: Registration) -> str:
        return f"{found.path}: {found.broken}; {self.title} may ignore the whole file, hooks included"

    def has_gate(self, project: str) -> bool:
        return any(found.registered and not found.broken for found in self.looks(project).values())

    def held_by_root(self, project: str) -> bool:
        """Whether root owns the settings that register the gate, so that the agent cannot take it out."""
        return False

    def proof(self, project: str) -> Iterator[Check]:
        """Whether the agent itself, started for a moment, calls the hook; nothing where that cannot be tried."""
        yield from ()

    def checks(self, project: str) -> Iterator[Check]:
        """What `doctor` says about this agent: nothing where nobody has put the gate into it."""
        looks = self.looks(project)
        if not self.has_gate(project) and not any(found.registered for found in looks.values()):
            return
        for scope, found in looks.items():
            if found.broken:
                way_out = f"correct that in {found.path}, then run `askfirst doctor` again"
                yield Check(FAIL, self.name, self._broken_words(found), way_out)
            elif found.registered:
                failed = list(self._failures(scope, found, project))
                yield from failed or [
                    Check(OK, self.name, f"{found.path}: registered, and the registered command answers")
                ]
        for spot in self.weak_spots():
            yield Check(WARN, self.name, spot.text, spot.way_out)

    def _failures(self, scope: str, found: Registration, project: str) -> Iterator[Check]:
        again = init_command(self.name, scope) if scope in self.scopes else "fix the file"
        for weakness in found.weak:
            yield Check(FAIL, self.name, f"{found.path}: {weakness}", again)
        for trouble in self.troubles(scope, project):
            yield Check(FAIL, self.name, trouble.text, trouble.way_out)
        for command in found.commands:
            if NOT_OURS in found.weak:
                continue
            if self.runs_inside(command, project):
                text = f"{found.path}: what it runs lies inside the project, where the agent could change it"
                yield Check(FAIL, self.name, text, again)
                continue
            problem = probe(wire_of(self.name), command, project)
            if problem:
                text = f"{found.path}: the registered command does not answer: {problem}"
                yield Check(FAIL, self.name, text, again)


def installer_of(name: str) -> Installer:
    if name not in AGENTS:
        raise UsageError(f"unknown agent `{name}`; known: {', '.join(AGENTS)}")
    installer: Installer = import_module(f"askfirst.agents.{name}.install").INSTALLER
    return installer
