"""Rules of other tools: each is shown with what it becomes, and nothing is widened on the way."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.cli import main
from askfirst.store import paths
from askfirst.store.layers import load_layers
from tests.config.test_commands import at_a_terminal

AUTOFORGE = """version: 1
commands:
  - {name: frobnicate, description: ours}
  - {name: python3}
  - {name: scripts/build.sh}
  - {name: frob*}
  - {name: sudo}
  - "*"
  - {name: x, only_on: mondays}
pkill_processes: [node, vite]
"""
ORGANISATION = """version: 1
allowed_commands: [{name: frobnicate}, {name: bash}]
blocked_commands: [aws, kubectl]
approval_timeout_minutes: 7
"""
# (section, outcome, entry, words of the reason)
AUTOFORGE_BECOMES: list[tuple[str, str, Any, str]] = [
    ("commands", "allow", {"name": "frobnicate", "description": "ours"}, ""),
    ("commands", "left out", None, "an interpreter"),
    ("commands", "allow", {"name": "./scripts/build.sh"}, ""),
    ("commands", "allow", {"name": "frob*"}, ""),
    ("commands", "left out", None, "always blocked"),
    ("commands", "left out", None, "matches every program"),
    ("commands", "left out", None, "does not know its `only_on`, which may narrow it"),
    ("commands", "left out", None, "askfirst judges `pkill` itself"),
    ("allowed_commands", "allow", {"name": "frobnicate"}, ""),
    ("allowed_commands", "left out", None, "a shell"),
    ("blocked_commands", "block", {"name": "aws"}, ""),
    ("blocked_commands", "block", {"name": "kubectl"}, ""),
    ("commands", "left out", None, "the same name in askfirst's own file"),
]
PERMISSIONS: dict[str, tuple[str, str, Any, str]] = {
    "Bash(frob run test:*)": ("allow", "allow", {"name": "frob", "args": ["run test ..."]}, ""),
    "Bash(frob *)": ("allow", "allow", {"name": "frob"}, ""),
    "Bash(frob build)": ("allow", "allow", {"name": "frob", "args": ["build"]}, ""),
    "Bash(frob)": ("allow", "allow", {"name": "frob", "args": [""]}, ""),
    "Bash(ls)": ("allow", "not needed", None, "without asking already"),
    "Bash(git diff:*)": ("allow", "not needed", None, "what is harmless of it"),
    "Bash(python3:*)": ("allow", "left out", None, "an interpreter"),
    "Bash(sudo frob:*)": ("allow", "left out", None, "always blocked"),
    "Bash(frob && other:*)": ("allow", "left out", None, "more than one program"),
    "Bash(frob * --all)": ("allow", "left out", None, "more than one program"),
    "Bash(A=1 frob:*)": ("allow", "left out", None, "more than one program"),
    "Bash": ("allow", "left out", None, "every command"),
    "Bash(*)": ("allow", "left out", None, "every command"),
    "Read(~/.zshrc)": ("allow", "left out", None, "another tool"),
    "mcp__github__get": ("allow", "allow", {"tool": "mcp__github__get"}, ""),
    "mcp__github": ("deny", "deny", {"tool": "mcp__github__*", "decision": "deny"}, ""),
    "WebFetch(domain:x.example)": ("allow", "allow", {"tool": "WebFetch", "domains": ["x.example"]}, ""),
    "WebFetch": ("allow", "left out", None, "another tool"),
    "Bash(git push:*)": ("ask", "ask", {"name": "git", "args": ["push ..."], "decision": "ask"}, ""),
    "Bash(curl:*)": ("deny", "deny", {"name": "curl", "decision": "deny"}, ""),
}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)
    return path


def imported(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    main(["import", *words, "--json"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_autoforge(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project / ".autoforge" / "allowed_commands.yaml", AUTOFORGE)
    write(home / ".autoforge" / "config.yaml", ORGANISATION)
    found = imported(capsys, "autoforge", "--project", str(project))
    for one, (section, outcome, entry, why) in zip(found, AUTOFORGE_BECOMES, strict=True):
        assert (one["section"], one["outcome"], one["entry"]) == (section, outcome, entry) and why in one["why"], one
    assert not os.path.exists(project / paths.PROJECT_FILE), "nothing was written"


@pytest.mark.parametrize("rule", PERMISSIONS)
def test_claude_permissions(project: Path, capsys: pytest.CaptureFixture[str], rule: str) -> None:
    kind, outcome, entry, why = PERMISSIONS[rule]
    write(project / ".claude" / "settings.json", json.dumps({"permissions": {kind: [rule]}}))
    (one,) = imported(capsys, "claude-permissions", "--project", str(project))
    assert (one["outcome"], one["entry"]) == (outcome, entry) and why in one["why"], one


def test_what_is_written_is_what_was_shown(project: Path, home: Path) -> None:
    write(project / ".autoforge" / "allowed_commands.yaml", AUTOFORGE)
    write(home / ".autoforge" / "config.yaml", ORGANISATION)
    theirs = (project / ".autoforge" / "allowed_commands.yaml").read_bytes()
    code, screen = at_a_terminal(["import", "autoforge", "--write"], "no", project)
    assert code == 1 and "nothing changed" in screen and not (project / paths.PROJECT_FILE).exists()
    code, screen = at_a_terminal(["import", "autoforge", "--write"], "import", project)
    assert code == 1 and "written to" in screen, screen
    file = yaml.safe_load((project / paths.PROJECT_FILE).read_text())
    shown = [entry for section, _, entry, _ in AUTOFORGE_BECOMES if entry and section == "commands"]
    assert file["commands"] == shown
    layers = load_layers(str(project))
    assert [r.name for r in layers.project_allow] == ["frobnicate", "./scripts/build.sh", "frob*"] and not layers.notes
    assert [r.name for r in layers.org_block] == ["aws", "kubectl"]
    assert (project / ".autoforge" / "allowed_commands.yaml").read_bytes() == theirs


def test_an_autoforge_file_counts_but_for_what_askfirst_refuses(project: Path, home: Path) -> None:
    """One entry, or its key `pkill_processes`, denied everything."""
    write(home / ".autoforge" / "config.yaml", ORGANISATION + "pkill_processes: [node]\n")
    layers = load_layers(str(project))
    assert not layers.closed and [r.name for r in layers.org_allow] == ["frobnicate"]
    assert [r.name for r in layers.org_block] == ["aws", "kubectl"] and "do not count" in layers.notes[0]
