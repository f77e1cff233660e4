"""Each real agent with its gate: what is denied does not run, what is allowed does, a crash of the gate denies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askfirst import jsontext
from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS, SEEN
from askfirst.box import engines, runs
from askfirst.box.bubblewrap import Bubblewrap
from askfirst.install.command import gate_command, gate_words
from askfirst.install.installer import installer_of
from tests.e2e.agents.clients import REAL, Agent, shell, write
from tests.flow.session import organisation

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(params=sorted(REAL))
def agent(request: pytest.FixtureRequest, home: Path, project: Path) -> Agent:
    return Agent(request.param, home, project)


def test_the_rules_hold(agent: Agent) -> None:
    agent.init("--user")
    name, project = agent.name, agent.project
    allowed = [shell(name, "echo yes > allowed.txt"), write(name, project / "notes.txt", "a note")]
    denied = [shell(name, "sudo touch denied.txt"), write(name, project / ".git/hooks/pre-commit", "exit 0")]
    ends = REAL[name].get("ends_at_deny", False)
    told = ""
    for calls in [allowed, denied[:1], denied[1:]] if ends else [[*allowed, *denied]]:
        told += agent.run(*calls).told() + agent.output
    assert (project / "allowed.txt").read_text() == "yes\n", agent.output
    assert (project / "notes.txt").read_text().strip() == "a note", told[-3000:]
    assert not (project / "denied.txt").exists()
    assert not (project / ".git/hooks/pre-commit").exists()
    if not ends:
        assert told.count("askfirst denied this") >= 2, told[-3000:]


def _break(agent: Agent, with_command: str) -> None:
    """The registered program is replaced by one that fails; everything around it stays as installed."""
    path = Path(installer_of(agent.name).settings_path("project", str(agent.project)))
    text = path.read_text()
    failing = f"/bin/sh -c '{with_command}'"
    line, words = gate_command(agent.name, "project"), gate_words(agent.name, "project")
    # In a script as it is, and in JSON with its line ends and quotes escaped.
    broken = text.replace(line, failing).replace(json.dumps(line)[1:-1], failing)
    broken = broken.replace(jsontext.dumps(words), jsontext.dumps(["/bin/sh", "-c", with_command]))
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


@pytest.mark.needs("bwrap")
def test_what_nobody_knows_runs_contained(agent: Agent) -> None:
    """The first command is allowed anyhow, and shows whether the agent runs what its hook gives it (box/dropped.py); a
    row of agents/table.py says that this was seen, or only documented."""
    name = agent.name
    if not wire_of(name).changes_commands:
        pytest.skip(f"the hook of {name} is not used to change commands")
    if not engines.probed(Bubblewrap()).works:
        pytest.skip("needs bubblewrap that works")
    organisation("version: 2\nbox: unknown\n")
    net = "echo could not resolve host: example.org; exit 6"
    for file, text in {"a.sh": "touch made.txt; pwd -P", "b.sh": f"touch {agent.home}/OUT; {net}"}.items():
        (agent.project / file).write_text(f"#!/bin/sh\n{text}\n")
        (agent.project / file).chmod(0o755)
    (agent.project / "sub").mkdir()
    agent.init("--user")
    calls = ["ls", "cd sub && ../a.sh", "./b.sh"]
    told = agent.run(*(shell(name, text) for text in calls)).told() + agent.output
    ran = {run.plan.command for run in runs.everything() if (Path(run.place) / "used").exists()}
    assert not (agent.home / "OUT").exists()
    if AGENTS[name].changing[1] != SEEN:
        assert not ran and "the client has not shown yet" in told, "a version that can do it: change its row"
        return
    assert ran == set(calls), told[-3000:]
    assert (agent.project / "sub/made.txt").exists() and f"{agent.project}/sub" in told
    assert "this ran contained, without the network. If it needs that, ask: askfirst outside -- ./b.sh" in told
