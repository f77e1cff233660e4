"""What `askfirst doctor` looks at. Every finding says what was found, and each that is not well says the way out."""

from __future__ import annotations

import os
import stat
import sys
import time

from askfirst._record import Record
from askfirst.agents.claude import install as claude
from askfirst.agents.claude import settings as claude_check
from askfirst.errors import AskfirstError
from askfirst.store import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OK, NOTE, WARN, FAIL = "ok", "note", "warn", "fail"


class Check(Record):
    """One finding."""

    level: str  # ok, note, warn, fail
    name: str
    text: str
    way_out: str = ""


def all_checks(project: str) -> Iterator[Check]:
    from askfirst.install import agent_checks

    scopes = claude_check.scopes(project)
    yield from client(scopes)
    yield from registration(scopes, project)
    yield from agent_checks.other_agents(project)
    yield from switched_off(scopes)
    yield from unseen(scopes)
    yield from servers(project)
    yield from slash_commands(project)
    yield from private_files(project)
    yield from rules(project)
    yield from log()
    yield from approvers()
    yield from tier(scopes)


def client(scopes: tuple[claude_check.Scope, ...]) -> Iterator[Check]:
    from askfirst.agents.claude.client import shown, version_of

    found = version_of("claude")
    if found is None:
        yield Check(NOTE, "client", "the `claude` program is not on the PATH; its version is not known")
        return
    path, version = found
    if version < claude.OLDEST_GOOD:
        yield Check(
            WARN,
            "client",
            f"{path} is {shown(version)}, which ignores `onFailure`: a hook that times out lets the call run",
            f"update the client to {shown(claude.OLDEST_GOOD)} or newer (npm on Node 20 installs an old one; use Node 22)",
        )
    else:
        yield Check(OK, "client", f"{path} is {shown(version)}")


def registration(scopes: tuple[claude_check.Scope, ...], project: str) -> Iterator[Check]:
    from askfirst.install.probe import probe

    plugin = plugin_dirs()
    if not any(s.registered for s in scopes) and not plugin:
        from askfirst.install.agent_checks import registered

        if others := registered(project):
            yield Check(
                NOTE, "hook", f"Claude Code does not have the gate here; {', '.join(others)} has", "askfirst init"
            )
            return
        yield Check(
            FAIL,
            "hook",
            "no settings file of Claude Code registers the gate for this project: nothing is gated",
            "askfirst init",
        )
        return
    for path in plugin:
        yield Check(OK, "hook", f"the plugin is installed: {path}")
    for scope in scopes:
        if scope.broken:
            yield Check(
                FAIL,
                "settings",
                f"{scope.path}: {scope.broken}; the client drops the whole file, hooks included, without a word",
                "mend the file; the client reads it again at once",
            )
        if not scope.registered:
            continue
        for weakness in scope.weak:
            yield Check(
                FAIL,
                "hook",
                f"{scope.path}: {weakness}",
                f"askfirst init --{scope.name}" if scope.name in claude.SCOPES else "mend the file",
            )
        for command in commands_in(scope.path):
            trouble = probe("claude", command, project)
            if trouble:
                yield Check(
                    FAIL,
                    "hook",
                    f"{scope.path}: the registered command does not answer: {trouble}",
                    f"askfirst init --{scope.name}",
                )
            elif not scope.weak:
                yield Check(OK, "hook", f"{scope.path}: registered, and the registered command answers")
    managed_only = next((s for s in scopes if s.managed_only), None)
    if managed_only is not None and not any(s.registered for s in scopes if s.name == "managed"):
        yield Check(
            FAIL,
            "hook",
            f"{managed_only.path}: `allowManagedHooksOnly` keeps the gate's hooks from running",
            "register the gate in the managed settings (examples/managed-settings.json)",
        )


def commands_in(path: str) -> list[str]:
    """The distinct command lines of our PreToolUse hooks in a file."""
    from askfirst import jsontext

    try:
        with open(path, "rb") as file:
            settings = jsontext.loads(file.read(claude_check.MAX_BYTES))
    except (OSError, ValueError):
        return []
    return list(dict.fromkeys(str(hook["command"]) for _, hook in claude_check.our_entries(settings, "PreToolUse")))


def plugin_dirs() -> list[str]:
    from askfirst.agents.claude.skills import _plugin_dirs

    return list(dict.fromkeys(_plugin_dirs(claude.config_dir(), claude.PLUGIN)))


def switched_off(scopes: tuple[claude_check.Scope, ...]) -> Iterator[Check]:
    """Who can disable the gate, and whether somebody has."""
    managed = any(s.registered for s in scopes if s.name == "managed")
    for scope in scopes:
        if scope.disables_hooks and not (managed and scope.name != "managed"):
            yield Check(
                FAIL,
                "switched off",
                f"{scope.path}: `disableAllHooks` switches every hook off, those of the user and of plugins too",
                "remove it, or start with: claude --settings '{\"disableAllHooks\":false}'; managed settings are not affected by it",
            )
        if scope.disables_plugin:
            yield Check(
                FAIL,
                "switched off",
                f"{scope.path}: `enabledPlugins` switches the askfirst plugin off",
                "remove that line, or use `askfirst init --user`",
            )
    for variable in ("CLAUDE_CODE_SIMPLE",):
        if os.environ.get(variable) and not managed:
            yield Check(FAIL, "switched off", f"{variable} is set: the client runs without hooks", f"unset {variable}")
    if managed:
        yield Check(
            OK,
            "switched off",
            "managed settings register the gate: no repository, flag or user setting switches it off",
        )
    else:
        yield Check(
            NOTE,
            "switched off",
            "a repository's `disableAllHooks`, `claude --bare`, `--safe-mode` or `--setting-sources`, and CLAUDE_CODE_SIMPLE start a "
            "session without the gate",
            "only managed settings hold against that: examples/managed-settings.json in /etc/claude-code/managed-settings.json",
        )


def unseen(scopes: tuple[claude_check.Scope, ...]) -> Iterator[Check]:
    """What the project's settings make the client run or load by itself. The client calls no hook for any of it."""
    from askfirst.agents.claude.environment import tampering_in

    for scope in (s for s in scopes if s.name in ("project", "local")):
        why = tampering_in(scope.path)
        if why:
            yield Check(FAIL, "settings", f"{scope.path}: {why}; the gate denies everything here",
                        "take it out; what you want to set yourself belongs into ~/.claude/settings.json")  # fmt: skip
        for what in scope.runs:
            yield Check(WARN, "runs unseen", f"{scope.path}: {what}: the client calls no hook for that",
                        "look at it: it runs with every session, or before every answer")  # fmt: skip
        if scope.loads and not why:
            yield Check(WARN, "runs unseen", f"{scope.path}: `env` sets {', '.join(scope.loads)} for every command",
                        "look at it: programs choose code by these")  # fmt: skip


def servers(project: str) -> Iterator[Check]:
    """The MCP servers of the repository: the client starts them (without asking, where nobody is there to be asked)."""
    from askfirst.agents.claude import mcp as claude_mcp

    for name, entry in claude_mcp.servers(project).items():
        if claude_mcp.is_ours(entry, project):
            lack = claude_mcp.missing()
            if lack:
                yield Check(
                    WARN,
                    "mcp",
                    f".mcp.json: askfirst's server cannot start, `{lack}` is missing",
                    "pip install 'askfirst[mcp]'",
                )
            else:
                yield Check(OK, "mcp", f".mcp.json: askfirst's own server, as `{name}`")
        elif name == claude_mcp.SERVER:
            yield Check(FAIL, "mcp", f".mcp.json: a server calls itself askfirst and is not: `{claude_mcp.words_of(entry)}`",
                        "look at it, remove it, and run `askfirst init --mcp`")  # fmt: skip
        else:
            yield Check(WARN, "runs unseen", f".mcp.json: the server `{name}` is started as `{claude_mcp.words_of(entry)}`: "
                        "the client calls no hook for that", "look at it; what it offers the agent is asked for, tool by tool")  # fmt: skip


def slash_commands(project: str) -> Iterator[Check]:
    """Files whose `!` blocks run with no hook when a person types the command."""
    from askfirst.agents.claude.skills import parse_skill

    for root in (os.path.join(project, ".claude"), claude.config_dir()):
        for kind in ("commands", "skills"):
            for directory, _, names in os.walk(os.path.join(root, kind)):
                for name in sorted(n for n in names if n.endswith(".md")):
                    file = os.path.join(directory, name)
                    try:
                        with open(file, encoding="utf-8", errors="replace") as handle:
                            commands, _ = parse_skill(handle.read(1 << 20), "")
                    except OSError:
                        continue
                    if commands:
                        yield Check(
                            WARN,
                            "slash command",
                            f"{file}: runs `{commands[0][:60]}` when a person types it: the client calls no hook for that",
                            "look at it before you type it; when the model calls it, the gate judges its blocks",
                        )


def private_files(project: str) -> Iterator[Check]:
    try:
        state = paths.private_dir()
        yield Check(OK, "files", f"{state}: yours alone")
    except AskfirstError as error:
        yield Check(FAIL, "files", str(error), f"look at {paths.state_dir()}")
    for path in (claude.LAUNCHER, sys.executable):
        if os.path.realpath(path).startswith(project + os.sep) or path.startswith(project + os.sep):
            yield Check(
                WARN,
                "files",
                f"{path}: lies inside the project, where the agent could change it",
                "install askfirst outside (in a checkout of it: uv tool install . or pipx install .), then `askfirst init` again",
            )
    watched = [claude.LAUNCHER, os.path.dirname(claude.LAUNCHER), *paths.org_files(), paths.project_file(project)]
    watched += [claude.settings_path(s, project) for s in claude.SCOPES]
    for path in watched:
        try:
            found = os.stat(path)
        except OSError:
            continue
        if found.st_mode & stat.S_IWOTH:
            yield Check(FAIL, "files", f"{path}: everybody may write it", f"chmod o-w {path}")
        elif found.st_uid not in (0, os.geteuid()):
            yield Check(
                WARN,
                "files",
                f"{path}: belongs to another user",
                "whoever owns it decides what the gate does; move it or take it over",
            )


def rules(project: str) -> Iterator[Check]:
    from askfirst.approval.limits import timeout_s
    from askfirst.store.layers import load_layers

    try:
        layers = load_layers(project, session="askfirst-doctor", agent="doctor", now=time.time())
    except AskfirstError as error:
        yield Check(FAIL, "rules", str(error), "askfirst check")
        return
    if layers.closed:
        yield Check(FAIL, "rules", f"the gate is closed: {layers.closed}", "askfirst check")
    for note in (*layers.notes, *([layers.untrusted_note] if layers.untrusted_note else [])):
        yield Check(WARN, "rules", note, "askfirst check, askfirst trust")
    if not layers.closed and not layers.notes and not layers.untrusted_note:
        yield Check(
            OK,
            "rules",
            f"organisation: {len(layers.org_block)} blocks, {len(layers.org_allow)} allows; project: {len(layers.project_allow)} allows",
        )
    if timeout_s(layers.settings) + 60 > claude.MIN_TIMEOUT_S:
        yield Check(
            FAIL,
            "timeouts",
            f"an approval may take {timeout_s(layers.settings):.0f} s, the hook {claude.MIN_TIMEOUT_S} s",
            "lower approval_timeout_minutes",
        )
    else:
        yield Check(
            OK,
            "timeouts",
            f"an approval takes at most {timeout_s(layers.settings):.0f} s, the client waits {claude.TIMEOUT_S} s",
        )


def log() -> Iterator[Check]:
    from askfirst import audit

    try:
        number, head = audit.head()
    except (AskfirstError, OSError) as error:
        yield Check(FAIL, "log", str(error), "askfirst audit verify")
        return
    yield Check(OK, "log", f"{number} records, head {head[:16]}")


def approvers() -> Iterator[Check]:
    from askfirst.approval.presence import approvers as living

    found = living()
    if found:
        yield Check(OK, "approvers", ", ".join(f"{a.kind} (pid {a.pid})" for a in found))
    else:
        yield Check(
            NOTE,
            "approvers",
            "nobody is answering now: an unattended agent's unknown commands are denied at once",
            "askfirst watch, or askfirst serve",
        )


def tier(scopes: tuple[claude_check.Scope, ...]) -> Iterator[Check]:
    """Which of T0 to T3 holds. Never more than what was looked at."""
    managed = [s for s in scopes if s.name == "managed" and s.registered]
    if managed and all(os.stat(s.path).st_uid == 0 for s in managed) and os.geteuid() != 0:
        yield Check(
            NOTE,
            "tier",
            "T0, with hook settings that root owns: the agent cannot take the gate out, but it runs as you and could forge an answer",
            "T3: run the agent as another user or in a sandbox",
        )
        return
    yield Check(
        NOTE,
        "tier",
        "T0: rules and refusals stop accidents and naive injections; the agent runs as you, and a hostile process could forge an answer",
        "managed settings keep it from taking the gate out; T3: run the agent as another user or in a sandbox",
    )
