"""Claude Code's settings: what is registered, and what `init` and `uninstall` say."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.agents.claude import settings as claude_settings
from askfirst.agents.claude.install import INSTALLER, registration
from askfirst.errors import ConfigError
from askfirst.install import undo
from askfirst.store.trust import is_trusted
from tests.agents.support import FILES, askfirst
from tests.flow.session import organisation


def settings(project: Path, text: str) -> Path:
    path = project / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    return path


def test_text_that_is_not_ours_keeps_its_bytes(project: Path) -> None:
    path = settings(project, FILES["hooks of others"])
    INSTALLER.install("project", str(project))
    text = path.read_text()
    assert '{"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]},\n' in text
    assert text.endswith('\n  },\n  "z": 1\n}\n')


def test_without_the_record_the_way_back_is_by_content(project: Path) -> None:
    path = settings(project, FILES["two spaces"])
    before = path.read_bytes()
    INSTALLER.install("project", str(project))
    undo.forget(str(path))
    assert INSTALLER.uninstall("project", str(project)).did == "edited"
    assert path.read_bytes() == before


def test_a_new_interpreter_replaces_the_old_registration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(INSTALLER.settings_path("user", ""))
    path.parent.mkdir()
    path.write_text(FILES["two spaces"])
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/old place/python3.11")
        INSTALLER.install("user", str(project))
    assert "'/old place/python3.11' -I -S" in path.read_text()
    assert INSTALLER.install("user", str(project)).did == "written"
    assert "/old place" not in path.read_text()
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    INSTALLER.uninstall("user", str(project))
    assert path.read_bytes() == before


def test_what_is_registered_closes_every_known_hole(project: Path) -> None:
    INSTALLER.install("local", str(project))
    hooks = json.loads((project / ".claude/settings.local.json").read_text())["hooks"]
    before = hooks["PreToolUse"][0]
    assert before["matcher"] == "*"
    entry = before["hooks"][0]
    assert (
        entry["command"].endswith(" hook || exit 2")
        and " -I " in entry["command"]
        and entry["command"].startswith(("/", "'/"))
    )
    assert entry["onFailure"] == "block" and entry["timeout"] >= 31 * 60
    assert hooks["ConfigChange"][0]["hooks"][0]["command"].endswith("|| exit 2")
    assert not hooks["PermissionRequest"][0]["hooks"][0]["command"].endswith(
        "|| exit 2"
    )  # exit code 2 decides nothing there
    assert set(hooks) == {
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "ConfigChange",
        "SessionStart",
        "SessionEnd",
    }


def test_not_utf8_is_refused(project: Path) -> None:
    path = settings(project, "")
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError):
        INSTALLER.install("project", str(project))


def test_symlinks_and_directories_are_refused(project: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text("{}")
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").symlink_to(target)
    (project / ".claude/settings.local.json").mkdir()
    for scope in ("project", "local"):
        with pytest.raises(ConfigError):
            INSTALLER.install(scope, str(project))
    assert target.read_text() == "{}"
    other = tmp_path / "other"
    other.mkdir()
    (other / ".claude").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="symlink"):
        INSTALLER.install("project", str(other))


def test_mode_is_kept_and_new_files_are_sensible(project: Path) -> None:
    path = settings(project, "{}")
    path.chmod(0o640)
    INSTALLER.install("project", str(project))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    INSTALLER.uninstall("project", str(project))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    INSTALLER.install("user", str(project))
    assert stat.S_IMODE(Path(INSTALLER.settings_path("user", "")).stat().st_mode) == 0o600


def test_the_plugin_and_the_managed_example_register_the_same(project: Path) -> None:
    root = Path(__file__).parents[3]
    plugin = json.loads((root / "hooks/hooks/hooks.json").read_text())["hooks"]
    wanted = registration(claude_settings.PLUGIN_LINE)
    assert plugin == {event: [group] for event, group in wanted.items()}
    managed = json.loads((root / "examples/managed-settings.json").read_text())["hooks"]
    gate = managed["PostToolUse"][0]["hooks"][0]["command"]
    assert managed == {event: [group] for event, group in registration(gate).items()}
    for hooks in (plugin, managed):
        assert not any(
            claude_settings.weaknesses(m, h) for m, h in claude_settings.our_entries({"hooks": hooks}, "PreToolUse")
        )


# The commands


def test_init_says_what_it_did_and_uninstall_undoes_it(project: Path) -> None:
    (project / "pyproject.toml").write_text("")
    (project / "Cargo.toml").write_text("")
    done = askfirst(project, "init")
    assert done.returncode == 0, done.stderr
    assert (
        ".claude/settings.local.json" in done.stdout
        and "answers" in done.stdout
        and "python-dev, rust-dev" in done.stdout
    )
    rules = (project / ".askfirst/allowed_commands.yaml").read_text()
    assert "profiles: [python-dev, rust-dev]" in rules
    assert "askfirst trust" in done.stdout  # no terminal here, so nobody has said yes to the file
    again = askfirst(project, "init")
    assert again.returncode == 0 and "already" in again.stdout
    assert askfirst(project, "check").returncode == 0
    undone = askfirst(project, "uninstall")
    assert undone.returncode == 0 and not (project / ".claude").exists()
    assert (project / ".askfirst/allowed_commands.yaml").read_text() == rules
    assert askfirst(project, "uninstall").returncode == 1


def test_init_at_a_terminal_trusts_what_it_wrote(project: Path) -> None:
    organisation("version: 2\nbox: off\n")  # else it asks about the box
    leader, follower = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "askfirst", "init"],
        cwd=project,
        stdin=follower,
        stdout=follower,
        stderr=subprocess.PIPE,
        env={**os.environ, "PATH": "/usr/bin:/bin", "TERM": "xterm"},
        timeout=120,
    )
    os.close(follower)
    os.close(leader)
    assert done.returncode == 0, done.stderr
    file = project / ".askfirst/allowed_commands.yaml"
    assert is_trusted(str(file), file.read_bytes())


def test_init_with_mcp(project: Path) -> None:
    file = project / ".mcp.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    before = file.read_bytes()
    assert askfirst(project, "init", "--mcp", "--no-project-file").returncode == 0
    servers = json.loads(file.read_text())["mcpServers"]
    assert servers["other"] == {"command": "x"} and servers["askfirst"]["args"][-1] == "mcp"
    assert not (project / ".askfirst").exists()
    assert askfirst(project, "init", "--mcp", "--no-project-file").returncode == 0
    assert askfirst(project, "uninstall").returncode == 0
    assert file.read_bytes() == before


def test_init_warns_about_an_old_client(project: Path, tmp_path: Path) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    for version, warned in (("2.1.197", True), ("2.1.295", False), ("2.1.325", False)):
        (fake / "claude").write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
        (fake / "claude").chmod(0o755)
        done = askfirst(project, "init", path=f"{fake}:/usr/bin:/bin")
        assert ("warning" in done.stdout and version in done.stdout) is warned


def test_wrong_use(project: Path) -> None:
    assert askfirst(project, "init", "--user", "--local").returncode == 2
    assert askfirst(project, "init", "--agent", "nobody").returncode == 2
    assert askfirst(project, "init", "--dir", "no/such/place").returncode == 2
    (project / ".claude").mkdir()
    (project / ".claude/settings.local.json").write_text("{")
    done = askfirst(project, "init")
    assert done.returncode == 1 and "not valid JSON" in done.stderr and "Traceback" not in done.stderr
