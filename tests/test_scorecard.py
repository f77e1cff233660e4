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
    "dippy": 2086,
    "nah": 505,
}
SHOWN = re.compile(r"^\| ([^|]+) \| ([\d,]+) of ([\d,]+) \|", re.M)
# Commands that no longer pass, on purpose: they are no part of the floor of their row any more.
LEFT = Path(__file__).parent / "cases" / "left_the_floor.yaml"
DIFFERENCES = Path(__file__).parent / "cases" / "peer_differences.yaml"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    return {r.row.name: r for r in measure(Bench(tmp_path_factory.mktemp("scorecard").resolve()))}


def left_the_floor() -> dict[str, dict[str, str]]:
    """row -> command -> why it asks now. Entries are {row, why, commands}."""
    found: dict[str, dict[str, str]] = {}
    for entry in yaml.safe_load(LEFT.read_text(encoding="utf-8")) or []:
        found.setdefault(entry["row"], {}).update(dict.fromkeys(entry["commands"], entry["why"]))
    return found


def test_what_left_the_floor_is_named_with_its_reason(results: dict[str, Result]) -> None:
    for row, commands in left_the_floor().items():
        missed = {c["command"] for c, _ in results[row].misses}
        assert [c for c, why in commands.items() if c not in missed or not why.strip()] == [], row


@pytest.mark.parametrize("row", FLOORS)
def test_floor(row: str, results: dict[str, Result]) -> None:
    result = results[row]
    shown = "\n".join(
        f"{v.decision.name.lower()}: {c['command'][:160]!r}: {v.reason[:160]}" for c, v in result.misses[:20]
    )
    assert result.hits >= FLOORS[row] - len(left_the_floor().get(row, ())), (
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
        least = FLOORS.get(result.row.name, 0) - len(left_the_floor().get(result.row.name, ()))
        assert of == result.of and least <= hits <= result.hits, result.row.title


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
