"""Tables of commands against the real analysis and the real rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from askfirst.model import Decision
from tests.scorecard import Bench

CASES = Path(__file__).parent.parent / "cases"


def table(name: str) -> Iterator[str]:
    for commands in yaml.safe_load((CASES / f"{name}.yaml").read_text()).values():
        yield from commands


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


def test_no_attack_is_allowed(bench: Bench) -> None:
    assert [c for c in table("tools_base_attacks") if bench.judge(c).decision == Decision.ALLOW] == []


def test_everyday_work_needs_no_prompt(bench: Bench) -> None:
    asked = {c: v.reason for c in table("tools_base_everyday") if (v := bench.judge(c)).decision != Decision.ALLOW}
    assert asked == {}
