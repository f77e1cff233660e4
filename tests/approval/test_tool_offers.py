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
