"""`askfirst init --agent NAME` and back: nothing else is touched, the way back is exact, doctor sees what is weak."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents.table import AGENTS, DEFAULT
from askfirst.errors import ConfigError, UsageError
from askfirst.install.check import Check
from askfirst.install.installer import installer_of
from askfirst.install.json_hooks import HookFileInstaller
from askfirst.install.owned_file import OwnedFileInstaller
from tests.agents.support import CASES, FILES, NAMES, REFUSED, askfirst

IN_JSON = [name for name in NAMES if isinstance(installer_of(name), HookFileInstaller)]
OWNED = [name for name in NAMES if isinstance(installer_of(name), OwnedFileInstaller)]
SCOPES = [(name, scope) for name in NAMES for scope in installer_of(name).scopes]


def json_installer(agent: str) -> HookFileInstaller:
    installer = installer_of(agent)
    assert isinstance(installer, HookFileInstaller)
    return installer


def rows(key: str) -> list[tuple[str, Any]]:
    return [(name, row) for name in IN_JSON for row in CASES[name]["install"].get(key, ())]


def settings(agent: str, project: Path, text: str) -> Path:
    path = Path(installer_of(agent).settings_path("project", str(project)))
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    return path


def failed(agent: str, project: Path) -> list[Check]:
    return [check for check in installer_of(agent).checks(str(project)) if check.level == "fail"]


def test_an_agent_without_a_row() -> None:
    with pytest.raises(UsageError, match="known: claude"):
        installer_of("nobody")


def test_every_agent_is_of_one_kind() -> None:
    assert sorted((*IN_JSON, *OWNED)) == NAMES


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("agent", IN_JSON)
def test_there_and_back_is_byte_for_byte(agent: str, name: str, project: Path) -> None:
    path = settings(agent, project, FILES[name])
    before, installer = path.read_bytes(), json_installer(agent)
    done = installer.install("project", str(project))
    assert done.did == "written" and Path(done.backup).read_bytes() == before
    value, old = json.loads(path.read_text()), json.loads(FILES[name] or "{}")
    ours = {"hooks", *installer.seed}
    assert {k: v for k, v in value.items() if k not in ours} == {k: v for k, v in old.items() if k not in ours}
    for event, groups in old.get("hooks", {}).items():
        assert value["hooks"][event][: len(groups)] == groups
    found = installer.look("project", str(project))
    assert found.registered and not found.weak
    written = path.read_bytes()
    assert installer.install("project", str(project)).did == "already there"
    assert path.read_bytes() == written
    assert installer.uninstall("project", str(project)).did == "restored"
    assert path.read_bytes() == before
    assert installer.uninstall("project", str(project)).did == "not there"


@pytest.mark.parametrize(("agent", "scope"), SCOPES)
def test_a_file_that_was_not_there_is_gone_again(agent: str, scope: str, project: Path, home: Path) -> None:
    installer = installer_of(agent)
    path = Path(installer.settings_path(scope, str(project)))
    first = installer.install(scope, str(project))
    assert (first.did, first.backup) == ("written", "") and path.exists()
    assert installer.install(scope, str(project)).did == "already there"
    assert not path.stat().st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    found = installer.look(scope, str(project))
    assert found.registered and not found.weak and found.commands
    assert installer.uninstall(scope, str(project)).did == "removed"
    assert not path.exists() and not path.parent.exists()
    assert sorted(os.listdir(project)) == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("agent", IN_JSON)
def test_a_file_that_changed_since_loses_only_what_is_ours(agent: str, name: str, project: Path) -> None:
    path, installer = settings(agent, project, FILES[name]), json_installer(agent)
    installer.install("project", str(project))
    path.write_text(json.dumps({**json.loads(path.read_text()), "added": "since"}, indent=2))
    assert installer.uninstall("project", str(project)).did == "edited"
    left, old = json.loads(path.read_text()), json.loads(FILES[name] or "{}")
    assert left.pop("added") == "since"
    # An empty list or object of hooks means nothing; one that only we had filled may go with us.
    hooks, old_hooks = left.pop("hooks", {}), old.pop("hooks", {})
    assert left == {**old, **installer.seed}
    assert {k: v for k, v in hooks.items() if v} == {k: v for k, v in old_hooks.items() if v}


@pytest.mark.parametrize("agent", IN_JSON)
def test_a_file_of_ours_that_somebody_laid_out_anew_is_gone_again(agent: str, project: Path) -> None:
    installer = installer_of(agent)
    path = Path(installer.install("project", str(project)).path)
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert installer.uninstall("project", str(project)).did == "removed"
    assert sorted(os.listdir(project)) == []


@pytest.mark.parametrize("agent", NAMES)
def test_another_interpreter_replaces_the_old_registration(
    agent: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = installer_of(agent)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/old place/python3.11")
        installer.install("user", str(project))
    path = Path(installer.settings_path("user", str(project)))
    assert "/old place/python3.11" in path.read_text()
    assert installer.install("user", str(project)).did == "written"
    hooks = len(installer.hooks()) if isinstance(installer, HookFileInstaller) else 1
    assert "/old place" not in path.read_text() and path.read_text().count("launch.py") == hooks
    assert installer.uninstall("user", str(project)).did == "removed" and not path.exists()


@pytest.mark.parametrize("agent", IN_JSON)
def test_what_cannot_be_edited_safely_is_refused(agent: str, project: Path) -> None:
    path, event = settings(agent, project, ""), next(iter(json_installer(agent).hooks()))
    for name, text in REFUSED.items():
        path.write_bytes(text.replace("PreToolUse", event).encode())
        before = path.read_bytes()
        with pytest.raises(ConfigError) as refused:
            installer_of(agent).install("project", str(project))
        assert str(path) in str(refused.value) and "nothing was changed" in str(refused.value), name
        assert path.read_bytes() == before and [p.name for p in path.parent.iterdir()] == [path.name], name


@pytest.mark.parametrize("agent", OWNED)
def test_a_file_of_somebody_elses_is_left_alone(agent: str, project: Path) -> None:
    path = settings(agent, project, "theirs\n")
    with pytest.raises(ConfigError, match="not askfirst's"):
        installer_of(agent).install("project", str(project))
    assert installer_of(agent).uninstall("project", str(project)).did == "not there"
    assert path.read_text() == "theirs\n"


@pytest.mark.parametrize("agent", NAMES)
def test_a_symlink_that_leads_out_is_refused(agent: str, project: Path, tmp_path: Path) -> None:
    first = Path(installer_of(agent).settings_path("project", str(project))).relative_to(project).parts[0]
    (tmp_path / "elsewhere").mkdir()
    (project / first).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="symlink"):
        installer_of(agent).install("project", str(project))
    assert os.listdir(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("agent", IN_JSON)
def test_the_timeout_is_in_the_agents_own_unit_and_failures_close(agent: str) -> None:
    [(key, value)] = CASES[agent]["install"]["timeout"].items()
    group = next(iter(json_installer(agent).hooks().values()))
    hook = group["hooks"][0] if "hooks" in group else group
    assert hook[key] == value
    command = hook.get("command") or hook["bash"]
    assert "exit 2" in command
    assert "words" not in CASES[agent]["exit_code"] or "echo" in command


def _weaken(item: Any, key: str, value: Any) -> bool:
    """Set or (None) remove a key wherever it stands."""
    hit = False
    for inner in list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else ():
        hit = _weaken(inner, key, value) or hit
    if isinstance(item, dict) and key in item:
        item[key] = value
        if value is None:
            del item[key]
        return True
    return hit


@pytest.mark.parametrize(("agent", "weaker"), rows("weaker"), ids=str)
def test_doctor_sees_a_weakened_registration(agent: str, weaker: dict[str, Any], project: Path) -> None:
    path = Path(installer_of(agent).install("project", str(project)).path)
    given = json.loads(path.read_text())
    assert _weaken(given, *next(iter(weaker.items())))
    path.write_text(json.dumps(given))
    assert any("askfirst init" in check.way_out for check in failed(agent, project))


@pytest.mark.parametrize(("agent", "switch"), rows("off"), ids=str)
def test_doctor_sees_who_turned_it_off(agent: str, switch: dict[str, Any], project: Path) -> None:
    settings(agent, project, json.dumps(switch))
    installer_of(agent).install("project", str(project))
    assert any(next(iter(switch)) in check.text for check in failed(agent, project))


@pytest.mark.parametrize("agent", NAMES)
def test_doctor_tries_what_is_registered(agent: str, project: Path) -> None:
    installer = installer_of(agent)
    assert not any(check.name == agent for check in installer.checks(str(project)))
    path = Path(installer.install("project", str(project)).path)
    known = CASES[agent].get("install", {}).get("doctor_fails")
    assert [check.text for check in failed(agent, project) if not known or known not in check.text] == []
    assert bool(known) == bool(failed(agent, project))
    path.write_text(path.read_text().replace("askfirst/launch.py", "gone/askfirst/launch.py"))
    assert any(check.name == agent for check in failed(agent, project))


@pytest.mark.parametrize("agent", NAMES)
def test_the_commands_as_a_person_types_them(agent: str, project: Path) -> None:
    done = askfirst(project, "init", "--agent", agent, "--no-project-file", "--project")
    assert done.returncode == 0 and "the registered command answers" in done.stdout, done.stdout + done.stderr
    assert f"start {AGENTS[agent].title}," in done.stdout
    checks = json.loads(askfirst(project, "doctor", "--json").stdout)["checks"]
    known = "install" in CASES[agent] and "doctor_fails" in CASES[agent]["install"]
    assert {c["level"] for c in checks if c["name"] == agent and c["level"] != "warn"} == {"fail" if known else "ok"}
    assert [c["level"] for c in checks if c["name"] == "hook"] == ([] if agent == DEFAULT else ["note"])
    assert askfirst(project, "uninstall", "--agent", agent, "--project").returncode == 0
    assert sorted(os.listdir(project)) == []
    for scope in {"user", "project", "local"} - set(installer_of(agent).scopes):
        done = askfirst(project, "init", "--agent", agent, f"--{scope}")
        assert done.returncode == 2 and f"no --{scope}" in done.stderr
