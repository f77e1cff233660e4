from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.client import Client


@pytest.fixture
def client(home: Path, project: Path) -> Client:
    return Client(home, project)
