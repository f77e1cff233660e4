"""Cursor: the JSON of its hooks, from its documents; not run here.

What matters about this client: a failed hook lets the call run unless its entry says `failClosed`. A command comes twice, before
the tool and before the shell: it is judged before the shell, which every version calls. The same holds for tools of MCP servers.
"""

from __future__ import annotations

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import Event, Reply, json_reply, object_of
from askfirst.agents.translate import (
    Call,
    before_tool,
    directory,
    first_directory,
    members,
    passing,
    row,
    text,
    translated,
)
from askfirst.errors import HookInputError
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the installer writes 3600 seconds
BEFORE_SHELL, BEFORE_MCP, BEFORE_ANY = "beforeShellExecution", "beforeMCPExecution", "preToolUse"
TOOLS = {
    "Write": row("Write", "file_path=file_path path=file_path content=content contents=content"),
    "StrReplace": row(
        "Edit", "file_path=file_path path=file_path old_string=old_string new_string=new_string replace_all=replace_all"
    ),
    "Edit": row(
        "Edit", "file_path=file_path path=file_path old_string=old_string new_string=new_string replace_all=replace_all"
    ),
    "Delete": row("Delete", "file_path=file_path path=file_path"),
    "ApplyPatch": row("ApplyPatch", "patch=command input=command"),
    **passing(
        "Shell Read Grep Glob LS List SemanticSearch WebSearch WebFetch Task TodoWrite ReadLints AskQuestion SwitchMode"
    ),
}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    name = text(data, "hook_event_name")
    session = text(data, "conversation_id")
    root = first_directory(data.get("workspace_roots"), "workspace_roots")
    project = project_of(root, root)
    # An empty `cwd` is the workspace's root.
    cwd = directory(data, "cwd") if data.get("cwd") else root
    if name == BEFORE_SHELL:
        call = Call("Bash", {"command": text(data, "command")}, cwd)
    elif name == BEFORE_MCP:
        call = Call(f"MCP:{text(data, 'tool_name')}", _mcp_input(data), cwd)
    elif name == BEFORE_ANY:
        tool = text(data, "tool_name")
        known = "Shell" if tool.startswith("MCP:") else tool
        call = translated("cursor", TOOLS, known, members(data, "tool_input"), cwd)
    else:
        return Event(name, session, project, None, data)
    return before_tool("cursor", call, data, session=session, project=project, ident=_ident(data))


def _mcp_input(data: Mapping[str, Any]) -> dict[str, Any]:
    value = data.get("tool_input")
    if isinstance(value, str):
        value = object_of(value.encode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise HookInputError("hook input: `tool_input` is not an object")
    return {**value, "server": data.get("url") or data.get("command") or ""}


def _ident(data: Mapping[str, Any]) -> str:
    value = data.get("tool_use_id") or data.get("generation_id") or ""
    return value if isinstance(value, str) else ""


def answer(event: Event, verdict: Verdict) -> Reply:
    if verdict.decision != Decision.ALLOW:
        return refuse(event, for_agent(verdict))
    if verdict.updated_input is not None:
        # Its file tools' keys are not documented well enough to write them.
        return refuse(
            event, "askfirst: the person merged this with what is in the file; read the file, and write what they want"
        )
    return neutral(event)


def neutral(event: Event, *, message: str = "") -> Reply:
    return json_reply({"permission": "allow"})


def refuse(event: Event | None, reason: str) -> Reply:
    return json_reply({"permission": "deny", "user_message": reason, "agent_message": reason})
