"""What passes between an agent's wire format and the hook, and how the parts of its JSON are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from askfirst import jsontext
from askfirst.errors import HookInputError
from askfirst.model import Request

# The moments a hook may be called at, in Claude Code's words; other agents' words are translated.
BEFORE_TOOL = "PreToolUse"
BEFORE_CHANGE = "before a command that the next moment judges, and that only this one may change"
DIALOG_OPEN = "PermissionRequest"
AFTER_TOOL = "PostToolUse"
AFTER_FAILURE = "PostToolUseFailure"  # a command that ran and ended with an error
SETTINGS_CHANGED = "ConfigChange"
SESSION_STARTS = "SessionStart"
SESSION_ENDS = "SessionEnd"


@dataclass(frozen=True)
class Event:
    """One call of the hook."""

    name: str  # one of the above, or a name this gate has nothing to do with
    session: str
    project: str
    request: Request | None = None  # for the events around a tool call
    data: Mapping[str, Any] = field(default_factory=dict)  # the whole input, as the agent sent it
    restored: bool = False  # the request's input is not what the agent sent: placeholders have their values again


@dataclass(frozen=True)
class Reply:
    """What goes back: exactly this on stdout, and the exit code the agent's contract wants."""

    stdout: bytes
    exit_code: int = 0
    stderr: str = ""


def object_of(raw: bytes) -> dict[str, Any]:
    """The JSON object that an agent sent."""
    try:
        data = jsontext.loads(raw)
    except (ValueError, RecursionError) as error:
        raise HookInputError(f"hook input: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise HookInputError("hook input: not a JSON object")
    return data


def text(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise HookInputError(f"hook input: `{key}` is missing or not a string")
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


def first_directory(data: Mapping[str, Any], key: str) -> str:
    """The first of a list of directories, as editors send their workspace."""
    paths = data.get(key)
    found: Iterable[Any] = paths if isinstance(paths, list) else ()
    first = next(iter(found), None)
    if not isinstance(first, str) or not first.startswith("/"):
        raise HookInputError(f"hook input: `{key}` does not begin with an absolute path")
    return first


def json_reply(value: dict[str, Any]) -> Reply:
    return Reply(jsontext.dumps(value).encode("ascii") + b"\n")
