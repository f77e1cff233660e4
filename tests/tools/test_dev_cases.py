"""Tables of commands of developers, and of what hides in them, against the real analysis and the real rules with every
stack's profile.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.model import Decision
from askfirst.policy.rules import Layers
from askfirst.shell import analyze
from tests.scorecard import Bench
from tests.tools.test_base_cases import table


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(Path(tmp_path_factory.mktemp("bench")))


def test_no_attack_is_allowed(bench: Bench) -> None:
    assert [c for c in table("tools_dev_attacks") if bench.judge(c).decision == Decision.ALLOW] == []


def test_everyday_work_needs_no_prompt(bench: Bench) -> None:
    asked = {c: v.reason for c in table("tools_dev_everyday") if (v := bench.judge(c)).decision != Decision.ALLOW}
    assert asked == {}


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "npm test",
        "npm ci",
        "cargo test",
        "go test ./...",
        "make test",
        "mvn test",
        "uv sync",
        "python manage.py test",
        ".venv/bin/ruff check .",
        "node_modules/.bin/tsc --noEmit",
        "bundle exec rspec",
        "terraform plan",
        "uvx ruff check .",
    ],
)
def test_without_its_profile_the_projects_own_code_asks(command: str, bench: Bench) -> None:
    from askfirst.policy.judge import judge

    plain = Layers(str(bench.project), home=str(bench.home))
    assert judge(analyze(command, bench.surroundings()), plain).decision == Decision.ASK


def test_packages_of_the_own_module_are_not_fetched(tmp_path: Path) -> None:
    """`go test -mod=mod` fetched a package below the module's own name that was no directory of it."""
    own = Bench(tmp_path)
    (own.project / "cmd").mkdir()
    (own.project / "cmd" / "main.go").write_text("package main\n")
    (own.project / "go.mod").write_text("module example.com/app\n\ngo 1.22\n")
    decisions = {
        name: own.judge(f"go test {name}").decision == Decision.ALLOW
        for name in (
            "example.com/app/cmd",
            "example.com/app/...",
            "example.com/app/x",
            "example.com/apple",
            "golang.org/x",
        )
    }
    assert [name for name, allowed in decisions.items() if allowed] == ["example.com/app/cmd", "example.com/app/..."]
