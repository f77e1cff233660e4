"""The real agents, each run headless in its own project and home against a scripted model, with all permissions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents.support import CASES, install_program
from tests.e2e.agents.fake_models import Call, ScriptedModel

# Looked up when this module is imported: the tests themselves run in a home of their own.
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
PLACE = Path(os.environ.get("ASKFIRST_AGENTS_DIR") or _CACHE / "askfirst-tests/agents")
PACKAGES = dict(
    line.split("=")
    for line in (Path(__file__).resolve().parents[3] / ".ci/agents.txt").read_text().splitlines()
    if "=" in line
)
PATIENCE_S = 400
REAL: dict[str, dict[str, Any]] = {name: case["real"] for name, case in CASES.items() if "real" in case}


def filled(value: Any, **words: str) -> Any:
    """A row of tests/cases/agents with the values of this run in it."""
    if isinstance(value, dict):
        return {key: filled(inner, **words) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, **words) for inner in value]
    return value.format(**words) if isinstance(value, str) else value


def _program(pattern: str) -> str:
    """A program's path; `*` stands for what differs from system to system."""
    return str(min(Path("/").glob(pattern[1:]))) if "*" in pattern else pattern


def shell(agent: str, command: str) -> Call:
    """A shell command as the agent's model asks for it."""
    name, given = REAL[agent]["shell"]
    return name, filled(given, command=command)


def write(agent: str, path: Path, content: str) -> Call:
    """A new file, as the agent's model asks for it."""
    name, given = REAL[agent]["write"]
    return name, filled(given, path=str(path), content=content)


def environment() -> dict[str, str]:
    """Empty but for what an agent needs: no credentials of the person who runs the tests."""
    names = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME")
    return {
        **{name: os.environ[name] for name in names if name in os.environ},
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "SHELL": "/bin/bash",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }


def require(agent: str) -> None:
    """Skipped where the agent is not installed; where somebody asked for these tests that is a failure."""
    if (PLACE / agent).is_dir() and shutil.which("node"):
        return
    reason = f"{PACKAGES.get(agent, agent)} is not installed in {PLACE}; run .ci/install-agents"
    if os.environ.get("ASKFIRST_E2E_AGENTS"):
        pytest.fail(reason)
    pytest.skip(reason)


class Agent:
    """One project, one home, as many runs as a test wants."""

    def __init__(self, name: str, home: Path, project: Path) -> None:
        require(name)
        self.name, self.home, self.project = name, home, project
        self.output = ""
        subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True)

    def askfirst(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "askfirst", *words],
            cwd=self.project,
            env=environment(),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def init(self, *words: str) -> None:
        install_program(Path(os.environ["HOME"]))  # what the project's file holds looks for it
        done = self.askfirst("init", "--agent", self.name, "--no-project-file", *words)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *calls: Call) -> ScriptedModel:
        """Play the calls; what the model was told stands in the model that comes back."""
        with ScriptedModel(list(calls)) as model:
            real = filled(
                REAL[self.name],
                url=model.url,
                place=str(PLACE),
                modules=f"{PLACE}/{self.name}/node_modules",
                command="",
                path="",
                content="",
            )
            for file, settings in real.get("settings", {}).items():
                self._add_settings(self.home / file, settings)
            env = {**environment(), **real.get("env", {})}
            if "before" in real:
                self._run(real["before"], env)
            done = self._run(real["run"], env)
        self.output = done.stdout + done.stderr
        return model

    def _run(self, words: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [_program(words[0]), *words[1:]],
            cwd=self.project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    def _add_settings(self, file: Path, settings: dict[str, Any]) -> None:
        present = json.loads(file.read_text()) if file.exists() else {}
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({**present, **settings}))
