"""The fail-closed table for every other agent: the command line that `askfirst init` registers, as it reads it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from askfirst.agents import adapter
from askfirst.agents.cline import install as cline
from askfirst.approval.presence import announce
from askfirst.hook import respond
from askfirst.install.agent_checks import OTHERS
from askfirst.install.json_hooks import closed_command, gate_command
from askfirst.install.probe import decision_in, sample
from askfirst.store.pending import FilePending
from tests.waiting import until


def registered(agent: str, project: Path) -> list[str]:
    """What the agent runs. OpenCode's plugin starts the hook itself."""
    if agent == "cline":
        script = project.parent / "PreToolUse.sh"
        script.write_bytes(cline.script())
        return ["/bin/sh", str(script)]
    return ["/bin/sh", "-c", gate_command(agent) if agent == "opencode" else closed_command(agent)]


def decision(agent: str, done: subprocess.CompletedProcess[bytes]) -> str:
    """What the agent makes of a hook's end, each by its own rules."""
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    if agent == "cline":
        return decision_in(agent, out)  # no exit code counts
    if agent == "gemini" and done.returncode == 2 and out.strip():
        return decision_in(agent, out)  # a text on stdout that is JSON counts more than the exit code
    if done.returncode != 0:
        # Codex and Gemini want words; OpenCode's plugin and Copilot take any code.
        return "deny" if done.returncode == 2 and err.strip() else "open"
    return decision_in(agent, out)


def run(agent: str, project: Path, raw: bytes, *, words: list[str] | None = None, tail: str = "") -> str:
    command = words or registered(agent, project)
    if tail:
        command = ["/bin/sh", "-c", f'"$@" {tail}', "sh", *command]
    env = {**os.environ, "SHELL": "/bin/bash"}
    return decision(agent, subprocess.run(command, input=raw, cwd=project, env=env, capture_output=True, timeout=120))


def call(agent: str, project: Path, command: str) -> bytes:
    return json.dumps(sample(agent, str(project), command)).encode()


@pytest.mark.parametrize("agent", OTHERS)
def test_rules_and_their_absence(agent: str, project: Path) -> None:
    assert run(agent, project, call(agent, project, "ls")) == "allow"
    assert run(agent, project, call(agent, project, "sudo ls")) == "deny"
    assert run(agent, project, call(agent, project, "some-unknown-program")) == "deny"  # nobody is there to be asked
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("version: [1\n")
    assert run(agent, project, call(agent, project, "ls")) == "deny"


@pytest.mark.parametrize("agent", OTHERS)
def test_input_that_is_no_call(agent: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    good = call(agent, project, "ls")
    twice = (b'"ls"', b'"ls", "command": "sudo ls"') if agent != "cline" else (b'"id"', b'"name": "x", "id"')
    rows = {
        "empty": b"",
        "blank": b" \n",
        "text": b"hello",
        "cut off": good[:-2],
        "more behind it": good + b" and more",
        "two": good * 2,
        "array": b"[1]",
        "null": b"null",
        "NaN": b'{"a": NaN}',
        "bad UTF-8": good.replace(b'"ls"', b'"l\xff\xfes"'),
        "UTF-16": good.decode().encode("utf-16"),
        "deep": b"[" * 100_000,
        "deeper": b'{"a":' * 50_000,
        "half a pair": good.replace(b'"ls"', b'"ls \\ud800"'),
        "a key twice": good.replace(*twice),
        "a number": good.replace(b'"ls"', b"7"),
        "a list": good.replace(b'"ls"', b'[["ls"]]'),
        "an object": good.replace(b'"ls"', b'{"a": 1}'),
    }
    for name, raw in rows.items():
        reply = respond(adapter(agent), raw, {})
        assert reply.exit_code == 0 and decision_in(agent, reply.stdout.decode()) == "deny", name
    assert decision_in(agent, respond(adapter(agent), good, {}).stdout.decode()) == "allow"
    # And once as a process, with nothing on stdin at all.
    assert run(agent, project, b"") == "deny"


@pytest.mark.parametrize("agent", OTHERS)
def test_streams_that_are_closed(agent: str, project: Path) -> None:
    denied = call(agent, project, "sudo ls")
    for tail in (">&-", ">/dev/full") if agent != "cline" else ():
        done = subprocess.run(
            ["/bin/sh", "-c", f'"$@" {tail}', "sh", *registered(agent, project)],
            input=denied,
            cwd=project,
            capture_output=True,
            timeout=120,
        )
        assert done.returncode == 2 and done.stderr.strip(), tail
    assert run(agent, project, b"", tail="<&-") == "deny"
    assert run(agent, project, call(agent, project, "ls"), tail="2>&-") == "allow"


PATCHED = """
import sys
sys.argv = ["askfirst"]
def broken(*a, **k): raise {error}
{patch}
from askfirst.hook import main
sys.exit(main(["--agent", "{agent}"]))
"""
PLACES = {
    "analysis": "import askfirst.shell as m; m.analyze = broken",
    "answering": "import askfirst.agents.{agent}.wire as m; m.answer = broken",
    "reading": "import askfirst.agents.{agent}.wire as m; m.read = broken",
    "refusing": "import askfirst.agents.{agent}.wire as m; m.refuse = broken; m.read = broken",
    "the adapter": "sys.modules['askfirst.agents.{agent}.wire'] = None",
}


@pytest.mark.parametrize("agent", OTHERS)
def test_an_exception_inside(agent: str, project: Path) -> None:
    raw = call(agent, project, "ls")
    for place, patch in PLACES.items():
        code = PATCHED.format(error="MemoryError()", patch=patch.format(agent=agent), agent=agent)
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], input=raw, cwd=project, capture_output=True, timeout=120
        )
        if agent == "cline" and done.returncode:
            continue  # the script around it answers then; the next test kills it
        assert decision(agent, done) == "deny", (place, done)


@pytest.mark.parametrize("agent", OTHERS)
def test_a_signal_withdraws_the_request_and_a_kill_closes(agent: str, project: Path) -> None:
    raw = call(agent, project, "some-unknown-program")
    for number in (signal.SIGTERM, signal.SIGKILL):
        with announce("test"):
            process = subprocess.Popen(
                registered(agent, project),
                cwd=project,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            assert process.stdin is not None
            process.stdin.write(raw)
            process.stdin.close()
            process.stdin = None
            until(partial(_asked_or_ended, process), "the request")
            assert process.poll() is None, process.communicate()
            os.kill(_hook_of(process.pid), number)
            out, err = process.communicate(timeout=120)
        done = subprocess.CompletedProcess([], process.returncode, out, err)
        if agent == "opencode" and number == signal.SIGKILL:
            assert done.returncode != 0  # which its plugin throws for
        else:
            assert decision(agent, done) == "deny", (number, done)
        from askfirst.approval.manager import file_manager

        assert file_manager().pending() == ()


def _asked_or_ended(process: subprocess.Popen[bytes]) -> bool:
    return bool(FilePending().items()) or process.poll() is not None


def _hook_of(shell: int) -> int:
    """The hook's own process: the shell's child, or what the shell has become."""
    children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
    while children:
        shell = int(children[0])
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
    return shell


@pytest.mark.parametrize("agent", OTHERS)
def test_a_person_at_watch_is_waited_for(agent: str, project: Path) -> None:
    """No agent here draws a question for us: the hook waits itself."""
    from askfirst.approval.codec import answer_to
    from askfirst.model import Answer, Decision, Duration

    with announce("test"):
        process = subprocess.Popen(
            registered(agent, project),
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin is not None
        process.stdin.write(call(agent, project, "some-unknown-program"))
        process.stdin.close()
        process.stdin = None
        item = until(FilePending().items, "the request")[0]
        answer = Answer(Decision.ALLOW, Duration.ONCE, "", "a test", "once", 1.0, digest=item.digest)
        FilePending().decide(item.id, answer_to(answer))
        out, err = process.communicate(timeout=120)
    assert decision(agent, subprocess.CompletedProcess([], process.returncode, out, err)) == "allow", (out, err)
