"""Codex CLI: `hooks.json` beside its `config.toml`.

The client runs a hook only after a person has trusted it; until then it calls nothing and says so only in its own screen. So `init`
and `doctor` say it too.
"""

from __future__ import annotations

import os

from askfirst.install import json_hooks

NAME = "Codex CLI"
SCOPES = ("user", "project")
WAY_OUT = "start `codex`, and trust the hook there (/hooks)"  # of what `troubles` finds
PLACE = ("hooks", "PreToolUse")


def plan() -> json_hooks.Plan:
    hook = {
        "type": "command",
        "command": json_hooks.closed_command("codex"),
        "timeout": json_hooks.TIMEOUT_S,
        "statusMessage": json_hooks.STATUS,
    }
    return json_hooks.Plan("codex", {PLACE: {"hooks": [hook]}})


def home() -> str:
    return os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")


def settings_path(scope: str, project: str) -> str:
    return os.path.join(home() if scope == "user" else os.path.join(project, ".codex"), "hooks.json")


_file = json_hooks.HookFile(plan, settings_path)
gate_command, install, uninstall, uninstall_mcp = (
    _file.gate_command,
    _file.install,
    _file.uninstall,
    _file.uninstall_mcp,
)
look, registered_commands = _file.look, _file.registered_commands


def install_mcp(scope: str, project: str) -> str:
    return json_hooks.mcp_line("codex mcp add askfirst --")


def warnings() -> tuple[str, ...]:
    return (
        "Codex runs no hook before a person has trusted it: start `codex`, and trust this one when it asks (or with /hooks)",
        *weak_spots(),
    )


def weak_spots() -> tuple[str, ...]:
    """What the client's own settings leave open, as far as its user file says."""
    import tomllib

    try:
        with open(os.path.join(home(), "config.toml"), "rb") as file:
            settings = tomllib.load(file)
    except FileNotFoundError:
        settings = {}
    except (OSError, tomllib.TOMLDecodeError) as error:
        return (f"{home()}/config.toml: cannot be read: {error}",)
    features = settings.get("features")
    features = features if isinstance(features, dict) else {}
    found = []
    if features.get("hooks") is False:
        found.append(f"{home()}/config.toml: `features.hooks = false` switches every hook off, this gate too")
    if features.get("unified_exec_tty") is not False:
        found.append(
            "Codex calls no hook for what it types into a program that is already running; "
            f"`[features]` `unified_exec_tty = false` in {home()}/config.toml closes that"
        )
    return tuple(found)


def troubles(scope: str, project: str) -> tuple[str, ...]:
    """What keeps the registered hook from running."""
    import tomllib

    path = settings_path(scope, project)
    try:
        with open(os.path.join(home(), "config.toml"), "rb") as file:
            state = tomllib.load(file).get("hooks", {}).get("state", {})
    except (OSError, tomllib.TOMLDecodeError, AttributeError):
        state = {}
    trusted = any(
        isinstance(value, dict) and value.get("trusted_hash") and str(key).startswith((path, os.path.realpath(path)))
        for key, value in (state.items() if isinstance(state, dict) else ())
    )
    return () if trusted else (f"{path}: no person has trusted the hook yet, so Codex does not run it",)
