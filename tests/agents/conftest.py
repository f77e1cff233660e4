from __future__ import annotations

import os
import sys

import pytest


@pytest.fixture(autouse=True)
def askfirst_on_the_path(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where people have it; what a team's settings hold looks for it there."""
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
