"""The warm process is only a cache: the same answers, the same records, and a change counts at once."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS
from askfirst.approval.answers import deny
from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce
from askfirst.model import Duration, Grant, Scope
from askfirst.resident import start
from askfirst.store import alerts, pause
from askfirst.store.grants import Denial, FileGrants
from askfirst.store.trust import forget, trust
from tests.hook.process import event
from tests.resident.warm import COLD, Warm, called, verdicts, without_times
from tests.waiting import until

UNKNOWN = "some-unknown-program"


def bash(command: str, project: Path, **more: Any) -> dict[str, Any]:
    return event(cwd=project, command=command, **more)


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_gets_the_same_answer(agent: str, warm: Warm, project: Path) -> None:
    words = ("--agent", agent)
    for command in ("git status", "sudo ls"):
        sample = wire_of(agent).sample(str(project), command)
        here = warm.call(sample, cwd=project, words=words)
        cold = called([*COLD, *words], sample, cwd=project)
        assert (here.stdout, here.stderr, here.returncode) == (cold.stdout, cold.stderr, cold.returncode)
    assert warm.answered == 2
    first, second = verdicts()[0::2], verdicts()[1::2]
    assert [without_times(r) | {"seq": 0} for r in first] == [without_times(r) | {"seq": 0} for r in second]


EVENTS: dict[str, dict[str, Any]] = {
    "PostToolUse": {"tool_response": {"stdout": "x"}},
    "PostToolUseFailure": {"error": "Exit code 1"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "ConfigChange": {"source": "user_settings", "file_path": "/nowhere/settings.json"},
    "Stop": {},
}


@pytest.mark.parametrize("name", EVENTS)
def test_every_event(name: str, warm: Warm, project: Path) -> None:
    sent = {**bash("ls", project, name=name), **EVENTS[name]}
    here, cold = warm.call(sent, cwd=project), called(COLD, sent, cwd=project)
    assert (here.stdout, here.returncode) == (cold.stdout, cold.returncode) and here.returncode == 0
    assert warm.answered == 1


def test_what_waits_for_a_person_is_handed_over(warm: Warm, project: Path) -> None:
    with announce("test"):
        process = subprocess.Popen(warm.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(bash(UNKNOWN, project)).encode())
        process.stdin.close()
        card = until(file_manager().pending, "the question")[0]
        file_manager().respond(card.id, deny("denied", "ada", "not now", card.digest))
        assert b"not now" in process.stdout.read() and process.wait(60) == 0
        process.stdout.close()
    assert warm.status["handed_over"] == 1 and len(verdicts()) == 1


def test_nobody_there_is_a_deny_at_once(warm: Warm, project: Path) -> None:
    found = warm.call(bash(UNKNOWN, project), cwd=project)
    assert found.decision == "deny" and "askfirst watch" in found.reason
    assert warm.answered == 1


# -- a change counts at once ------------------------------------------------------------------------------------------


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)
    return path


def config(variable: str) -> Path:
    return Path(os.environ[variable]) / "askfirst/config.yaml"


def decision(warm: Warm, command: str, project: Path) -> str:
    return warm.call(bash(command, project), cwd=project).decision


def test_rules_of_the_organisation(warm: Warm, project: Path) -> None:
    for variable in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        assert decision(warm, "ls", project) == "allow"
        file = write(config(variable), "version: 1\nblocked_commands: [ls]\n")
        assert decision(warm, "ls", project) == "deny"
        write(file, "version: 1\nblocked_commands: [lz]\n")
        assert decision(warm, "ls", project) == "allow"
        write(file, "version: 1\nblocked_commands: [\n")
        assert decision(warm, "ls", project) == "deny"
        file.unlink()
    assert decision(warm, "ls", project) == "allow"


def test_a_file_that_changes_between_any_two_calls(warm: Warm, project: Path) -> None:
    """In place, of the same length, as quickly as it goes: a time stamp alone would not tell."""
    file = write(config("XDG_CONFIG_HOME"), "version: 1\nblocked_commands: [ls]\n")
    with file.open("r+") as handle:
        for turn in range(60):
            handle.seek(0)
            handle.write(f"version: 1\nblocked_commands: [{'ls' if turn % 2 else 'lz'}]\n")
            handle.flush()
            assert decision(warm, "ls", project) == ("deny" if turn % 2 else "allow"), turn


def test_a_file_with_its_times_put_back(warm: Warm, project: Path) -> None:
    file = write(config("XDG_CONFIG_HOME"), "version: 1\nblocked_commands: [lz]\n")
    old = time.time_ns() - 10**12
    os.utime(file, ns=(old, old))
    assert decision(warm, "ls", project) == "allow"
    write(file, "version: 1\nblocked_commands: [ls]\n")
    os.utime(file, ns=(old, old))
    assert decision(warm, "ls", project) == "deny"


def test_trust_and_the_project_file(warm: Warm, project: Path) -> None:
    file = write(project / ".askfirst/allowed_commands.yaml", f"version: 1\ncommands:\n  - name: {UNKNOWN}\n")
    assert decision(warm, UNKNOWN, project) == "deny"
    trust(str(file), file.read_bytes())
    assert decision(warm, UNKNOWN, project) == "allow"
    forget(str(file))
    assert decision(warm, UNKNOWN, project) == "deny"
    trust(str(file), file.read_bytes())
    write(file, f"version: 1\ncommands:\n  - name: {UNKNOWN}\n  - name: other\n")
    assert decision(warm, UNKNOWN, project) == "deny"


def test_grants_revoke_and_their_end(warm: Warm, project: Path) -> None:
    grants = FileGrants()

    def grant(id: str, until: float) -> None:
        scope = Scope("command", UNKNOWN)
        grants.add(
            Grant(id, (scope,), Duration.TIMED, created=time.time(), until=until, project=str(project), by="ada")
        )

    assert decision(warm, UNKNOWN, project) == "deny"
    grant("aaaaaa", time.time() + 600)
    assert decision(warm, UNKNOWN, project) == "allow"
    grants.revoke("aaaaaa")
    assert decision(warm, UNKNOWN, project) == "deny"
    grant("bbbbbb", time.time() + 600)
    assert decision(warm, UNKNOWN, project) == "allow"
    grant("bbbbbb", time.time() - 1)  # the clock has moved on
    assert decision(warm, UNKNOWN, project) == "deny"
    assert grants.uses()["aaaaaa"].count == grants.uses()["bbbbbb"].count == 1


def test_pause_denial_and_a_late_yes(warm: Warm, project: Path) -> None:
    pause.pause(0.0, "ada", "release")
    assert decision(warm, "ls", project) == "deny"
    pause.resume()
    assert decision(warm, "ls", project) == "allow"
    warm.call(bash(UNKNOWN, project), cwd=project)
    digest = verdicts()[-1]["digest"]
    FileGrants().keep_once("session-1", digest, time.time() + 60, "ada")
    assert [decision(warm, UNKNOWN, project) for _ in range(2)] == ["allow", "deny"]
    FileGrants().deny(Denial("session-1", digest, "never"))
    assert "never" in warm.call(bash(UNKNOWN, project), cwd=project).reason


def test_settings_of_the_repository(warm: Warm, project: Path) -> None:
    assert decision(warm, "ls", project) == "allow"
    write(project / ".claude/settings.json", '{"env": {"BASH_ENV": "./evil.sh"}}')
    assert decision(warm, "ls", project) == "deny"


def test_violations_are_counted_once(warm: Warm, project: Path) -> None:
    for _ in range(6):
        warm.call(bash("sudo ls", project), cwd=project)
    assert [a.violations for a in alerts.alerts()] == [6] and len(verdicts()) == 6
    assert "flagged for review" in warm.call(bash("sudo ls", project), cwd=project).reason


def test_everything_comes_with_the_call(warm: Warm, project: Path, tmp_path: Path) -> None:
    """Home, state, variables and directory of one call are nothing to the next, in any order."""
    homes = []
    for number in range(3):
        home = tmp_path / f"home{number}"
        (home / "config/askfirst").mkdir(parents=True)
        write(home / "config/askfirst/config.yaml", f"version: 1\nblocked_commands: [{('ls', 'pwd', 'id')[number]}]\n")
        homes.append(home)
    for turn in range(9):
        home = homes[turn * 2 % 3]
        number = homes.index(home)
        env = {
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "SECRET_TOKEN": f"swordfish-{number}-{turn}",
            "TZ": ("UTC", "Asia/Tokyo", "America/New_York")[number],
        }
        for at, command in enumerate(("ls", "pwd", "id")):
            sent = bash(f"{command} swordfish-{number}-{turn}", project, session=f"s{turn}")
            here = warm.call(sent, cwd=(project, tmp_path, "/")[at], env=env)
            cold = called(COLD, sent, cwd=(project, tmp_path, "/")[at], env=env)
            assert here.stdout == cold.stdout and (here.decision == "deny") == (at == number)
        text = (home / "state/askfirst/audit/current.jsonl").read_text()
        assert "swordfish" not in text and "<redacted:environment>" in text
    assert warm.answered == 27


def test_a_relative_home_is_refused_as_in_the_cold_hook(warm: Warm, project: Path) -> None:
    for home in ("relative", "~nobody-such", "."):
        sent = bash("ls", project)
        env = {"HOME": home, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
        here, cold = warm.call(sent, cwd=project, env=env), called(COLD, sent, cwd=project, env=env)
        assert here.stdout == cold.stdout and here.is_closed


def test_resident_off_keeps_it_away(warm: Warm, project: Path) -> None:
    assert decision(warm, "ls", project) == "allow"
    write(config("XDG_CONFIG_HOME"), "version: 1\nresident: off\n")
    assert decision(warm, "ls", project) == "allow"
    assert start.wait_until_gone(warm.place, 20)
    assert decision(warm, "ls", project) == "allow" and not start.is_running(warm.place)
    assert len(verdicts()) == 3
