"""What `init` and `doctor` say of the gate, against the real client: green only where the hook fires."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from askfirst.agents.claude import start
from tests.agents.support import install_program
from tests.e2e.client import OPEN, PROGRAM, Client
from tests.e2e.fake_model import bash

PLUGIN = Path(__file__).parents[2] / "hooks"


@pytest.fixture(autouse=True)
def program(home: Path) -> Path:
    return install_program(home)


def checks(client: Client, name: str) -> list[str]:
    found = json.loads(client.askfirst("doctor", "--json").stdout)["checks"]
    return [check["level"] for check in found if check["name"] == name]


def verdicts() -> list[str]:
    log = Path(os.environ["XDG_STATE_HOME"]) / "askfirst/audit/current.jsonl"
    return [line for line in log.read_text().splitlines() if '"verdict"' in line and "touch once" in line]


@pytest.mark.parametrize("scope", ["--local", "--user", "--project"])
def test_init_and_doctor_prove_that_the_hook_fires(client: Client, scope: str) -> None:
    done = client.askfirst("init", "--no-project-file", scope)
    assert done.returncode == 0 and "its call came to the gate" in done.stdout, done.stdout + done.stderr
    assert checks(client, start.NAME) == ["ok"]
    assert json.loads(client.askfirst("stats", "--json").stdout)["verdicts"] == 0, "nobody's work"


def test_doctor_is_not_green_where_the_client_has_no_gate(client: Client) -> None:
    client.init("--no-project-file")
    (client.project / ".claude/settings.json").write_text('{"disableAllHooks": true}')
    assert checks(client, start.NAME) == ["fail"]
    assert client.askfirst("init", "--no-project-file").returncode == 1


@pytest.mark.parametrize(
    "brought",
    [
        {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch RAN; askfirst hook"}]}]}},
        {"apiKeyHelper": "touch RAN"},
        {"env": {"BASH_ENV": "./ran.sh"}},
        {"enabledPlugins": {"evil@market": True}},
    ],
    ids=str,
)
def test_a_repository_that_runs_code_is_not_started(client: Client, brought: dict[str, object]) -> None:
    client.init("--no-project-file")
    client.settings("project", brought)
    assert checks(client, start.NAME) == ["note"]
    assert not (client.project / "RAN").exists()


def test_a_teammate_without_askfirst_hears_one_sentence(client: Client, program: Path) -> None:
    client.init("--project", "--no-project-file")
    text = (client.project / ".claude/settings.json").read_text()
    assert str(client.home) not in text and sys.executable not in text
    program.unlink()
    model = client.run([[bash("touch RAN")]], OPEN)
    assert "askfirst is not installed for this user" in model.tool_results()[0]
    assert not (client.project / "RAN").exists()


@pytest.mark.parametrize("beside", ["plugin", "team"])
def test_two_registrations_judge_and_record_once(client: Client, beside: str) -> None:
    client.init("--user", "--no-project-file")
    words = ["--plugin-dir", str(PLUGIN)] if beside == "plugin" else []
    if beside == "team":
        client.init("--project", "--no-project-file")
    client.run([[bash("touch once")]], OPEN, *words)
    assert (client.project / "once").exists() and len(verdicts()) == 1, client.output


def test_doctor_tries_the_plugin(client: Client) -> None:
    for words in (("marketplace", "add", str(PLUGIN)), ("install", "askfirst@askfirst")):
        assert client.claude("plugin", *words).returncode == 0
    assert checks(client, "plugin") == ["ok"] and checks(client, start.NAME) == ["ok"]


def test_the_client_is_started_without_credentials(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the person's settings say, it speaks to loopback."""
    client.settings("user", {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}})
    client.init("--user", "--no-project-file")
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "secret")
    assert start.fires(str(PROGRAM), str(client.project)) == ""
