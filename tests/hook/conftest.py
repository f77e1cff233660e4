"""The same tests cold and, where tests/resident asks for it, through a warm process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hook.process import CLIENT, PLACE


@pytest.fixture(autouse=CLIENT != "")
def through_the_warm_process(monkeypatch: pytest.MonkeyPatch, home: object) -> Iterator[None]:
    """It may have ended with the test before: after an error it does."""
    from tests.resident.warm import Warm

    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    Warm(PLACE, CLIENT).awake()
    yield


@pytest.fixture(scope="session", autouse=CLIENT != "")
def warm_process_of_this_worker() -> Iterator[None]:
    from tests.resident.warm import Warm, stopped_at_the_end

    with stopped_at_the_end(Warm(PLACE, CLIENT)):
        yield
