"""Every agent's own words, in and out: golden rows in tests/cases/agents, one file an agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.agents import ADAPTERS, adapter
from askfirst.agents.event import BEFORE_TOOL, Event
from askfirst.errors import HookInputError
from askfirst.install.probe import sample
from askfirst.model import Decision, Verdict

CASES = {
    path.stem: yaml.safe_load(path.read_text())
    for path in sorted((Path(__file__).parents[1] / "cases/agents").glob("*.yaml"))
}
OTHERS = sorted(set(ADAPTERS) - {"claude"})
CALLS = [(agent, row) for agent, case in CASES.items() for row in case["calls"]]


def read(agent: str, given: Any) -> Event:
    event = adapter(agent).read(json.dumps(given).encode(), {})
    assert isinstance(event, Event)
    return event


def said(stdout: bytes) -> Any:
    assert stdout == b"" or stdout.endswith(b"}\n")
    return json.loads(stdout) if stdout else ""


def test_every_agent_has_its_rows() -> None:
    assert sorted(CASES) == OTHERS


@pytest.mark.parametrize(("agent", "row"), CALLS, ids=[f"{a}-{i}" for i, (a, _) in enumerate(CALLS)])
def test_what_a_call_becomes(agent: str, row: dict[str, Any]) -> None:
    event = read(agent, row["given"])
    request = event.request
    assert request is not None and event.name == BEFORE_TOOL
    assert {"tool": request.tool, "input": dict(request.input), "cwd": request.cwd} == row["call"]
    assert (request.agent, request.session, request.attended) == (agent, CASES[agent]["session"], False)


@pytest.mark.parametrize("agent", OTHERS)
def test_what_is_answered(agent: str) -> None:
    words, wanted = adapter(agent), CASES[agent]["answers"]
    event = read(agent, CASES[agent]["calls"][0]["given"])
    assert said(words.answer(event, Verdict(Decision.ALLOW, "yes")).stdout) == wanted["allow"]
    assert said(words.answer(event, Verdict(Decision.DENY, "no")).stdout) == wanted["deny"]
    assert said(words.neutral(event).stdout) == wanted["neutral"]
    for known in (event, None):
        assert said(words.refuse(known, "broken").stdout) == wanted["refuse"]
    # No agent here is told to ask: what would be asked is never let through.
    asked = said(words.answer(event, Verdict(Decision.ASK, "why")).stdout)
    assert json.dumps(asked).replace("askfirst asks a person: why", "askfirst denied this: no") == json.dumps(
        wanted["deny"]
    )


@pytest.mark.parametrize("agent", [a for a in OTHERS if "merged" in CASES[a]])
def test_a_merged_content_goes_back_in_the_agents_own_keys(agent: str) -> None:
    case = CASES[agent]["merged"]
    event = read(agent, case["given"])
    assert event.request is not None
    updated = {**event.request.input, "content": "old\nx\n"}
    assert (
        said(adapter(agent).answer(event, Verdict(Decision.ALLOW, "yes", updated_input=updated)).stdout)
        == case["answer"]
    )


@pytest.mark.parametrize("agent", OTHERS)
def test_spoilt_input_is_refused(agent: str) -> None:
    """Each value of a good input, gone or of another type: an error, or still the same command; never another one."""
    good = sample(agent, "/home/u/app", "ls")
    for path in list(_places(good)):
        for spoilt in (..., 7, None, [], {}, ["ls"], {"command": "ls"}, True):
            given = _with(good, path, spoilt)
            try:
                event = read(agent, given)
            except HookInputError:
                continue
            if event.request is not None and event.request.tool == "Bash":
                assert event.request.input.get("command") in ("ls", None) or not isinstance(
                    event.request.input["command"], str
                )
                assert event.session and event.request.cwd.startswith("/")


def _places(value: Any, path: tuple[str, ...] = ()) -> Any:
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _with(value: Any, path: tuple[str, ...], spoilt: Any) -> Any:
    if not path:
        return spoilt
    copy = {key: _with(inner, path[1:], spoilt) if key == path[0] else inner for key, inner in value.items()}
    return {key: inner for key, inner in copy.items() if inner is not ...}


@pytest.mark.parametrize("agent", sorted(ADAPTERS))
def test_the_hook_answers_before_the_agent_gives_up(agent: str) -> None:
    from askfirst.agents.claude import install as claude
    from askfirst.install import json_hooks

    patience_s = {"claude": claude.TIMEOUT_S, "cline": 120}.get(agent, json_hooks.TIMEOUT_S)
    assert patience_s - adapter(agent).DEADLINE_S >= 15


def test_copilot_in_a_project_that_has_claudes_hooks() -> None:
    """Copilot CLI 1.0.102 calls them as well, so they understand its file tools."""
    head = {"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "t", "cwd": "/home/u/app"}
    given = {**head, "tool_name": "Write", "tool_input": {"path": "/home/u/app/w", "file_text": "x"}}
    request = read("claude", given).request
    assert request is not None and dict(request.input) == {"file_path": "/home/u/app/w", "content": "x"}
    given = {**head, "tool_name": "Edit", "tool_input": {"path": "/home/u/app/w", "old_str": "x", "new_str": "y"}}
    request = read("claude", given).request
    assert request is not None and dict(request.input) == {
        "file_path": "/home/u/app/w",
        "old_string": "x",
        "new_string": "y",
    }
