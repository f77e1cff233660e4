"""Fewer rows, each defended: what may pass is needed by the corpora, or named with the reason why it stays."""

from __future__ import annotations

import pytest

from askfirst.shell.tools import tool_for
from tests.tools.needed import like, not_needed, reasons, watched
from tests.tools.rows import table


@pytest.fixture(scope="module")
def found() -> list[str]:
    return not_needed()


def test_a_row_that_no_corpus_needs_is_named_with_its_reason(found: list[str]) -> None:
    assert sorted(set(found) - reasons().keys()) == []


def test_what_is_named_is_not_needed_by_a_corpus(found: list[str]) -> None:
    assert sorted(reasons().keys() - set(found)) == []
    assert all(why.strip() for why in reasons().values())


def test_rows_are_seen_wherever_they_stand() -> None:
    """Behind a pipe, in a substitution, behind a wrapper, as a sub-command."""
    from askfirst.shell import analyze
    from askfirst.shell.surroundings import Surroundings

    with watched() as read:
        here = Surroundings(cwd="/p", project="/p", home="/h", path=(), variables={})
        analyze('ls | xargs -n1 head; echo "$(env A=1 git stash list)"', here)
    rows = [table(module).TOOLS[name] for module, name in (("unix.basics", "ls"), ("unix.basics", "head"))]
    git = table("git.program").TOOLS["git"]
    assert {id(row) for row in (*rows, git.subcommands["stash"].subcommands["list"])} <= read
    assert id(table("unix.basics").TOOLS["tail"]) not in read


def test_names_of_one_row_are_one() -> None:
    def row(*words: str) -> str:
        tool = tool_for(words[0])
        assert tool is not None
        for word in words[1:]:
            tool = tool.subcommands[word]
        return like(words, tool)

    assert row("gunzip") == row("gzip") and row("pip3.12", "list") == row("pip", "list")
    assert row("npm", "info") == row("npm", "view")
    assert row("head") != row("tail") and row("pip", "list") != row("pip", "show")
