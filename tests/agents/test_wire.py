"""Every agent's own words, in and out: golden rows in tests/cases/agents, one file an agent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.agents.event import BEFORE_CHANGE, BEFORE_TOOL, Event
from askfirst.agents.table import AGENTS, DOCUMENTED, NOT_USED, SEEN
from askfirst.errors import HookInputError, UsageError
from askfirst.gate import judged
from askfirst.knowledge.tools import KNOWN
from askfirst.model import Decision, Verdict
from askfirst.policy.rules import Layers
from tests.agents.support import CASES, NAMES

CALLS = [(agent, row) for agent, case in CASES.items() for row in case["calls"]]


def read(agent: str, given: Any) -> Event:
    return wire_of(agent).read(json.dumps(given).encode(), {})


def said(stdout: bytes) -> Any:
    assert stdout == b"" or stdout.endswith(b"}\n")
    return json.loads(stdout) if stdout else ""


def test_an_agent_without_a_row() -> None:
    with pytest.raises(UsageError, match="known: claude"):
        wire_of("nobody")


@pytest.mark.parametrize(("agent", "row"), CALLS, ids=[f"{a}-{i}" for i, (a, _) in enumerate(CALLS)])
def test_what_a_call_becomes(agent: str, row: dict[str, Any]) -> None:
    event = read(agent, row["given"])
    request = event.request
    assert request is not None and event.name == BEFORE_TOOL
    assert {"tool": request.tool, "input": dict(request.input), "cwd": request.cwd} == row["call"]
    assert (request.agent, request.session, request.attended) == (agent, CASES[agent]["session"], False)


SECRET_CALLS = [
    (agent, row) for agent, row in CALLS if any(part in str(row["call"]) for part in (".env", "id_rsa", ".pem"))
]


@pytest.mark.parametrize(("agent", "row"), SECRET_CALLS, ids=[f"{a}-{i}" for i, (a, _) in enumerate(SECRET_CALLS)])
def test_a_secret_asks_whatever_the_tool_is_called(agent: str, row: dict[str, Any]) -> None:
    request = read(agent, row["given"]).request
    assert request is not None
    assert judged(request, Layers("/home/u/app", home="/home/u")).verdict.decision == Decision.ASK


def test_every_agent_that_reads_has_a_secret_among_its_calls() -> None:
    assert {agent for agent, _ in SECRET_CALLS} == set(NAMES)


@pytest.mark.parametrize("agent", NAMES)
def test_every_tool_that_passes_is_known_here(agent: str) -> None:
    """A row leads to a tool that the gate knows: any other would ask for ever."""
    tools = getattr(wire_of(agent), "tools", {})
    assert {row.tool for row in tools.values()} <= KNOWN


@pytest.mark.parametrize("agent", [a for a in NAMES if "judged_later" in CASES[a]])
def test_what_another_event_judges_is_left_alone(agent: str) -> None:
    for given in CASES[agent]["judged_later"]:
        event = read(agent, given)
        assert event.name == BEFORE_CHANGE if wire_of(agent).changes_before and event.request else not event.request
        assert event.name != BEFORE_TOOL


REFUSED = [(agent, given) for agent in NAMES for given in CASES[agent].get("refused", [])]


@pytest.mark.parametrize(("agent", "given"), REFUSED, ids=[f"{a}-{i}" for i, (a, _) in enumerate(REFUSED)])
def test_no_text_becomes_an_option_of_the_program_that_searches(agent: str, given: dict[str, Any]) -> None:
    with pytest.raises(HookInputError, match="begins with `-`"):
        read(agent, given)


@pytest.mark.parametrize(("tool", "key"), [("Read", "x"), ("Write", "content"), ("Edit", "old_string")])
def test_two_clients_that_obey_different_keys_are_not_given_both(tool: str, key: str) -> None:
    """Another client runs the hooks of .claude/settings.json, and reads `path` where Claude Code reads `file_path`."""
    head = {"session_id": "s", "cwd": "/home/u/app", "hook_event_name": BEFORE_TOOL, "tool_name": tool}
    with pytest.raises(HookInputError, match="two keys"):
        read("claude", {**head, "tool_input": {"file_path": "a", "path": ".env", key: ""}})


@pytest.mark.parametrize("agent", NAMES)
def test_what_is_answered(agent: str) -> None:
    wire, wanted = wire_of(agent), CASES[agent]["answers"]
    event = read(agent, CASES[agent]["calls"][0]["given"])
    assert said(wire.answer(event, Verdict(Decision.ALLOW, "yes")).stdout) == wanted["allow"]
    assert said(wire.answer(event, Verdict(Decision.DENY, "no")).stdout) == wanted["deny"]
    assert said(wire.neutral(event).stdout) == wanted["neutral"]
    for known in (event, None):
        assert said(wire.refuse(known, "broken").stdout) == wanted["refuse"]
    # An agent that is not told to ask does not let through what would be asked.
    denied = json.dumps(wanted["deny"]).replace("askfirst denied this: no", "askfirst asks a person: why")
    assert said(wire.answer(event, Verdict(Decision.ASK, "why")).stdout) == wanted.get("ask", json.loads(denied))


@pytest.mark.parametrize("agent", NAMES)
def test_the_agent_reads_its_own_answers(agent: str) -> None:
    wire = wire_of(agent)
    event = wire.read(json.dumps(wire.sample("/home/u/app", "ls")).encode(), {})
    assert event.request is not None and event.request.input["command"] == "ls"
    for decision, word in ((Decision.ALLOW, "allow"), (Decision.DENY, "deny")):
        assert wire.decision_in(wire.answer(event, Verdict(decision, "why")).stdout.decode()) == word
    assert wire.decision_in(wire.refuse(None, "broken").stdout.decode()) == "deny"
    assert wire.last_word == b"" or wire.decision_in(wire.last_word.decode()) == "deny"


@pytest.mark.parametrize("agent", [a for a in NAMES if "merged" in CASES[a]])
def test_a_merged_content_goes_back_in_the_agents_own_keys(agent: str) -> None:
    case = CASES[agent]["merged"]
    event = read(agent, case["given"])
    assert event.request is not None
    updated = {**event.request.input, "content": "old\nx\n"}
    reply = wire_of(agent).answer(event, Verdict(Decision.ALLOW, "yes", updated_input=updated))
    assert said(reply.stdout) == case["answer"]


@pytest.mark.parametrize("agent", [a for a in NAMES if "merged" not in CASES[a]])
def test_a_merge_that_the_hook_cannot_make_is_left_to_the_agent(agent: str) -> None:
    event = read(agent, CASES[agent]["calls"][0]["given"])
    verdict = Verdict(Decision.ALLOW, "yes", updated_input={"content": "old\nx\n"})
    stdout = wire_of(agent).answer(event, verdict).stdout.decode()
    assert wire_of(agent).decision_in(stdout) == "deny" and "merged" in stdout


@pytest.mark.parametrize("agent", NAMES)
def test_spoilt_input_is_refused(agent: str) -> None:
    """Each value of a good input, gone or of another type: an error, or still the same command; never another one."""
    good = wire_of(agent).sample("/home/u/app", "ls")
    for path in _places(good):
        for spoilt in (..., 7, None, [], {}, ["ls"], {"command": "ls"}, True):
            try:
                event = read(agent, _with(good, path, spoilt))
            except HookInputError:
                continue
            if event.request is not None and event.request.tool == "Bash":
                command = event.request.input.get("command")
                assert command in ("ls", None) or not isinstance(command, str)
                assert event.session and event.request.cwd.startswith("/")


def _places(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _with(value: Any, path: tuple[str, ...], spoilt: Any) -> Any:
    if not path:
        return spoilt
    copy = {key: _with(inner, path[1:], spoilt) if key == path[0] else inner for key, inner in value.items()}
    return {key: inner for key, inner in copy.items() if inner is not ...}


@pytest.mark.parametrize("agent", NAMES)
def test_the_hook_answers_before_the_agent_gives_up(agent: str) -> None:
    assert wire_of(agent).timeout_s - wire_of(agent).deadline_s >= 15


@pytest.mark.parametrize("agent", NAMES)
def test_every_row_says_how_it_is_known_that_commands_change(agent: str) -> None:
    """Whether it was seen or documented, where and when; the page of the box says the same."""
    key, how, where = AGENTS[agent].changing
    if not key:  # its hook changes nothing
        assert how == NOT_USED and not wire_of(agent).changes_commands
        return
    assert key and how in (SEEN, DOCUMENTED, NOT_USED) and re.search(r"\b20\d\d-\d\d-\d\d\b", where)
    assert (how != NOT_USED) == wire_of(agent).changes_commands
    page = (Path(__file__).resolve().parents[2] / "examples/box.md").read_text(encoding="utf-8")
    assert f"{how}: {where}" in page and f"`{key}`" in page
