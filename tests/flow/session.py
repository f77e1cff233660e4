"""A scripted session: the hook's own answers, in this process, to one call after another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from askfirst.agents import wire_of
from askfirst.agents.table import DEFAULT
from askfirst.hook import respond
from askfirst.store import paths

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
# What an organisation may allow: every step of a flow passes by itself.
ALLOWING = """version: 2
allowed_commands: [git, curl, gh, npm, dig, mail, python3, frobnicate, {tool: "mcp__tracker__*"}, {tool: WebFetch}]
profiles: [python-dev]
"""


def organisation(text: str) -> None:
    """The user's own file, which counts as the organisation's."""
    path = Path(paths.user_config_dir()) / "config.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)


class Session:
    """One session of an attended client: what is asked is answered in its own dialog, with yes unless told not to."""

    def __init__(self, project: Path, name: str = "s1", *, says: str = "yes") -> None:
        self.project, self.name, self.says = project, name, says
        self.number = 0
        self.environ = {**ATTENDED, "CLAUDE_PROJECT_DIR": str(project)}

    def event(self, event: str, **more: Any) -> dict[str, Any]:
        value = {"hook_event_name": event, "session_id": self.name, "cwd": str(self.project), **more}
        reply = respond(wire_of(DEFAULT), json.dumps(value).encode(), self.environ)
        answer: dict[str, Any] = json.loads(reply.stdout)
        return answer

    def call(self, tool: str, *, response: Any = None, fails: str = "", **given: Any) -> tuple[str, str]:
        """(allow, ask or deny; why). What is allowed or answered with yes runs, and its result comes back."""
        self.number += 1
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self.number}"}
        self.before = self.event("PreToolUse", **about)
        output = self.before.get("hookSpecificOutput", {})
        decision = output.get("permissionDecision", "allow")  # neutral: the client goes on
        about["tool_input"] = output.get("updatedInput", given)
        self.after: dict[str, Any] = {}
        if decision == "allow" or (decision == "ask" and self.says == "yes"):
            if fails:
                self.after = self.event("PostToolUseFailure", error=fails, **about)
            else:
                self.after = self.event("PostToolUse", tool_response=response or {"stdout": ""}, **about)
        return decision, output.get("permissionDecisionReason", "")

    def bash(self, command: str, stdout: str = "", **more: Any) -> tuple[str, str]:
        response = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}
        return self.call("Bash", command=command, response=response, **more)
