"""Gemini CLI: the JSON of its `BeforeTool` hooks, as seen with 0.61.0.

What matters about this client: it reads stdout or, when that is empty, stderr; a hook that says nothing lets the call
run whatever its exit code, and so does exit code 1. Its timeout counts milliseconds. In a folder that is not trusted
it runs no hooks at all, and its own rules then ask for everything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from askfirst import jsontext
from askfirst.agents.dotenv import tampering_by_dotenv
from askfirst.agents.event import Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.own_rules import SANDBOX_KEYS, OwnRules
from askfirst.agents.project import project_of
from askfirst.agents.translate import ToolCall, TranslatingWire, fetching, passing, row
from askfirst.agents.wire import Wire, sample_call
from askfirst.errors import HookInputError
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
            # Without ripgrep it runs `git grep … PATTERN`, whose `-O` runs a command.
            bare="pattern",
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
        _refuse_search(call)
        return self.before_tool(call, data, session=session, project=project)

    def path_of(self, path: str, cwd: str) -> str:
        """NULs go; an `@` in front goes, where nothing begins so; and what is percent-encoded is decoded: `%2eenv` is
        `.env`."""
        path = _without_at(path.replace("\0", ""), cwd)
        whole = os.path.normpath(os.path.join(cwd, path))
        plain = _decoded(whole)
        return path if plain == whole else plain

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


def _refuse_search(call: ToolCall) -> None:
    """`replace` of a file that is not there looks for one whose path ends so, and edits that."""
    path, old = call.input.get("file_path"), call.input.get("old_string")
    if call.tool != "Edit" or not isinstance(path, str) or path.startswith("/") or not old:
        return
    if os.path.isdir(call.cwd) and not os.path.lexists(os.path.join(call.cwd, path)):
        raise HookInputError(f"hook input: replace: there is no `{path}`; give the whole path of the file")


def _without_at(path: str, cwd: str) -> str:
    bare = path[1:].lstrip("/\\")
    if not path.startswith("@") or not bare or os.path.exists(os.path.join(cwd, path)):
        return path
    first = bare.replace("\\", "/").partition("/")[0]
    kept = path[1] not in "/\\" and os.path.exists(os.path.join(cwd, f"@{first}"))
    return path if kept else bare


def _decoded(text: str) -> str:
    """As JavaScript's decodeURIComponent does it: all of it, or nothing."""
    first, *parts = text.encode("utf-8", "surrogatepass").split(b"%")
    if not all(len(part) > 1 and part[:2].isalnum() for part in parts):
        return text
    try:
        return b"".join((first, *(bytes.fromhex(p[:2].decode("ascii")) + p[2:] for p in parts))).decode()
    except ValueError:
        return text


def _tool_name(data: Mapping[str, Any]) -> str:
    """A server's tool by the name that rules know it by: `mcp_files_write` of the server `files`."""
    name, context = text(data, "tool_name"), data.get("mcp_context")
    server = context.get("server_name") if isinstance(context, dict) else None
    start = f"mcp_{server}_"
    if not isinstance(server, str) or not server or not name.startswith(start):
        return name
    return f"mcp__{server}__{name.removeprefix(start)}"


WIRE: Wire = GeminiWire()
