"""`askfirst demo` without a terminal, and the pictures in the README."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui import picture


def demo(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askfirst", "demo", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def test_without_a_terminal_what_is_asked_is_denied(home: Path) -> None:
    done = demo()
    assert done.returncode == 0, done.stderr
    for words in (
        "✓ allowed: shows the state of the working tree [built-in rules: git status]",
        "✗ blocked: `sudo`",
        "? asks: no rule allows `hugo`",
        "silence is a deny",
        "DANGER",
        "DELETED",
        "an agent must not",
        "nothing executed",
        "askfirst init",
    ):
        assert words in " ".join(done.stdout.split()), words
    assert list(home.iterdir()) == [], "the demo leaves nothing behind in the person's home"


def test_with_answers_in_advance(home: Path) -> None:
    done = demo("--answers", "s,d,o,o")
    text = " ".join(done.stdout.split())
    assert text.count("✓ allowed: allowed by you") == 4 and "✗ denied: you said no" in text


def test_permanent_appends_to_the_scratch_project(home: Path) -> None:
    text = " ".join(demo("--answers", "p").stdout.split())
    assert "adds `- name: hugo" in text and "[project rules: hugo" in text


@pytest.mark.parametrize("answers", ["x", "s,yes"])
def test_wrong_answers_are_wrong_use(answers: str) -> None:
    done = demo("--answers", answers)
    assert done.returncode == 2 and "is not one of" in done.stderr


def test_the_pictures_show_the_dialog() -> None:
    for question, words in (
        (picture.unknown(), ["ready", "hugo", "allowed_commands.yaml"]),
        (picture.dangerous(), ["DANGER", "CONF"]),
    ):
        svg = picture.picture(question, "askfirst watch").replace("&#160;", " ")
        assert all(word in svg for word in words)
    assert {"danger.svg", "session.cast", "session.svg"} <= set(os.listdir(picture.PLACE))
