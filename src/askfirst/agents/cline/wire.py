"""Cline: the JSON of its `PreToolUse` hook files, as seen with the CLI 3.0.65; the older form is from its documents.

What matters about this client: only a parsed `{"cancel": true}` blocks, and it ends the run with the reason. Every
failure (an exit code, a timeout, text that is no JSON) lets the call run, so the hook file that the installer writes
turns each into a `cancel`. It gives a hook 120 seconds, which nothing can change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import jsontext
from askfirst.agents.event import Event, Reply, first_directory, json_reply, members, object_of, text
from askfirst.agents.own_rules import OwnRules
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


class ClineWire(TranslatingWire):
    name = "cline"
    changes_commands = True
    rules = OwnRules(variables=("CLINE_COMMAND_PERMISSIONS",))
    timeout_s = 120
    deadline_s = 105.0
    tools = {
        "run_commands": row("Commands", "commands=commands"),
        "editor": row("Edit", "path=file_path old_text=old_string new_text=new_string"),
        "apply_patch": row("ApplyPatch", "input=command patch=command"),
        # The older client's.
        "execute_command": row("Bash", "command=command", "requires_approval timeout"),
        "write_to_file": row("Write", "path=file_path content=content", "task_progress"),
        **dict.fromkeys(("read_files", "read_file"), reading_files()),
        "search_files": row("Grep", "regex=pattern path=path file_pattern=glob", "task_progress", bare="regex path"),
        "search_codebase": searching_project(),
        **dict.fromkeys(("fetch_web_content", "web_fetch"), fetching()),
        **passing(
            """
            ask_question=AskUserQuestion spawn_agent=Task list_files=LS
            list_code_definition_names=LS ask_followup_question=AskUserQuestion attempt_completion plan_mode_respond
            web_search=WebSearch new_task team_spawn_teammate=Task team_shutdown_teammate=TaskStop team_status
            team_task=TaskUpdate team_run_task=Task team_cancel_run=TaskStop team_list_runs team_await_runs
            team_send_message=SendMessage team_broadcast=SendMessage team_read_mailbox team_mission_log team_cleanup
            team_create_outcome team_attach_outcome_fragment team_review_outcome_fragment team_finalize_outcome
            team_list_outcomes
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        session = text(data, "taskId")
        cwd = first_directory(data, "workspaceRoots")
        project = project_of(cwd)
        name = text(data, "hookName")
        if name not in ("tool_call", "PreToolUse"):
            return Event(name, session, project, None, data)
        tool, given, ident = _called(data)
        call = self.translated(tool, given, cwd)
        if call.tool == "Commands":
            call = _commands(call)
        elif call.tool == "Edit" and "old_string" not in call.input:
            # Without a text to replace the tool makes the file, and refuses where there is one.
            created = {"file_path": call.input.get("file_path"), "content": call.input.get("new_string")}
            call = replace(call, tool="Write", input=created)
        return self.before_tool(call, data, session=session, project=project, ident=ident)

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        tool, given, _ = _called(event.data)
        if tool == "editor":
            # Its file is there, or nothing could have been merged; this tool then only replaces parts.
            return super().allow_changed(event, verdict, updated)
        if tool == "run_commands":
            return json_reply({"cancel": False, "overrideInput": {**given, "commands": [updated["command"]]}})
        return json_reply({"cancel": False, "overrideInput": self.changed(tool, given, updated)})

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"cancel": False})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"cancel": True, "errorMessage": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return {
            "hookName": "tool_call",
            "taskId": "askfirst-doctor",
            "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": [command]}},
            "workspaceRoots": [project],
        }

    def decision_in(self, stdout: str) -> str:
        return {True: "deny", False: "allow"}[jsontext.loads(stdout)["cancel"]]


def _called(data: Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    if "tool_call" in data:
        call = members(data, "tool_call")
        return text(call, "name"), members(call, "input"), text(call, "id", "")
    call = members(data, "preToolUse")
    return text(call, "toolName"), members(call, "parameters"), ""


def _commands(call: ToolCall) -> ToolCall:
    commands = call.input.get("commands")
    if isinstance(commands, str):
        commands = [commands]
    if not isinstance(commands, list) or not commands or not all(isinstance(c, str) for c in commands):
        raise HookInputError("hook input: run_commands: `commands` is not a list of strings")
    if len(commands) == 1:
        return replace(call, tool="Bash", input={"command": commands[0]})
    # `command` is what a person is shown; each of `commands` is judged.
    return replace(call, input={"command": "\n".join(commands), "commands": commands})


WIRE: Wire = ClineWire()
