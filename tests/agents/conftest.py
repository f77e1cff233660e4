from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.support import install_program


@pytest.fixture(autouse=True)
def program(home: Path) -> Path:
    """askfirst where people have it: what a team's settings hold looks for it there."""
    return install_program(home)
