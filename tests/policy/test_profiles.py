"""Each profile allows its examples, and only with it; its counter-examples stay asked for or denied."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import askfirst.shell.tools
from askfirst.model import Decision
from askfirst.policy.examples import failing_example
from askfirst.policy.profiles import PROFILES, rules_of
from askfirst.policy.rules import Layers
from askfirst.shell import analyze
from tests.policy.bench import RuleBench


@pytest.mark.parametrize("name", PROFILES)
def test_profile(name: str, tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    without, layers = bench.with_rules(), bench.with_rules(project={"profiles": [name]})
    profile = PROFILES[name]
    wrong = [
        f"{c!r} is not allowed with the profile: {bench.verdict(c, layers).reason}"
        for c in profile.examples
        if bench.verdict(c, layers).decision != Decision.ALLOW
    ]
    wrong += [
        f"{c!r} is allowed with the profile"
        for c in profile.counter_examples
        if bench.verdict(c, layers).decision == Decision.ALLOW
    ]
    assert not wrong, "\n".join(wrong)
    assert profile.description and profile.counter_examples
    if profile.examples:
        # What every example needs no profile for would make the profile pointless.
        assert any(bench.verdict(c, without).decision == Decision.ASK for c in profile.examples)


@pytest.mark.parametrize("name", PROFILES)
def test_plain_entries_of_a_profile_prove_themselves(name: str, tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    for rule in rules_of(name):
        assert (
            rule.match
            and failing_example(rule, lambda text: analyze(text, bench.surroundings()), Layers(str(bench.project)))
            is None
        )


def test_the_tables_name_only_profiles_that_exist() -> None:
    folder = Path(askfirst.shell.tools.__file__).parent
    named: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "profile" and isinstance(node.value, ast.Constant):
                named |= set(str(node.value.value).split())
    assert named <= set(PROFILES), named - set(PROFILES)


def test_the_seven_that_are_promised_are_there() -> None:
    assert {"python-dev", "node-dev", "rust-dev", "go-dev", "ios-dev", "jvm-dev", "infra-read", "lockfile-only"} <= set(
        PROFILES
    )
