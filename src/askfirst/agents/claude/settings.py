"""Does the gate stand in Claude Code's settings, and who could switch it off? `doctor` asks, and the hook when settings change."""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst._record import Record
from askfirst.agents.claude import install as claude
from askfirst.agents.claude.environment import tampering_in
from askfirst.knowledge.variables import loads_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MAX_BYTES = 4 << 20


class Scope(Record):
    """One settings file, as it stands now."""

    name: str  # user, project, local, managed
    path: str
    exists: bool = False
    broken: str = ""  # why the client drops it
    registered: bool = False  # a PreToolUse hook of askfirst stands in it
    weak: tuple[str, ...] = ()  # what about that registration lets calls through
    disables_hooks: bool = False
    disables_plugin: bool = False
    managed_only: bool = False  # managed settings that keep other hooks from running
    runs: tuple[str, ...] = ()  # what it makes the client run by itself, with no hook
    loads: tuple[str, ...] = ()  # variables it sets that reach into every command


def scopes(project: str) -> tuple[Scope, ...]:
    found = [look("managed", path) for path in managed_files()]
    return (*found, *(look(name, claude.settings_path(name, project)) for name in claude.SCOPES))


def managed_files() -> tuple[str, ...]:
    files: list[str] = []
    for directory in claude.MANAGED:
        if not os.path.isdir(directory):
            continue
        files.append(os.path.join(directory, "managed-settings.json"))
        more = os.path.join(directory, "managed-settings.d")
        if os.path.isdir(more):
            files += sorted(os.path.join(more, n) for n in os.listdir(more) if n.endswith(".json"))
    return tuple(files)


def look(name: str, path: str) -> Scope:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES)
    except FileNotFoundError:
        return Scope(name, path)
    except OSError as error:
        return Scope(name, path, exists=True, broken=f"cannot be read: {error.strerror}")
    if not data.strip():
        return Scope(name, path, exists=True)
    try:
        settings = jsontext.loads(data)
    except ValueError as error:
        return Scope(name, path, exists=True, broken=f"not valid JSON: {error}")
    if not isinstance(settings, dict):
        return Scope(name, path, exists=True, broken="not a JSON object")
    entries = our_entries(settings, "PreToolUse")
    sound = [e for e in entries if not weaknesses(*e)]
    return Scope(
        name,
        path,
        exists=True,
        registered=bool(entries),
        weak=() if sound else tuple(dict.fromkeys(w for e in entries for w in weaknesses(*e))),
        disables_hooks=settings.get("disableAllHooks") is True,
        disables_plugin=_disables_plugin(settings),
        managed_only=settings.get("allowManagedHooksOnly") is True,
        runs=tuple(_runs(settings)),
        loads=tuple(_loads(settings)),
    )


# Settings whose value is a command line, or has one.
COMMANDS = (
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "proxyAuthHelper",
)
WITH_COMMAND = ("statusLine", "subagentStatusLine", "fileSuggestion")


def _runs(settings: Mapping[str, Any]) -> Iterator[str]:
    for key in COMMANDS:
        if settings.get(key):
            yield f"`{key}` runs `{_short(settings[key])}`"
    for key in WITH_COMMAND:
        value = settings.get(key)
        if isinstance(value, dict) and value.get("command"):
            yield f"`{key}` runs `{_short(value['command'])}`"
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for hook in inner if isinstance(inner, list) else ():
                if isinstance(hook, dict) and hook.get("command") and not claude.is_our_command(hook["command"]):
                    yield f"a hook on {event} runs `{_short(hook['command'])}`"


def _loads(settings: Mapping[str, Any]) -> Iterator[str]:
    """Names that other programs load code by; those that would reach into the gate itself are refused (environment.py)."""
    env = settings.get("env")
    for name in env if isinstance(env, dict) else ():
        if loads_code(name) and not name.startswith("CLAUDE"):
            yield name


def _short(value: Any) -> str:
    from askfirst.redact import redact
    from askfirst.text import one_line

    return one_line(redact(str(value)), 80)


def our_entries(settings: Mapping[str, Any], event: str) -> list[tuple[Any, Mapping[str, Any]]]:
    """(matcher, hook) of every hook of askfirst's for an event."""
    hooks = settings.get("hooks")
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    found: list[tuple[Any, Mapping[str, Any]]] = []
    for group in groups if isinstance(groups, list) else ():
        inner = group.get("hooks") if isinstance(group, dict) else None
        for hook in inner if isinstance(inner, list) else ():
            if isinstance(hook, dict) and claude.is_our_command(hook.get("command")):
                found.append((group.get("matcher", "*"), hook))
    return found


def weaknesses(matcher: Any, hook: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with one registered PreToolUse hook; each of these was seen to let a call run."""
    found = []
    timeout = hook.get("timeout")
    if matcher not in ("*", "", ".*"):
        found.append(f"its matcher `{matcher}` leaves tools out")
    if hook.get("type") != "command":
        found.append("it is not a command hook")
    if not str(hook.get("command")).endswith("|| exit 2"):
        found.append("without `|| exit 2` a crash of the gate lets the call run")
    if hook.get("onFailure") != "block":
        found.append('without `"onFailure": "block"` a timeout lets the call run')
    if hook.get("async"):
        found.append("an async hook decides nothing")
    if not isinstance(timeout, (int, float)) or isinstance(timeout, bool) or timeout < claude.MIN_TIMEOUT_S:
        found.append(f"its timeout is not above the longest approval ({claude.MIN_TIMEOUT_S} s)")
    if hook.get("if"):
        found.append("its `if` leaves calls out")
    return tuple(found)


def _disables_plugin(settings: Mapping[str, Any]) -> bool:
    plugins = settings.get("enabledPlugins")
    return isinstance(plugins, dict) and any(
        k.split("@")[0] == claude.PLUGIN and v is False for k, v in plugins.items()
    )


def switches_off(changed: str, project: str, *, plugin: bool, flag_settings: bool) -> str:
    """Why the change of one settings file must not come into force; "" when the gate stands after it.

    `plugin`: this hook came with the plugin. `flag_settings`: it may have come with `--settings`, which no file shows.
    """
    scope = look("changed", changed)
    if scope.broken:
        return f"{changed}: {scope.broken}; the client would drop the whole file, and the gate with it"
    if scope.disables_hooks:
        return f"{changed}: `disableAllHooks` would switch the gate off"
    tampering = tampering_in(changed)
    if tampering:
        return f"{changed}: {tampering}"
    if plugin:
        return f"{changed}: `enabledPlugins` would switch the gate off" if scope.disables_plugin else ""
    standing = scopes(project)
    if flag_settings or any(s.registered and not s.weak for s in standing):
        return ""
    if scope.weak:
        return f"{changed}: the gate would be weakened: {scope.weak[0]}"
    # Registered elsewhere, weakly, and not by this change: doctor names it; the person's other settings are not held up for it.
    return "" if any(s.registered for s in standing) else f"{changed}: the gate's hook would be gone"
