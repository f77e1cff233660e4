"""The real Codex, where it is installed (.ci/install-agents)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.agents.clients import Agent

pytestmark = pytest.mark.timeout(600)


def test_codex_types_into_no_terminal(home: Path, project: Path) -> None:
    """It calls no hook for what it types into a running program; the setting that `init` names prevents that."""
    agent = Agent("codex", home, project)
    agent.init("--user")
    (home / ".codex/config.toml").write_text("[features]\nunified_exec_tty = false\n")
    model = agent.run(("exec_command", {"cmd": "cat", "tty": True, "yield_time_ms": 500}))
    assert "TTY execution is disabled" in model.told()
    assert "unified_exec_tty" not in agent.askfirst("doctor").stdout
