"""Registers `askfirst mcp` with Claude Code: `.mcp.json` in the project; for a user the client's own command does it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

from askfirst.digest import sha256_hex
from askfirst.install import claude, json_edit, record

SERVER = "askfirst"


def server() -> dict[str, object]:
    return {"command": sys.executable, "args": ["-I", claude.LAUNCHER, "mcp"]}


def install_mcp(scope: str, project: str) -> str:
    """What was done, in a line."""
    if scope == "user":
        return _by_client(["mcp", "add", "--scope", "user", SERVER, "--", sys.executable, "-I", claude.LAUNCHER, "mcp"])
    path = os.path.join(project, ".mcp.json")
    before = record.read_settings(path)
    text = claude.decode(before if before is not None else b"{}\n", path)
    present = json_edit.parse(text, path).value.get("mcpServers")
    if isinstance(present, dict) and present.get(SERVER) == server():
        return f"{path}: the MCP server is there already"
    cleaned = json_edit.remove_member(text, ("mcpServers", SERVER), path)
    data = json_edit.set_member(cleaned, ("mcpServers", SERVER), server(), path).encode()
    if record.recall(path) is None:
        record.remember(record.Edit(path, before is not None, sha256_hex(data)), before or b"")
    record.write_settings(path, data)
    return f"{path}: the MCP server is written; {claude.NAME} asks once whether to use it"


def uninstall_mcp(scope: str, project: str) -> tuple[claude.Change, ...]:
    path = os.path.join(project, ".mcp.json")
    present = record.read_settings(path)
    if scope == "user" or present is None:
        return ()
    text = claude.decode(present, path)
    cleaned = json_edit.remove_member(text, ("mcpServers", SERVER), path)
    if cleaned == text:
        return ()
    return (claude.put_back(path, present, cleaned.encode()),)


def _by_client(words: list[str]) -> str:
    line = shlex.join(["claude", *words])
    program = shutil.which("claude")
    if program is None:
        return f"the `claude` program is not on the PATH; register the MCP server with: {line}"
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return f"done: {line}" if done.returncode == 0 else f"`{line}` failed: {(done.stderr or done.stdout).strip()[-300:]}"
