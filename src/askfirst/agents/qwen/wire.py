"""Qwen Code: the JSON of its `PreToolUse` hooks, as seen with 0.24.4. Claude's answers, Gemini's tools, and a timeout in milliseconds."""

from __future__ import annotations

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import Event, Reply, json_reply, object_of
from askfirst.agents.translate import before_tool, directory, given_back, members, passing, row, text, translated
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the installer writes 3,600,000 milliseconds
TOOLS = {
    "run_shell_command": row("Bash", "command=command directory=cwd description=description", "is_background timeout"),
    "write_file": row("Write", "file_path=file_path content=content", "record_as_artifact"),
    "edit": row("Edit", "file_path=file_path old_string=old_string new_string=new_string replace_all=replace_all"),
    "notebook_edit": row(
        "NotebookEdit",
        "notebook_path=notebook_path cell_id=cell_id new_source=new_source cell_type=cell_type edit_mode=edit_mode",
    ),
    **passing(
        """read_file read_many_files list_directory glob grep_search ripgrep web_fetch web_search todo_write ask_user_question
        exit_plan_mode agent task list_agents get_goal update_goal tool_search lsp"""
    ),
}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    name = text(data, "hook_event_name")
    session = text(data, "session_id")
    cwd = directory(data, "cwd")
    project = project_of(cwd)
    if name != "PreToolUse":
        return Event(name, session, project, None, data)
    call = translated("qwen", TOOLS, text(data, "tool_name"), members(data, "tool_input"), cwd)
    return before_tool(
        "qwen",
        call,
        data,
        session=session,
        project=project,
        ident=text(data, "tool_use_id", ""),
        mode=text(data, "permission_mode", ""),
    )


def answer(event: Event, verdict: Verdict) -> Reply:
    if verdict.decision != Decision.ALLOW:
        return refuse(event, for_agent(verdict))
    output: dict[str, Any] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": for_agent(verdict),
    }
    if verdict.updated_input is not None:
        output["updatedInput"] = given_back(
            TOOLS, event.data["tool_name"], event.data["tool_input"], verdict.updated_input
        )
    return json_reply({"hookSpecificOutput": output})


def neutral(event: Event, *, message: str = "") -> Reply:
    return json_reply({})


def refuse(event: Event | None, reason: str) -> Reply:
    output = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return json_reply({"hookSpecificOutput": output})
