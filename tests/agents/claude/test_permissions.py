"""The client's own rules are judged on the original command, more widely than the client does."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents.claude.permissions import about, in_settings, speaks_of
from askfirst.agents.own_rules import OwnRules, why_left

OURS = {
    "matcher": "*",
    "hooks": [{"type": "command", "command": "/x/askfirst/launch.py hook || exit 2"}],
}


@pytest.mark.parametrize(
    ("rule", "text", "speaks"),
    [
        ("Bash", "frobnicate", True),
        ("Bash(*)", "frobnicate", True),
        ("*", "frobnicate", True),
        ("Bash(touch:*)", "touch x", True),
        ("Bash(touch:*)", "cd a && touch x", True),
        ("Bash(touch:*)", "A=1 nohup touch x", True),
        ("Bash(touch:*)", "python3 -c 'print(1)'", False),
        ("Bash(touch:*)", "./retouch x", False),
        ("Bash(npm run test:*)", "npm  run   test -- -x", True),
        ("Bash(npm run test:*)", "npm run build", False),
        ("Bash(npm run build)", "npm run build && ls", True),
        ("Bash(git * main)", "git push origin main", True),
        ("Bash(git * main)", "git push origin dev", False),
        ("Bash(* --force)", "frobnicate --force", True),
        ("Monitor", "frobnicate", True),
        ("Read(./secrets/**)", "python3 show.py secrets/a", True),
        ("Read(./secrets/**)", "python3 show.py", False),
        ("Read(**)", "frobnicate", True),
        ("Edit(src/*.ts)", "frobnicate src/a.ts", True),
        ("WebFetch(domain:example.org)", "frobnicate", False),
        ("mcp__x__y", "frobnicate", False),
        ("what is this", "frobnicate", True),
    ],
)
def test_rules(rule: str, text: str, speaks: bool) -> None:
    assert speaks_of(rule, (text,)) is speaks


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, ""),
        ({"permissions": {"allow": ["Bash(touch:*)"]}}, ""),
        ({"permissions": {"deny": ["Bash(touch:*)"]}}, "`deny: Bash(touch:*)`"),
        ({"permissions": {"ask": ["Bash(touch:*)"]}}, "`ask: Bash(touch:*)`"),
        ({"sandbox": {"enabled": True}}, "own sandbox is on"),
        ({"sandbox": {"enabled": False}}, ""),
        ({"hooks": {"PreToolUse": [OURS]}}, ""),
        ({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "rtk"}]}]}}, "`rtk`"),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "http://x"}]}]}}, "`http`"),
        ({"hooks": {"PreToolUse": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "x"}]}]}}, ""),
        ({"hooks": {"PreToolUse": [{"matcher": "B.*", "hooks": [{"type": "command", "command": "x"}]}]}}, "`x`"),
        ({"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}, ""),
        ({"enabledPlugins": {"other@market": True}}, "`other@market`"),
        ({"enabledPlugins": {"other@market": False, "askfirst@market": True}}, ""),
    ],
)
def test_settings(settings: dict[str, Any], words: str, home: Path) -> None:
    said = in_settings(settings, ("touch x",))
    assert words in said and bool(said) == bool(words)


@pytest.mark.parametrize("text", ["{", "[]", '{"permissions": []}', '{"permissions": {"deny": "x"}}', "\xff"])
def test_what_cannot_be_read_speaks_of_everything(text: str, home: Path, project: Path) -> None:
    path = project / ".claude/settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="latin-1")
    assert "cannot be read" in about(("frobnicate",), str(project), None)


def test_every_scope_counts_and_so_does_the_command_line(home: Path, project: Path) -> None:
    assert about(("touch x",), str(project), None) == ""
    assert "cannot be read" in about(("touch x",), str(project), 0), "a client that nobody knows"
    assert about(("touch x",), str(project), os.getpid()) == ""
    for folder, name in ((home, "settings.json"), (project, "settings.json"), (project, "settings.local.json")):
        path = folder / ".claude" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"permissions": {"deny": ["Bash(touch:*)"]}}))
        assert "speaks of it" in about(("touch x",), str(project), None)
        path.unlink()


def test_other_agents_rules_are_looked_for_and_not_interpreted(home: Path, project: Path) -> None:
    rules = OwnRules(("~/.other-agent/settings.json",), ("tools.exclude",), ("policies",), ("OTHER_RULES",), ())
    path = home / ".other-agent/settings.json"
    path.parent.mkdir()
    assert why_left(rules, str(project), {}) == ""
    assert "`OTHER_RULES`" in why_left(rules, str(project), {"OTHER_RULES": "x"})
    path.write_text('{"tools": {"allowed": ["x"]}}')
    assert why_left(rules, str(project), {}) == ""
    path.write_text('{"tools": {"exclude": ["x"]}}')
    assert "`tools.exclude`" in why_left(rules, str(project), {})
    path.write_text('// a comment\n{"x": "// none", /* another */ "tools": {"exclude": ["x",],},}')
    assert "`tools.exclude`" in why_left(rules, str(project), {})
    for text in ('/* no end {"x": 1}', '{"x": "no end // }', "\xff"):
        path.write_bytes(text.encode("latin-1"))
        assert "cannot be read" in why_left(rules, str(project), {}), text
    path.unlink()
    (project / "policies").mkdir()
    assert why_left(rules, str(project), {}) == ""
    (project / "policies/a.toml").write_text("x")
    assert "policies" in why_left(rules, str(project), {})
