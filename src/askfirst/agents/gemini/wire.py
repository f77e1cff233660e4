"""Gemini CLI: the JSON of its `BeforeTool` hooks, as seen with 0.61.0.

What matters about this client: it reads stdout or, when that is empty, stderr; a hook that says nothing lets the call
run whatever its exit code, and so does exit code 1. Its timeout counts milliseconds. In a folder that is not trusted
it runs no hooks at all, and its own rules then ask for everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst import jsontext
from askfirst.agents.dotenv import tampering_by_dotenv
from askfirst.agents.event import Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.own_rules import SANDBOX_KEYS, OwnRules
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, fetching, passing, row
from askfirst.agents.wire import Wire, sample_call
from askfirst.model import Verdict

EVENT = "BeforeTool"


class GeminiWire(TranslatingWire):
    name = "gemini"
    changes_commands = True
    rules = OwnRules(
        (
            "~/.gemini/settings.json",
            ".gemini/settings.json",
            "/etc/gemini-cli/settings.json",
            "/Library/Application Support/GeminiCli/settings.json",
        ),
        SANDBOX_KEYS,
        folders=("~/.gemini/policies", ".gemini/policies", "/etc/gemini-cli/policies"),
        variables=("GEMINI_SANDBOX",),
        options=("--sandbox", "-s", "--policy"),
    )
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
        "read_file": row("Read", "file_path=file_path", "start_line end_line offset limit wait_for_previous"),
        "read_many_files": row(
            "ReadFiles",
            "include=paths",
            "exclude recursive useDefaultExcludes file_filtering_options wait_for_previous",
        ),
        "grep_search": row(
            "Grep",
            "pattern=pattern dir_path=path include_pattern=glob",
            "exclude_pattern names_only max_matches_per_file total_max_matches case_sensitive fixed_strings context "
            "after before no_ignore wait_for_previous",
        ),
        "read_mcp_resource": row("ReadMcpResource", "uri=uri server=server", "wait_for_previous"),
        "web_fetch": fetching(),
        **passing(
            """
            list_directory=LS glob=Glob google_web_search=WebSearch write_todos=TodoWrite update_topic complete_task
            ask_user=AskUserQuestion enter_plan_mode=EnterPlanMode exit_plan_mode=ExitPlanMode invoke_agent=Task
            activate_skill get_internal_docs list_background_processes read_background_output=BashOutput
            list_mcp_resources=ListMcpResources tracker_create_task=TaskCreate tracker_update_task=TaskUpdate
            tracker_get_task=TaskGet tracker_list_tasks=TaskList tracker_add_dependency=TaskUpdate tracker_visualize
            """
        ),
    }

    def tampering(self, project: str) -> str:
        return tampering_by_dotenv(project, ".gemini")

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "session_id")
        cwd = directory(data, "cwd")
        project = project_of(cwd)
        if name != EVENT:
            return Event(name, session, project, None, data)
        call = self.translated(_tool_name(data), members(data, "tool_input"), cwd)
        return self.before_tool(call, data, session=session, project=project)

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        given = self.changed(event.data["tool_name"], event.data["tool_input"], updated)
        return json_reply({"decision": "allow", "hookSpecificOutput": {"hookEventName": EVENT, "tool_input": given}})

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"decision": "allow"})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return json_reply({"decision": "deny", "reason": reason})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return sample_call(EVENT, "run_shell_command", project, command)

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["decision"])


def _tool_name(data: Mapping[str, Any]) -> str:
    """A server's tool by the name that rules know it by: `mcp_files_write` of the server `files`."""
    name, context = text(data, "tool_name"), data.get("mcp_context")
    server = context.get("server_name") if isinstance(context, dict) else None
    start = f"mcp_{server}_"
    if not isinstance(server, str) or not server or not name.startswith(start):
        return name
    return f"mcp__{server}__{name.removeprefix(start)}"


WIRE: Wire = GeminiWire()
