"""Cursor: the JSON of its hooks, from its documents; not run here.

What matters about this client: a failed hook lets the call run unless its entry says `failClosed`. A command comes
twice, before the tool and before the shell: it is judged before the shell, which every version calls, and only before
the tool can it be changed. The same holds for tools of MCP servers. Its editor keeps the person's rules about commands
in a database, its CLI in a file; both have a sandbox of their own, in which no other one starts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.agents.event import (
    BEFORE_CHANGE,
    Event,
    Reply,
    directory,
    first_directory,
    json_reply,
    members,
    object_of,
    text,
)
from askfirst.agents.own_rules import OwnRules, setting
from askfirst.agents.project import project_of
from askfirst.agents.translate import (
    ToolCall,
    TranslatingWire,
    fetching,
    passing,
    reading_files,
    row,
    searching_project,
)
from askfirst.errors import HookInputError
from askfirst.model import Verdict

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire

BEFORE_SHELL, BEFORE_MCP, BEFORE_ANY = "beforeShellExecution", "beforeMCPExecution", "preToolUse"
CONFIG = "~/.cursor/cli-config.json"
CLI_VERSION = re.compile(r"20\d\d\.\d\d\.\d\d")  # its editor counts otherwise
EDIT = row(
    "Edit", "file_path=file_path path=file_path old_string=old_string new_string=new_string replace_all=replace_all"
)


class CursorWire(TranslatingWire):
    """Its file tools' keys are not documented well enough to write them: a merged content is left to the agent."""

    name = "cursor"
    changes_commands = True
    changes_before = True
    rules = OwnRules(
        (CONFIG, ".cursor/cli.json"),
        ("permissions.deny",),
        variables=("CURSOR_CONFIG_DIR", "XDG_CONFIG_HOME"),
        options=("--sandbox",),
    )
    tools = {
        "Shell": row("Bash", "command=command description=description working_directory=cwd", "timeout block_until_ms"),
        "Write": row("Write", "file_path=file_path path=file_path content=content contents=content"),
        "StrReplace": EDIT,
        "Edit": EDIT,
        "Delete": row("Delete", "file_path=file_path path=file_path"),
        "ApplyPatch": row("ApplyPatch", "patch=command input=command"),
        "Read": reading_files(),
        "Grep": row(
            "Grep",
            "pattern=pattern query=pattern path=path target_directory=path glob=glob include_pattern=glob",
            "type output_mode -A -B -C -n -i head_limit offset multiline case_sensitive case_insensitive explanation",
            bare="pattern query path target_directory",
        ),
        "SemanticSearch": searching_project(),
        "WebFetch": fetching(),
        **passing(
            """
            Glob=Glob LS=LS List=LS WebSearch=WebSearch Task=Task TodoWrite=TodoWrite ReadLints
            AskQuestion=AskUserQuestion SwitchMode
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "conversation_id")
        root = first_directory(data, "workspace_roots")
        project = project_of(root, root)
        # An empty `cwd` is the workspace's root.
        cwd = directory(data, "cwd") if data.get("cwd") else root
        if name == BEFORE_SHELL:
            call = ToolCall("Bash", {"command": text(data, "command")}, cwd)
        elif name == BEFORE_MCP:
            call = ToolCall(f"MCP:{text(data, 'tool_name')}", _mcp_input(data), cwd)
        elif name == BEFORE_ANY:
            tool, given = text(data, "tool_name"), members(data, "tool_input")
            if tool.startswith("MCP:"):
                return Event(name, session, project, None, data)  # judged by the event that comes next
            call = self.translated(tool, given, cwd)
            if tool == "Shell":  # so is this one, but only now it can be changed
                event = self.before_tool(call, data, session=session, project=project, ident=_ident(data))
                return replace(event, name=BEFORE_CHANGE)
        else:
            return Event(name, session, project, None, data)
        return self.before_tool(call, data, session=session, project=project, ident=_ident(data))

    def own_rules(self, texts: tuple[str, ...], project: str, environ: Mapping[str, str] | None) -> str:
        if environ is not None and not CLI_VERSION.match(environ.get("CURSOR_VERSION", "")):
            return "Cursor's editor keeps its rules about commands where they cannot be read"
        left = super().own_rules(texts, project, environ)
        if left or setting(CONFIG, "sandbox.mode") == "disabled":
            return left
        return f"Cursor's own sandbox may be on (`sandbox: {{mode: disabled}}` in {CONFIG} says that it is not)"

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        if event.name != BEFORE_CHANGE:
            return super().allow_changed(event, verdict, updated)
        given = self.changed("Shell", event.data["tool_input"], updated)
        return json_reply({"permission": "allow", "updated_input": given})

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"permission": "allow"})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"permission": "deny", "user_message": reason, "agent_message": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return {
            "hook_event_name": BEFORE_SHELL,
            "conversation_id": "askfirst-doctor",
            "command": command,
            "cwd": project,
            "workspace_roots": [project],
        }

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["permission"])


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


WIRE: Wire = CursorWire()
