"""Programs on the real Agent SDK: its real client, a scripted model, and the gate inside the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.box import engines, runs
from tests.e2e.client import PROGRAM, SDK, require_client
from tests.e2e.fake_model import Block, FakeModel, bash, use
from tests.flow.session import organisation
from tests.needs import needs
from tests.tui.test_tmux import Tmux

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "examples/agent-sdk.md"
PATIENCE_S = 120.0
CALM = {
    "ANTHROPIC_API_KEY": "not-a-key",
    "IS_SANDBOX": "1",
    "SHELL": "/bin/bash",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the tests' own environment: the SDK's usual package brings a client of several hundred megabytes."""
    require_client()
    if not SDK.exists():
        pytest.skip(f"the Agent SDK is not installed ({SDK}); run .ci/install-client")
    monkeypatch.setattr(sys, "path", [*sys.path, str(SDK)])
    monkeypatch.setenv("PYTHONPATH", str(SDK))
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}")


Beside = Callable[[], Coroutine[Any, Any, None]]


def run(project: Path, turns: list[list[Block]], gate: Any, beside: Beside | None = None, **options: Any) -> list[str]:
    """Play the turns in the open mode, where nothing but the gate decides; what the model was told about its calls."""
    import anyio
    from claude_agent_sdk import ClaudeAgentOptions, query

    async def main() -> None:
        settings: dict[str, Any] = {"hooks": gate.hooks(), "permission_mode": "bypassPermissions", **options}
        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as tasks:
                if beside is not None:
                    tasks.start_soon(beside)
                env = {**CALM, "ANTHROPIC_BASE_URL": model.url, "HOME": os.environ["HOME"]}
                async for _ in query(prompt="go", options=ClaudeAgentOptions(cwd=str(project), env=env, **settings)):
                    pass

    with FakeModel(turns) as model:
        anyio.run(main)
    return model.tool_results()


@pytest.mark.parametrize("kind", ["memory", "files"])
def test_the_program_answers_for_its_agent(project: Path, kind: str) -> None:
    """Rules decide, a person answers through the manager, and a repository that disables all hooks changes nothing."""
    import anyio

    from askfirst.approval.manager import file_manager
    from askfirst.approval.presence import announce
    from askfirst.sdk import Answer, ApprovalManager, Decision, Duration, Gate

    (project / ".claude").mkdir()
    (project / ".claude/settings.json").write_text('{"disableAllHooks": true}')
    script = project / "do-it.sh"
    script.write_text("#!/bin/sh\necho it-ran\n")
    script.chmod(0o755)
    gate = Gate(ApprovalManager(), terminal=False) if kind == "memory" else Gate(shared=True, terminal=False)
    person = gate.manager if kind == "memory" else file_manager()
    answers = [(Decision.ALLOW, Duration.SESSION, ""), (Decision.DENY, Duration.ONCE, "use make")]
    asked: list[str] = []

    async def answer() -> None:
        for decision, duration, reason in answers:
            while not person.pending():
                await anyio.sleep(0.02)
            question = person.pending()[0]
            asked.append(question.text)
            person.respond(question.id, Answer(decision, duration, reason, "ada", digest=question.digest))

    turns = [
        [bash("echo allowed-and-run")], [bash("touch RAN; sudo true")], [bash("./do-it.sh")], [bash("./do-it.sh")],
        [bash("frobnicate")],
        [use("Write", file_path=str(project / "src.txt"), content="one\n")],
        [use("Write", file_path=str(project / ".claude/settings.local.json"), content="{}")],
    ]  # fmt: skip
    with announce("test"):
        told = run(project, turns, gate, answer)
    assert "allowed-and-run" in told[0]
    assert "hardcoded block: privilege" in told[1] and not (project / "RAN").exists()
    assert "it-ran" in told[2] and "it-ran" in told[3]
    assert asked == ["./do-it.sh", "frobnicate"] and "use make" in told[4]
    assert (project / "src.txt").read_text() == "one\n"
    assert "askfirst denied this" in told[6] and not (project / ".claude/settings.local.json").exists()


def test_a_gate_that_fails_blocks(project: Path) -> None:
    from askfirst.sdk import Gate

    class Broken(Gate):
        async def pre_tool_use(self, *_: Any) -> Any:
            raise RuntimeError("broken")

    class Silent(Gate):
        async def pre_tool_use(self, *_: Any) -> Any:
            return None

    for kind in (Broken, Silent):
        run(project, [[bash("touch RAN")]], kind(terminal=False))
        assert not (project / "RAN").exists()


@pytest.mark.needs("bwrap")
def test_what_nobody_knows_runs_contained(project: Path) -> None:
    """The directory goes with the next call, and an ordinary failure is told as one."""
    from askfirst.sdk import Gate

    if engines.available() is None:
        pytest.skip("needs bubblewrap that works")
    organisation("version: 2\nbox: unknown\n")
    script = project / "do-it.sh"
    script.write_text("#!/bin/sh\ntouch made.txt; pwd -P; exit $1\n")
    script.chmod(0o755)
    turns = [
        [bash("./do-it.sh 0")],
        [bash("mkdir -p sub; cd sub; ../do-it.sh 0")],
        [bash("pwd")],
        [bash("../do-it.sh 3")],
    ]
    told = run(project, turns, Gate(terminal=False))
    assert told[0] == str(project) and told[1] == told[2] == f"{project}/sub"
    assert "Exit code 3" in told[3] and "askfirst" not in told[3]
    assert len([*runs.everything()]) == 3 and (project / "sub/made.txt").exists()


def test_the_agent_asks_what_is_allowed(project: Path) -> None:
    from askfirst.sdk import Gate, mcp_server

    told = run(project, [[use("mcp__askfirst__check_command", command="sudo id")]], Gate(terminal=False),
               mcp_servers={"askfirst": mcp_server()})  # fmt: skip
    assert "hardcoded block: privilege" in told[0]


# The page


def program(name: str) -> str:
    """The block of the page whose first line names the file."""
    found = [
        m[1]
        for m in re.finditer(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
        if m[1].startswith(f"# {name}\n")
    ]
    assert len(found) == 1, name
    return found[0]


def test_the_program_that_answers_by_itself(project: Path, home: Path) -> None:
    """The page's second program, word for word."""
    for name in ("build.sh", "other.sh"):
        script = project / "scripts" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/sh\necho ran-{name}\n")
        script.chmod(0o755)
    (project.parent / "service.py").write_text(program("service.py"))
    with FakeModel([[bash("./scripts/build.sh")], [bash("./scripts/other.sh")], [bash("sudo true")]]) as model:
        env = {**os.environ, **CALM, "ANTHROPIC_BASE_URL": model.url}
        command = [sys.executable, str(project.parent / "service.py"), "go"]
        done = subprocess.run(
            command, cwd=project, env=env, capture_output=True, text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL
        )
    assert done.returncode == 0 and done.stdout == "done\n", done
    told = model.tool_results()
    assert "ran-build.sh" in told[0] and "service.py said no" in told[1] and "hardcoded block" in told[2], told


@pytest.fixture
def tmux(tmp_path: Path, home: Path) -> Iterator[Tmux]:
    needs("tmux")
    names = ("PATH", "PYTHONPATH", "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME")
    kept = {n: os.environ[n] for n in names}
    short = tmp_path / "t"
    short.mkdir()
    server = Tmux(short, {**kept, **CALM, "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/sh", "PS1": "$ "})
    server.run("resize-window", "-x", "120", "-y", "40")  # the directories of tests have long names
    try:
        yield server
    finally:
        server.run("kill-server")


def test_the_dialog_in_the_programs_own_terminal(tmux: Tmux, project: Path) -> None:
    """The page's first program, with a prompt piped into it: a person answers where it runs, and Ctrl-C ends it."""
    script = project / "do-it.sh"
    script.write_text("#!/bin/sh\necho it-ran\n")
    script.chmod(0o755)
    (project.parent / "agent.py").write_text(program("agent.py"))
    with FakeModel([[bash("./do-it.sh")], [bash("./do-it.sh")], [bash("touch RAN; frobnicate")]]) as model:
        tmux.type(f"cd {project}; ANTHROPIC_BASE_URL={model.url} {sys.executable} ../agent.py go; echo left $?\n")
        tmux.until(lambda: "do-it.sh" in tmux.frame() and "ready" in tmux.frame(), "the question")
        tmux.press("s", lambda: "✓ allowed for this session" in tmux.screen())
        tmux.until(lambda: "frobnicate" in tmux.frame() and "ready" in tmux.frame(), "the second question")
        tmux.press("d", lambda: "✗ denied" in tmux.screen() or "denying" in tmux.frame())
        tmux.sees("left 0")
    told = model.tool_results()
    assert "it-ran" in told[0] and "it-ran" in told[1] and "terminal said no" in told[2]
    with FakeModel([[bash("touch RAN; frobnicate")]]) as model:
        tmux.type(f"clear; ANTHROPIC_BASE_URL={model.url} {sys.executable} ../agent.py go\n")
        tmux.until(lambda: "frobnicate" in tmux.frame() and "ready" in tmux.frame(), "the third question")
        tmux.keys("C-c")
        tmux.until(
            lambda: "KeyboardInterrupt" in tmux.screen() and tmux.screen().rstrip().endswith("$"), "the program to end"
        )
    tmux.type("clear; stty -a | tr -s ' ;' '\\n\\n' | grep -x -e icanon -e echo | tr '\\n' ' '; echo as before\n")
    tmux.sees("icanon echo as before")
    assert not (project / "RAN").exists()
