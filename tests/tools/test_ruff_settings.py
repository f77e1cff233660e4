"""Whether `ruff check` rewrites what other tools load depends on its settings: judged as the gate does, and held
against the real program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

ALLOW, ASK = Decision.ALLOW, Decision.ASK
UNUSED = "import os\n"
FILES = {
    ".claude/hooks/x.py": UNUSED,
    "pyproject.toml": "[tool.ruff]\nline-length = 100\nlint.fixable = ['F401']\n",
    "ruff.toml": "fix = true\n",
    "tox.ini": "",
    ".ruff.toml": 'extend = "ruff.toml"\n',
    "sub/ruff.toml": "fix-only= true\n",
    "sub/pyproject.toml": "[tool]\nruff = {'fix' = true}\n",
    "sub/.ruff.toml": '"\\u0066ix" = true\n',
}
ROWS = [
    ("ruff check --config pyproject.toml .claude/hooks/x.py", ALLOW),
    ("ruff check --diff .claude/hooks/x.py", ALLOW),
    ("ruff format --check .claude/hooks/x.py", ALLOW),
    ("ruff check --config pyproject.toml --fix .claude/hooks/x.py", ASK),
    ("ruff check --config pyproject.toml --add-noqa .claude/hooks/x.py", ASK),
    ("ruff check .claude/hooks/x.py", ASK),
    ("ruff format .claude/hooks/x.py", ASK),
    *((f"ruff check --config {name} .claude/hooks/x.py", ASK) for name in FILES if "ruff.toml" in name),
    ("ruff check --config sub/pyproject.toml .claude/hooks/x.py", ASK),
    ("ruff check --config nothing/pyproject.toml .claude/hooks/x.py", ASK),
    ("cp ruff.toml pyproject.toml; ruff check --config pyproject.toml .claude/hooks/x.py", ASK),
]


@pytest.mark.parametrize(("command", "wanted"), ROWS)
def test_what_ruff_would_rewrite(project: Path, command: str, wanted: Decision) -> None:
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    layers = load_layers(str(project), session="s", now=1.0, profiles=("python-dev",))
    assert judged(request, layers).verdict.decision == wanted
    if wanted == ALLOW:
        subprocess.run((sys.executable, "-m", *command.split(), "--no-cache"), cwd=project, capture_output=True)
        assert (project / ".claude/hooks/x.py").read_text() == UNUSED
