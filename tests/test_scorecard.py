"""The scorecard as a floor that may only rise, and every place where askfirst is laxer than a peer, with its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.docs import ROOT, SCORECARD
from tests.scorecard import ROWS, Bench, Result, measure

# row -> the least number of hits. Below it, a change has made something worse; raise it when something got better.
FLOORS = {
    "attacks": 686,
    "all-attacks": 1251,
    "blocks": 258,
    "everyday": 965,
    "everyday-denied": 971,
    "dippy": 2085,
    "nah": 505,
}
SHOWN = re.compile(r"^\| ([^|]+) \| ([\d,]+) of ([\d,]+) \|", re.M)
DIFFERENCES = Path(__file__).parent / "cases" / "peer_differences.yaml"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    return {r.row.name: r for r in measure(Bench(tmp_path_factory.mktemp("scorecard").resolve()))}


@pytest.mark.parametrize("row", FLOORS)
def test_floor(row: str, results: dict[str, Result]) -> None:
    result = results[row]
    shown = "\n".join(
        f"{v.decision.name.lower()}: {c['command'][:160]!r}: {v.reason[:160]}" for c, v in result.misses[:20]
    )
    assert result.hits >= FLOORS[row], (
        f"{result.row.title}: {result.hits} of {result.of}, the floor is {FLOORS[row]}; for example\n{shown}"
    )


def test_the_readme_claims_no_more_than_is_true(results: dict[str, Result]) -> None:
    """(`python -m tests.docs --fill` writes the table.)"""
    table = SCORECARD.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert table is not None
    shown = {
        title: (int(hits.replace(",", "")), int(of.replace(",", ""))) for title, hits, of in SHOWN.findall(table[2])
    }
    assert set(shown) == {r.row.title for r in results.values()}
    for result in results.values():
        hits, of = shown[result.row.title]
        assert of == result.of and FLOORS.get(result.row.name, 0) <= hits <= result.hits, result.row.title


def listed_differences() -> dict[str, str]:
    """command -> why askfirst allows what the peer asks for. Rows are {why, command} or {why, commands}."""
    found: dict[str, str] = {}
    for row in yaml.safe_load(DIFFERENCES.read_text(encoding="utf-8")):
        for command in [row["command"]] if "command" in row else row["commands"]:
            found[command] = row["why"]
    return found


@pytest.mark.parametrize("row", [r.name for r in ROWS if r.name.endswith("-asks")])
def test_what_a_peer_asks_for_and_askfirst_allows_is_listed_with_a_reason(row: str, results: dict[str, Result]) -> None:
    listed = listed_differences()
    missing = [c["command"] for c, _ in results[row].misses if not listed.get(c["command"], "").strip()]
    says = f"{len(missing)} commands are allowed here, asked for by the peer, and in no row of {DIFFERENCES.name}:\n"
    assert not missing, says + "\n".join(missing)
