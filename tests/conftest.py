"""Every test has a home, a state directory and a configuration of its own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from askfirst.approval.person import AGENT_VARIABLES


def pytest_configure(config: pytest.Config) -> None:
    # Started under `nohup`, SIGHUP is ignored and stays so in children: the tests of dying terminals need the default.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private home: nothing of the person who runs the tests is read or written."""
    base = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(base))
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(base / variable.lower()))
    for variable in [*AGENT_VARIABLES, *(v for v in os.environ if v.startswith(("CLAUDE", "ASKFIRST_")))]:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # Which shell the agent's commands meet is read from here; a runner without one must get the same answers.
    monkeypatch.setenv("SHELL", "/bin/bash")
    return base


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project directory."""
    path = tmp_path / "project"
    path.mkdir()
    return path.resolve()
