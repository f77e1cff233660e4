"""Hooks in an agent's JSON file: written, looked at, and taken out again without touching what is not askfirst's.

What the agents share: an array of hooks below `hooks.EVENT`, a command line that a shell runs, a timeout in a unit of
their own. Several of them take exit code 2 for a no only when it comes with words, so the command line says some when
the gate cannot.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from shlex import join
from typing import Any

from askfirst import jsontext
from askfirst.agents.registered import NOT_OURS, is_known
from askfirst.agents.table import DEFAULT
from askfirst.agents.wire import TIMEOUT_S
from askfirst.errors import ConfigError
from askfirst.install import json_edit, settings_file, undo
from askfirst.install.command import mcp_words
from askfirst.install.installer import Installer, Registration
from askfirst.install.settings_file import FIX_BY_HAND
from askfirst.install.undo import Done

LAST_WORD = " || { echo 'askfirst: the gate failed, so it stays closed' >&2; exit 2; }"
STATUS = "askfirst: a person may be asked (askfirst watch)"
FOR_PEOPLE = ("statusMessage", "name", "description")  # keys of a hook that change nothing
COMMANDS = ("command", "bash")  # keys of a hook that hold its command line
AGAIN = "run `askfirst init` again"


class HookFileInstaller(Installer):
    """An agent whose hooks stand in a JSON file."""

    seed: Mapping[str, Any] = {}  # members that the file must have besides

    @abstractmethod
    def hooks(self, scope: str = "") -> dict[str, dict[str, Any]]:
        """event -> what is appended to its array."""

    def closed_command(self, scope: str = "") -> str:
        """The command line, which still says no when the gate itself fails."""
        return self.gate_command(scope) + LAST_WORD

    def named_hook(self, scope: str) -> dict[str, Any]:
        """An entry with a name, whose timeout counts milliseconds."""
        command = self.closed_command(scope)
        return {"name": "askfirst", "type": "command", "command": command, "timeout": TIMEOUT_S * 1000}

    # Which hooks are ours

    def is_our_command(self, command: Any) -> bool:
        """By its end: the interpreter may have been another one."""
        if not isinstance(command, str):
            return False
        line = command.rpartition(" || {")[0] or command
        return line.endswith(
            tuple(
                f"{program} hook --agent {self.name}"
                for program in ("/askfirst/launch.py", "/askfirst/launch.py'", "askfirst", "/askfirst'")
            )
        )

    def is_ours(self, item: Any) -> bool:
        """An entry, or a group of entries, that askfirst wrote."""
        if not isinstance(item, dict):
            return False
        inner = item.get("hooks")
        if isinstance(inner, list):
            return bool(inner) and all(self.is_ours(hook) for hook in inner)
        return self.is_our_command(_command_in(item))

    def ours_in(self, settings: Any) -> list[tuple[str, Any]]:
        """(event, item) of everything of askfirst's, in the order in which `hooks` has the events."""
        present = settings.get("hooks") if isinstance(settings, dict) else None
        if not isinstance(present, dict):
            return []
        events = dict.fromkeys((*self.hooks(), *present))
        return [(event, item) for event in events for item in _items(present, event) if self.is_ours(item)]

    # Install and uninstall

    def install(self, scope: str, project: str) -> Done:
        path = self.settings_path(scope, project)
        settings_file.refuse_leading_out(path, "" if scope == "user" else project)
        before = settings_file.read(path)
        text = json_edit.text_of(before if before is not None else b"{}\n", path)
        value = json_edit.parse(text, path).value
        self._refuse_dropped(value, path)
        if self.ours_in(value) == self._wanted(scope) and all(
            value.get(key) == seed for key, seed in self.seed.items()
        ):
            return Done(path, undo.UNCHANGED, undo.backup_of(path))
        data = self._with_ours(text, path, scope).encode()
        undo.remember_change(path, before, data)
        settings_file.write(path, data, new_mode=0o600 if scope == "user" else 0o644)
        self._verify(path, data, scope)
        return Done(path, undo.WRITTEN, undo.backup_of(path))

    def uninstall(self, scope: str, project: str) -> Done:
        path = self.settings_path(scope, project)
        present = settings_file.read(path)
        if present is None:
            undo.forget(path)
            return Done(path, undo.ABSENT)
        text = json_edit.text_of(present, path)
        cleaned = self._without_ours(text, path)
        if cleaned == text:
            return undo.put_back(path, present, present)
        known = undo.recall(path)
        if known is not None and not known[0].existed and json_edit.parse(cleaned, path).value == dict(self.seed):
            # `init` made the file, and nothing is left in it but what such a file must begin with.
            return undo.remove_created(known[0])
        return undo.put_back(path, present, cleaned.encode())

    def why_dropped(self, settings: Mapping[str, Any]) -> str:
        """Why the agent would take none of this file, and no hook either; "" when it takes it, or nobody knows."""
        return ""

    def _refuse_dropped(self, settings: Mapping[str, Any], path: str) -> None:
        why = self.why_dropped(settings)
        if why:
            problem = f"{why}; {self.title} ignores the whole file for that, so a gate in it would be none"
            raise ConfigError(problem, file=path, hint=FIX_BY_HAND)

    def _wanted(self, scope: str = "") -> list[tuple[str, Any]]:
        return list(self.hooks(scope).items())

    def _with_ours(self, text: str, path: str, scope: str) -> str:
        text = self._without_ours(text, path)
        for key, seed in self.seed.items():
            if key not in json_edit.parse(text, path).value:
                text = json_edit.set_member(text, (key,), seed, path)
        for event, item in self._wanted(scope):
            text = json_edit.append_item(text, ("hooks", event), item, path)
        return text

    def _without_ours(self, text: str, path: str) -> str:
        """Also from events that a former version registered."""
        present = json_edit.parse(text, path).value.get("hooks")
        for event in list(present) if isinstance(present, dict) else ():
            text = json_edit.remove_items(text, ("hooks", event), self.is_ours, path)
        return text

    def _verify(self, path: str, data: bytes, scope: str) -> None:
        """An agent may drop a whole settings file for one wrong value, silently: look again at what is there now."""
        written = settings_file.read(path)
        if written != data:
            raise ConfigError("was written by someone else just now", file=path, hint=AGAIN)
        if self.ours_in(json_edit.parse(json_edit.text_of(written, path), path).value) != self._wanted(scope):
            raise ConfigError("the hooks are not there as written", file=path, hint=AGAIN)

    # Looking

    def look(self, scope: str, project: str) -> Registration:
        path = self.settings_path(scope, project)
        try:
            with open(path, "rb") as file:
                data = file.read(settings_file.MAX_BYTES)
            settings = jsontext.loads(data) if data.strip() else {}
        except FileNotFoundError:
            return Registration(path)
        except OSError as error:
            return Registration(path, exists=True, broken=f"cannot be read: {error.strerror}")
        except ValueError as error:
            return Registration(path, exists=True, broken=f"not valid JSON: {error}")
        if not isinstance(settings, dict):
            return Registration(path, exists=True, broken="not a JSON object")
        found = self.ours_in(settings)
        return Registration(
            path,
            exists=True,
            registered=bool(found),
            weak=tuple(self._weaknesses(found)) if found else (),
            commands=tuple(dict.fromkeys(line for _, item in found for line in _commands_in(item))),
            settings=settings,
        )

    def _weaknesses(self, found: list[tuple[str, Any]]) -> list[str]:
        weak = []
        lines = [line.removesuffix(LAST_WORD) for _, item in found for line in _commands_in(item)]
        if not all(is_known(line, self.name, DEFAULT) for line in lines):
            weak.append(NOT_OURS)
        for event, wanted in self._wanted():
            items = [item for e, item in found if e == event]
            if not items:
                weak.append(f"`hooks.{event}` has no hook of askfirst's")
            elif not any(_as_strong(item, wanted) for item in items):
                weak.append(f"the hook in `hooks.{event}` is not the one that `askfirst init` writes")
        return weak


def register_mcp_with(command: str) -> str:
    """How a person registers `askfirst mcp` with an agent that has a command of its own for it."""
    return f"register the MCP server with: {command} {join(mcp_words())}"


def _items(hooks: Mapping[str, Any], event: str) -> list[Any]:
    items = hooks.get(event)
    return items if isinstance(items, list) else []


def _command_in(hook: Mapping[str, Any]) -> Any:
    return next((hook[key] for key in COMMANDS if key in hook), None)


def _commands_in(item: Mapping[str, Any]) -> list[str]:
    """The command lines of an entry, or of a group of entries."""
    return [str(_command_in(hook)) for hook in item.get("hooks", [item])]


def _as_strong(item: Any, wanted: Any) -> bool:
    """The same but for the interpreter's path and words for people: matcher, timeout, what happens on a failure."""
    if isinstance(wanted, list):
        return isinstance(item, list) and len(item) == len(wanted) and all(map(_as_strong, item, wanted))
    if not isinstance(wanted, dict):
        return bool(item == wanted)
    if not isinstance(item, dict) or item.keys() - wanted.keys() - set(FOR_PEOPLE):
        return False
    return all(
        _is_closed(item.get(key)) if key in COMMANDS else _as_strong(item.get(key), value)
        for key, value in wanted.items()
        if key not in FOR_PEOPLE
    )


def _is_closed(command: Any) -> bool:
    return isinstance(command, str) and command.endswith(LAST_WORD)
