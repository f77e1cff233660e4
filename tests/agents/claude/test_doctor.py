"""`askfirst doctor` finds what is wrong, and says the way out of each finding."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents.claude import settings as claude_settings
from askfirst.agents.claude.install import INSTALLER, registration
from askfirst.install import command, doctor
from tests.agents.support import askfirst


def findings(project: Path, level: str) -> list[dict[str, Any]]:
    done = askfirst(project, "doctor", "--json")
    value = json.loads(done.stdout)
    assert done.returncode == (0 if value["ok"] else 1)
    assert all(c["way_out"] for c in value["checks"] if c["level"] in ("warn", "fail"))
    return [c for c in value["checks"] if c["level"] == level]


def test_nothing_installed(project: Path) -> None:
    failed = findings(project, "fail")
    assert [c["name"] for c in failed] == ["hook"] and failed[0]["way_out"] == "askfirst init"


def test_all_well(project: Path) -> None:
    INSTALLER.install("local", str(project))
    assert findings(project, "fail") == []
    done = askfirst(project, "doctor")
    assert done.returncode == 0 and "the registered command answers" in done.stdout and "T0" in done.stdout


def spoil_settings(project: Path, change: Any) -> None:
    INSTALLER.install("local", str(project))
    path = project / ".claude/settings.local.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def hook(value: dict[str, Any]) -> dict[str, Any]:
    found = value["hooks"]["PreToolUse"][0]["hooks"][0]
    assert isinstance(found, dict)
    return found


SPOILT = {
    "no exit 2": (lambda v: hook(v).update(command=hook(v)["command"].replace(" || exit 2", "")), "exit 2"),
    "no onFailure": (lambda v: hook(v).pop("onFailure"), "onFailure"),
    "short timeout": (lambda v: hook(v).update(timeout=60), "timeout"),
    "async": (lambda v: hook(v).update({"async": True}), "async"),
    "narrow matcher": (lambda v: v["hooks"]["PreToolUse"][0].update(matcher="Bash"), "matcher"),
    "a filter": (lambda v: hook(v).update({"if": "Bash(git *)"}), "`if`"),
    "interpreter gone": (
        lambda v: hook(v).update(command="/nowhere/python -I -S /x/askfirst/launch.py hook || exit 2"),
        "does not answer",
    ),
    "all hooks off": (lambda v: v.update(disableAllHooks=True), "disableAllHooks"),
    "plugin off": (lambda v: v.update(enabledPlugins={"askfirst@m": False}), "enabledPlugins"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_each_weakness_is_found(name: str, project: Path) -> None:
    change, word = SPOILT[name]
    spoil_settings(project, change)
    assert any(word in c["text"] for c in findings(project, "fail"))


def test_a_broken_settings_file_is_named(project: Path) -> None:
    INSTALLER.install("user", str(project))
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").write_text("{,")
    assert any("ignore the whole file" in c["text"] for c in findings(project, "fail"))


def test_broken_rules_and_open_files_are_named(project: Path) -> None:
    INSTALLER.install("user", str(project))
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("blocked: [")
    config.chmod(0o666)
    failed = {c["name"] for c in findings(project, "fail")}
    assert {"rules", "files"} <= failed


def test_a_log_that_cannot_be_read_is_named(project: Path) -> None:
    INSTALLER.install("user", str(project))
    audit = Path(os.environ["XDG_STATE_HOME"]) / "askfirst/audit/current.jsonl"
    audit.parent.mkdir(exist_ok=True, mode=0o700)
    audit.unlink(missing_ok=True)
    audit.mkdir()
    assert any(c["name"] == "log" for c in findings(project, "fail"))


def test_managed_settings_hold_against_a_repository(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = tmp_path / "managed"
    directory.mkdir()
    hooks = {event: [group] for event, group in registration(INSTALLER.gate_command()).items()}
    (directory / "managed-settings.json").write_text(json.dumps({"hooks": hooks, "allowManagedHooksOnly": True}))
    monkeypatch.setattr(claude_settings, "MANAGED_DIRS", (str(directory),))
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").write_text('{"disableAllHooks": true}')
    assert not any(check.level == "fail" for check in INSTALLER.checks(str(project)))


def test_a_gate_that_lies_in_the_project_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LAUNCHER", str(project / ".venv/askfirst/launch.py"))
    assert any("inside the project" in c.text for c in doctor.private_files([INSTALLER], str(project)))
