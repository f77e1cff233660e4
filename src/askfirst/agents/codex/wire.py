"""Codex CLI: the JSON of its hooks, as seen with 0.166.0.

What matters about this client: to allow is to say nothing. `allow` without a changed input, `ask`, any unknown key
and a deny without a reason count as a failed hook, and a failed hook lets the call run; so does exit code 2 with
nothing on stderr. It runs no hook that a person has not trusted (`/hooks`), and calls none for `write_stdin`: what is
typed into a running program is not seen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from askfirst import jsontext
from askfirst.agents.event import BEFORE_TOOL, Event, Reply, directory, json_reply, members, object_of, text
from askfirst.agents.project import project_of
from askfirst.agents.translate import TranslatingWire, passing, row
from askfirst.agents.wire import Wire, sample_call

PATCH_WORD = "apply_patch <<"


class CodexWire(TranslatingWire):
    name = "codex"
    tools = {
        "Bash": row("Bash", "command=command", "description timeout"),
        "apply_patch": row("ApplyPatch", "command=command"),
        "view_image": row("Read", "path=file_path", "detail environment_id"),
        "read_mcp_resource": row("ReadMcpResource", "server=server uri=uri"),
        **passing(
            """
            update_plan=TodoWrite web_search=WebSearch request_user_input=AskUserQuestion spawn_agent=Task
            wait_agent=TaskOutput close_agent=TaskStop resume_agent=Task send_input=SendMessage get_goal create_goal
            update_goal list_mcp_resources=ListMcpResources list_mcp_resource_templates=ListMcpResources
            tool_search=ToolSearch sleep=Sleep
            """
        ),
    }

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "session_id")
        cwd = directory(data, "cwd")
        # `cwd` is where the model wants the command to run; the client starts its hooks in the session's own directory.
        project = project_of(os.getcwd())
        if name != BEFORE_TOOL:
            return Event(name, session, project, None, data)
        call = self.translated(text(data, "tool_name"), members(data, "tool_input"), cwd)
        if call.tool == "Bash" and (patch := _patch_in(call.input.get("command"))):
            call = replace(call, tool="ApplyPatch", input={"command": patch})
        ident, mode = text(data, "tool_use_id", ""), text(data, "permission_mode", "")
        return self.before_tool(call, data, session=session, project=project, ident=ident, mode=mode)

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return Reply(b"")

    def refuse(self, event: Event | None, reason: str) -> Reply:
        reason = reason or "askfirst denied this"
        output = {"hookEventName": BEFORE_TOOL, "permissionDecision": "deny", "permissionDecisionReason": reason}
        return json_reply({"hookSpecificOutput": output})

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return sample_call(BEFORE_TOOL, "Bash", project, command)

    def decision_in(self, stdout: str) -> str:
        if not stdout:
            return "allow"
        return str(jsontext.loads(stdout)["hookSpecificOutput"]["permissionDecision"])


def _patch_in(command: object) -> str:
    """The patch of `apply_patch <<'EOF' …`, which the client applies itself; "" when it might be anything else."""
    if not isinstance(command, str) or not command.startswith(PATCH_WORD):
        return ""
    head, _, rest = command[len(PATCH_WORD) :].partition("\n")
    word = head.strip()
    quoted = len(word) > 2 and word[0] == word[-1] and word[0] in "'\""
    end = word[1:-1] if quoted else word
    lines = rest.rstrip("\n").split("\n")
    if not end.isalnum() or lines[-1] != end or end in lines[:-1]:
        return ""
    patch = "\n".join(lines[:-1])
    # Without quotes a shell would expand these first.
    return "" if not quoted and any(c in patch for c in "$`\\") else patch


WIRE: Wire = CodexWire()
