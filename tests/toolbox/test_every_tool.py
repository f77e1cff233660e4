"""Every tool called with good, bad and hostile arguments, by the SDK's own client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra askfirst[mcp]")
pytest.importorskip("re2", reason="needs the extra askfirst[mcp]")

from askfirst.knowledge.own_tools import TOOLS
from askfirst.mcp.server import DESCRIPTIONS
from tests.mcp.test_server import call, session
from tests.toolbox.every_tool import CALLS, ToolCall, as_role, prepared, wrong
from tests.toolbox.support import called


def test_the_table_has_every_tool() -> None:
    calls = [c for rows in CALLS.values() for c in rows]
    assert {c.tool for c in calls} >= set(TOOLS)
    assert {c.tool for c in calls if c.code} >= set(TOOLS) - {"list_allowed_commands", "pending_requests"}


@pytest.mark.needs("npm")
def test_every_tool_over_the_wire(project: Path) -> None:
    as_role("dev")
    work = prepared(project)

    async def use(client: Any) -> list[str]:
        return [wrong(c, await call(client, c.tool, **c.given)) for c in CALLS["dev"]]

    refused(project, CALLS["dev"], session(work, use))


@pytest.mark.parametrize("who", [who for who in CALLS if who != "dev"], ids=lambda who: who or "nobody")
def test_every_role(project: Path, who: str) -> None:
    as_role(who)
    work = prepared(project)
    tools = {f.__name__: f for f in DESCRIPTIONS}
    refused(project, CALLS[who], [wrong(c, called(tools[c.tool], work, **c.given)) for c in CALLS[who]])


def refused(project: Path, calls: list[ToolCall], found: list[str]) -> None:
    mistakes = [f"{c.tool} {str(c.given)[:200]}: {why}" for c, why in zip(calls, found, strict=True) if why]
    assert not mistakes, "\n".join(mistakes)
    assert not list(project.rglob("pwned")), "an argument was run"
