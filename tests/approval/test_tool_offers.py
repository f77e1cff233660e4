"""What a person can say yes to of a tool's call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askfirst.model import Decision, Duration, Request
from askfirst.policy.offers import offers
from askfirst.report.rejudge import case_of
from askfirst.store.allowlist import rules_of
from askfirst.world import World

CALLS: list[tuple[str, dict[str, Any], bool]] = [
    ("mcp__github__create_issue", {"owner": "o", "repo": "r", "title": "t"}, True),
    ("WebFetch", {"url": "https://docs.example/x", "prompt": "p"}, True),
    ("SomeNewTool", {"x": "y"}, False),  # no file may name a tool that nobody knows
]


@pytest.mark.parametrize(("tool", "given", "permanent"), CALLS)
def test_a_permanent_yes_is_offered_where_a_file_can_have_it(
    project: Path, tool: str, given: dict[str, Any], permanent: bool
) -> None:
    request = Request("claude", "s1", str(project), str(project), tool, given)
    found = offers(case_of(request, World().layers(request)))
    assert [Duration.PERMANENT not in offer.refused for offer in found] == [permanent] * len(found)
    for offer in found:
        assert len(rules_of(offer.entries, str(project))) == len(offer.entries)


def test_a_call_that_is_no_command_has_no_text(project: Path) -> None:
    given = {"file_path": str(project / ".vscode/settings.json"), "old_string": "a", "new_string": "b"}
    request = Request("claude", "s1", str(project), str(project), "Edit", given)
    case = case_of(request, World().layers(request))
    assert case.verdict.decision == Decision.ASK
    assert [offer.words for offer in offers(case)] == ["exactly this call"]


@pytest.mark.parametrize(
    ("tool", "first", "then", "covered"),
    [
        ("mcp__wiki__delete_page", {"page": "a"}, {"page": "b"}, False),
        ("mcp__mail__delete_messages", {"search": "spam", "limit": 1}, {"search": "spam", "limit": 999}, False),
        ("mcp__mail__delete_messages", {"search": "spam", "limit": 1}, {"search": "from:me", "limit": 1}, False),
        ("mcp__docs__write_at", {"offset": 1, "text": "x"}, {"offset": 2, "text": "x"}, False),
        ("mcp__docs__write_at", {"offset": 1, "text": "x"}, {"offset": 1, "text": "y"}, True),
        ("mcp__wiki__list_pages", {"space": "a", "page": 1}, {"space": "a", "page": 2}, True),
        ("mcp__wiki__search_pages", {"space": "a", "limit": 1}, {"space": "a", "limit": 9}, True),
    ],
)
def test_which_ones_and_how_many_is_free_only_where_a_tool_looks(
    project: Path, tool: str, first: dict[str, Any], then: dict[str, Any], covered: bool
) -> None:
    requests = [Request("claude", "s1", str(project), str(project), tool, given) for given in (first, then)]
    case, later = (case_of(request, World().layers(request)) for request in requests)
    narrow = offers(case)[0]
    assert narrow.covers(later.facts[0], later.facts, later.layers) == covered, narrow.words
