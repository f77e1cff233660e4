"""Gemini CLI: the JSON of its `BeforeTool` hooks, as seen with 0.61.0.

What matters about this client: it reads stdout or, when that is empty, stderr; a hook that says nothing lets the call
run whatever its exit code, and so does exit code 1. Its timeout counts milliseconds. In a folder that is not trusted
it runs no hooks at all, and its own rules then ask for everything.
"""

from __future__ import annotations

from askfirst import jsontext
from askfirst.agents.event import Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, passing, row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.agents.wire import Wire
    from askfirst.model import Verdict

EVENT = "BeforeTool"


class GeminiWire(TranslatingWire):
    name = "gemini"
    tools = {
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
            """
            read_file read_many_files list_directory glob grep_search google_web_search web_fetch write_todos
            update_topic complete_task ask_user enter_plan_mode exit_plan_mode invoke_agent activate_skill
            get_internal_docs list_background_processes read_background_output list_mcp_resources read_mcp_resource
            tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency
            tracker_visualize
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "session_id")
        cwd = directory(data, "cwd")
        project = project_of(cwd)
        if name != EVENT:
            return Event(name, session, project, None, data)
        call = self.translated(text(data, "tool_name"), members(data, "tool_input"), cwd)
        return self.before_tool(call, data, session=session, project=project)

    def allow_merged(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        given = self.merged(event.data["tool_name"], event.data["tool_input"], updated)
        return json_reply({"decision": "allow", "hookSpecificOutput": {"hookEventName": EVENT, "tool_input": given}})

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"decision": "allow"})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"decision": "deny", "reason": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return {
            "hook_event_name": EVENT,
            "session_id": "askfirst-doctor",
            "cwd": project,
            "tool_name": "run_shell_command",
            "tool_input": {"command": command, "description": "askfirst checks that the hook answers"},
        }

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["decision"])


WIRE: Wire = GeminiWire()
