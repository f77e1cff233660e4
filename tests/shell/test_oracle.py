"""Real bash agrees: whatever ran or was written is in the facts, or the analysis said Unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.oracle import Result, check

SCRIPTS = 5000
PARTS = 10


def judged(first: int, last: int, directory: Path) -> Result:
    result = check((first, last), str(directory.resolve()))
    assert not result.violations, "\n".join(f"seed {s}: {why}\n    {text!r}" for s, text, why in result.violations)
    return result


@pytest.mark.parametrize("part", range(PARTS))
def test_bash_agrees(part: int, tmp_path: Path) -> None:
    size = SCRIPTS // PARTS
    result = judged(part * size, (part + 1) * size, tmp_path)
    # An analysis that always says Unknown would agree with bash, too.
    assert result.accepted > 0.45 * result.run


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(100))
def test_bash_agrees_on_a_million(part: int, tmp_path: Path) -> None:
    judged(10_000 * part, 10_000 * (part + 1), tmp_path)
