"""The whole table of calls (tests/toolbox/every_tool.py), by the real Claude Code and by the official inspector."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents.support import install_program
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import use
from tests.toolbox.every_tool import CALLS, SECRET, ToolCall, as_role, prepared, wrong

INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"


def answer_in(text: str) -> dict[str, Any]:
    """The result among what a client says of it: it tells an error in words of its own."""
    if text.startswith("["):
        text = "".join(part.get("text", "") for part in json.loads(text))
    value, _ = json.JSONDecoder().raw_decode(text[max(0, text.find("{")) :])
    assert isinstance(value, dict)
    return value


def mistakes(calls: list[ToolCall], told: list[str]) -> str:
    found = [(c, text, _wrong(c, text)) for c, text in zip(calls, told, strict=True)]
    return "\n".join(f"{c.tool} {str(c.given)[:150]}: {why}" for c, _, why in found if why)


def _wrong(call: ToolCall, text: str) -> str:
    if SECRET in text:
        return "a secret is in the answer"
    if text.startswith("PreToolUse:") and "needs the role" in text:
        return "" if call.code else "denied"  # the hook has denied it before the tool could
    try:
        return wrong(call, answer_in(text))
    except (ValueError, AssertionError):
        return f"no result: {text[:300]}"


def played(client: Client, who: str, calls: list[ToolCall]) -> list[str]:
    as_role(who)
    prepared(client.project)
    install_program(client.home)  # what `.mcp.json` looks for
    client.init("--mcp")
    model = client.run([[use(f"mcp__askfirst__{c.tool}", **c.given)] for c in calls], OPEN)
    told = model.tool_results()
    assert len(told) == len(calls), client.output[-2000:]
    return told


@pytest.mark.soak
@pytest.mark.needs("npm")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("who", CALLS, ids=lambda who: who or "nobody")
def test_the_real_client_calls_every_tool(client: Client, who: str) -> None:
    calls = [c for c in CALLS[who] if c.tool != "approve_everything"]  # the client itself knows that there is none
    assert not mistakes(calls, played(client, who, calls))
    assert not list(client.project.rglob("pwned")), "an argument was run"


def sayable(value: Any) -> bool:
    return not isinstance(value, str) or (value not in ("", "perhaps") and "\0" not in value)


def inspected(program: Path, project: Path, call: ToolCall) -> str:
    words = [f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in call.given.items()]
    server = [sys.executable, "-I", "-m", "askfirst", "mcp"]
    method = ["--method", "tools/call", "--tool-name", call.tool, *(w for a in words for w in ("--tool-arg", a))]
    environ = {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}
    ran = subprocess.run([program, "--cli", *server, *method], cwd=project, env=environ, capture_output=True, text=True)
    try:
        return str(json.loads(ran.stdout)["content"][0]["text"])
    except (ValueError, KeyError):
        return ran.stdout + ran.stderr


@pytest.mark.soak
@pytest.mark.needs("npm")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("who", CALLS, ids=lambda who: who or "nobody")
def test_the_official_inspector_calls_every_tool(project: Path, tmp_path: Path, who: str) -> None:
    place = tmp_path / "inspector"
    subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", place, INSPECTOR], check=True)
    as_role(who)
    prepared(project)
    # It reads words from a command line, makes of them what the schema says, and knows itself which tools there are.
    calls = [c for c in CALLS[who] if c.tool != "approve_everything" and all(map(sayable, c.given.values()))]
    told = [inspected(place / "node_modules/.bin/mcp-inspector", project, c) for c in calls]
    assert not mistakes(calls, told)
    assert not list(project.rglob("pwned")), "an argument was run"
