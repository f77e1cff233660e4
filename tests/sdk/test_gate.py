"""The gate inside a program: the same promises with the manager in memory and on files, on both event loops."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anyio", reason="needs the extra askfirst[sdk]")

import anyio
import anyio.to_thread

from askfirst import audit, sdk
from askfirst.approval.answers import NotPending
from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.box import engines
from askfirst.model import Answer, Decision, Duration
from askfirst.sdk import Gate, terminal
from askfirst.sdk import gate as gate_module
from tests.hook.process import event
from tests.needs import needs

PATIENCE_S = 60.0


class Agent:
    """A gate, the manager that a person answers through, and an agent that calls tools."""

    def __init__(self, kind: str, project: Path) -> None:
        self.kind, self.project = kind, project
        self.gate = (
            Gate(sdk.ApprovalManager(), terminal=False) if kind == "memory" else Gate(shared=True, terminal=False)
        )
        self.person = self.gate.manager if kind == "memory" else file_manager()

    async def call(self, command: str, **more: Any) -> tuple[str, str]:
        value: Any = await self.gate.pre_tool_use(event(cwd=self.project, command=command, **more))
        output = value["hookSpecificOutput"]
        return output["permissionDecision"], output["permissionDecisionReason"]

    async def card(self) -> Question:
        """The event loop goes on while a call waits: this coroutine runs on it."""
        with anyio.fail_after(PATIENCE_S):
            while not (waiting := self.person.pending()):
                await anyio.sleep(0.01)
        return waiting[0]

    async def say(self, decision: Decision, duration: Duration = Duration.ONCE, reason: str = "") -> Question:
        question = await self.card()
        self.person.respond(question.id, Answer(decision, duration, reason, "ada", digest=question.digest))
        return question


@pytest.fixture(params=["memory", "files"])
def agent(request: pytest.FixtureRequest, project: Path) -> Agent:
    return Agent(request.param, project)


@pytest.fixture(params=["asyncio", "trio"])
def loop(request: pytest.FixtureRequest) -> Callable[[Callable[[], Awaitable[None]]], None]:
    def run(main: Callable[[], Awaitable[None]]) -> None:
        with announce("test"):
            anyio.run(main, backend=request.param)

    return run


Loop = Callable[[Callable[[], Awaitable[None]]], None]


@contextlib.asynccontextmanager
async def calling(agent: Agent, command: str) -> AsyncIterator[list[tuple[str, str]]]:
    """A call in the background; what it was told stands in the list afterwards."""
    told: list[tuple[str, str]] = []

    async def call() -> None:
        told.append(await agent.call(command))

    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            yield told


def records(kind: str) -> list[dict[str, Any]]:
    log = Path(audit.directory()) / "current.jsonl"
    return [r for r in map(json.loads, log.read_text().splitlines()) if r["kind"] == kind] if log.exists() else []


def test_rules_decide_without_a_person(agent: Agent, loop: Loop) -> None:
    async def main() -> None:
        assert (await agent.call("git status"))[0] == "allow"
        decision, reason = await agent.call("git status; sudo id")
        assert decision == "deny" and "hardcoded block: privilege" in reason
        passing: Any = await agent.gate.pre_tool_use(event("Read", cwd=agent.project, file_path="x"))
        assert passing == {}

    loop(main)
    assert agent.person.pending() == ()


def test_a_person_answers_and_the_loop_goes_on(agent: Agent, loop: Loop) -> None:
    async def main() -> None:
        async with calling(agent, "frobnicate now") as first:
            question = await agent.say(Decision.ALLOW, Duration.SESSION)
            assert question.text == "frobnicate now"
        assert first[0][0] == "allow"
        assert (await agent.call("frobnicate now"))[0] == "allow"  # remembered, nobody is asked
        async with calling(agent, "other") as second:
            await agent.say(Decision.DENY, reason="use make")
        assert second[0][0] == "deny" and "use make" in second[0][1]
        decision, reason = await agent.call("other")
        assert decision == "deny" and "denied exactly this" in reason

    loop(main)
    assert [r["decision"] for r in records("verdict")] == ["allow", "allow", "deny", "deny"]


def test_a_cancelled_call_takes_its_question_with_it(agent: Agent, loop: Loop) -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(agent.call, "frobnicate now")
            question = await agent.card()
            tasks.cancel_scope.cancel()
        with anyio.fail_after(PATIENCE_S):
            while agent.person.pending() or not records("verdict"):
                await anyio.sleep(0.01)
        with pytest.raises(NotPending):
            agent.person.respond(question.id, Answer(Decision.ALLOW, by="ada", digest=question.digest))

    loop(main)
    assert [(r["decision"], r["answer"]["state"]) for r in records("verdict")] == [("deny", "cancelled")]


def test_with_nobody_to_ask_it_is_denied_at_once(project: Path) -> None:
    """No terminal, no approver, no surface of the program's own."""
    memory: Any = anyio.run(Gate(terminal=False).pre_tool_use, event(cwd=project, command="frobnicate"))
    files: Any = anyio.run(Gate(shared=True).pre_tool_use, event(cwd=project, command="frobnicate"))
    for value, words in ((memory, "has no terminal"), (files, "askfirst watch")):
        assert value["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert words in value["hookSpecificOutput"]["permissionDecisionReason"]


def test_more_questions_than_the_program_has_threads(agent: Agent) -> None:
    """Each waits in a thread of its own, and the program's own threads stay free."""
    many = 50

    async def main() -> None:
        told: list[tuple[str, str]] = []

        async def call(number: int) -> None:
            told.append(await agent.call(f"frobnicate {number}"))

        with anyio.fail_after(PATIENCE_S * 2):
            async with anyio.create_task_group() as tasks:
                for number in range(many):
                    tasks.start_soon(call, number)
                while len(agent.person.pending()) < many:
                    await anyio.sleep(0.05)
                assert await anyio.to_thread.run_sync(lambda: "free") == "free"
                for question in agent.person.pending():
                    agent.person.respond(question.id, Answer(Decision.ALLOW, by="ada", digest=question.digest))
        assert [decision for decision, _ in told] == ["allow"] * many

    with announce("test"):
        anyio.run(main)


BROKEN: list[tuple[str, Any]] = [
    ("not a mapping", "git status"),
    ("no tool", {}),
    ("no command", {"tool_name": "Bash", "tool_input": {}}),
    ("the command is not a text", {"tool_name": "Bash", "tool_input": {"command": 7}}),
    ("not JSON", {"tool_name": "Bash", "tool_input": {"command": "git status", "more": object()}}),
    ("not Unicode", {"tool_name": "Bash", "tool_input": {"command": "git \ud800"}}),
    ("a relative directory", {"tool_name": "Bash", "tool_input": {"command": "git status"}, "cwd": "here"}),
    ("another event", {"tool_name": "Bash", "tool_input": {"command": "git status"}, "hook_event_name": "Stop"}),
]


@pytest.mark.parametrize(("what", "value"), BROKEN, ids=[what for what, _ in BROKEN])
def test_whatever_goes_wrong_is_a_deny_in_the_events_own_words(what: str, value: Any) -> None:
    gate = Gate(terminal=False)
    before: Any = anyio.run(gate.pre_tool_use, value)
    assert before["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert before["hookSpecificOutput"]["permissionDecision"] == "deny"
    asked: Any = anyio.run(gate.permission_request, value)
    assert asked["hookSpecificOutput"]["hookEventName"] == "PermissionRequest"
    assert asked["hookSpecificOutput"]["decision"]["behavior"] == "deny"


def test_a_broken_block_list_closes_the_gate(agent: Agent, home: Path) -> None:
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("version: 1\nblocked_commands: [\n")
    decision, reason = anyio.run(agent.call, "git status")
    assert decision == "deny" and "config.yaml" in reason


def test_it_answers_before_the_clients_patience_ends(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = threading.Event()
    monkeypatch.setattr(gate_module, "THINKING_S", 0.05)
    monkeypatch.setattr(gate_module, "reply_to", lambda *_, **__: stuck.wait(PATIENCE_S))
    try:
        decision, reason = anyio.run(agent.call, "git status")
    finally:
        stuck.set()
    assert decision == "deny" and "deadline" in reason


def test_the_project_is_where_the_session_began(tmp_path: Path) -> None:
    """Its directory follows every `cd`; a repository inside the project does not bring its own rules into force."""
    project = tmp_path / "app"
    inner = project / "vendor" / "thing"
    for place in (project, inner):
        (place / ".git").mkdir(parents=True)
    gate = Gate(sdk.ApprovalManager(), terminal=False)
    agent = Agent("memory", project)
    agent.gate, agent.person = gate, gate.manager

    async def main() -> None:
        await agent.call("git status")
        agent.project = inner
        async with calling(agent, "frobnicate"):
            question = await agent.say(Decision.DENY)
        assert (question.project, question.cwd) == (str(project.resolve()), str(inner))

    anyio.run(main)


def test_a_question_that_was_answered_elsewhere_is_closed(agent: Agent, loop: Loop) -> None:
    """`can_use_tool` said yes while PermissionRequest was asking: the tool has run."""

    async def main() -> None:
        call = event(cwd=agent.project, command="frobnicate", name="PermissionRequest")
        del call["tool_use_id"]
        told: list[Any] = []

        async def ask() -> None:
            told.append(await agent.gate.permission_request(call))

        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(ask)
                await agent.card()
                ran = event(cwd=agent.project, command="frobnicate", name="PostToolUse")
                assert await agent.gate.post_tool_use(ran) == {}
        assert told[0]["hookSpecificOutput"]["decision"]["behavior"] == "deny"

    loop(main)
    assert agent.person.pending() == ()


def test_the_callable_takes_what_a_caller_without_the_sdk_knows(project: Path) -> None:
    """Only the tool and its input; the project's directory in the context."""

    async def call(command: str) -> str:
        told = {"tool_name": "Bash", "tool_input": {"command": command}}
        value: Any = await sdk.bash_security_hook(told, None, {"project_dir": str(project)})
        return str(value["hookSpecificOutput"]["permissionDecision"])

    assert anyio.run(call, "ls -la") == "allow"
    assert anyio.run(call, "sudo id") == "deny"
    assert anyio.run(call, "frobnicate") == "deny"
    assert sdk.get_approval_manager().pending() == ()
    assert {r["project"] for r in records("verdict")} == {str(project)}


def test_an_agents_terminal_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that an agent started asks nobody there; the mark that the SDK itself sets says nothing."""
    monkeypatch.setattr(terminal, "ancestors", lambda: ())
    monkeypatch.setattr(terminal, "_in_foreground", lambda: True)
    assert terminal.person_at_terminal()
    entry = "CLAUDE_CODE_ENTRYPOINT"
    for name, value, there in ((entry, "sdk-py", True), (entry, "cli", False), ("CLAUDECODE", "1", False)):
        with monkeypatch.context() as here:
            here.setenv(name, value)
            assert terminal.person_at_terminal() is there
    monkeypatch.setattr(terminal, "_in_foreground", lambda: False)
    assert not terminal.person_at_terminal()


def test_a_manager_or_the_shared_one() -> None:
    with pytest.raises(ValueError, match="not both"):
        Gate(sdk.ApprovalManager(), shared=True)


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['anyio'] = None; import askfirst.sdk"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "pip install 'askfirst[sdk]'" in done.stderr


def test_a_call_runs_contained_beside_the_one_client_of_the_program(project: Path, home: Path) -> None:
    needs("bwrap")
    if engines.available() is None:
        pytest.skip("needs bubblewrap that works")
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("version: 2\nbox: unknown\n")
    asked = event(cwd=project, command="frobnicate")

    async def call() -> Any:
        return (await Gate(terminal=False, project=str(project)).pre_tool_use(asked))["hookSpecificOutput"]

    assert anyio.run(call)["permissionDecision"] == "deny", "no client: nobody knows what its command line forbids"
    words = [sys.executable, "-c", "import sys; sys.stdin.read()", "--output-format", "stream-json"]
    with subprocess.Popen(words, stdin=subprocess.PIPE):
        answer = anyio.run(call)
    assert answer["permissionDecision"] == "allow" and "box/start.py" in answer["updatedInput"]["command"]
    with subprocess.Popen([*words, "--disallowedTools", "Bash(frobnicate:*)"], stdin=subprocess.PIPE):
        assert anyio.run(call)["permissionDecision"] == "deny"
