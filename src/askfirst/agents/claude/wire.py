"""Claude Code: the JSON of its hooks, as seen with 2.1.197 and 2.1.325.

What matters about this client: anything but one well-formed object on stdout, or exit code 2, lets the call run where permissions
are open; a wrong `hookEventName` is as good as silence. So every answer is made here and nowhere else.
"""

from __future__ import annotations

import os

from askfirst.agents.event import (
    AFTER_FAILURE,
    AFTER_TOOL,
    BEFORE_TOOL,
    DIALOG_OPEN,
    SETTINGS_CHANGED,
    Event,
    Reply,
    json_reply,
    object_of,
)
from askfirst.errors import HookInputError
from askfirst.model import Decision, Request
from askfirst.wording import for_agent, for_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from askfirst.model import Verdict

# The installer writes a timeout of an hour; an approval takes at most half of one. The gate answers before the client gives up:
# a client that gives up runs the command.
DEADLINE_S = 3540.0
TOOL_EVENTS = (BEFORE_TOOL, DIALOG_OPEN, AFTER_TOOL, AFTER_FAILURE)
DECISIONS = {Decision.ALLOW: "allow", Decision.ASK: "ask", Decision.DENY: "deny"}


def read(raw: bytes, environ: Mapping[str, str]) -> Event:
    data = object_of(raw)
    name = _text(data, "hook_event_name")
    session = _text(data, "session_id")
    cwd = _text(data, "cwd")
    if not cwd.startswith("/"):
        raise HookInputError("hook input: `cwd` is not an absolute path")
    project = project_of(cwd, environ.get("CLAUDE_PROJECT_DIR", ""))
    request = _request(data, session, cwd, project, environ) if name in TOOL_EVENTS else None
    return Event(name, session, project, request, data)


def tampering(project: str) -> str:
    """Why nothing may be judged: the repository's settings reach into the gate. "" when they do not."""
    from askfirst.agents.claude import environment as claude_env

    return claude_env.tampering(project)


def project_of(cwd: str, told: str = "") -> str:
    """The project's real directory. The client's word counts; `cwd` follows the agent's `cd` and is only where a command would run."""
    if told.startswith("/"):
        return os.path.realpath(told)
    place = os.path.realpath(cwd)
    home = os.path.realpath(os.path.expanduser("~"))
    here = place
    while here not in ("/", home):
        if os.path.isdir(os.path.join(here, ".askfirst")) or os.path.exists(os.path.join(here, ".git")):
            return here
        here = os.path.dirname(here)
    return place


def _request(data: dict[str, Any], session: str, cwd: str, project: str, environ: Mapping[str, str]) -> Request:
    tool_input = data.get("tool_input")
    if not isinstance(tool_input, dict):
        raise HookInputError("hook input: `tool_input` is not an object")
    if "file_path" not in tool_input and "path" in tool_input:
        tool_input = _of_copilot(_text(data, "tool_name"), tool_input)
    return Request(
        agent="claude",
        session=session,
        cwd=cwd,
        project=project,
        tool=_text(data, "tool_name"),
        input=tool_input,
        tool_use_id=_text(data, "tool_use_id", ""),
        subagent=_text(data, "agent_id", ""),
        mode=_text(data, "permission_mode", "default"),
        attended=environ.get("CLAUDE_CODE_SESSION_ATTENDED") == "1",
        prompt_id=_text(data, "prompt_id", ""),
    )


def _of_copilot(tool: str, tool_input: dict[str, Any]) -> dict[str, Any]:
    """Copilot CLI runs the hooks of a project's .claude/settings.json too, with Claude's names for its tools and its own for their keys."""
    keys = {
        "Write": {"path": "file_path", "file_text": "content"},
        "Edit": {"path": "file_path", "old_str": "old_string", "new_str": "new_string"},
    }
    return {keys.get(tool, {}).get(key, key): value for key, value in tool_input.items()}


def _text(data: dict[str, Any], key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise HookInputError(f"hook input: `{key}` is missing or not a text")
    return value


def answer(event: Event, verdict: Verdict) -> Reply:
    if event.name == DIALOG_OPEN:
        return _answer_dialog(verdict)
    if verdict.updated_input is not None and "file_path" not in event.data.get("tool_input", {}):
        # Copilot's call: whether it takes a changed input in this form is not known.
        return refuse(
            event, "askfirst: the person merged this with what is in the file; read the file, and write what they want"
        )
    output: dict[str, Any] = {
        "hookEventName": BEFORE_TOOL,
        "permissionDecision": DECISIONS[verdict.decision],
        # The client shows the reason of an `ask` to the person, and hands that of a deny to the model.
        "permissionDecisionReason": for_person(verdict) if verdict.decision == Decision.ASK else for_agent(verdict),
    }
    if verdict.updated_input is not None and verdict.decision == Decision.ALLOW:
        output["updatedInput"] = dict(verdict.updated_input)
    return json_reply({"hookSpecificOutput": output})


def _answer_dialog(verdict: Verdict) -> Reply:
    """The client's own dialog is on the screen: an allow or a deny closes it, silence leaves it to the person there."""
    if verdict.decision == Decision.ASK:
        return json_reply({})
    decision: dict[str, Any]
    if verdict.decision == Decision.ALLOW:
        decision = {"behavior": "allow"}
        if verdict.updated_input is not None:
            decision["updatedInput"] = dict(verdict.updated_input)
    else:
        decision = {"behavior": "deny", "message": for_agent(verdict)}
    return json_reply({"hookSpecificOutput": {"hookEventName": DIALOG_OPEN, "decision": decision}})


def neutral(event: Event, *, message: str = "") -> Reply:
    return json_reply({"systemMessage": message} if message else {})


def block_change(reason: str) -> Reply:
    """ConfigChange: the session goes on with the settings it had."""
    return json_reply({"decision": "block", "reason": reason})


def refuse(event: Event | None, reason: str) -> Reply:
    name = event.name if event is not None else BEFORE_TOOL
    if name == BEFORE_TOOL:
        output = {"hookEventName": BEFORE_TOOL, "permissionDecision": "deny", "permissionDecisionReason": reason}
        return json_reply({"hookSpecificOutput": output})
    if name == DIALOG_OPEN:
        return json_reply(
            {"hookSpecificOutput": {"hookEventName": DIALOG_OPEN, "decision": {"behavior": "deny", "message": reason}}}
        )
    if name == SETTINGS_CHANGED:
        return block_change(reason)
    return json_reply({"systemMessage": reason})
