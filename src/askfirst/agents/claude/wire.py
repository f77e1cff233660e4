"""Claude Code: the JSON of its hooks, as seen with 2.1.197 and 2.1.325.

What matters about this client: anything but one well-formed object on stdout, or exit code 2, lets the call run where
permissions are open; a wrong `hookEventName` is as good as silence. So every answer is made here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from askfirst import jsontext
from askfirst.agents.claude.environment import tampering
from askfirst.agents.event import (
    AFTER_FAILURE,
    AFTER_TOOL,
    BEFORE_TOOL,
    DIALOG_OPEN,
    SETTINGS_CHANGED,
    Event,
    Reply,
    directory,
    json_reply,
    members,
    object_of,
    text,
)
from askfirst.agents.project import project_of
from askfirst.agents.translate import MERGE_BY_HAND
from askfirst.agents.wire import Wire, sample_call
from askfirst.errors import HookInputError
from askfirst.model import Decision, Request, Verdict
from askfirst.wording import EDITED, for_agent, for_person, of_merge

TOOL_EVENTS = (BEFORE_TOOL, DIALOG_OPEN, AFTER_TOOL, AFTER_FAILURE)
# What runs contained is allowed, as the line that starts the box.
DECISIONS = {Decision.ALLOW: "allow", Decision.CONTAIN: "allow", Decision.ASK: "ask", Decision.DENY: "deny"}
# Copilot CLI runs the hooks of a project's .claude/settings.json too, with this client's names for its tools and its
# own for their keys.
COPILOT_KEYS = {
    "Read": {"path": "file_path"},
    "Write": {"path": "file_path", "file_text": "content"},
    "Edit": {"path": "file_path", "old_str": "old_string", "new_str": "new_string"},
}


UNSEEN = "askfirst could not look for secrets in this result, so it is not shown"


class ClaudeWire(Wire):
    name = "claude"
    changes_commands = True
    last_word = (
        b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
        b'"permissionDecisionReason":"askfirst: internal error; the call is denied"}}\n'
    )

    def read(self, raw: bytes, environ: Mapping[str, str]) -> Event:
        data = object_of(raw)
        name = text(data, "hook_event_name")
        session = text(data, "session_id")
        cwd = directory(data, "cwd")
        project = project_of(cwd, environ.get("CLAUDE_PROJECT_DIR", ""))
        request = _request(data, session, cwd, project, environ) if name in TOOL_EVENTS else None
        return Event(name, session, project, request, data)

    def answer(self, event: Event, verdict: Verdict) -> Reply:
        if event.name == DIALOG_OPEN:
            return _answer_dialog(event, verdict)
        merged = verdict.updated_input is not None and "command" not in verdict.updated_input
        if merged and "file_path" not in event.data.get("tool_input", {}):
            # Copilot's call, and whether it takes a changed input in this form was never seen.
            return self.refuse(event, MERGE_BY_HAND)
        output: dict[str, Any] = {
            "hookEventName": BEFORE_TOOL,
            "permissionDecision": DECISIONS[verdict.decision],
            # The client shows the reason of an `ask` to the person, and hands that of a deny to the model.
            "permissionDecisionReason": for_person(verdict) if verdict.decision == Decision.ASK else for_agent(verdict),
        }
        if verdict.updated_input is not None and verdict.decision != Decision.DENY:
            output["updatedInput"] = dict(verdict.updated_input)
            if merged:
                output["additionalContext"] = of_merge(verdict)
        elif event.restored and event.request is not None and verdict.decision != Decision.DENY:
            output["updatedInput"] = dict(event.request.input)
        return json_reply({"hookSpecificOutput": output})

    masks = True

    def after(self, event: Event, *, message: str = "", context: str = "", output: Any = None) -> Reply:
        value: dict[str, Any] = {"systemMessage": message} if message else {}
        more: dict[str, Any] = {"additionalContext": context} if context else {}
        if output is not None and event.name == AFTER_TOOL:
            more["updatedToolOutput"] = output  # of the same shape; after a failure the client ignores it
        if more:
            value["hookSpecificOutput"] = {"hookEventName": event.name, **more}
        return json_reply(value)

    def changed_by_person(self, event: Event) -> str:
        response = event.data.get("tool_response")
        return EDITED if isinstance(response, dict) and response.get("userModified") is True else ""

    def neutral(self, event: Event, *, message: str = "") -> Reply:
        return json_reply({"systemMessage": message} if message else {})

    def refuse(self, event: Event | None, reason: str) -> Reply:
        name = event.name if event is not None else BEFORE_TOOL
        if name == BEFORE_TOOL:
            output = {"hookEventName": BEFORE_TOOL, "permissionDecision": "deny", "permissionDecisionReason": reason}
            return json_reply({"hookSpecificOutput": output})
        if name == DIALOG_OPEN:
            decision = {"behavior": "deny", "message": reason}
            return json_reply({"hookSpecificOutput": {"hookEventName": DIALOG_OPEN, "decision": decision}})
        if name == SETTINGS_CHANGED:
            return self.block_change(reason)
        result = event.data.get("tool_response") if event is not None and name == AFTER_TOOL else None
        if result is None or event is None:
            return json_reply({"systemMessage": reason})
        return self.after(event, message=reason, output=hidden(result))  # nobody has looked for secrets in it

    def sample(self, project: str, command: str) -> dict[str, Any]:
        return sample_call(BEFORE_TOOL, "Bash", project, command)

    def decision_in(self, stdout: str) -> str:
        return str(jsontext.loads(stdout)["hookSpecificOutput"]["permissionDecision"])

    def own_rules(self, texts: tuple[str, ...], project: str, environ: Mapping[str, str] | None) -> str:
        from askfirst.agents.claude.permissions import about

        return about(texts, project, None if environ is None else self.client_pid(environ))

    # What other agents do not have. These modules are loaded only at the events that need them.

    def tampering(self, project: str) -> str:
        return tampering(project)

    def session_troubles(self, project: str) -> tuple[str, ...]:
        from askfirst.agents.claude.settings import session_troubles

        return session_troubles(project)

    def settings_changed(self, event: Event, environ: Mapping[str, str]) -> str:
        from askfirst.agents.claude.settings import started_with_settings, switches_off

        if event.data.get("source") not in ("user_settings", "project_settings", "local_settings"):
            return ""
        return switches_off(
            directory(event.data, "file_path"),
            event.project,
            plugin="CLAUDE_PLUGIN_ROOT" in environ,
            flag_settings=started_with_settings(self.client_pid(environ)),
        )

    def block_change(self, reason: str) -> Reply:
        return json_reply({"decision": "block", "reason": reason})

    def client_pid(self, environ: Mapping[str, str]) -> int:
        pid = environ.get("CLAUDE_PID", "")
        return int(pid) if pid.isdigit() else 0


def _request(data: dict[str, Any], session: str, cwd: str, project: str, environ: Mapping[str, str]) -> Request:
    tool, tool_input = text(data, "tool_name"), members(data, "tool_input")
    keys = COPILOT_KEYS.get(tool, {})
    if keys and "path" in tool_input:
        if "file_path" in tool_input:
            raise HookInputError(f"hook input: `{tool}` has two keys that mean the same")  # one client obeys each
        tool_input = {keys.get(key, key): value for key, value in tool_input.items()}
    return Request(
        agent="claude",
        session=session,
        cwd=cwd,
        project=project,
        tool=tool,
        input=tool_input,
        tool_use_id=text(data, "tool_use_id", ""),
        subagent=text(data, "agent_id", ""),
        mode=text(data, "permission_mode", "default"),
        attended=environ.get("CLAUDE_CODE_SESSION_ATTENDED") == "1",
        prompt_id=text(data, "prompt_id", ""),
    )


def hidden(value: Any) -> Any:
    """The same shape, with nothing in it."""
    if isinstance(value, str):
        return UNSEEN if value else value
    if isinstance(value, list):
        return [hidden(one) for one in value]
    return {key: hidden(one) for key, one in value.items()} if isinstance(value, dict) else value


def _answer_dialog(event: Event, verdict: Verdict) -> Reply:
    """The client's own dialog is on the screen: an allow or a deny closes it, silence leaves it to the person there."""
    if verdict.decision == Decision.ASK:
        return json_reply({})
    decision: dict[str, Any]
    if verdict.decision <= Decision.CONTAIN:
        decision = {"behavior": "allow"}
        if verdict.updated_input is not None:
            decision["updatedInput"] = dict(verdict.updated_input)
        elif event.restored and event.request is not None:
            decision["updatedInput"] = dict(event.request.input)
    else:
        decision = {"behavior": "deny", "message": for_agent(verdict)}
    return json_reply({"hookSpecificOutput": {"hookEventName": DIALOG_OPEN, "decision": decision}})


WIRE: Wire = ClaudeWire()
