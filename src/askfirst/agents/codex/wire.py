"""Codex CLI: the JSON of its hooks, as seen with 0.166.0.

What matters about this client: to allow is to say nothing. `allow` without a changed input, `ask`, any unknown key and a deny without
a reason count as a failed hook, and a failed hook lets the call run; so does exit code 2 with nothing on stderr. It runs no hook that
a person has not trusted (`/hooks`), and calls none for `write_stdin`: what is typed into a running program is not seen.
"""

from __future__ import annotations

import os

from askfirst.agents.claude.wire import project_of
from askfirst.agents.event import Reply, json_reply, object_of
from askfirst.agents.translate import before_tool, directory, members, passing, row, text, translated
from askfirst.model import Decision
from askfirst.wording import for_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from askfirst.agents.event import Event
    from askfirst.model import Verdict

DEADLINE_S = 3540.0  # the installer writes 3600 seconds
TOOLS = {
    "Bash": row("Bash", "command=command", "description timeout"),
    "apply_patch": row("ApplyPatch", "command=command"),
    **passing(
        """view_image update_plan web_search request_user_input spawn_agent wait_agent close_agent resume_agent send_input get_goal
        create_goal update_goal list_mcp_resources list_mcp_resource_templates read_mcp_resource tool_search sleep"""
    ),
}
PATCH_WORD = "apply_patch <<"


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    name = text(data, "hook_event_name")
    session = text(data, "session_id")
    cwd = directory(data, "cwd")
    # `cwd` is where the model wants the command to run; the session's own directory is where the client starts its hooks.
    project = project_of(os.getcwd())
    if name != "PreToolUse":
        from askfirst.agents.event import Event

        return Event(name, session, project, None, data)
    call = translated("codex", TOOLS, text(data, "tool_name"), members(data, "tool_input"), cwd)
    if call.tool == "Bash" and (patch := _patch_in(call.input.get("command"))):
        call = call.replace(tool="ApplyPatch", input={"command": patch})
    return before_tool(
        "codex",
        call,
        data,
        session=session,
        project=project,
        ident=text(data, "tool_use_id", ""),
        mode=text(data, "permission_mode", ""),
    )


def _patch_in(command: object) -> str:
    """The patch of `apply_patch <<'EOF' …`, which the client applies itself; "" when the command is, or might be, anything else."""
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


def answer(event: Event, verdict: Verdict) -> Reply:
    return neutral(event) if verdict.decision == Decision.ALLOW else refuse(event, for_agent(verdict))


def neutral(event: Event, *, message: str = "") -> Reply:
    return Reply(b"")


def refuse(event: Event | None, reason: str) -> Reply:
    output = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason or "askfirst denied this",
    }
    return json_reply({"hookSpecificOutput": output})
