"""Claude Code's settings files: where they are, whether the gate stands in them, and who could switch it off.

`doctor` asks, and the hook does when a session starts or settings change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from askfirst import jsontext
from askfirst.agents.claude import accepts
from askfirst.agents.claude.environment import closes, decoded, read, tampering_in
from askfirst.agents.registered import NOT_OURS, is_known
from askfirst.agents.wire import MIN_TIMEOUT_S
from askfirst.knowledge.variables import is_obeyed
from askfirst.redact import redact
from askfirst.text import one_line

SCOPES = ("user", "project", "local")
MANAGED_DIRS = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
PLUGIN = "askfirst"
HOOKS_OFF = "`disableAllHooks` turns every hook off, this gate too"
PLUGIN_OFF = "`enabledPlugins` turns the askfirst plugin off"
IGNORED = "Claude Code ignores the whole file, hooks included, without a word"
CLOSES = " || exit 2"
PLUGIN_LINE = 'sh "${CLAUDE_PLUGIN_ROOT}/scripts/askfirst-hook.sh" hook'
OUR_ENDINGS = (
    "/askfirst/launch.py hook",
    "/askfirst/launch.py' hook",
    "askfirst hook",
    '/askfirst-hook.sh"',
    '/askfirst-hook.sh" hook',
)


def config_dir() -> str:
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def settings_path(scope: str, project: str) -> str:
    if scope == "user":
        return os.path.join(config_dir(), "settings.json")
    return os.path.join(project, ".claude", "settings.json" if scope == "project" else "settings.local.json")


def is_our_command(command: Any) -> bool:
    """A command line of `init`, of the plugin or of the example of managed settings, whatever interpreter it names."""
    return isinstance(command, str) and command.removesuffix("|| exit 2").rstrip().endswith(OUR_ENDINGS)


def is_exactly_ours(command: Any) -> bool:
    """A line that runs askfirst and nothing else; one that only ends like ours may have come with a repository."""
    line = str(command).removesuffix(CLOSES)
    return line == PLUGIN_LINE or is_known(line, "claude", "claude")


@dataclass(frozen=True)
class SettingsFile:
    """One settings file, as it stands now."""

    scope: str  # user, project, local, managed
    path: str
    exists: bool = False
    broken: str = ""  # why the client drops it
    registered: bool = False  # a PreToolUse hook of askfirst stands in it
    weak: tuple[str, ...] = ()  # what about that registration lets calls through
    commands: tuple[str, ...] = ()  # the command lines of those hooks
    lines: tuple[str, ...] = ()  # the command lines of every hook
    disables_hooks: bool = False
    disables_plugin: bool = False
    managed_only: bool = False  # managed settings that keep other hooks from running
    brings_plugins: bool = False  # it turns plugins on, or names where they come from
    runs: tuple[str, ...] = ()  # what it makes the client run by itself, with no hook
    loads: tuple[str, ...] = ()  # variables it sets that programs obey, without loading code by them


def settings_files(project: str) -> tuple[SettingsFile, ...]:
    found = [look("managed", path) for path in managed_files()]
    return (*found, *(look(scope, settings_path(scope, project)) for scope in SCOPES))


def managed_files() -> tuple[str, ...]:
    files: list[str] = []
    for directory in MANAGED_DIRS:
        if not os.path.isdir(directory):
            continue
        files.append(os.path.join(directory, "managed-settings.json"))
        more = os.path.join(directory, "managed-settings.d")
        if os.path.isdir(more):
            files += sorted(os.path.join(more, n) for n in os.listdir(more) if n.endswith(".json"))
    return tuple(files)


def look(scope: str, path: str) -> SettingsFile:
    try:
        data = read(path)
    except (FileNotFoundError, NotADirectoryError):
        return SettingsFile(scope, path)
    except OSError as error:
        return SettingsFile(scope, path, exists=True, broken=f"cannot be read: {error.strerror}")
    if not data.strip():
        return SettingsFile(scope, path, exists=True)
    try:
        settings = parsed(data)
    except ValueError as error:
        # Whether the gate stands in it cannot be told; somebody wanted it there, if it is named.
        return SettingsFile(scope, path, exists=True, broken=str(error), registered=b"askfirst" in data)
    if not isinstance(settings, dict):
        return SettingsFile(scope, path, exists=True, broken="not a JSON object")
    entries = our_entries(settings, "PreToolUse")
    sound = [e for e in entries if not weaknesses(*e)]
    return SettingsFile(
        scope,
        path,
        exists=True,
        broken=accepts.why_dropped(settings),
        registered=bool(entries),
        weak=() if sound else tuple(dict.fromkeys(w for e in entries for w in weaknesses(*e))),
        commands=tuple(dict.fromkeys(str(hook["command"]) for _, hook in entries)),
        lines=tuple(dict.fromkeys(_lines(settings))),
        disables_hooks=settings.get("disableAllHooks") is True,
        disables_plugin=_disables_plugin(settings),
        managed_only=settings.get("allowManagedHooksOnly") is True,
        brings_plugins=_brings_plugins(settings),
        runs=tuple(_runs(settings)),
        loads=tuple(_loads(settings)),
    )


def parsed(data: bytes) -> Any:
    """The value of a settings file. Raises ValueError where the client would not read it."""
    if len(data) > accepts.MAX_BYTES:
        raise ValueError("larger than 2 MiB")
    try:
        text = decoded(data)
    except ValueError:
        raise ValueError("not in an encoding that Claude Code reads (UTF-8, or UTF-16 with a mark)") from None
    try:
        return jsontext.loads(text)
    except ValueError as error:
        raise ValueError(f"not valid JSON: {error}") from None


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
    for event in hooks if isinstance(hooks, dict) else ():
        for _, hook in entries_of(settings, event):
            if hook.get("type") != "command":
                yield f"a hook on {event} of the type `{_short(hook.get('type'))}`"
            elif hook.get("command") and not is_exactly_ours(hook["command"]):
                yield f"a hook on {event} runs `{_short(hook['command'])}`"


def _loads(settings: Mapping[str, Any]) -> Iterator[str]:
    """Variables that programs obey in other ways. (Those by which they load code are refused: environment.py.)"""
    env = settings.get("env")
    for name, value in env.items() if isinstance(env, dict) else ():
        if is_obeyed(name) and not name.startswith("CLAUDE") and not closes(name, value):
            yield name


def _lines(settings: Mapping[str, Any]) -> Iterator[str]:
    hooks = settings.get("hooks")
    for event in hooks if isinstance(hooks, dict) else ():
        yield from (str(hook.get("command")) for _, hook in entries_of(settings, event))


def _short(value: Any) -> str:
    return one_line(redact(str(value)), 80)


def our_entries(settings: Mapping[str, Any], event: str) -> list[tuple[Any, Mapping[str, Any]]]:
    """(matcher, hook) of every hook of askfirst's for an event."""
    return [(matcher, hook) for matcher, hook in entries_of(settings, event) if is_our_command(hook.get("command"))]


def entries_of(settings: Mapping[str, Any], event: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """(matcher, hook) of every hook for an event."""
    hooks = settings.get("hooks")
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    for group in groups if isinstance(groups, list) else ():
        inner = group.get("hooks") if isinstance(group, dict) else None
        for hook in inner if isinstance(inner, list) else ():
            if isinstance(hook, dict):
                yield group.get("matcher", "*"), hook


def weaknesses(matcher: Any, hook: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with one registered PreToolUse hook; each of these was seen to let a call run."""
    found = []
    timeout = hook.get("timeout")
    if matcher not in ("*", "", ".*"):
        found.append(f"its matcher `{matcher}` does not match every tool")
    if hook.get("type") != "command":
        found.append("it is not a command hook")
    command = str(hook.get("command"))
    if not command.endswith(CLOSES):
        found.append("without `|| exit 2` a crash of the gate lets the call run")
    if not is_exactly_ours(command):
        found.append(NOT_OURS)
    if hook.get("onFailure") != "block":
        found.append('without `"onFailure": "block"` a timeout lets the call run')
    if hook.get("async"):
        found.append("it is async, so it decides nothing")
    if not isinstance(timeout, (int, float)) or isinstance(timeout, bool) or timeout < MIN_TIMEOUT_S:
        found.append(f"its timeout is shorter than the longest approval ({MIN_TIMEOUT_S} s)")
    if hook.get("if"):
        found.append("its `if` does not match every call")
    return tuple(found)


def _brings_plugins(settings: Mapping[str, Any]) -> bool:
    plugins = settings.get("enabledPlugins")
    turned_on = isinstance(plugins, dict) and any(value is not False for value in plugins.values())
    return turned_on or bool(settings.get("extraKnownMarketplaces") or settings.get("additionalMarketplaces"))


def _disables_plugin(settings: Mapping[str, Any]) -> bool:
    plugins = settings.get("enabledPlugins")
    return isinstance(plugins, dict) and any(k.split("@")[0] == PLUGIN and v is False for k, v in plugins.items())


def switches_off(changed: str, project: str, *, plugin: bool, flag_settings: bool) -> str:
    """Why the change of one settings file must not take effect; "" when the gate stands after it.

    `plugin`: this hook came with the plugin. `flag_settings`: it may have come with `--settings`, which no file shows.
    """
    file = look("changed", changed)
    if file.broken:
        return f"{changed}: {file.broken}; Claude Code would ignore the whole file, and the gate with it"
    if file.disables_hooks:
        return f"{changed}: `disableAllHooks` would turn the gate off"
    tampering = tampering_in(changed)
    if tampering:
        return f"{changed}: {tampering}"
    if plugin:
        return f"{changed}: `enabledPlugins` would turn the gate off" if file.disables_plugin else ""
    standing = settings_files(project)
    if flag_settings or any(s.registered and not s.weak and not s.broken for s in standing):
        return ""
    if file.weak:
        return f"{changed}: the gate would be weakened: {file.weak[0]}"
    # Registered elsewhere, weakly, and not by this change: doctor names it; the person's other settings are not held
    # up for it.
    return "" if any(s.registered for s in standing) else f"{changed}: the gate's hook would be removed"


def started_with_settings(client: int) -> bool:
    """Was the client started with `--settings`? A registration there stands in no file that could be looked at."""
    if not client:
        return False
    try:
        with open(f"/proc/{client}/cmdline", "rb") as file:
            return any(word.split(b"=")[0] == b"--settings" for word in file.read().split(b"\0"))
    except OSError:
        return False


def session_troubles(project: str) -> tuple[str, ...]:
    """What in the settings switches the gate off, for the person at the start of a session."""
    found = []
    for file in settings_files(project):
        if file.disables_hooks:
            found.append(f"{file.path}: {HOOKS_OFF}")
        if file.disables_plugin:
            found.append(f"{file.path}: {PLUGIN_OFF}")
        if file.broken and file.scope != "managed":
            found.append(f"{file.path}: {file.broken}; {IGNORED}")
    return tuple(found)
