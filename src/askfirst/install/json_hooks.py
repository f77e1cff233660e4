"""Hooks in a JSON file of another agent: written, looked at, and taken out again without touching what is not ours.

What the agents share: an array of hooks at some place, a command line that a shell runs, a timeout in a unit of their own. Several of
them take exit code 2 for a no only when it comes with words, so the command line says some when the gate cannot.
"""

from __future__ import annotations

import os
import sys

from askfirst._record import Record
from askfirst.agents.claude.install import LAUNCHER, Change, decode, put_back
from askfirst.errors import ConfigError
from askfirst.install import json_edit, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

TIMEOUT_S = 3600  # an approval takes at most 30 minutes; the hook's own deadline lies a minute inside
MIN_TIMEOUT_S = 1860
LAST_WORD = " || { echo 'askfirst: the gate failed, so it stays closed' >&2; exit 2; }"
STATUS = "askfirst: a person may be asked (askfirst watch)"


class Plan(Record):
    """What stands in an agent's file for us."""

    agent: str
    hooks: Mapping[tuple[str, ...], Mapping[str, Any]]  # where an array stands -> what is appended to it
    seed: Mapping[str, Any] = {}  # members that the file must have besides


class Found(Record):
    """What stands in it now."""

    path: str
    exists: bool = False
    broken: str = ""
    registered: bool = False
    weak: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}


def gate_command(agent: str) -> str:
    from shlex import quote

    return f"{quote(sys.executable)} -I -S {quote(LAUNCHER)} hook --agent {agent}"


def closed_command(agent: str) -> str:
    return gate_command(agent) + LAST_WORD


def is_our_command(command: Any, agent: str) -> bool:
    if not isinstance(command, str):
        return False
    line = command.split("||")[0].rstrip()
    return line.endswith(
        (
            f"/askfirst/launch.py hook --agent {agent}",
            f"/askfirst/launch.py' hook --agent {agent}",
            f"askfirst hook --agent {agent}",
        )
    )


def is_ours(item: Any, agent: str) -> bool:
    """An entry, or a group of entries, that askfirst wrote, whatever interpreter it names."""
    if not isinstance(item, dict):
        return False
    inner = item.get("hooks")
    if isinstance(inner, list):
        return bool(inner) and all(is_ours(hook, agent) for hook in inner)
    return is_our_command(item.get("command", item.get("bash")), agent)


def mcp_line(begin: str) -> str:
    """How a person registers `askfirst mcp` with an agent whose list of servers is its own command's to write."""
    from shlex import join

    return f"register the MCP server with: {begin} {join([sys.executable, '-I', LAUNCHER, 'mcp'])}"


# Install and uninstall


def install(plan: Plan, path: str, *, inside: str = "") -> Change:
    """`inside`: the project, when the file lies in one; a symlink on the way out of it is refused."""
    refuse_leading_out(path, inside)
    before = record.read_settings(path)
    value = before if before is not None else b"{}\n"
    text = decode(value, path)
    if _standing(text, plan, path) == _wanted(plan) and all(
        json_edit.parse(text, path).value.get(k) == v for k, v in plan.seed.items()
    ):
        return Change(path, "already there", record.backup_of(path))
    changed = _without_ours(text, plan, path)
    for key, wanted in plan.seed.items():
        if key not in json_edit.parse(changed, path).value:
            changed = json_edit.set_member(changed, (key,), wanted, path)
    for place, item in plan.hooks.items():
        changed = json_edit.append_item(changed, place, dict(item), path)
    data = changed.encode()
    record.remember_change(path, before, data)
    record.write_settings(path, data, new_mode=0o644 if inside else 0o600)
    written = record.read_settings(path)
    if written != data or _standing(decode(written, path), plan, path) != _wanted(plan):
        raise ConfigError("the hooks do not stand there as written", file=path, hint="run `askfirst init` again")
    return Change(path, "written", record.backup_of(path))


def uninstall(plan: Plan, path: str) -> Change:
    present = record.read_settings(path)
    if present is None:
        record.forget(path)
        return Change(path, "not there")
    text = decode(present, path)
    cleaned = _without_ours(text, plan, path)
    if cleaned != text and json_edit.parse(cleaned, path).value == dict(plan.seed):
        # Nothing is left but what a file of hooks must begin with.
        known = record.recall(path)
        if known is not None and not known[0].existed:
            os.unlink(path)
            record.remove_empty(known[0].made_dirs)
            record.forget(path)
            return Change(path, "removed")
    return put_back(path, present, cleaned.encode() if cleaned != text else present)


def refuse_leading_out(path: str, inside: str) -> None:
    directory = os.path.dirname(path)
    if inside and os.path.realpath(directory) != os.path.join(
        os.path.realpath(inside), os.path.relpath(directory, inside)
    ):
        raise ConfigError(
            f"leads to {os.path.realpath(directory)}",
            file=directory,
            hint="a symlink here is refused; nothing was changed",
        )


def _without_ours(text: str, plan: Plan, path: str) -> str:
    for place in plan.hooks:
        text = json_edit.remove_items(text, place, lambda item: is_ours(item, plan.agent), path)
    return text


def _standing(text: str, plan: Plan, path: str) -> list[tuple[tuple[str, ...], Any]]:
    value = json_edit.parse(text, path).value
    return [(place, item) for place in plan.hooks for item in _at(value, place) if is_ours(item, plan.agent)]


def _wanted(plan: Plan) -> list[tuple[tuple[str, ...], Any]]:
    return [(place, dict(item)) for place, item in plan.hooks.items()]


def _at(value: Any, place: tuple[str, ...]) -> list[Any]:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


# Looking


def look(plan: Plan, path: str) -> Found:
    from askfirst import jsontext

    try:
        with open(path, "rb") as file:
            data = file.read(record.MAX_SETTINGS_BYTES)
        settings = jsontext.loads(data) if data.strip() else {}
    except FileNotFoundError:
        return Found(path)
    except OSError as error:
        return Found(path, exists=True, broken=f"cannot be read: {error.strerror}")
    except ValueError as error:
        return Found(path, exists=True, broken=f"not plain JSON: {error}")
    if not isinstance(settings, dict):
        return Found(path, exists=True, broken="not a JSON object")
    standing = {place: [i for i in _at(settings, place) if is_ours(i, plan.agent)] for place in plan.hooks}
    if not any(standing.values()):
        return Found(path, exists=True, settings=settings)
    weak: list[str] = []
    for place, items in standing.items():
        if not items:
            weak.append(f"`{'.'.join(place)}` has no hook of the gate's")
        elif not any(_as_strong(item, plan.hooks[place]) for item in items):
            weak.append(f"the hook in `{'.'.join(place)}` is not the one that `askfirst init` writes")
    return Found(path, exists=True, registered=True, weak=tuple(weak), settings=settings)


def _as_strong(item: Any, wanted: Any) -> bool:
    """The same but for the interpreter's path and words for people: matcher, timeout, what happens on a failure."""
    if isinstance(wanted, dict):
        loose = ("statusMessage", "name", "description")
        return (
            isinstance(item, dict)
            and all(
                _is_closed(item.get(k)) if k in ("command", "bash") else _as_strong(item.get(k), v)
                for k, v in wanted.items()
                if k not in loose
            )
            and not (item.keys() - wanted.keys() - set(loose))
        )
    if isinstance(wanted, list):
        return isinstance(item, list) and len(item) == len(wanted) and all(map(_as_strong, item, wanted))
    return bool(item == wanted)


def _is_closed(command: Any) -> bool:
    return isinstance(command, str) and command.endswith(LAST_WORD)


def commands_in(found: Found, plan: Plan) -> list[str]:
    """The distinct command lines that stand there, as the agent would run them."""
    lines: list[str] = []
    for place in plan.hooks:
        for item in _at(found.settings, place):
            for hook in item.get("hooks", [item]) if isinstance(item, dict) else ():
                if is_ours(hook, plan.agent):
                    lines.append(str(hook.get("command", hook.get("bash"))))
    return list(dict.fromkeys(lines))


class HookFile:
    """What every installer (agents.py) whose hooks stand in such a file does alike; its module brings the plan and the path."""

    def __init__(self, plan: Callable[[], Plan], path: Callable[[str, str], str]) -> None:
        self._plan, self._path = plan, path

    def gate_command(self) -> str:
        return gate_command(self._plan().agent)

    def install(self, scope: str, project: str) -> Change:
        return install(self._plan(), self._path(scope, project), inside="" if scope == "user" else project)

    def uninstall(self, scope: str, project: str) -> Change:
        return uninstall(self._plan(), self._path(scope, project))

    def uninstall_mcp(self, scope: str, project: str) -> tuple[Change, ...]:
        """Nothing: the person registered the server with the agent's own command (`mcp_line`)."""
        return ()

    def look(self, scope: str, project: str) -> Found:
        return look(self._plan(), self._path(scope, project))

    def registered_commands(self, scope: str, project: str) -> list[str]:
        return commands_in(self.look(scope, project), self._plan())
