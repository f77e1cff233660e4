"""Spoilt input: whatever arrives, the answer is one object, and what was blocked does not become allowed."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents.claude.wire import WIRE
from askfirst.hook import respond

EVENTS = [
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "ConfigChange",
    "SessionStart",
    "SessionEnd",
    "",
    "preToolUse",
    "Stop",
]
ODD: list[Any] = [
    *(None, True, 0, -1, 1e300, "", " ", "\0", "é\u202e", "/", "Bash", "Read", "sudo id"),
    *([], ["sudo id"], {}, {"command": "sudo id"}, [[[]]]),
]
BYTES = [
    b"",
    b"\0",
    b"\xff",
    b"\xc3",
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b",",
    b":",
    b"\\u0000",
    b"\\ud800",
    b"\xef\xbb\xbf",
    b"\n{}",
    b"NaN",
]


def spoilt(value: Any, dice: random.Random) -> Any:
    """The value with one thing changed somewhere inside."""
    if isinstance(value, dict) and value and dice.random() < 0.8:
        key = dice.choice(list(value))
        changed = dict(value)
        kind = dice.randrange(5)
        if kind == 0:
            del changed[key]
        elif kind == 1:
            changed[dice.choice(["", key.upper(), key + " ", "command", "tool_name"])] = changed.pop(key)
        elif kind == 2:
            changed[key] = dice.choice(ODD)
        else:
            changed[key] = spoilt(value[key], dice)
        return changed
    return dice.choice(ODD)


def spoilt_bytes(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data) + 1)
        cut = dice.choice([0, 0, 1, dice.randrange(40)])
        data = data[:at] + dice.choice(BYTES) + data[at + cut :]
    return data


def holds_the_block(raw: bytes) -> bool:
    """Does the input still say plainly: before the tool, Bash, this blocked command?"""
    try:
        data = json.loads(raw)
        return (data["hook_event_name"], data["tool_name"], data["tool_input"]["command"]) == (
            "PreToolUse",
            "Bash",
            "sudo id",
        )
    except (ValueError, KeyError, TypeError):
        return False


def fuzz(rounds: int, seed: int, project: Path) -> tuple[int, int]:
    dice = random.Random(seed)
    environ = {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}
    denied = blocked = 0
    for _ in range(rounds):
        call = {
            "session_id": f"s{dice.randrange(1000)}",
            "cwd": str(project),
            "prompt_id": "p",
            "permission_mode": "bypassPermissions",
            "hook_event_name": dice.choice(EVENTS) if dice.random() < 0.2 else "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "sudo id", "description": "x"},
            "tool_use_id": "t",
        }
        raw = (
            json.dumps(spoilt(call, dice)).encode()
            if dice.random() < 0.5
            else spoilt_bytes(json.dumps(call).encode(), dice)
        )
        reply = respond(WIRE, raw, environ)
        assert reply.stdout.endswith(b"\n") and reply.stdout.count(b"\n") == 1, raw
        answer = json.loads(reply.stdout)
        assert isinstance(answer, dict) and reply.exit_code in (0, 2), raw
        decision = answer.get("hookSpecificOutput", {}).get("permissionDecision")
        assert decision in (None, "deny", "ask", "allow"), raw
        denied += decision == "deny"
        if holds_the_block(raw):
            blocked += 1
            assert decision == "deny", raw
    return denied, blocked


@pytest.fixture(autouse=True)
def nothing_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a person nor the disk."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("version: 1\napproval_enabled: false\n")
    monkeypatch.setattr(os, "fdatasync", lambda fd: None)
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.mark.parametrize("seed", range(4))
def test_spoilt_input(seed: int, project: Path) -> None:
    denied, blocked = fuzz(5_000, seed, project)
    assert denied > 3_000 and blocked > 300, "a fuzz that never reaches the gate proves nothing"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
def test_spoilt_input_for_long(seed: int, project: Path) -> None:
    fuzz(100_000, 1000 + seed, project)
