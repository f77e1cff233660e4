"""`askfirst init --agent NAME` and back: nothing else is touched, the way back is exact, and doctor sees what is weak."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.errors import ConfigError
from askfirst.install import json_hooks
from askfirst.install.agent_checks import OTHERS, other_agents
from askfirst.install.agents import INSTALLERS, installer
from tests.install.test_claude_install import FILES, REFUSED, askfirst

JSON = ("codex", "copilot", "cursor", "gemini", "qwen")
WHOLE = ("cline", "opencode")


def settings(agent: str, project: Path, text: str) -> Path:
    path = Path(installer(agent).settings_path("project", str(project)))
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    return path


def test_every_adapter_has_an_installer_and_a_page() -> None:
    from askfirst.agents import ADAPTERS

    assert sorted(ADAPTERS) == sorted(INSTALLERS)
    pages = Path(__file__).resolve().parents[2] / "examples/agents"
    assert not [a for a in OTHERS if not (pages / f"{a}.md").is_file()]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("agent", JSON)
def test_there_and_back_is_byte_for_byte(agent: str, name: str, project: Path) -> None:
    path = settings(agent, project, FILES[name])
    before, module = path.read_bytes(), installer(agent)
    change = module.install("project", str(project))
    assert change.did == "written" and Path(change.backup).read_bytes() == before
    value, old = json.loads(path.read_text()), json.loads(FILES[name] or "{}")
    ours = {"hooks", *module.plan().seed}
    assert {k: v for k, v in value.items() if k not in ours} == {k: v for k, v in old.items() if k not in ours}
    for event, groups in old.get("hooks", {}).items():
        assert value["hooks"][event][: len(groups)] == groups
    found = module.look("project", str(project))
    assert found.registered and not found.weak
    written = path.read_bytes()
    assert module.install("project", str(project)).did == "already there"
    assert path.read_bytes() == written
    assert module.uninstall("project", str(project)).did == "restored"
    assert path.read_bytes() == before
    assert module.uninstall("project", str(project)).did == "not there"


@pytest.mark.parametrize("agent", OTHERS)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_file_that_was_not_there_is_gone_again(agent: str, scope: str, project: Path, home: Path) -> None:
    module = installer(agent)
    path = Path(module.settings_path(scope, str(project)))
    first = module.install(scope, str(project))
    assert (first.did, first.backup) == ("written", "") and path.exists()
    assert module.install(scope, str(project)).did == "already there"
    assert not path.stat().st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    assert module.look(scope, str(project)).registered and not module.look(scope, str(project)).weak
    assert module.uninstall(scope, str(project)).did == "removed"
    assert not path.exists() and not path.parent.exists()
    assert sorted(os.listdir(project)) == []


@pytest.mark.parametrize("agent", JSON)
def test_a_file_that_changed_since_loses_only_what_is_ours(agent: str, project: Path) -> None:
    path, module = settings(agent, project, FILES["hooks of others"]), installer(agent)
    module.install("project", str(project))
    path.write_text(json.dumps({**json.loads(path.read_text()), "added": "since"}, indent=2))
    assert module.uninstall("project", str(project)).did == "edited"
    left = json.loads(path.read_text())
    assert left.pop("added") == "since"
    assert left == {**json.loads(FILES["hooks of others"]), **module.plan().seed}


@pytest.mark.parametrize("agent", OTHERS)
def test_another_interpreter_replaces_the_old_registration(
    agent: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = installer(agent)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/old place/python3.11")
        module.install("project", str(project))
    path = Path(module.settings_path("project", str(project)))
    assert "/old place/python3.11" in path.read_text()
    assert module.install("project", str(project)).did == "written"
    assert "/old place" not in path.read_text() and path.read_text().count("launch.py") == (
        3 if agent == "cursor" else 1
    )
    assert module.uninstall("project", str(project)).did == "removed" and not path.exists()


@pytest.mark.parametrize("agent", JSON)
def test_what_cannot_be_edited_safely_is_refused(agent: str, project: Path) -> None:
    path, place = settings(agent, project, ""), next(iter(installer(agent).plan().hooks))[-1]
    for name, text in REFUSED.items():
        path.write_bytes(text.replace("PreToolUse", place).encode())
        before = path.read_bytes()
        with pytest.raises(ConfigError):
            installer(agent).install("project", str(project))
        assert path.read_bytes() == before, name


@pytest.mark.parametrize("agent", WHOLE)
def test_a_file_of_somebody_elses_is_left_alone(agent: str, project: Path) -> None:
    path = settings(agent, project, "theirs\n")
    with pytest.raises(ConfigError, match="not askfirst's"):
        installer(agent).install("project", str(project))
    assert installer(agent).uninstall("project", str(project)).did == "not there"
    assert path.read_text() == "theirs\n"


@pytest.mark.parametrize("agent", OTHERS)
def test_a_symlink_that_leads_out_is_refused(agent: str, project: Path, tmp_path: Path) -> None:
    first = Path(installer(agent).settings_path("project", str(project))).relative_to(project).parts[0]
    (tmp_path / "elsewhere").mkdir()
    (project / first).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError):
        installer(agent).install("project", str(project))
    assert os.listdir(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("agent", JSON)
def test_the_timeout_is_in_the_agents_own_unit_and_failures_have_words(agent: str) -> None:
    wanted = {"gemini": ("timeout", 3600000), "qwen": ("timeout", 3600000), "copilot": ("timeoutSec", 3600)}.get(
        agent, ("timeout", 3600)
    )
    for item in installer(agent).plan().hooks.values():
        hook = item["hooks"][0] if "hooks" in item else item
        assert hook[wanted[0]] == wanted[1]
        assert (hook.get("command") or hook["bash"]).endswith(json_hooks.LAST_WORD)


def _weaken(item: Any, key: str, value: Any) -> bool:
    """Set or remove a key wherever it stands."""
    hit = False
    for inner in list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else ():
        hit = _weaken(inner, key, value) or hit
    if isinstance(item, dict) and key in item:
        item[key] = value
        if value is ...:
            del item[key]
        return True
    return hit


WEAK = [
    ("codex", "timeout", 5),
    ("gemini", "timeout", 3600),
    ("gemini", "matcher", "write_file"),
    ("qwen", "timeout", ...),
    ("copilot", "timeoutSec", ...),
    ("cursor", "failClosed", ...),
    ("cursor", "failClosed", False),
    ("cursor", "preToolUse", []),
]


@pytest.mark.parametrize(("agent", "key", "value"), WEAK)
def test_doctor_sees_a_weakened_registration(agent: str, key: str, value: Any, project: Path) -> None:
    module = installer(agent)
    module.install("project", str(project))
    path = Path(module.settings_path("project", str(project)))
    given = json.loads(path.read_text())
    assert _weaken(given, key, value)
    path.write_text(json.dumps(given))
    assert any(c.level == "fail" and "init" in c.way_out for c in other_agents(str(project)))


@pytest.mark.parametrize("agent", OTHERS)
def test_doctor_tries_what_is_registered(agent: str, project: Path) -> None:
    module = installer(agent)
    assert list(other_agents(str(project))) == []
    module.install("project", str(project))
    failed = [c for c in other_agents(str(project)) if c.level == "fail"]
    # Codex runs a hook only after a person has trusted it, which no test can do here.
    assert [c.text for c in failed if "no person has trusted" not in c.text] == []
    assert (agent == "codex") == bool(failed)
    path = Path(module.settings_path("project", str(project)))
    path.write_text(path.read_text().replace("askfirst/launch.py", "gone/askfirst/launch.py"))
    assert any(c.level == "fail" for c in other_agents(str(project)) if c.name == agent)


OFF = [
    ("gemini", {"hooksConfig": {"enabled": False}}),
    ("gemini", {"hooksConfig": {"disabled": ["askfirst"]}}),
    ("qwen", {"disableAllHooks": True}),
    ("copilot", {"disableAllHooks": True}),
]


@pytest.mark.parametrize(("agent", "switch"), OFF)
def test_doctor_sees_who_switched_it_off(agent: str, switch: dict[str, Any], project: Path) -> None:
    module = installer(agent)
    settings(agent, project, json.dumps(switch))
    module.install("project", str(project))
    assert any(c.level == "fail" and next(iter(switch)) in c.text for c in other_agents(str(project)))


def test_codex_is_trusted_and_its_terminals_are_closed(project: Path, home: Path) -> None:
    module = installer("codex")
    module.install("user", str(project))
    names = {(c.level, c.name) for c in other_agents(str(project))}
    assert names == {("fail", "codex"), ("warn", "codex")}
    key = f"{module.settings_path('user', str(project))}:pre_tool_use:0:0"
    (home / ".codex/config.toml").write_text(
        f'[features]\nunified_exec_tty = false\n[hooks.state."{key}"]\nenabled = true\ntrusted_hash = "sha256:0"\n'
    )
    assert {c.level for c in other_agents(str(project))} == {"ok"}
    (home / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    assert any("switches every hook off" in c.text for c in other_agents(str(project)))


def test_the_commands_as_a_person_types_them(project: Path) -> None:
    for agent in ("gemini", "cline"):
        done = askfirst(project, "init", "--agent", agent, "--no-project-file")
        assert done.returncode == 0 and "the registered command answers" in done.stdout, done.stdout + done.stderr
    checks = json.loads(askfirst(project, "doctor", "--json").stdout)["checks"]
    assert {c["name"]: c["level"] for c in checks if c["name"] in ("gemini", "cline")} == {
        "gemini": "ok",
        "cline": "ok",
    }
    assert not any(c["name"] == "hook" and c["level"] == "fail" for c in checks)
    for agent in ("gemini", "cline"):
        assert askfirst(project, "uninstall", "--agent", agent).returncode == 0
    assert sorted(os.listdir(project)) == []
    done = askfirst(project, "init", "--agent", "gemini", "--local")
    assert done.returncode == 2 and "no --local" in done.stderr


def test_clines_script_answers_cancel_whatever_happens(project: Path) -> None:
    from askfirst.agents.cline import install as cline

    for gate in ("false", "exit 3", "sh -c 'kill -9 $$'", "/no/such/program", "true", "echo nonsense", "printf '  '"):
        script = cline.SCRIPT.format(gate=gate)
        done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, timeout=60, input="{}")
        assert json.loads(done.stdout)["cancel"] is True, gate
