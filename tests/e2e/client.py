"""The real Claude Code, run headless in a project and a home of its own against a scripted model."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.fake_model import Block, FakeModel

VERSION = os.environ.get("ASKFIRST_CLIENT_VERSION", "2.1.325")
# Looked up when this module is imported: the tests themselves run in a home of their own.
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
_SYSTEM = "darwin" if sys.platform == "darwin" else "linux"
_MACHINE = "arm64" if platform.machine() in ("arm64", "aarch64") else "x64"
PROGRAM = _CACHE / "askfirst-tests" / VERSION / f"node_modules/@anthropic-ai/claude-code-{_SYSTEM}-{_MACHINE}/claude"
SDK = _CACHE / "askfirst-tests" / "sdk-0.2.182"
OPEN = "--dangerously-skip-permissions"  # nothing but the gate stands between the model and the shell


def require_client() -> None:
    """Skipped where the client is not installed; in CI that is a failure (tests/needs.py)."""
    if not PROGRAM.exists():
        pytest.skip(f"the real client is not installed ({PROGRAM}); run .ci/install-client")


class Client:
    """One project, one home, as many runs as a test wants."""

    def __init__(self, home: Path, project: Path) -> None:
        require_client()
        self.home, self.project = home, project
        subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True)

    def environment(self, url: str = "") -> dict[str, str]:
        """Empty but for what the client needs: no credentials of the person who runs the tests."""
        names = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME")
        return {
            **{name: os.environ[name] for name in names if name in os.environ},
            "PATH": f"{PROGRAM.parent}:/usr/local/bin:/usr/bin:/bin",
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "IS_SANDBOX": "1",  # lets root use the open mode
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "not-a-key",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

    def askfirst(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "askfirst", *words],
            cwd=self.project,
            env=self.environment(),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def init(self, *words: str) -> None:
        done = self.askfirst("init", *words)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(
        self, turns: list[list[Block]], *words: str, prompt: str = "go", more_env: dict[str, str] | None = None
    ) -> FakeModel:
        """Play the turns; what the model was told stands in the model that comes back."""
        with FakeModel(turns) as model:
            done = subprocess.run(
                [str(PROGRAM), "-p", prompt, "--output-format", "json", *words],
                cwd=self.project,
                env={**self.environment(model.url), **(more_env or {})},
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=180,
            )
        self.output = done.stdout + done.stderr
        self.returncode = done.returncode
        return model

    def claude(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(PROGRAM), *words],
            cwd=self.project,
            env=self.environment("http://127.0.0.1:1"),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def settings(self, scope: str, value: dict[str, Any]) -> Path:
        path = {
            "user": self.home / ".claude/settings.json",
            "project": self.project / ".claude/settings.json",
            "local": self.project / ".claude/settings.local.json",
        }[scope]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        return path
