"""Claude Code: what is registered, where it stands, and whether it holds.

Every part of the registration closes a way in which this client was seen to run a denied or unanswered call: shell form with
`|| exit 2` (a missing or crashing gate), `onFailure: "block"` (the client's own timeout, from 2.1.295 on), a timeout above the
longest approval, and a ConfigChange hook (settings edited in mid-session).
"""

from __future__ import annotations

import os
import sys

import askfirst
from askfirst._record import Record
from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError
from askfirst.install import json_edit, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "Claude Code"
SCOPES = ("user", "project", "local")
OLDEST_GOOD = (2, 1, 295)  # the first client that knows onFailure
TIMEOUT_S = 3600  # an approval takes at most 30 minutes; the hook's own deadline lies a minute inside
MIN_TIMEOUT_S = 1860
STATUS = "askfirst: a person may be asked (askfirst watch)"
ASKED_AFTERWARDS = "^(Bash|Monitor|PowerShell|Write|Edit|MultiEdit|NotebookEdit|Skill|Task|Agent|mcp__.*)$"
MANAGED = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
LAUNCHER = os.path.join(os.path.dirname(os.path.abspath(askfirst.__file__)), "launch.py")
PLUGIN = "askfirst"
OUR_ENDINGS = ("/askfirst/launch.py hook", "/askfirst/launch.py' hook", "askfirst hook", '/askfirst-hook.sh"')


def gate_command() -> str:
    """The absolute, isolated interpreter and the launcher, as a shell would read them."""
    from shlex import quote

    return f"{quote(sys.executable)} -I -S {quote(LAUNCHER)} hook"


def registration(gate: str) -> dict[str, dict[str, Any]]:
    """event -> the group that is appended to it."""
    closed = f"{gate} || exit 2"

    def entry(command: str, **more: Any) -> dict[str, Any]:
        return {"type": "command", "command": command, **more}

    return {
        "PreToolUse": {
            "matcher": "*",
            "hooks": [entry(closed, timeout=TIMEOUT_S, onFailure="block", statusMessage=STATUS)],
        },
        # Exit code 2 decides nothing here, so a failure leaves the client's own dialog to the person.
        "PermissionRequest": {"matcher": "*", "hooks": [entry(gate, timeout=TIMEOUT_S)]},
        "PostToolUse": {"matcher": ASKED_AFTERWARDS, "hooks": [entry(gate, timeout=60)]},
        "PostToolUseFailure": {"matcher": ASKED_AFTERWARDS, "hooks": [entry(gate, timeout=60)]},
        "ConfigChange": {"hooks": [entry(closed, timeout=60, onFailure="block")]},
        "SessionStart": {"hooks": [entry(gate, timeout=60)]},
        "SessionEnd": {"hooks": [entry(gate, timeout=5)]},
    }


def settings_path(scope: str, project: str) -> str:
    if scope == "user":
        return os.path.join(config_dir(), "settings.json")
    return os.path.join(project, ".claude", "settings.json" if scope == "project" else "settings.local.json")


def config_dir() -> str:
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def is_ours(group: Any) -> bool:
    """A group of hooks that askfirst wrote, whatever interpreter it names."""
    hooks = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(hooks, list) or not hooks:
        return False
    return all(isinstance(h, dict) and is_our_command(h.get("command")) for h in hooks)


def is_our_command(command: Any) -> bool:
    if not isinstance(command, str):
        return False
    plain = command.removesuffix("|| exit 2").rstrip()
    return plain.endswith(OUR_ENDINGS)


# Install and uninstall


class Change(Record):
    """What was done to one file."""

    path: str
    did: str  # "written", "already there", "restored", "removed", "edited", "not there"
    backup: str = ""


def install(scope: str, project: str) -> Change:
    path = settings_path(scope, project)
    _refuse_leading_out(path, scope, project)
    before = record.read_settings(path)
    text = decode(before if before is not None else b"{}\n", path)
    wanted = registration(gate_command())
    if _groups(json_edit.parse(text, path).value) == [(event, group) for event, group in wanted.items()]:
        return Change(path, "already there", record.backup_of(path))
    cleaned = _without_ours(text, path)
    for event, group in wanted.items():
        cleaned = json_edit.append_item(cleaned, ("hooks", event), group, path)
    data = cleaned.encode()
    record.remember_change(path, before, data)
    record.write_settings(path, data, new_mode=0o600 if scope == "user" else 0o644)
    _validate(path, data, wanted)
    return Change(path, "written", record.backup_of(path))


def uninstall(scope: str, project: str) -> Change:
    path = settings_path(scope, project)
    present = record.read_settings(path)
    if present is None:
        record.forget(path)
        return Change(path, "not there")
    text = decode(present, path)
    cleaned = _without_ours(text, path)
    return put_back(path, present, cleaned.encode() if cleaned != text else present)


def put_back(path: str, present: bytes, cleaned: bytes) -> Change:
    """The bytes before `init`, where nobody else has touched the file since; otherwise `cleaned`, the present text without what is ours."""
    known = record.recall(path)
    record_holds = known is not None and sha256_hex(present) == known[0].after
    if known is not None and record_holds:
        edit, before = known
        if edit.existed:
            record.write_settings(path, before)
        else:
            os.unlink(path)
            record.remove_empty(edit.made_dirs)
    elif cleaned != present:
        record.write_settings(path, cleaned)
    record.forget(path)
    if known is not None and record_holds:
        return Change(path, "restored" if known[0].existed else "removed")
    return Change(path, "edited" if cleaned != present else "not there")


def _without_ours(text: str, path: str) -> str:
    value = json_edit.parse(text, path).value
    hooks = value.get("hooks") if isinstance(value, dict) else None
    for event in list(hooks) if isinstance(hooks, dict) else ():
        text = json_edit.remove_items(text, ("hooks", event), is_ours, path)
    return text


def _groups(settings: Any) -> list[tuple[str, Any]]:
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    if not isinstance(hooks, dict):
        return []
    found = [
        (event, group)
        for event, groups in hooks.items()
        if isinstance(groups, list)
        for group in groups
        if is_ours(group)
    ]
    order = list(registration(""))
    return sorted(found, key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order))


def decode(data: bytes, path: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"not UTF-8: {error.reason} at byte {error.start}",
            file=path,
            hint="mend it by hand first; nothing was changed",
        ) from None
    if not text.strip():
        return "{}\n"
    if not isinstance(json_edit.parse(text, path).value, dict):
        raise ConfigError("is not a JSON object", file=path, hint="mend it by hand first; nothing was changed")
    return text


def _refuse_leading_out(path: str, scope: str, project: str) -> None:
    directory = os.path.dirname(path)
    if scope != "user" and os.path.realpath(directory) != os.path.join(os.path.realpath(project), ".claude"):
        raise ConfigError(
            f"leads to {os.path.realpath(directory)}",
            file=directory,
            hint="a symlink here is refused; nothing was changed",
        )


def _validate(path: str, data: bytes, wanted: dict[str, dict[str, Any]]) -> None:
    """The client drops a whole settings file for one wrong value, silently: look again at what stands there now."""
    written = record.read_settings(path)
    if written != data:
        raise ConfigError(
            "somebody else wrote this file at the same moment", file=path, hint="run `askfirst init` again"
        )
    if _groups(json_edit.parse(decode(written, path), path).value) != list(wanted.items()):
        raise ConfigError("the hooks do not stand there as written", file=path, hint="run `askfirst init` again")


def warnings() -> tuple[str, ...]:
    from askfirst.agents.claude.client import shown, version_of

    found = version_of("claude")
    if found is None:
        return ("the `claude` program is not on the PATH, so its version was not checked",)
    path, version = found
    if version < OLDEST_GOOD:
        return (
            f"{path} is {shown(version)}: before {shown(OLDEST_GOOD)} the client ignores `onFailure`, so only `|| exit 2` closes the gate "
            "on a failure; update it (with Node 20, npm silently installs an old one)",
        )
    return ()


def install_mcp(scope: str, project: str) -> str:
    from askfirst.agents.claude import mcp as claude_mcp

    return claude_mcp.install_mcp(scope, project)


def uninstall_mcp(scope: str, project: str) -> tuple[Change, ...]:
    from askfirst.agents.claude import mcp as claude_mcp

    return claude_mcp.uninstall_mcp(scope, project)
