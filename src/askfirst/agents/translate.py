"""From another agent's tools to askfirst's: a table a row of which says what a tool is called here and which key is which.

A key that no row knows might change what the tool does, so such a call keeps its own name: askfirst has no model of it, and asks.
"""

from __future__ import annotations

import os

from askfirst._record import Record
from askfirst.agents.event import BEFORE_TOOL, Event
from askfirst.errors import HookInputError
from askfirst.knowledge.tools import FOREIGN, PASSING, RUNNERS, WRITERS
from askfirst.model import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

CWD = "cwd"  # as a key of askfirst's: where the command would run
TAKEN = PASSING | RUNNERS | WRITERS | FOREIGN | {"Skill"}
PASS = "Read"  # what runs nothing and writes nothing goes by this name


class Row(Record):
    """One tool: its name here, their keys -> ours, and keys that say nothing about what happens."""

    tool: str
    keys: Mapping[str, str] = {}
    ignored: frozenset[str] = frozenset()


class Call(Record):
    tool: str
    input: Mapping[str, Any]
    cwd: str


def row(tool: str, keys: str, ignored: str = "") -> Row:
    """`row("Edit", "path=file_path old_str=old_string")`"""
    return Row(tool, dict(pair.split("=") for pair in keys.split()), frozenset(ignored.split()))


def passing(names: str) -> dict[str, Row]:
    return {name: Row(PASS) for name in names.split()}


def translated(agent: str, rows: Mapping[str, Row], name: str, given: Mapping[str, Any], cwd: str) -> Call:
    known = rows.get(name)
    if known is None:
        # A tool of somebody else's may be called like one of ours: it is not ours.
        return Call(f"{agent}:{name}" if name in TAKEN else name, given, cwd)
    if known.tool == PASS:
        return Call(PASS, {}, cwd)
    there = {key: value for key, value in given.items() if value is not None and key not in known.ignored}
    if not there.keys() <= known.keys.keys():
        return Call(f"{agent}:{name}" if name in TAKEN else name, given, cwd)
    ours = {known.keys[key]: value for key, value in there.items()}
    if len(ours) != len(there):
        raise HookInputError(f"hook input: {name}: two keys say the same thing")
    where = ours.pop(CWD, "")
    if not isinstance(where, str) or "\0" in where:
        raise HookInputError(f"hook input: {name}: the directory is not a text")
    return Call(known.tool, ours, os.path.normpath(os.path.join(cwd, where)) if where else cwd)


def given_back(
    rows: Mapping[str, Row], name: str, given: Mapping[str, Any], updated: Mapping[str, Any]
) -> dict[str, Any]:
    """The tool's input in the agent's own keys, after a person merged its content with what is in the file."""
    theirs = {ours: key for key, ours in rows[name].keys.items() if key in given}
    return {**given, **{theirs[key]: value for key, value in updated.items() if key in theirs}}


# Reading


def text(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise HookInputError(f"hook input: `{key}` is missing or not a text")
    return value


def directory(data: Mapping[str, Any], key: str) -> str:
    path = text(data, key)
    if not path.startswith("/"):
        raise HookInputError(f"hook input: `{key}` is not an absolute path")
    return path


def members(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise HookInputError(f"hook input: `{key}` is not an object")
    return value


def first_directory(paths: Any, key: str) -> str:
    """The first of a list of directories, as editors send their workspace."""
    found: Iterable[Any] = paths if isinstance(paths, list) else ()
    first = next(iter(found), None)
    if not isinstance(first, str) or not first.startswith("/"):
        raise HookInputError(f"hook input: `{key}` names no directory")
    return first


def before_tool(
    agent: str,
    call: Call,
    data: Mapping[str, Any],
    *,
    session: str,
    project: str,
    ident: str = "",
    mode: str = "default",
) -> Event:
    """The one event that other agents have: a tool is about to be used."""
    request = Request(
        agent=agent,
        session=session,
        cwd=call.cwd,
        project=project,
        tool=call.tool,
        input=call.input,
        tool_use_id=ident,
        mode=mode,
    )
    return Event(BEFORE_TOOL, session, project, request, data)
