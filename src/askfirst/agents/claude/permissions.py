"""Claude Code's own rules about a command: whether its settings deny it, ask for it, change it or run it in a sandbox.

A hook that changes a command walks around them: `permissions.deny: ["Bash(touch:*)"]` refuses `touch x` even where a
hook allows it, and lets the line that starts a box pass, whatever runs in there. So what these rules may mean is never
contained. They are read here more widely than the client reads them: a rule counts wherever its text may fit, and
rules that cannot be read count for everything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askfirst.agents.claude.environment import read
from askfirst.agents.claude.settings import (
    PLUGIN,
    SCOPES,
    config_dir,
    entries_of,
    is_our_command,
    managed_files,
    parsed,
    settings_path,
)
from askfirst.redact import redact
from askfirst.text import one_line

__all__ = ["about", "arguments_of", "in_settings", "speaks_of"]

RUNNERS = ("Bash", "Monitor")
FILES = ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep")
_RULE = re.compile(r"(?P<tool>[\w*-]+)(?:\((?P<content>.*)\))?\s*", re.DOTALL)
_FLAGS = ("--disallowedTools", "--disallowed-tools")


def about(texts: Iterable[str], project: str, client: int | None) -> str:
    """Why a command is left to the client; "" when none of its rules speaks of it. `texts`: the command as written, and
    its parts without quotes. `client`: the client's process, 0 when that is not known; None when no client runs."""
    found = tuple(texts)
    try:
        for path, settings in _every(project, client):
            why = in_settings(settings, found)
            if why:
                return f"{why} ({path})"
    except (OSError, ValueError) as error:
        return f"Claude Code's own rules cannot be read: {error}"
    return ""


def in_settings(settings: Mapping[str, Any], texts: tuple[str, ...]) -> str:
    sandbox = settings.get("sandbox")
    if isinstance(sandbox, dict) and sandbox.get("enabled") is True:
        return "Claude Code's own sandbox is on"
    other = _other_hook(settings) or _other_plugin(settings)
    if other:
        return f"{other} may change the command too, and the last to answer wins"
    permissions = settings.get("permissions", {})
    if not isinstance(permissions, dict):
        raise ValueError("`permissions` is not an object")
    for kind in ("deny", "ask"):
        rules = permissions.get(kind, [])
        if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
            raise ValueError(f"`permissions.{kind}` is not a list of rules")
        rule = next((rule for rule in rules if speaks_of(rule, texts)), "")
        if rule:
            return f"Claude Code's own rule `{kind}: {rule}` speaks of it"
    return ""


def _other_hook(settings: Mapping[str, Any]) -> str:
    """Another hook before commands. (Seen: of two that change a command, the one that answers last decides what runs,
    so it could take a command out of its box.)"""
    for matcher, hook in entries_of(settings, "PreToolUse"):
        if _matches(matcher) and not is_our_command(hook.get("command")):
            return f"the hook `{one_line(redact(str(hook.get('command') or hook.get('type'))), 60)}`"
    return ""


def _matches(matcher: Any) -> bool:
    if matcher in (None, "", "*"):
        return True
    if re.fullmatch(r"[\w\s|,]+", str(matcher)):
        return bool({part.strip() for part in re.split(r"[|,]", str(matcher))} & set(RUNNERS))
    try:
        return any(re.search(str(matcher), runner) for runner in RUNNERS)
    except re.error:
        return True


def _other_plugin(settings: Mapping[str, Any]) -> str:
    enabled = settings.get("enabledPlugins")
    for name, value in enabled.items() if isinstance(enabled, dict) else ():
        if value is False or name.split("@")[0] == PLUGIN:
            continue
        places = _places_of(name)
        if not places or any(_other_hook(_in_file(os.path.join(p, "hooks", "hooks.json"))) for p in places):
            return f"the plugin `{name}`"
    return ""


def _places_of(plugin: str) -> tuple[str, ...]:
    """Where a plugin was put; () where nothing says so."""
    found = _in_file(os.path.join(config_dir(), "plugins", "installed_plugins.json")).get("plugins")
    entry = found.get(plugin) if isinstance(found, dict) else None
    entries = entry if isinstance(entry, list) else [entry]
    return tuple(str(e["installPath"]) for e in entries if isinstance(e, dict) and e.get("installPath"))


def speaks_of(rule: str, texts: tuple[str, ...]) -> bool:
    """Whether a rule of the client's may mean one of these texts."""
    found = _RULE.fullmatch(rule.strip())
    if found is None:
        return True
    tool, content = found["tool"], found["content"]
    if "*" in tool:
        return any(re.fullmatch(tool.replace("*", ".*"), runner) for runner in RUNNERS)
    if tool in RUNNERS:
        return content is None or any(_command_fits(content.strip(), text) for text in texts)
    return tool in FILES and (content is None or any(_path_fits(content.strip(), text) for text in texts))


def _command_fits(content: str, text: str) -> bool:
    """`npm run test:*`, `git * main`, `ls -la`: wherever a word of the text begins."""
    parts = [" ".join(part.split()) for part in content.removesuffix(":*").split("*")]
    pattern = ".*".join(re.escape(part) for part in parts)
    return re.search(rf"(?<![\w.-]){pattern}", " ".join(text.split()), re.IGNORECASE) is not None


def _path_fits(content: str, text: str) -> bool:
    """A rule about files also holds for commands that name them: the longest part without a wildcard tells."""
    parts = re.split(r"[*?\[\]{}]+", content)
    literal = max((part.strip("/").removeprefix("./").removeprefix("~/") for part in parts), key=len)
    return literal.lower() in text.lower()


# --- where rules stand ------------------------------------------------------------------------------------------------


def _every(project: str, client: int | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(place, settings) of every file that the client obeys, and of its own command line."""
    remote = os.path.join(config_dir(), "remote-settings.json")
    for path in (*managed_files(), remote, *(settings_path(scope, project) for scope in SCOPES)):
        yield path, _in_file(path)
    arguments = arguments_of(client) if client is not None else ()
    denied: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--plugin-dir":
            raise ValueError("the client was started with `--plugin-dir`")
        if name == "--settings":
            value = value if equals else next(words, "")
            yield "--settings", _given(value)
        elif name in _FLAGS:
            denied += _tools(value) if equals else _tools(next(words, ""))
    yield "the client's command line", {"permissions": {"deny": denied}}


def _in_file(path: str) -> Mapping[str, Any]:
    try:
        data = read(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    found = parsed(data) if data.strip() else {}
    if not isinstance(found, dict):
        raise ValueError(f"{path}: not a JSON object")
    return found


def _given(value: str) -> Mapping[str, Any]:
    """The value of `--settings`: JSON, or the path of a file."""
    if not value.lstrip().startswith("{"):
        return _in_file(value)
    found = json.loads(value)
    return found if isinstance(found, dict) else {}


def _tools(value: str) -> list[str]:
    """`Bash(git push:*),Write Edit`: a blank or a comma outside of brackets ends a rule."""
    return [part for part in re.split(r"[,\s]+(?![^(]*\))", value) if part]


def arguments_of(client: int) -> tuple[str, ...]:
    """The command line with which the client was started. Raises ValueError where it is not known."""
    if not client:
        raise ValueError("which process the client is, is not known")
    if sys.platform.startswith("linux"):
        with open(f"/proc/{client}/cmdline", "rb") as file:
            return tuple(file.read().decode("utf-8", "replace").split("\0"))
    done = subprocess.run(("/bin/ps", "-o", "args=", "-p", str(client)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError("the client's command line cannot be read")
    return tuple(shlex.split(done.stdout))
