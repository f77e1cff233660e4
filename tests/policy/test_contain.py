"""The fourth outcome: what runs contained, what is asked all the same, and that no kind of finding is forgotten."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import askfirst.policy.writes
import askfirst.shell
from askfirst.knowledge.needs import LEFT, NEEDS, WITHIN, needs_of
from askfirst.model import Command, Decision, Grant, Request
from askfirst.policy import contain
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.policy.offers import offers, usual
from askfirst.policy.rules import Layers
from askfirst.shell import analyze
from askfirst.shell.tools.registry import REGISTRY
from tests.policy.bench import RuleBench

CASES = yaml.safe_load((Path(__file__).parents[1] / "cases" / "contain.yaml").read_text(encoding="utf-8"))


def installed(command: Command) -> bool:
    return any(w.value in ("left-pad", "vitest") for w in command.argv)


# What can be brought back is looked at by containing.can_undo (tests/box).
ON_DISK = contain.OnDisk(installed, lambda writes, project: all("large" not in w.text for w in writes))


class BoxBench(RuleBench):
    def case(self, command: str, layers: Layers) -> Case:
        facts = analyze(command, self.surroundings())
        request = Request("claude", "s", str(self.project), str(self.project), "Bash", {"command": command})
        return Case(request, layers, facts, judge(facts, layers))

    def outcome(self, command: str, layers: Layers) -> str:
        case = self.case(command, layers)
        found = contain.contained(case, ON_DISK)
        name = Decision(found.verdict.decision).name.lower()
        why = contain.why_not(case, ON_DISK) if name == "ask" else ""
        return f"{name}: {why}" if why else name


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["what"])
def test_outcomes(row: dict[str, Any], tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    (bench.project / ".claude" / "skills").mkdir(parents=True, exist_ok=True)
    layers = bench.with_rules(org={"box": row["box"], **row.get("org", {})}, project=row.get("rules"))
    layers = replace(layers, outside=frozenset(row.get("failed", ())))
    if "grant" in row:
        case = bench.case(row["grant"], layers)
        layers = replace(layers, grants=(given(case),), session="s", agent="claude")
    wrong = []
    for command, wanted in row["run"].items():
        got = bench.outcome(command, layers)
        if not (got == wanted or (wanted.startswith("ask") and got.startswith(wanted))):
            wrong.append(f"{command!r}: wanted {wanted!r}, got {got!r}")
    assert not wrong, "\n".join(wrong)


def given(case: Case) -> Grant:
    found = offers(case)
    return found[usual(found)].grant(case, id="g")


def test_a_contained_call_keeps_its_findings_and_their_reasons(tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    layers = bench.with_rules(org={"box": "unknown"})
    verdict = contain.contained(bench.case("ls; frobnicate", layers), ON_DISK).verdict
    assert [f.decision.name for f in verdict.findings] == ["ALLOW", "CONTAIN"]
    assert verdict.deciding is not None and "no rule allows `frobnicate`" in verdict.deciding.reason


def test_words(tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    layers = bench.with_rules(org={"box": {"mode": "all", "hosts": ["packages.example.org"]}})
    layers = replace(layers, home="/home/ann", project="/home/ann/app")
    case = bench.case("npm ci", layers)
    assert contain.in_words(case) == "runs contained: reaches only packages.example.org, changes only ~/app"
    assert contain.in_words(bench.case("make", layers)) == "runs contained: no network, changes only ~/app"
    plain = replace(case, layers=replace(bench.with_rules(org={"box": "all"}), home="/root", project="/srv/app"))
    assert contain.in_words(plain) == "runs contained: no network, changes only /srv/app"
    gone = bench.case("rm notes.txt", plain.layers)
    assert contain.in_words(gone).endswith("changes only /srv/app; `askfirst undo` brings back what it deletes")
    looks = bench.case("ls", plain.layers)
    assert contain.in_words(looks) == "runs contained: no network, only reads /srv/app"


def test_secrets_are_hidden_from_what_nobody_judged(tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    layers = bench.with_rules(org={"box": "all", "allowed_commands": ["frobnicate"]})
    judged_so = {
        text: contain.is_unjudged(contain.contained(bench.case(text, layers), ON_DISK).verdict)
        for text in ("./build.sh", "wc -l a && ./build.sh", "wc -l a", "wc -l a | sort")
    }
    assert [*judged_so.values()] == [True, True, False, False]


@pytest.mark.parametrize("project", ["/home/ann", "/home", "/"])
def test_a_home_is_no_project_to_contain_in(project: str, tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    layers = replace(bench.with_rules(org={"box": "unknown"}), project=project, home="/home/ann")
    assert contain.why_not(bench.case("frobnicate", layers), ON_DISK)


@pytest.mark.parametrize(
    ("given", "mode"), [({"dangerouslyDisableSandbox": True}, "default"), ({}, "plan")], ids=["no sandbox", "plan mode"]
)
def test_calls_that_are_never_contained(given: dict[str, Any], mode: str, tmp_path: Path) -> None:
    bench = BoxBench(tmp_path)
    case = bench.case("frobnicate", bench.with_rules(org={"box": "unknown"}))
    request = replace(case.request, input={**case.request.input, **given}, mode=mode)
    assert contain.contained(replace(case, request=request), ON_DISK).verdict.decision == Decision.ASK


# The tables are complete


def test_every_program_with_rows_says_what_it_needs() -> None:
    silent = {name for name in REGISTRY if needs_of((name,)) is None} - LEFT
    assert not silent, f"say in knowledge/needs.py what these need beyond the project: {sorted(silent)}"
    assert not WITHIN & {name for name, needs in NEEDS.items() if needs} and not LEFT & (WITHIN | NEEDS.keys())


def asked_rules(path: Path) -> set[str]:
    """The second argument of every `ask(…)` in a module of policy: the kind of a finding about a file."""
    calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    return {
        str(n.args[1].value)
        for n in calls
        if isinstance(n.func, ast.Name) and n.func.id == "ask" and isinstance(n.args[1], ast.Constant)
    }


# Kinds of findings about files that a person sees: the box does not answer them.
SEEN = set(
    """
    network-device terminal device agent-loaded odd-target secret-content replace empties
    auto-loaded shadows-module outside secret-read read-home private-read deny-glob scope create-dir branch
    several-names
    """.split()
)
# Kinds of what was not understood that a person sees.
SEEN_UNKNOWN = set(
    "network;host;remote;download;secret;secrets;git configuration;git hook;lock file;package;toolchain;patch;archive;"
    "skill;file tool;file content;delete;endless".split(";")
)


def test_every_kind_of_finding_is_decided_about() -> None:
    folder = Path(askfirst.policy.writes.__file__).parent
    found = set().union(*(asked_rules(folder / name) for name in ("writes.py", "reads.py", "write_limits.py")))
    assert found == contain.WRITES | contain.READS | contain.DELETIONS | SEEN
    shell = Path(askfirst.shell.__file__).parent
    kinds = set().union(*(unknown_kinds(p) for p in (*shell.rglob("*.py"), *shell.parent.glob("files/*.py"))))
    assert kinds <= contain.UNKNOWNS | SEEN_UNKNOWN, kinds - contain.UNKNOWNS - SEEN_UNKNOWN
    assert not contain.UNKNOWNS & SEEN_UNKNOWN and not (contain.WRITES | contain.READS | contain.DELETIONS) & SEEN


def unknown_kinds(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0]
        if name in ("Unknown", "unknown") and isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.add(first.value)
    return found
