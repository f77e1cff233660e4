"""Gemini CLI: the JSON of its `BeforeTool` hooks, as seen with 0.61.0.

What matters about this client: it reads stdout or, when that is empty, stderr; a hook that says nothing lets the call run whatever its
exit code, and so does exit code 1. Its timeout counts milliseconds. In a folder that is not trusted it runs no hooks at all, and
its own rules then ask for everything.
"""

from __future__ import annotations

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import Event, Reply, json_reply, object_of
from askfirst.agents.translate import before_tool, directory, given_back, members, passing, row, text, translated
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the installer writes 3,600,000 milliseconds
TOOLS = {
    "run_shell_command": row(
        "Bash", "command=command dir_path=cwd description=description", "is_background delay_ms wait_for_previous"
    ),
    "write_file": row("Write", "file_path=file_path content=content", "wait_for_previous"),
    "replace": row(
        "Edit",
        "file_path=file_path old_string=old_string new_string=new_string allow_multiple=replace_all",
        "instruction wait_for_previous",
    ),
    **passing(
        """read_file read_many_files list_directory glob grep_search google_web_search web_fetch write_todos update_topic complete_task
        ask_user enter_plan_mode exit_plan_mode invoke_agent activate_skill get_internal_docs list_background_processes
        read_background_output list_mcp_resources read_mcp_resource tracker_create_task tracker_update_task tracker_get_task
        tracker_list_tasks tracker_add_dependency tracker_visualize"""
    ),
}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    name = text(data, "hook_event_name")
    session = text(data, "session_id")
    cwd = directory(data, "cwd")
    project = project_of(cwd)
    if name != "BeforeTool":
        return Event(name, session, project, None, data)
    call = translated("gemini", TOOLS, text(data, "tool_name"), members(data, "tool_input"), cwd)
    return before_tool("gemini", call, data, session=session, project=project)


def answer(event: Event, verdict: Verdict) -> Reply:
    if verdict.decision != Decision.ALLOW:
        return refuse(event, for_agent(verdict))
    if verdict.updated_input is None:
        return neutral(event)
    given = given_back(TOOLS, event.data["tool_name"], event.data["tool_input"], verdict.updated_input)
    return json_reply({"decision": "allow", "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": given}})


def neutral(event: Event, *, message: str = "") -> Reply:
    return json_reply({"decision": "allow"})


def refuse(event: Event | None, reason: str) -> Reply:
    return json_reply({"decision": "deny", "reason": reason})
