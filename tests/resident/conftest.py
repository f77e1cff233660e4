"""The compiled client, and a warm process for one test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.needs import needs
from tests.resident.warm import Warm, compiled, warm_process


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> str:
    needs("cc")
    return compiled(tmp_path_factory.mktemp("client"))


@pytest.fixture
def warm(client: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warm]:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    with warm_process(client) as found:
        yield found
