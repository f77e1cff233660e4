"""Cold and warm, byte for byte: the hook's own tests through the warm process, and all corpora both ways.

Cold is a process that has judged nothing yet: one that has only imported the hook, forked for each call.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hook.process import event
from tests.resident.warm import Warm, without_times

ROOT = Path(__file__).parents[2]
HOOK_TESTS = [f"tests/hook/test_{name}.py" for name in ("events", "fail_closed", "observe")]
CORPORA = ROOT / "tests/cases/corpus"


def test_the_hooks_own_tests(client: str) -> None:
    """What they say of a call, with the compiled client and one warm process in place of the cold command."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *HOOK_TESTS],
        cwd=ROOT,
        env={**os.environ, "ASKFIRST_TEST_WARM": client},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]


def commands() -> list[str]:
    found: list[str] = []
    for file in sorted(CORPORA.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            found += _commands_in(json.loads(line))
    return list(dict.fromkeys(found))


def _commands_in(row: Any) -> list[str]:
    """Whatever form a row has."""
    if isinstance(row, dict):
        own = [row["command"]] if isinstance(row.get("command"), str) else []
        return own + [c for key, value in row.items() if key != "command" for c in _commands_in(value)]
    if isinstance(row, list):
        return [c for value in row for c in _commands_in(value)]
    return []


def calls(project: Path, commands: list[str]) -> list[dict[str, Any]]:
    """Each a call of its own; a few sessions, so that counters and flags come into it."""
    found = []
    for number, command in enumerate(commands):
        sent = event(cwd=project, command=command, session=f"s{number % 90}")
        found.append({**sent, "tool_use_id": f"toolu_{number}"})
        if number % 5 == 0:
            found.append(
                {**sent, "hook_event_name": "PostToolUse", "tool_response": {}, "tool_use_id": f"toolu_{number}"}
            )
        if number % 40 == 0:
            write = {"file_path": str(project / f"src/f{number}.py"), "content": "x = 1\n" * (number % 9)}
            found.append(event("Write", cwd=project, session=f"s{number % 90}", **write))
    return found


def both_ways(warm: Warm, project: Path, tmp_path: Path, sent: list[dict[str, Any]]) -> None:
    (tmp_path / "sent.jsonl").write_text("".join(json.dumps(s) + "\n" for s in sent))
    seen = {}
    for way in ("cold", "warm"):
        state = tmp_path / way
        state.mkdir(mode=0o700)
        done = subprocess.run(
            [sys.executable, "-m", "tests.resident.ways", way, warm.place, str(tmp_path / "sent.jsonl")],
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(state), "ASKFIRST_RESIDENT": "", "PWD": str(project)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        seen[way] = [line.replace(str(state), "STATE") for line in done.stdout.splitlines()]
    assert len(seen["cold"]) == len(sent)
    different = [(s, c, w) for s, c, w in zip(sent, seen["cold"], seen["warm"], strict=True) if c != w]
    assert not different, different[:3]
    logs = {way: (tmp_path / way / "askfirst/audit/current.jsonl").read_text() for way in seen}
    records = {
        way: [without_times(json.loads(line)) for line in log.replace(str(tmp_path / way), "STATE").splitlines()]
        for way, log in logs.items()
    }
    assert records["cold"] == records["warm"]
    assert counters(tmp_path / "cold/askfirst") == counters(tmp_path / "warm/askfirst")
    assert warm.answered > len(sent) * 0.95, warm.status


def counters(state: Path) -> dict[str, Any]:
    """Violations by session, flags, and what sessions made: everything that is kept beside the log."""
    found: dict[str, Any] = {}
    for path in sorted(state.rglob("*")):
        kind = path.relative_to(state).parts[0]
        if kind in ("alerts", "sessions", "dialogs", "grants", "calls") and path.is_file():
            data = path.read_bytes()
            name = str(path.relative_to(state))
            if path.suffix == ".flag":
                found[name] = {k: v for k, v in json.loads(data).items() if k != "since"}
            else:
                found[name] = len(data.splitlines()) if path.suffix == ".times" else data
    return found


@pytest.fixture
def prepared(project: Path) -> Path:
    (project / "src").mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (project / "src/a.py").write_text("print(1)\n")
    (project / ".env").write_text("TOKEN=1\n")
    return project


def test_a_part_of_the_corpora_both_ways(warm: Warm, prepared: Path, tmp_path: Path) -> None:
    found = commands()
    assert len(found) > 4000
    both_ways(warm, prepared, tmp_path, calls(prepared, found[::24]))


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_all_corpora_both_ways(warm: Warm, prepared: Path, tmp_path: Path) -> None:
    both_ways(warm, prepared, tmp_path, calls(prepared, commands()))
