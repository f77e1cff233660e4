"""Each agent with the gate of `askfirst init --agent NAME`: what is denied does not run, what is allowed does, a crash closes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askfirst.install.agents import installer
from askfirst.install.json_hooks import gate_command
from tests.e2e.agents.clients import COMMANDS, Agent, shell, write

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(params=sorted(COMMANDS))
def agent(request: pytest.FixtureRequest, home: Path, project: Path) -> Agent:
    return Agent(request.param, home, project)


def test_the_rules_hold(agent: Agent) -> None:
    agent.init("--user")
    name, project = agent.name, agent.project
    allowed = [shell(name, "echo yes > allowed.txt"), write(name, project / "notes.txt", "a note")]
    denied = [shell(name, "sudo touch denied.txt"), write(name, project / ".git/hooks/pre-commit", "exit 0")]
    # A no ends Cline's run, so each comes in a run of its own there.
    told = ""
    for calls in [[*allowed, *denied]] if name != "cline" else [allowed, denied[:1], denied[1:]]:
        told += agent.run(*calls).told() + agent.output
    assert (project / "allowed.txt").read_text() == "yes\n", agent.output
    assert (project / "notes.txt").read_text().strip() == "a note", told[-3000:]
    assert not (project / "denied.txt").exists()
    assert not (project / ".git/hooks/pre-commit").exists()
    if name != "cline":  # which shows the reason on its screen only
        assert told.count("askfirst denied this") >= 2, told[-3000:]


def _break(agent: Agent, with_command: str) -> None:
    """The registered program is replaced by one that fails; everything around it stays as installed."""
    path = Path(installer(agent.name).settings_path("project", str(agent.project)))
    text = path.read_text()
    if agent.name == "opencode":
        begin = text.index("const GATE = ")
        broken = (
            text[:begin]
            + f"const GATE = {json.dumps(['/bin/sh', '-c', with_command])}"
            + text[text.index("\n", begin) :]
        )
    else:
        broken = text.replace(gate_command(agent.name), f"/bin/sh -c '{with_command}'")
    assert broken != text
    path.write_text(broken)


@pytest.mark.parametrize("failure", ["kill -9 $$", "echo nonsense; exit 1"])
def test_a_gate_that_fails_closes(agent: Agent, failure: str) -> None:
    agent.init("--project")
    _break(agent, failure)
    model = agent.run(shell(agent.name, "echo yes > allowed.txt"))
    assert not (agent.project / "allowed.txt").exists(), model.told()[-2000:] + agent.output[-2000:]


def test_without_the_gate_the_same_call_runs(agent: Agent) -> None:
    """Or the tests above would prove nothing."""
    agent.run(shell(agent.name, "echo yes > allowed.txt"))
    assert (agent.project / "allowed.txt").exists(), agent.output[-2000:]


def test_codex_types_into_no_terminal(home: Path, project: Path) -> None:
    """It calls no hook for what it types into a running program; the setting that `init` names leaves it none to type into."""
    agent = Agent("codex", home, project)
    agent.init("--user")
    (home / ".codex/config.toml").write_text("[features]\nunified_exec_tty = false\n")
    model = agent.run(("exec_command", {"cmd": "cat", "tty": True, "yield_time_ms": 500}))
    assert "TTY execution is disabled" in model.told()
    assert "unified_exec_tty" not in agent.askfirst("doctor").stdout


def test_copilot_heeds_the_hooks_of_claude_code(home: Path, project: Path) -> None:
    agent = Agent("copilot", home, project)
    done = agent.askfirst("init", "--project", "--no-project-file")
    assert done.returncode == 0, done.stderr
    agent.run(
        write("copilot", project / "notes.txt", "a note"),
        shell("copilot", "sudo touch denied.txt"),
        write("copilot", project / ".git/hooks/pre-commit", "exit 0"),
    )
    assert (project / "notes.txt").exists(), agent.output
    assert not (project / "denied.txt").exists() and not (project / ".git/hooks/pre-commit").exists()
