"""Qwen Code: the JSON of its `PreToolUse` hooks, as seen with 0.24.4. Its timeout counts milliseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from askfirst import jsontext
from askfirst.agents.dotenv import tampering_by_dotenv
from askfirst.agents.event import BEFORE_TOOL, Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.own_rules import SANDBOX_KEYS, OwnRules
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, fetching, passing, reading_files, row
from askfirst.agents.wire import Wire, sample_call
from askfirst.model import Verdict
from askfirst.wording import for_agent


class QwenWire(TranslatingWire):
    name = "qwen"
    changes_commands = True
    rules = OwnRules(
        (
            "~/.qwen/settings.json",
            ".qwen/settings.json",
            "/etc/qwen-code/settings.json",
            "/Library/Application Support/QwenCode/settings.json",
        ),
        (*SANDBOX_KEYS, "permissions.deny", "permissions.ask"),
        variables=("QWEN_SANDBOX",),
        options=("--sandbox", "-s", "--exclude-tools"),
    )
    tools = {
        "run_shell_command": row(
            "Bash", "command=command directory=cwd description=description", "is_background timeout"
        ),
        "write_file": row("Write", "file_path=file_path content=content", "record_as_artifact"),
        "edit": row("Edit", "file_path=file_path old_string=old_string new_string=new_string replace_all=replace_all"),
        "notebook_edit": row(
            "NotebookEdit",
            "notebook_path=notebook_path cell_id=cell_id new_source=new_source cell_type=cell_type edit_mode=edit_mode",
        ),
        "read_file": row("Read", "file_path=file_path", "offset limit pages"),
        "read_many_files": reading_files(),
        **dict.fromkeys(
            ("grep_search", "ripgrep"),
            # Without ripgrep it runs `git grep … PATTERN -- GLOB`, whose `-O` runs a command (tried with 0.15.10).
            row("Grep", "pattern=pattern path=path glob=glob", "limit", bare="pattern"),
        ),
        "lsp": row(
            "LSP",
            "filePath=filePath",
            "operation line character endLine endCharacter includeDeclaration query callHierarchyItem serverName limit "
            "diagnostics codeActionKinds",
        ),
        "web_fetch": fetching(),
        **passing(
            """
            list_directory=LS glob=Glob web_search=WebSearch todo_write=TodoWrite ask_user_question=AskUserQuestion
            exit_plan_mode=ExitPlanMode agent=Task task=Task list_agents=ListAgents get_goal update_goal
            tool_search=ToolSearch
            """
        ),
    }

    def tampering(self, project: str) -> str:
        return tampering_by_dotenv(project, ".qwen")

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "session_id")
        cwd = directory(data, "cwd")
        project = project_of(cwd)
        if name != BEFORE_TOOL:
            return Event(name, session, project, None, data)
        call = self.translated(text(data, "tool_name"), members(data, "tool_input"), cwd)
        ident, mode = text(data, "tool_use_id", ""), text(data, "permission_mode", "")
        return self.before_tool(call, data, session=session, project=project, ident=ident, mode=mode)

    def path_of(self, path: str, cwd: str) -> str:
        """Blanks at its ends go, and so do backslashes before what a shell would not take as it is."""
        return re.sub(r"\\([ \t()\[\]{};|*?$`'\"#&<>!~,])", r"\1", path.strip())

    def allow(self, event: Event, verdict: Verdict) -> Reply:
        return _said("allow", for_agent(verdict))

    def allow_changed(self, event: Event, verdict: Verdict, updated: Mapping[str, Any]) -> Reply:
        given = self.changed(event.data["tool_name"], event.data["tool_input"], updated)
        return _said("allow", for_agent(verdict), updatedInput=given)

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        return _said("deny", reason)

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return sample_call(BEFORE_TOOL, "run_shell_command", project, command)

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["hookSpecificOutput"]["permissionDecision"])


def _said(decision: str, reason: str, **more: Any) -> Reply:
    output = {"hookEventName": BEFORE_TOOL, "permissionDecision": decision, "permissionDecisionReason": reason, **more}
    return json_reply({"hookSpecificOutput": output})


WIRE: Wire = QwenWire()
