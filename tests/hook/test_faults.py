"""Whatever cannot be looked at counts as the stricter: no fault of the disk allows what a rule, or nobody, allows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hook.faults import CASES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("how", ["eio", "eacces"])
def test_at_every_system_call(how: str, case: str) -> None:
    command = [sys.executable, "-m", "tests.hook.faults", how, case]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.stdout.splitlines() == ["done"], done.stdout + done.stderr
