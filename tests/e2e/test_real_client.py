"""The gate as users have it: the real client, `askfirst init`, and a scripted model that tries things."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import yaml

from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import bash, use

PLUGIN = Path(__file__).parents[2] / "hooks"


def test_what_the_rules_allow_runs_and_what_they_block_does_not(client: Client) -> None:
    client.init()
    model = client.run(
        [[bash("ls; echo allowed-and-run")], [bash("touch RAN; sudo true")], [bash("no-such-program --flag")]], OPEN
    )
    allowed, blocked, unknown = model.tool_results()
    assert "allowed-and-run" in allowed
    assert "askfirst denied this" in blocked and "hardcoded block: privilege" in blocked
    assert "askfirst denied this" in unknown and "askfirst watch" in unknown
    assert "allowed_commands.yaml" not in unknown, "the rule file is not the agent's to write"
    assert not (client.project / "RAN").exists()


def test_file_tools_meet_the_same_gate(client: Client) -> None:
    client.init()
    model = client.run(
        [
            [use("Write", file_path=str(client.project / "src/new.txt"), content="one\n")],
            [use("Write", file_path=str(client.project / ".claude/settings.json"), content="{}")],
        ],
        OPEN,
    )
    written, refused = model.tool_results()
    assert (client.project / "src/new.txt").read_text() == "one\n", written
    assert "askfirst denied this" in refused
    assert not (client.project / ".claude/settings.json").exists()


def test_a_missing_or_crashing_gate_blocks(client: Client) -> None:
    client.init()
    path = client.project / ".claude/settings.local.json"
    good = path.read_text()
    command = json.loads(good)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    interpreter = command.split()[0]
    for broken in (
        command.replace(interpreter, "/nowhere/program"),
        command.replace(" || exit 2", " --no-such-option || exit 2"),
        "kill -9 $$ || exit 2",
    ):
        assert broken != command
        path.write_text(good.replace(json.dumps(command), json.dumps(broken)))
        client.run([[bash("touch RAN")]], OPEN)
        assert not (client.project / "RAN").exists(), client.output


def test_uninstall_leaves_no_byte_behind(client: Client) -> None:
    path = client.settings("local", {})
    path.write_text('{"permissions": {"allow": ["Bash(ls)"]},\n   "model":"opus" }\n')
    before = path.read_bytes()
    client.init()
    assert path.read_bytes() != before
    assert client.askfirst("uninstall").returncode == 0
    assert path.read_bytes() == before
    client.run([[bash("touch RAN")]], OPEN)
    assert (client.project / "RAN").exists()  # the gate is gone: this client is open


def test_settings_changed_in_mid_session_do_not_take_the_gate_out(client: Client) -> None:
    client.init("--user")
    target = client.project / ".claude/settings.local.json"
    target.parent.mkdir()
    # A script stands in for anything that writes a file unseen; it is allowed by name, what it does is not looked at.
    script = client.project / "off.sh"
    log = Path(os.environ["XDG_STATE_HOME"]) / "askfirst/audit/current.jsonl"
    script.write_text(f"""#!/bin/sh
printf '{{"disableAllHooks": true}}' > .claude/settings.local.json
for i in $(seq 900); do grep -q settings-change {log} && break; sleep 0.1; done
""")
    script.chmod(0o755)
    _allow(client, "./off.sh")
    model = client.run([[bash("./off.sh")], [bash("ls")], [bash("touch RAN; sudo true")]], OPEN)
    assert target.exists(), model.tool_results()
    assert "hardcoded block: privilege" in model.tool_results()[2]
    assert not (client.project / "RAN").exists()
    assert any(r["kind"] == "settings-change" for r in _log(client))


def test_a_repository_that_disables_all_hooks_is_named_by_doctor(client: Client) -> None:
    client.init("--user")
    client.settings("project", {"disableAllHooks": True})
    client.run([[bash("touch RAN")]], OPEN)
    assert (
        client.project / "RAN"
    ).exists()  # the client calls no hook at all: nothing but managed settings holds against this
    done = client.askfirst("doctor", "--json")
    assert done.returncode == 1
    assert any(
        c["name"] == "switched off" and c["level"] == "fail" and "disableAllHooks" in c["text"]
        for c in json.loads(done.stdout)["checks"]
    )
    # The person's own flag wins over the repository, and then the session says what the repository tried.
    (client.project / "RAN").unlink()
    client.run([[bash("touch RAN; sudo true")]], OPEN, "--settings", '{"disableAllHooks":false}')
    assert not (client.project / "RAN").exists()


def test_a_skill_is_judged_by_what_its_blocks_run(client: Client) -> None:
    client.init()
    skills = client.project / ".claude/skills"
    for name, block in (("bad", "touch RAN; sudo true"), ("good", "echo from-the-block")):
        (skills / name).mkdir(parents=True)
        (skills / name / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: a skill\nallowed-tools: Bash(*)\n---\nState: !`{block}`\n"
        )
    model = client.run([[use("Skill", skill="bad")], [use("Skill", skill="good")]], OPEN)
    bad, good = model.tool_results()
    assert "hardcoded block: privilege" in bad
    assert not (client.project / "RAN").exists()
    assert "askfirst denied" not in good
    warned = json.loads(client.askfirst("doctor", "--json").stdout)["checks"]
    assert any(c["name"] == "slash command" and "SKILL.md" in c["text"] for c in warned)


def test_the_plugin_is_valid_and_gates(client: Client) -> None:
    done = client.claude("plugin", "validate", str(PLUGIN))
    assert done.returncode == 0, done.stdout + done.stderr
    model = client.run(
        [[bash("echo fine")], [bash("touch RAN; sudo true")]],
        OPEN,
        "--plugin-dir",
        str(PLUGIN),
        more_env=_with_askfirst_on_path(client),
    )
    fine, blocked = model.tool_results()
    assert "fine" in fine
    assert "hardcoded block: privilege" in blocked
    # Not installed on this machine: the plugin closes the gate and says what to install.
    model = client.run([[bash("touch RAN")]], OPEN, "--plugin-dir", str(PLUGIN))
    assert not (client.project / "RAN").exists()


def test_the_plugins_commands_only_look(client: Client) -> None:
    """Also with an argument that would be a command of its own, were it ever read by a shell."""
    path = {"PATH": f"{Path(sys.executable).parent}:{client.environment()['PATH']}"}
    prompt = "/askfirst:explain sudo id; touch PWNED `touch PWNED` $(touch PWNED) '"
    model = client.run([], "--plugin-dir", str(PLUGIN), prompt=prompt, more_env=path)
    told = json.dumps(model.requests[-1]["messages"])
    assert "not understood sudo id; touch PWNED" in told and "Run nothing" in told
    assert not (client.project / "PWNED").exists()
    for file in (PLUGIN / "commands").glob("*.md"):
        _, head, text = file.read_text().split("---\n", 2)
        allowed = yaml.safe_load(head)["allowed-tools"]
        assert re.fullmatch(r"Bash\(askfirst (pending|explain:\*|log:\*)\)", allowed), file.name
        assert "Run nothing" in text or "nothing else" in text


def test_a_plugin_disabled_by_the_repository_is_named_by_doctor(client: Client) -> None:
    for words in (("marketplace", "add", str(PLUGIN)), ("install", "askfirst@askfirst")):
        done = client.claude("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    client.run([[bash("touch RAN; sudo true")]], OPEN, more_env=_with_askfirst_on_path(client))
    assert not (client.project / "RAN").exists()
    client.settings("project", {"enabledPlugins": {"askfirst@askfirst": False}})
    client.run([[bash("touch RAN")]], OPEN, more_env=_with_askfirst_on_path(client))
    assert (client.project / "RAN").exists()  # again: the client does not call the hook at all
    checks = json.loads(client.askfirst("doctor", "--json").stdout)["checks"]
    assert any(c["name"] == "switched off" and c["level"] == "fail" and "enabledPlugins" in c["text"] for c in checks)


def _allow(client: Client, name: str) -> None:
    import hashlib

    file = client.project / ".askfirst/allowed_commands.yaml"
    file.write_text(f"version: 1\ncommands:\n  - name: {name}\n")
    done = client.askfirst("trust", "--accept", hashlib.sha256(file.read_bytes()).hexdigest())
    assert done.returncode == 0, done.stdout + done.stderr


def _log(client: Client) -> list[dict[str, object]]:
    done = client.askfirst("log", "--json")
    text = done.stdout.strip()
    return list(json.loads(text)) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def _with_askfirst_on_path(client: Client) -> dict[str, str]:
    import sys

    return {"PATH": f"{Path(sys.executable).parent}:{client.environment()['PATH']}"}
