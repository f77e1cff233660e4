"""What `askfirst doctor` says of Claude Code: who can turn the gate off, and what runs with no hook."""

from __future__ import annotations

import os
from collections.abc import Iterator

from askfirst import jsontext
from askfirst.agents import wire_of
from askfirst.agents.claude import mcp, settings
from askfirst.agents.claude.client import OLDEST_GOOD, PROGRAM, shown, version_of
from askfirst.agents.claude.environment import tampering_in
from askfirst.agents.claude.settings import SettingsFile
from askfirst.agents.claude.skills import parse_skill
from askfirst.agents.claude.skills import plugin_dirs as dirs_of_plugin
from askfirst.agents.registered import PORTABLE
from askfirst.install.check import FAIL, NOTE, OK, WARN, Check
from askfirst.install.probe import probe

NO_HOOK = "Claude Code calls no hook for that"
MANAGED_EXAMPLE = "examples/managed-settings.json"
MAX_SKILL_CHARACTERS = 1 << 20


def client() -> Iterator[Check]:
    found = version_of(PROGRAM)
    if found is None:
        yield Check(NOTE, "client", f"the `{PROGRAM}` program is not on the PATH; its version is unknown")
        return
    path, version = found
    if version >= OLDEST_GOOD:
        yield Check(OK, "client", f"{path} is {shown(version)}")
        return
    yield Check(
        WARN,
        "client",
        f"{path} is {shown(version)}, which ignores `onFailure`: a hook that times out lets the call run",
        f"update it to {shown(OLDEST_GOOD)} or newer (npm on Node 20 installs an old one; use Node 22)",
    )


def plugin_dirs() -> list[str]:
    """Where askfirst's plugin is installed."""
    return list(dict.fromkeys(dirs_of_plugin(settings.config_dir(), settings.PLUGIN)))


def plugin(project: str) -> Iterator[Check]:
    """The plugin's own command, tried as the client runs it, where it is the one that came with askfirst."""
    for path in plugin_dirs():
        problem = _plugin_problem(path, project)
        if problem:
            yield Check(FAIL, "plugin", f"{path}: {problem}", "install the plugin of this version of askfirst again")
        else:
            yield Check(OK, "plugin", f"{path}: the plugin is installed, and its command answers")


def _plugin_problem(path: str, project: str) -> str:
    try:
        with open(os.path.join(path, "hooks", "hooks.json"), "rb") as file:
            commands = [
                str(hook.get("command")) for _, hook in settings.our_entries(jsontext.loads(file.read()), "PreToolUse")
            ]
        with open(os.path.join(path, "scripts", "askfirst-hook.sh"), encoding="utf-8") as file:
            script = file.read()
        with open(PORTABLE, encoding="utf-8") as file:
            shipped = file.read()
    except (OSError, ValueError) as error:
        return f"it cannot be read: {error}"
    if commands != [settings.PLUGIN_LINE + settings.CLOSES] or script != shipped:
        return "it is not the plugin of this version of askfirst, so its command was not tried"
    problem = probe(wire_of("claude"), commands[0], project, {"CLAUDE_PLUGIN_ROOT": path})
    return f"its command does not answer: {problem}" if problem else ""


def managed_only(files: tuple[SettingsFile, ...]) -> Iterator[Check]:
    only = next((file for file in files if file.managed_only), None)
    if only is not None and not any(file.registered for file in files if file.scope == "managed"):
        yield Check(
            FAIL,
            "switched off",
            f"{only.path}: `allowManagedHooksOnly` keeps the gate's hooks from running",
            f"register the gate in the managed settings ({MANAGED_EXAMPLE})",
        )


def switched_off(files: tuple[SettingsFile, ...]) -> Iterator[Check]:
    """Who can disable the gate, and whether somebody has."""
    managed = any(file.registered for file in files if file.scope == "managed")
    for file in files:
        if file.disables_hooks and not (managed and file.scope != "managed"):
            yield Check(
                FAIL,
                "switched off",
                f"{file.path}: {settings.HOOKS_OFF}",
                "remove it, or start with: claude --settings '{\"disableAllHooks\":false}' "
                "(managed settings are not affected)",
            )
        if file.disables_plugin:
            yield Check(
                FAIL,
                "switched off",
                f"{file.path}: {settings.PLUGIN_OFF}",
                "remove that line, or use `askfirst init --user`",
            )
    if os.environ.get("CLAUDE_CODE_SIMPLE") and not managed:
        text = "CLAUDE_CODE_SIMPLE is set, so Claude Code runs without hooks"
        yield Check(FAIL, "switched off", text, "unset CLAUDE_CODE_SIMPLE")
    if managed:
        text = "managed settings register the gate: no repository, flag or user setting turns it off"
        yield Check(OK, "switched off", text)
        return
    yield Check(
        NOTE,
        "switched off",
        "a repository's `disableAllHooks`, `claude --bare`, `--safe-mode` or `--setting-sources`, and "
        "CLAUDE_CODE_SIMPLE start a session without the gate",
        f"only managed settings prevent that: {MANAGED_EXAMPLE} in /etc/claude-code/managed-settings.json",
    )


def unseen(files: tuple[SettingsFile, ...]) -> Iterator[Check]:
    """What the project's settings make the client run or load by itself. The client calls no hook for any of it."""
    for file in files:
        if file.scope not in ("project", "local"):
            continue
        why = tampering_in(file.path)
        if why:
            yield Check(
                FAIL,
                "settings",
                f"{file.path}: {why}; the gate denies everything here",
                "remove it; your own variables belong in ~/.claude/settings.json",
            )
        for what in file.runs:
            yield Check(
                WARN,
                "runs unseen",
                f"{file.path}: {what}: {NO_HOOK}",
                "look at it: it runs in every session, or before every answer",
            )
        if file.loads and not why:
            yield Check(
                WARN,
                "runs unseen",
                f"{file.path}: `env` sets {', '.join(file.loads)} for every command",
                "look at it: programs obey these variables",
            )


def servers(project: str) -> Iterator[Check]:
    """The MCP servers of the repository: the client starts them, and in a headless run without asking."""
    for name, entry in mcp.servers(project).items():
        if mcp.is_ours(entry, project):
            yield _own_server(name)
        elif name == mcp.SERVER:
            yield Check(
                FAIL,
                "mcp",
                f".mcp.json: a server is called askfirst and is not askfirst's: `{mcp.words_of(entry)}`",
                "look at it, remove it, and run `askfirst init --mcp`",
            )
        else:
            yield Check(
                WARN,
                "runs unseen",
                f".mcp.json: the server `{name}` is started as `{mcp.words_of(entry)}`: {NO_HOOK}",
                "look at it; the gate asks about each tool that it offers the agent",
            )


def _own_server(name: str) -> Check:
    missing = mcp.missing()
    if not missing:
        return Check(OK, "mcp", f".mcp.json: askfirst's own server, as `{name}`")
    text = f".mcp.json: askfirst's server cannot start, because `{missing}` is missing"
    return Check(WARN, "mcp", text, "pip install 'askfirst[mcp]'")


def slash_commands(project: str) -> Iterator[Check]:
    """Files whose `!` blocks run with no hook when a person types the command."""
    for file in _command_files(project):
        try:
            with open(file, encoding="utf-8", errors="replace") as handle:
                commands, _ = parse_skill(handle.read(MAX_SKILL_CHARACTERS), "")
        except OSError:
            continue
        if commands:
            yield Check(
                WARN,
                "slash command",
                f"{file}: runs `{commands[0][:60]}` when a person types it: {NO_HOOK}",
                "look at it before you type it; when the model calls it, the gate judges its blocks",
            )


def _command_files(project: str) -> Iterator[str]:
    for root in (os.path.join(project, ".claude"), settings.config_dir()):
        for kind in ("commands", "skills"):
            for directory, _, names in os.walk(os.path.join(root, kind)):
                yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(".md"))
