"""What the gate once allowed and should not have, run for real in the box: it can no longer hurt anything."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.containing import foreseen
from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.policy.rules import BOXES
from askfirst.store.layers import load_layers
from tests.box.conftest import Box
from tests.needs import SECOND, needs, program

ROWS = yaml.safe_load((Path(__file__).parents[1] / "cases" / "box_defects.yaml").read_text(encoding="utf-8"))
SECRET = "c2VjcmV0-of-the-project"
HOME_SECRET = "c2VjcmV0-of-the-person"
# Everything that an attack of this table would want to do.
EVIL = """#!/bin/sh
touch ~/PWNED "$HOME/../PWNED"
echo evil >> ~/.bashrc
echo '{"disableAllHooks": true}' > .claude/settings.local.json
echo x > .git/hooks/pre-commit
git config core.fsmonitor ./e.sh
echo '{}' > .mcp.json
cat ~/.aws/credentials .env a.ppk
"""
# What must be after the run as it was before it.
PROTECTED = (".claude/settings.local.json", ".git/hooks", ".git/config", ".mcp.json", ".askfirst")


@pytest.fixture
def attacked(box: Box, monkeypatch: pytest.MonkeyPatch) -> Box:
    for path, text in {
        box.home / ".bashrc": "# mine\n",
        box.home / ".bash_aliases": f"# {HOME_SECRET}\n",
        box.home / ".aws/credentials": HOME_SECRET,
        box.home / ".config/gh/hosts.yml": HOME_SECRET,
        box.home / "snap/firefox/common/.mozilla/firefox/p/logins.json": HOME_SECRET,
        box.project / ".env": SECRET,
        box.project / "a.ppk": SECRET,
        box.project / "notes.txt": "notes\n",
        box.project / "e.sh": EVIL,
        box.project / ".claude/settings.local.json": '{"hooks": {}}',
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (box.project / "e.sh").chmod(0o755)
    monkeypatch.setenv("SERVICE_API_KEY", HOME_SECRET)
    subprocess.run(["git", "init", "-q", "-b", "main", str(box.project)], check=True)
    return box


def state_of(*roots: Path) -> dict[str, bytes]:
    """Every file below, with its content and mode."""
    found: dict[str, bytes] = {}
    for root in roots:
        for path in [root, *root.rglob("*")] if root.exists() else []:
            if path.is_file() and not path.is_symlink():
                found[str(path)] = oct(path.stat().st_mode).encode() + path.read_bytes()
    return found


@pytest.mark.parametrize("judged_by", ["nobody", "a rule"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['class']}: {row['run'][:40]}")
def test_in_the_box(row: dict[str, Any], judged_by: str, attacked: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `unknown` runs what nobody judged, and as `all` runs what a rule has allowed by mistake: that may see the
    project's own secrets, and commit."""
    if "needs" in row:
        needs(row["needs"])
    if "second" in row and not program(row["second"]):
        pytest.skip(SECOND)
    if "make" in row:
        subprocess.run(["bash", "-c", row["make"]], cwd=attacked.project, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        monkeypatch.setenv("PORT", str(server.getsockname()[1]))
        outside, protected = state_of(attacked.home), state_of(*(attacked.project / p for p in PROTECTED))
        done = attacked.run(row["run"], hide_secrets=judged_by == "nobody")
        assert state_of(attacked.home) == outside
        assert not (attacked.base / "PWNED").exists() and not (attacked.base / "home-x").exists()
        assert state_of(*(attacked.project / p for p in PROTECTED)) == protected
        assert HOME_SECRET not in done.out + done.err
        assert judged_by == "a rule" or SECRET not in done.out + done.err
        with pytest.raises(TimeoutError):
            server.accept()


def test_the_gate_lets_none_of_them_run_bare(attacked: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `box: all` each is denied, asked for or contained."""
    layers = load_layers(str(attacked.project))
    layers = replace(layers, settings=replace(layers.settings, box=BOXES["all"]))
    bare = []
    for row in ROWS:
        request = Request("claude", "s", str(attacked.project), str(attacked.project), "Bash", {"command": row["run"]})
        if foreseen(judged(request, layers), lambda texts: "").verdict.decision == Decision.ALLOW:
            bare.append(row["run"])
    assert not bare, bare
