"""Whoever dies or fails when: old or new, nothing else, and no acknowledged answer is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: str) -> list[str]:
    command = [sys.executable, "-m", "tests.store.faults", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    lines = done.stdout.splitlines()
    assert lines and lines[-1] == "done", done.stdout + done.stderr
    return lines[:-1]


@pytest.mark.parametrize("operation", ["create", "decide", "grant", "persist", "revoke"])
@pytest.mark.parametrize("how", ["kill", "enospc", "eio", "eacces"])
def test_at_every_system_call(how: str, operation: str) -> None:
    assert run(how, operation) == []


def test_random_kills() -> None:
    assert run("random", "200", "1") == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(50))
def test_ten_thousand_random_kills(seed: int) -> None:
    assert run("random", "200", str(seed)) == []
