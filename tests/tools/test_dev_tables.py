"""Every row of the development tools proves itself: its examples pass, its counter-examples do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.dev_support import PlainAnalyst, doubts, outcome_of
from tests.tools.rows import rows_of

MODULES = (
    *(
        "git.program",
        "python.interpreter",
        "python.tools",
        "python.packages",
        "node.runtimes",
        "node.tools",
        "builds.runners",
        "builds.rust_go",
        "builds.jvm",
        "builds.compilers",
        "builds.languages",
    ),
    *("remote.forges", "remote.containers", "remote.clusters", "data.databases", "remote.clouds", "remote.servers"),
)
EXAMPLES = sorted({e for tool in rows_of(MODULES) for e in tool.examples})
COUNTER_EXAMPLES = sorted({e for tool in rows_of(MODULES) for e in tool.counter_examples})


@pytest.fixture
def analyst(project: Path) -> PlainAnalyst:
    git = project / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    return PlainAnalyst(project)


@pytest.mark.parametrize("command", EXAMPLES)
def test_an_example_is_allowed(command: str, analyst: PlainAnalyst) -> None:
    assert doubts(outcome_of(command, analyst), analyst) == []


@pytest.mark.parametrize("command", COUNTER_EXAMPLES)
def test_a_counter_example_is_not(command: str, analyst: PlainAnalyst) -> None:
    assert doubts(outcome_of(command, analyst), analyst) != []


def test_every_row_says_what_it_does() -> None:
    assert [tool.name for tool in rows_of(MODULES) if not tool.description] == []
