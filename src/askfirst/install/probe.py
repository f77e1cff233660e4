"""Calls a registered hook the way an agent does, and looks whether it really answers and really closes."""

from __future__ import annotations

import json
import subprocess

PROBE_SESSION = "askfirst-doctor"
PROBE_TIMEOUT_S = 60


def probe(agent: str, command: str, project: str) -> str:
    """What is wrong with a hook's command line; "" when it holds. It is run by a shell in the project, like a client does."""
    if agent != "claude":
        return ""
    good = json.dumps(
        {
            "hook_event_name": "PreToolUse",
            "session_id": PROBE_SESSION,
            "cwd": project,
            "tool_name": "Bash",
            "tool_input": {"command": "true", "description": "askfirst doctor looks whether the hook answers"},
        }
    )
    for text, wanted in ((good, ("allow", "ask", "deny")), ("this is not JSON", ("deny",))):
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", command], input=text, capture_output=True, text=True, cwd=project, timeout=PROBE_TIMEOUT_S
            )
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
        try:
            decision = json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"]
        except (ValueError, KeyError, TypeError):
            return f"not an answer: {done.stdout.strip()[:200]!r}"
        if decision not in wanted:
            return f"it answered {decision!r} to {'a command' if text == good else 'nonsense'}"
    return ""
