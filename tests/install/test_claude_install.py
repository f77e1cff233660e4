"""`askfirst init` and `uninstall` on every kind of settings file: nothing else is touched, and the way back is exact."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.agents.claude import install as claude
from askfirst.agents.claude import settings as claude_check
from askfirst.errors import ConfigError
from askfirst.install import record

FILES = {
    "empty object": "{}",
    "empty object, pretty": "{\n}\n",
    "empty file": "",
    "two spaces": '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n',
    "tabs": '{\n\t"model": "opus"\n}\n',
    "four spaces, no newline at the end": '{\n    "model": "opus"\n}',
    "one line": '{"model":"opus","env":{"A":"b"}}',
    "windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "hooks of others": """{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]}
    ],
    "Stop": []
  },
  "z": 1
}
""",
    "empty hooks": '{\n  "hooks": {},\n  "a": 1\n}\n',
    "empty list of hooks": '{"hooks": {"PreToolUse": []}}',
    "strange layout": '{ "a" : [ 1,\n2 ]\n,  "hooks" :{ "PostToolUse" :[ ] } }   ',
    "not ASCII": '{\n  "note": "für Änne \\u2028 \U0001f600"\n}\n',
    "a byte order of keys that matters": '{"b":1,"a":2,"hooks":{"Stop":[{"hooks":[]}]}}',
}


def settings(project: Path, text: str) -> Path:
    path = project / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", FILES)
def test_there_and_back_is_byte_for_byte(name: str, project: Path) -> None:
    path = settings(project, FILES[name])
    before = path.read_bytes()
    change = claude.install("project", str(project))
    assert change.did == "written" and Path(change.backup).read_bytes() == before
    value = json.loads(path.read_text())
    old = json.loads(FILES[name] or "{}")
    assert {k: v for k, v in value.items() if k != "hooks"} == {k: v for k, v in old.items() if k != "hooks"}
    for event, groups in old.get("hooks", {}).items():
        assert value["hooks"][event][: len(groups)] == groups
    assert claude_check.look("project", str(path)).registered and not claude_check.look("project", str(path)).weak
    written = path.read_bytes()
    assert claude.install("project", str(project)).did == "already there"
    assert path.read_bytes() == written
    assert claude.uninstall("project", str(project)).did == "restored"
    assert path.read_bytes() == before
    assert claude.uninstall("project", str(project)).did == "not there"


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_changed_since_loses_only_what_is_ours(name: str, project: Path) -> None:
    path = settings(project, FILES[name])
    claude.install("project", str(project))
    changed = {**json.loads(path.read_text()), "added": "since"}
    path.write_text(json.dumps(changed, indent=2))
    assert claude.uninstall("project", str(project)).did == "edited"
    left = json.loads(path.read_text())
    assert left.pop("added") == "since"
    old = json.loads(FILES[name] or "{}")
    # An empty list or object of hooks means nothing; one that only we had filled may go with us.
    assert {k: v for k, v in left.items() if k != "hooks"} == {k: v for k, v in old.items() if k != "hooks"}
    assert {k: v for k, v in left.get("hooks", {}).items() if v} == {k: v for k, v in old.get("hooks", {}).items() if v}


def test_text_that_is_not_ours_keeps_its_bytes(project: Path) -> None:
    path = settings(project, FILES["hooks of others"])
    claude.install("project", str(project))
    text = path.read_text()
    assert '{"matcher": "Bash", "hooks": [{"type": "command", "command": "theirs"}]},\n' in text
    assert text.endswith('\n  },\n  "z": 1\n}\n')


def test_without_the_record_the_way_back_is_by_content(project: Path) -> None:
    path = settings(project, FILES["two spaces"])
    before = path.read_bytes()
    claude.install("project", str(project))
    record.forget(str(path))
    assert claude.uninstall("project", str(project)).did == "edited"
    assert path.read_bytes() == before


@pytest.mark.parametrize("scope", claude.SCOPES)
def test_a_file_that_was_not_there_is_gone_again(scope: str, project: Path, home: Path) -> None:
    path = Path(claude.settings_path(scope, str(project)))
    assert claude.install(scope, str(project)).did == "written"
    assert path.exists()
    assert claude.uninstall(scope, str(project)).did == "removed"
    assert not path.exists() and not path.parent.exists()


def test_a_new_interpreter_replaces_the_old_registration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = settings(project, FILES["two spaces"])
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/old place/python3.11")
        claude.install("project", str(project))
    assert "'/old place/python3.11' -I -S" in path.read_text()
    assert claude.install("project", str(project)).did == "written"
    assert "/old place" not in path.read_text()
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    claude.uninstall("project", str(project))
    assert path.read_bytes() == before


def test_what_is_registered_closes_every_known_hole(project: Path) -> None:
    claude.install("local", str(project))
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


REFUSED = {
    "not JSON": "{",
    "a comment": '{\n  // mine\n  "a": 1\n}',
    "a trailing comma": '{"a": 1,}',
    "an array": "[]",
    "a key twice": '{"a": 1, "a": 2}',
    "hooks is a list": '{"hooks": []}',
    "an event is an object": '{"hooks": {"PreToolUse": {}}}',
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_edited_safely_is_refused_untouched(name: str, project: Path) -> None:
    path = settings(project, REFUSED[name])
    with pytest.raises(ConfigError) as refused:
        claude.install("project", str(project))
    assert str(path) in str(refused.value) and "nothing was changed" in str(refused.value)
    assert path.read_text() == REFUSED[name]
    assert sorted(p.name for p in path.parent.iterdir()) == ["settings.json"]


def test_not_utf8_is_refused(project: Path) -> None:
    path = settings(project, "")
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ConfigError):
        claude.install("project", str(project))


def test_symlinks_and_directories_are_refused(project: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text("{}")
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").symlink_to(target)
    (project / ".claude/settings.local.json").mkdir()
    for scope in ("project", "local"):
        with pytest.raises(ConfigError):
            claude.install(scope, str(project))
    assert target.read_text() == "{}"
    other = tmp_path / "other"
    other.mkdir()
    (other / ".claude").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="symlink"):
        claude.install("project", str(other))


def test_mode_is_kept_and_new_files_are_sensible(project: Path) -> None:
    path = settings(project, "{}")
    path.chmod(0o640)
    claude.install("project", str(project))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    claude.uninstall("project", str(project))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    claude.install("user", str(project))
    assert stat.S_IMODE(Path(claude.settings_path("user", "")).stat().st_mode) == 0o600


def test_the_plugin_and_the_managed_example_register_the_same(project: Path) -> None:
    root = Path(__file__).parents[2]
    plugin = json.loads((root / "hooks/hooks/hooks.json").read_text())["hooks"]
    wanted = claude.registration('sh "${CLAUDE_PLUGIN_ROOT}/scripts/askfirst-hook.sh"')
    assert plugin == {event: [group] for event, group in wanted.items()}
    managed = json.loads((root / "examples/managed-settings.json").read_text())["hooks"]
    gate = managed["PostToolUse"][0]["hooks"][0]["command"]
    assert managed == {event: [group] for event, group in claude.registration(gate).items()}
    for hooks in (plugin, managed):
        assert not any(
            claude_check.weaknesses(m, h) for m, h in claude_check.our_entries({"hooks": hooks}, "PreToolUse")
        )


# The commands


def askfirst(project: Path, *words: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askfirst", *words],
        cwd=project,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": path, "SHELL": "/bin/bash"},
        timeout=120,
    )


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
    import pty

    from askfirst.store.trust import is_trusted

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
