"""The same tests cold and, where tests/resident asks for it, through a warm process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hook.process import CLIENT, PLACE


@pytest.fixture(autouse=CLIENT != "")
def through_the_warm_process(monkeypatch: pytest.MonkeyPatch, home: object) -> None:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")


@pytest.fixture(scope="session", autouse=CLIENT != "")
def warm_process_of_this_worker() -> Iterator[None]:
    from tests.resident.warm import Warm, stopped_at_the_end

    with stopped_at_the_end(Warm(PLACE, CLIENT)) as warm:
        yield
        warm.awake()
        assert warm.answered > 0
