"""The real agents, each run headless in a project and a home of its own against a scripted model, with everything it may ask open."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents.fake_models import Call, ScriptedModel

# Looked up when this module is imported: the tests themselves run in a home of their own.
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
PLACE = Path(os.environ.get("ASKFIRST_AGENTS_DIR") or _CACHE / "askfirst-tests/agents")
VERSIONS = dict(
    line.split("=")
    for line in (Path(__file__).resolve().parents[3] / ".ci/agents.txt").read_text().splitlines()
    if "=" in line
)
PATIENCE_S = 400
Command = tuple[list[str], dict[str, str]]


def _modules(agent: str) -> Path:
    return PLACE / agent / "node_modules"


def _codex(url: str, home: Path) -> Command:
    program = next(_modules("codex").glob("@openai/codex-*/vendor/*/bin/codex"))
    words = [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--dangerously-bypass-hook-trust",
    ]
    for setting in (
        f'model_providers.t={{name="t",base_url="{url}/v1",wire_api="responses"}}',
        'model_provider="t"',
        'model="scripted"',
    ):
        words += ["-c", setting]
    return [str(program), *words, "go"], {}


def _gemini(url: str, home: Path) -> Command:
    file = home / ".gemini/settings.json"
    settings = json.loads(file.read_text()) if file.exists() else {}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({**settings, "security": {"auth": {"selectedType": "gemini-api-key"}}}))
    program = _modules("gemini") / "@google/gemini-cli/bundle/gemini.js"
    env = {"GEMINI_API_KEY": "not-a-key", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return ["node", str(program), "--yolo", "-m", "gemini-2.5-pro", "-p", "go"], env


def _qwen(url: str, home: Path) -> Command:
    node = PLACE / "node/node_modules/node/bin/node"
    program = _modules("qwen") / "@qwen-code/qwen-code/cli.js"
    env = {"OPENAI_API_KEY": "not-a-key", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "m"}
    return [str(node), str(program), "--yolo", "--auth-type", "openai", "-p", "go"], env


def _copilot(url: str, home: Path) -> Command:
    program = next(_modules("copilot").glob("@github/copilot-*/copilot"))
    env = {
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "not-a-key",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return [str(program), "-p", "go", "--allow-all-tools", "--allow-all-paths", "--trust-folder"], env


def _opencode(url: str, home: Path) -> Command:
    program = next(p for p in sorted(_modules("opencode").glob("opencode-*/bin/opencode")) if "baseline" not in str(p))
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "t",
        "options": {"baseURL": f"{url}/v1", "apiKey": "not-a-key"},
        "models": {"m": {"name": "m"}},
    }
    config = {
        "model": "t/m",
        "small_model": "t/m",
        "provider": {"t": provider},
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"},
    }
    env = {
        "OPENCODE_CONFIG_CONTENT": json.dumps(config),
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }
    return [str(program), "run", "--model", "t/m", "go"], env


def _cline(url: str, home: Path) -> Command:
    program = str(_modules("cline") / ".bin/cline")
    words = [program, "auth", "openai-compatible", "-k", "not-a-key", "-m", "m", "-b", f"{url}/v1"]
    subprocess.run(words, env=environment(), capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    return [program, "-P", "openai-compatible", "-k", "not-a-key", "-m", "m", "go on now"], {
        "CLINE_SESSION_BACKEND_MODE": "local"
    }


COMMANDS: dict[str, Callable[[str, Path], Command]] = {
    "cline": _cline,
    "codex": _codex,
    "copilot": _copilot,
    "gemini": _gemini,
    "opencode": _opencode,
    "qwen": _qwen,
}


def shell(agent: str, command: str) -> Call:
    """A shell command as the agent's model asks for it."""
    calls: dict[str, Call] = {
        "cline": ("run_commands", {"commands": [command]}),
        "codex": ("exec_command", {"cmd": command}),
        "copilot": ("bash", {"command": command, "description": "part of a test"}),
        "opencode": ("bash", {"command": command, "description": "part of a test"}),
        "gemini": ("run_shell_command", {"command": command}),
        "qwen": ("run_shell_command", {"command": command, "is_background": False}),
    }
    return calls[agent]


def write(agent: str, path: Path, content: str) -> Call:
    """A new file, as the agent's model asks for it."""
    patch = f"*** Begin Patch\n*** Add File: {path}\n+{content}\n*** End Patch\n"
    calls: dict[str, Call] = {
        "cline": ("editor", {"path": str(path), "new_text": content}),
        "codex": ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}EOF\n"}),
        "copilot": ("create", {"path": str(path), "file_text": content}),
        "opencode": ("write", {"filePath": str(path), "content": content}),
        "gemini": ("write_file", {"file_path": str(path), "content": content}),
        "qwen": ("write_file", {"file_path": str(path), "content": content}),
    }
    return calls[agent]


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
    if _modules(agent).is_dir() and shutil.which("node"):
        return
    reason = f"{agent} {VERSIONS.get(agent, '')} is not installed in {PLACE}; run .ci/install-agents"
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
        done = self.askfirst("init", "--agent", self.name, "--no-project-file", *words)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *calls: Call) -> ScriptedModel:
        """Play the calls; what the model was told stands in the model that comes back."""
        with ScriptedModel(list(calls)) as model:
            words, env = COMMANDS[self.name](model.url, self.home)
            options: dict[str, Any] = {
                "cwd": self.project,
                "env": {**environment(), **env},
                "stdin": subprocess.DEVNULL,
            }
            done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, **options)
        self.output = done.stdout + done.stderr
        return model
