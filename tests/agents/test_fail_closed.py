"""The fail-closed table for every agent: the registered command line, its end read as that agent reads it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import askfirst
from askfirst.agents import wire_of
from askfirst.approval.codec import answer_to
from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce
from askfirst.hook import respond
from askfirst.install.installer import installer_of
from askfirst.model import Answer, Decision, Duration
from askfirst.store.pending import FilePending
from tests.agents.support import CASES, NAMES
from tests.waiting import until


def registered(agent: str, project: Path) -> list[str]:
    """What the agent runs."""
    installer_of(agent).install("project", str(project))
    return ["/bin/sh", "-c", installer_of(agent).look("project", str(project)).commands[0]]


def exit_codes_count(agent: str) -> bool:
    return bool(CASES[agent]["exit_code"] != "ignored")


def decision(agent: str, done: subprocess.CompletedProcess[bytes]) -> str:
    """What the agent makes of a hook's end, each by its own rules."""
    out, err, code = done.stdout.decode(), done.stderr.decode(), done.returncode
    assert "Traceback" not in err
    rule = CASES[agent]["exit_code"]
    if code == 0 or rule == "ignored" or (rule == "after stdout" and code == 2 and out.strip()):
        return wire_of(agent).decision_in(out)
    denies = {"any": True, "two": code == 2, "two with words": code == 2 and bool(err.strip())}
    return "deny" if denies.get(rule, denies["two with words"]) else "open"


def run(agent: str, project: Path, raw: bytes, *, words: list[str] | None = None, tail: str = "") -> str:
    command = words or registered(agent, project)
    if tail:
        command = ["/bin/sh", "-c", f'"$@" {tail}', "sh", *command]
    env = {**os.environ, "SHELL": "/bin/bash"}
    return decision(agent, subprocess.run(command, input=raw, cwd=project, env=env, capture_output=True, timeout=120))


def call(agent: str, project: Path, command: str) -> bytes:
    return json.dumps(wire_of(agent).sample(str(project), command)).encode()


@pytest.mark.parametrize("agent", NAMES)
def test_rules_and_their_absence(agent: str, project: Path) -> None:
    assert run(agent, project, call(agent, project, "ls")) == "allow"
    assert run(agent, project, call(agent, project, "sudo ls")) == "deny"
    assert run(agent, project, call(agent, project, "some-unknown-program")) == "deny"  # no one is there to be asked
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("version: [1\n")
    assert run(agent, project, call(agent, project, "ls")) == "deny"


@pytest.mark.parametrize("agent", NAMES)
def test_input_that_is_no_call(agent: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    good = call(agent, project, "ls")
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
        "a key twice": good.replace(b'"ls"', b'"ls", "command": "sudo ls"'),
        "the first key twice": good[:1] + good[1:].split(b",")[0] + b", " + good[1:],
        "a number": good.replace(b'"ls"', b"7"),
        "a list": good.replace(b'"ls"', b'[["ls"]]'),
        "an object": good.replace(b'"ls"', b'{"a": 1}'),
    }
    for name, raw in rows.items():
        reply = respond(wire_of(agent), raw, {})
        assert reply.exit_code == 0 and wire_of(agent).decision_in(reply.stdout.decode()) == "deny", name
    assert wire_of(agent).decision_in(respond(wire_of(agent), good, {}).stdout.decode()) == "allow"
    # And once as a process, with nothing on stdin at all.
    assert run(agent, project, b"") == "deny"


@pytest.mark.parametrize("agent", NAMES)
def test_streams_that_are_closed(agent: str, project: Path) -> None:
    denied = call(agent, project, "sudo ls")
    for tail in (">&-", ">/dev/full") if exit_codes_count(agent) else ():
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
sys.path.insert(0, {source!r})
sys.argv = ["askfirst"]
def broken(*a, **k): raise {error}
{patch}
from askfirst.hook import main
sys.exit(main(["--agent", "{agent}"]))
"""
PLACES = {
    "analysis": "import askfirst.shell as m; m.analyze = broken",
    "answering": "import askfirst.agents.{agent}.wire as m; type(m.WIRE).answer = broken",
    "reading": "import askfirst.agents.{agent}.wire as m; type(m.WIRE).read = broken",
    "refusing": "import askfirst.agents.{agent}.wire as m; type(m.WIRE).refuse = broken; type(m.WIRE).read = broken",
    "the wire format": "sys.modules['askfirst.agents.{agent}.wire'] = None",
}


@pytest.mark.parametrize("agent", NAMES)
def test_an_exception_inside(agent: str, project: Path) -> None:
    raw = call(agent, project, "ls")
    for place, patch in PLACES.items():
        source = str(Path(askfirst.__file__).parents[1])
        patch = patch.format(agent=agent)
        code = PATCHED.format(error="MemoryError()", patch=patch, agent=agent, source=source)
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], input=raw, cwd=project, capture_output=True, timeout=120
        )
        if done.returncode and not exit_codes_count(agent):
            continue  # the script around it answers then; the next test kills it
        assert decision(agent, done) == "deny", (place, done)


@pytest.mark.parametrize("agent", NAMES)
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
        assert decision(agent, done) == "deny", (number, done)
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


@pytest.mark.parametrize("agent", NAMES)
def test_a_person_at_watch_is_waited_for(agent: str, project: Path) -> None:
    """Unattended, no agent draws a question for us: the hook waits itself."""
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
