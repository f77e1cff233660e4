"""Rules that other agents keep about commands in their own settings. A hook that changes a command walks around them,
so a command is contained only where there are none: they are looked for here, and not interpreted. Where an agent keeps
them stands in its wire."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from askfirst import jsontext

__all__ = ["SANDBOX_KEYS", "OwnRules", "setting", "why_left"]


@dataclass(frozen=True)
class OwnRules:
    """Where an agent keeps rules about commands: keys of JSON files, folders of rule files, variables, and options of
    its command line."""

    files: tuple[str, ...] = ()  # `~` is the home, a path without `/` in front lies in the project
    keys: tuple[str, ...] = ()  # `tools.exclude`
    folders: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


# What agents of one family call it when they restrict or contain commands themselves.
SANDBOX_KEYS = ("tools.sandbox", "sandbox", "tools.exclude", "tools.core", "excludeTools", "coreTools")


def why_left(rules: OwnRules, project: str, environ: Mapping[str, str]) -> str:
    """Why commands of an agent are not contained; "" where it keeps no rules of its own about them."""
    named = next((name for name in rules.variables if environ.get(name)), "")
    if named:
        return f"the agent has rules of its own (`{named}`)"
    found = next((f for f in rules.folders if _has_files(_placed(f, project))), "")
    if found:
        return f"the agent has rules of its own ({found})"
    option = next((o for o in _options_above() if o in rules.options), "")
    if option:
        return f"the agent was started with `{option}`"
    return next((why for f in rules.files if (why := _in_file(_placed(f, project), rules.keys))), "")


def _placed(path: str, project: str) -> str:
    return os.path.join(project, os.path.expanduser(path))


# Some clients write such settings themselves, and read them.
_COMMENTS = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def _has_files(folder: str) -> bool:
    try:
        return bool(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _in_file(path: str, keys: tuple[str, ...]) -> str:
    try:
        settings = _settings(path)
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError):
        return f"the agent's own rules cannot be read ({path})"
    found = next((key for key in keys if _at(settings, key)), "")
    return f"the agent has rules of its own (`{found}` in {path})" if found else ""


def _settings(path: str) -> Any:
    return jsontext.loads(_COMMENTS.sub(r"\1", _read(path).decode()))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def setting(path: str, key: str) -> Any:
    """What a file of settings in the home says; None for nothing, and where it cannot be read."""
    try:
        return _at(_settings(os.path.expanduser(path)), key)
    except (OSError, ValueError):
        return None


def _at(settings: Any, key: str) -> Any:
    for part in key.split("."):
        settings = settings.get(part) if isinstance(settings, dict) else None
    return settings


def _options_above() -> tuple[str, ...]:
    """The options of every process above this one, one of which is the agent. Where they cannot be seen, none: such an
    agent's options are documented as a limit."""
    found: list[str] = []
    pid = os.getppid()
    try:
        while pid > 1:
            words = _read(f"/proc/{pid}/cmdline").decode("utf-8", "replace").split("\0")
            found += [word.partition("=")[0] for word in words if word.startswith("-")]
            pid = int(_read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return tuple(found)
    return tuple(found)
