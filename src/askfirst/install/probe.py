"""Calls a registered hook the way an agent does, and looks whether it really answers and really closes."""

from __future__ import annotations

import json
import subprocess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROBE_SESSION = "askfirst-doctor"
PROBE_TIMEOUT_S = 60
NONSENSE = "this is not JSON"


def sample(agent: str, project: str, command: str = "true") -> dict[str, Any]:
    """One shell command, in the words of the agent."""
    if agent in ("cursor", "cline"):
        roots = "workspace_roots" if agent == "cursor" else "workspaceRoots"
        if agent == "cursor":
            own = {
                "hook_event_name": "beforeShellExecution",
                "conversation_id": PROBE_SESSION,
                "command": command,
                "cwd": project,
            }
        else:
            call = {"id": "1", "name": "run_commands", "input": {"commands": [command]}}
            own = {"hookName": "tool_call", "taskId": PROBE_SESSION, "tool_call": call}  # type: ignore[dict-item]
        return {**own, roots: [project]}
    if agent == "copilot":
        return {
            "sessionId": PROBE_SESSION,
            "timestamp": 1,
            "cwd": project,
            "toolName": "bash",
            "toolArgs": {"command": command},
        }
    if agent == "opencode":
        return {
            "tool": "bash",
            "session": PROBE_SESSION,
            "call": "1",
            "args": {"command": command},
            "directory": project,
        }
    names = {"gemini": ("BeforeTool", "run_shell_command"), "qwen": ("PreToolUse", "run_shell_command")}
    event, tool = names.get(agent, ("PreToolUse", "Bash"))
    given = {"command": command, "description": "askfirst doctor looks whether the hook answers"}
    return {
        "hook_event_name": event,
        "session_id": PROBE_SESSION,
        "cwd": project,
        "tool_name": tool,
        "tool_input": given,
    }


def decision_in(agent: str, stdout: str) -> str:
    """allow, ask or deny, as the agent would read it. Raises ValueError, KeyError or TypeError for what is no answer."""
    if agent == "codex" and not stdout:
        return "allow"
    value = json.loads(stdout)
    if agent in ("gemini", "opencode"):
        return str(value["decision"])
    if agent == "copilot":
        return str(value["permissionDecision"])
    if agent == "cursor":
        return str(value["permission"])
    if agent == "cline":
        return {True: "deny", False: "allow"}[value["cancel"]]
    return str(value["hookSpecificOutput"]["permissionDecision"])


def probe(agent: str, command: str, project: str) -> str:
    """What is wrong with a hook's command line; "" when it holds. It is run by a shell in the project, like a client does."""
    for text, wanted in ((json.dumps(sample(agent, project)), ("allow", "ask", "deny")), (NONSENSE, ("deny",))):
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                input=text,
                capture_output=True,
                text=True,
                cwd=project,
                timeout=PROBE_TIMEOUT_S,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
        try:
            decision = decision_in(agent, done.stdout)
        except (ValueError, KeyError, TypeError):
            return f"not an answer: {done.stdout.strip()[:200]!r}"
        if decision not in wanted:
            return f"it answered {decision!r} to {'nonsense' if text == NONSENSE else 'a command'}"
    return ""
