"""The extra askfirst[tools] at both ends of the versions that pyproject.toml names (`-m soak`)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
USERS = ("tests/toolbox/test_knowing.py", "tests/toolbox/test_proposal_questions.py")


def ranges() -> dict[str, tuple[str, str]]:
    """Package -> (at least, less than)."""
    with open(PROJECT / "pyproject.toml", "rb") as file:
        listed = tomllib.load(file)["project"]["optional-dependencies"]["tools"]
    found = (re.fullmatch(r"([\w-]+)>=([\d.]+),<([\d.]+)", text) for text in listed)
    return {m.group(1): (m.group(2), m.group(3)) for m in found if m is not None}


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_both_ends(tmp_path: Path, end: str) -> None:
    assert ranges().keys() == {"jedi", "ast-grep-py"}
    wanted = [f"{name}=={low}.0" if end == "lowest" else f"{name}<{high}" for name, (low, high) in ranges().items()]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", tmp_path, *wanted], check=True)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", *USERS]
    ran = subprocess.run(words, cwd=PROJECT, env=environ, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:]
