"""Registers `askfirst mcp` with Claude Code: in the project's `.mcp.json`, or for a user by the client's command."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from importlib.util import find_spec
from typing import Any

from askfirst.agents.claude.client import PROGRAM
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.install import json_edit, settings_file, undo
from askfirst.install.command import mcp_words
from askfirst.install.undo import Done
from askfirst.redact import redact
from askfirst.text import one_line

SERVER = "askfirst"


def server() -> dict[str, object]:
    """`.mcp.json` lies in the repository, whatever the scope of the hooks: nothing of this machine stands in it."""
    program, *args = mcp_words("project")
    return {"command": program, "args": args}


def missing() -> str:
    """Which part of the extra is not installed; "" when all of it is."""
    return next((name for name in ("mcp", "re2") if find_spec(name) is None), "")


def install_mcp(scope: str, project: str) -> str:
    """What was done, in a line."""
    lack = missing()
    if lack:
        # A server that cannot start would only be a line in the client's log.
        return (
            f"the MCP server is not registered, because `{lack}` is missing: pip install 'askfirst[mcp]', "
            "then `askfirst init --mcp` again"
        )
    if scope == "user":
        return _by_client(["mcp", "add", "--scope", "user", SERVER, "--", *mcp_words()])
    path = os.path.join(project, ".mcp.json")
    before = settings_file.read(path)
    text = json_edit.text_of(before if before is not None else b"{}\n", path)
    present = json_edit.parse(text, path).value.get("mcpServers")
    if isinstance(present, dict) and present.get(SERVER) == server():
        return f"{path}: the MCP server is already registered"
    cleaned = json_edit.remove_member(text, ("mcpServers", SERVER), path)
    data = json_edit.set_member(cleaned, ("mcpServers", SERVER), server(), path).encode()
    if undo.recall(path) is None:
        undo.remember(undo.Installed(path, before is not None, sha256_hex(data)), before or b"")
    settings_file.write(path, data)
    return f"{path}: the MCP server is registered; Claude Code asks once whether to use it"


def servers(project: str) -> dict[str, Any]:
    """What the project's `.mcp.json` registers; nothing when it cannot be read, which the client says itself."""
    try:
        data = settings_file.read(os.path.join(project, ".mcp.json"))
        found = json_edit.parse(data.decode(), ".mcp.json").value.get("mcpServers") if data is not None else None
    except (AskfirstError, OSError, UnicodeDecodeError, AttributeError):
        return {}
    return found if isinstance(found, dict) else {}


def words_of(entry: Any) -> str:
    """The command line, or the address, of a server, for people."""
    if not isinstance(entry, dict):
        return "?"
    args = entry.get("args")
    words = [
        str(entry.get("command") or entry.get("url") or "?"),
        *(str(a) for a in (args if isinstance(args, list) else ())),
    ]
    return one_line(redact(shlex.join(words)), 120)


def is_ours(entry: Any, project: str) -> bool:
    """Whether an entry starts askfirst, by whatever interpreter; something of the project's own is not askfirst."""
    if entry == server():
        return True
    words = entry.get("args") if isinstance(entry, dict) else None
    if not isinstance(words, list) or not all(isinstance(w, str) for w in words):
        return False
    program = os.path.basename(str(entry.get("command")))
    launcher = words[1] if len(words) == 3 else ""
    if any(
        os.path.realpath(p).startswith(project + os.sep)
        for p in (str(entry.get("command")), launcher)
        if os.path.isabs(p)
    ):
        return False
    by_python = program.startswith("python") and words[:1] == ["-I"] and launcher.endswith("/askfirst/launch.py")
    return (by_python and words[2:] == ["mcp"]) or (program == "askfirst" and words == ["mcp"])


def uninstall_mcp(scope: str, project: str) -> tuple[Done, ...]:
    path = os.path.join(project, ".mcp.json")
    present = settings_file.read(path)
    if scope == "user" or present is None:
        return ()
    text = json_edit.text_of(present, path)
    cleaned = json_edit.remove_member(text, ("mcpServers", SERVER), path)
    if cleaned == text:
        return ()
    return (undo.put_back(path, present, cleaned.encode()),)


def _by_client(words: list[str]) -> str:
    line = shlex.join([PROGRAM, *words])
    program = shutil.which(PROGRAM)
    if program is None:
        return f"the `{PROGRAM}` program is not on the PATH; register the MCP server with: {line}"
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        return f"`{line}` failed: {(done.stderr or done.stdout).strip()[-300:]}"
    return f"done: {line}"
