"""The installed hook as a process, called the way `askfirst init` registers it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.install.command import LAUNCHER
from tests.waiting import PATIENCE_S

# tests/resident runs these tests a second time, through the fast client and a warm process of this worker's own.
CLIENT = os.environ.get("ASKFIRST_TEST_WARM", "")
PLACE = f"/tmp/askfirst-tests-{os.getpid()}"
COMMAND = [CLIENT, "--place", PLACE, "hook"] if CLIENT else [sys.executable, "-I", "-S", LAUNCHER, "hook"]
cold_only = pytest.mark.skipif(bool(CLIENT), reason="about the cold process itself")


def event(
    tool: str = "Bash", *, cwd: str | Path, name: str = "PreToolUse", session: str = "session-1", **input: Any
) -> dict[str, Any]:
    return {
        "hook_event_name": name,
        "session_id": session,
        "cwd": str(cwd),
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_1",
    }


class Result:
    def __init__(self, returncode: int, stdout: bytes, stderr: bytes) -> None:
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr

    @property
    def value(self) -> dict[str, Any]:
        """Exactly one JSON object on stdout, and nothing else."""
        text = self.stdout.decode("ascii")
        assert text.endswith("}\n") and text.startswith("{"), (self.stdout, self.stderr)
        value = json.loads(text)
        assert isinstance(value, dict)
        return value

    @property
    def decision(self) -> str:
        output = self.value["hookSpecificOutput"]
        assert output["hookEventName"] == "PreToolUse"
        return str(output["permissionDecision"])

    @property
    def reason(self) -> str:
        return str(self.value["hookSpecificOutput"]["permissionDecisionReason"])

    @property
    def is_closed(self) -> bool:
        """The call does not run: a deny in JSON, or exit code 2."""
        return self.returncode == 2 or (self.returncode == 0 and self.decision == "deny")


def start(
    cwd: str | Path, *, env: dict[str, str] | None = None, words: tuple[str, ...] = (), **options: Any
) -> subprocess.Popen[bytes]:
    settings: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        **options,
    }
    return subprocess.Popen(
        [*COMMAND, *words], cwd=cwd, env={**os.environ, "SHELL": "/bin/bash", **(env or {})}, **settings
    )


def run(
    value: dict[str, Any] | bytes,
    *,
    cwd: str | Path,
    env: dict[str, str] | None = None,
    words: tuple[str, ...] = (),
    **options: Any,
) -> Result:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    process = start(cwd, env=env, words=words, **options)
    stdout, stderr = process.communicate(raw, timeout=PATIENCE_S * 2)
    return Result(process.returncode, stdout or b"", stderr or b"")


def run_bash(command: str, *, cwd: str | Path, env: dict[str, str] | None = None, **options: Any) -> Result:
    return run(event(cwd=cwd, command=command), cwd=cwd, env=env, **options)
