"""Who may answer: not an agent, nothing below one, nobody without a terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from askfirst.approval import person
from askfirst.approval.person import AGENT_VARIABLES, NotAPerson, agent_name, require_person, why_not_a_person
from askfirst.audit.read import read_records
from askfirst.store import alerts

SHELL = ("bash", "-bash")


def nobody() -> tuple[tuple[str, ...], ...]:
    return (SHELL, ("sshd", "sshd: ada"))


@pytest.mark.parametrize(
    "words",
    [
        ("claude", "claude"),
        ("node", "claude", "--resume"),
        ("node", "node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
        ("MainThread", "/home/ada/.local/bin/claude"),
        ("node", "/usr/bin/node", "/usr/local/bin/codex"),
        ("gemini", "gemini"),
        ("node", "node", "/x/gemini.js"),
        ("python3", "python3", "/usr/bin/aider"),
        ("cursor-agent", "cursor-agent"),
        ("opencode", "opencode"),
    ],
)
def test_agents_are_known(words: tuple[str, ...]) -> None:
    assert agent_name(words)


@pytest.mark.parametrize(
    "words",
    [
        SHELL,
        ("tmux: server", "tmux"),
        ("node", "node", "server.js"),
        ("python3", "python3", "-m", "pytest"),
        ("vim", "vim", "claude.md"),
        ("less", "less", "/home/ada/codex/notes"),
        ("systemd", "/sbin/init"),
        ("",),
        (),
        ("zsh", "-zsh"),
        ("git", "git", "-C", "claude"),
    ],
)
def test_people_are_not_taken_for_agents(words: tuple[str, ...]) -> None:
    assert agent_name(words) == ""


def test_every_agent_variable_refuses() -> None:
    for name in AGENT_VARIABLES:
        assert name in why_not_a_person({name: "1"}, True, nobody)
    assert why_not_a_person({"PATH": "/bin", "TERM": "xterm"}, True, nobody) == ""


def test_below_an_agent_or_without_a_terminal() -> None:
    assert "an agent (claude) started this" in why_not_a_person({}, True, lambda: (SHELL, ("claude", "claude")))
    assert "no terminal" in why_not_a_person({}, False, nobody)


def test_an_attempt_is_refused_and_recorded_as_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "ancestors", nobody)
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    require_person("approve")
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "bad-session")
    for _ in range(6):
        with pytest.raises(NotAPerson, match="CLAUDECODE is set"):
            require_person("approve")
    records = [r for r in read_records() if r["kind"] == "violation"]
    assert len(records) == 6 and records[0]["session"] == "bad-session"
    assert alerts.is_flagged("bad-session"), "more than five in a minute"


def run_python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_processes_above_can_be_read() -> None:
    found = run_python("from askfirst.approval.person import ancestors; print(ancestors()[0][1])")
    assert found.strip(), "at least this one, which started it"


def test_a_process_without_a_terminal_knows_it() -> None:
    assert (
        run_python("import os; os.setsid(); from askfirst.approval.person import has_terminal; print(has_terminal())")
        == "False\n"
    )
