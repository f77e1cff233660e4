"""Cline runs a tool when its hook fails in any way: the hook script answers `cancel` instead."""

from __future__ import annotations

import json
import subprocess

import pytest

from askfirst.agents.cline.install import script


@pytest.mark.parametrize(
    "gate", ["false", "exit 3", "sh -c 'kill -9 $$'", "/no/such/program", "true", "echo nonsense", "printf '  '"]
)
def test_the_script_answers_cancel_whatever_happens(gate: str) -> None:
    done = subprocess.run(["/bin/sh", "-c", script(gate)], capture_output=True, text=True, timeout=60, input="{}")
    assert json.loads(done.stdout)["cancel"] is True
