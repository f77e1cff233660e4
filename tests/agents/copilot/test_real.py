"""The real Copilot CLI, where it is installed (.ci/install-agents)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.agents.clients import Agent, shell, write

pytestmark = pytest.mark.timeout(600)


def test_copilot_runs_the_hooks_of_claude_code(home: Path, project: Path) -> None:
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
