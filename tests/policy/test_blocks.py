"""Hardcoded blocks: what hides one is denied, and what only looks like one is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from askfirst.model import Decision, Layer, Unknown
from askfirst.policy.blocks import NAMES, blocked_name
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers
from tests.policy.bench import RuleBench

CASES: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "policy_blocks.yaml").read_text(encoding="utf-8")
)


def test_what_hides_a_block_is_denied(tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    layers = bench.with_rules()
    verdicts = [(c, bench.verdict(c, layers)) for c in CASES["denied"]]
    wrong = [f"{v.decision.name.lower()}: {c!r}: {v.reason}" for c, v in verdicts if v.decision != Decision.DENY]
    assert not wrong, "\n".join(wrong)
    assert all(any(f.origin.layer == Layer.HARDCODED_BLOCK for f in v.findings) for _, v in verdicts)


def test_what_only_looks_like_a_block_is_not_denied(tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    layers = bench.with_rules()
    verdicts = [(c, bench.verdict(c, layers)) for c in CASES["not_denied"]]
    wrong = [f"{c!r}: {v.reason}" for c, v in verdicts if v.decision == Decision.DENY]
    assert not wrong, "\n".join(wrong)


def test_no_file_and_no_grant_lifts_a_block(tmp_path: Path) -> None:
    from askfirst.model import Duration, Grant, Scope

    bench = RuleBench(tmp_path)
    scopes = (Scope("command", "sudo"), Scope("command", "sudo", ("id",)))
    grant = Grant("g", scopes, Duration.SESSION, str(bench.project), "s")
    layers = replace(bench.with_rules(), grants=(grant,), session="s")
    assert bench.verdict("sudo id", layers).decision == Decision.DENY


@pytest.mark.parametrize("name", ["sudo", "/usr/bin/sudo", "SUDO", "sudo.exe", "mkfs.btrfs", "newfs_apfs", "Su"])
def test_names(name: str) -> None:
    assert blocked_name(name) is not None


@pytest.mark.parametrize("name", ["sudoku", "dds", "initdb", "make", "git", "superb", "su2", "halted"])
def test_names_that_are_none(name: str) -> None:
    assert blocked_name(name) is None


def test_every_block_explains_itself() -> None:
    assert all(b.rule and b.reason and not b.reason.endswith(".") for b in NAMES.values())


@pytest.mark.parametrize("what", ["syntax", "too long", "internal", "a class that nobody has thought of yet"])
def test_garbage_around_a_block_is_denied(what: str) -> None:
    unknown = Unknown(what, "not understood", "((( sudo id ]]", ("sudo", "id"))
    assert judge((unknown,), Layers("/p")).decision == Decision.DENY
    assert judge((Unknown(what, "not understood", "((( ls ]]", ("ls",)),), Layers("/p")).decision == Decision.ASK


GARBAGE = [
    "sudo " * 20000,
    "$(" * 20000,
    "'" * 30001,
    "\\" * 50000,
    "a=b " * 30000,
    "f(){ f|" * 5000,
    "((((" * 10000,
    "x`" * 20001,
]


@pytest.mark.parametrize("text", GARBAGE, ids=lambda t: t[:6])
def test_the_search_is_linear(text: str) -> None:
    """Long garbage is searched without a catastrophic regular expression. (No clock: a bad one would run into the
    test's time limit.)"""
    judge((Unknown("too long", "too long", text, (text[:5000],)),), Layers("/p"))
