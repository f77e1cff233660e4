"""The layers, as a table: rules of the organisation and of the project, and what they make of commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.policy import match
from tests.policy.bench import RuleBench

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "policy_layers.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("few", [match.FEW, 0], ids=["looked through", "indexed"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c["what"])
def test_rules(case: dict[str, Any], few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "FEW", few)  # long lists of rules are indexed by name, and mean the same
    bench = RuleBench(tmp_path)
    layers = bench.with_rules(org=case.get("org"), project=case.get("project"), role=case.get("role", ""))
    wrong = bench.wrong(case["run"], layers)
    for command, words in case.get("danger", {}).items():
        dangers = [f.danger for f in bench.verdict(command, layers).findings if f.danger]
        if not any(words in d for d in dangers):
            wrong.append(f"{command!r}: wanted danger {words!r}, got {dangers}")
    assert not wrong, "\n".join(wrong)
