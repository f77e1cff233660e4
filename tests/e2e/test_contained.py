"""Contained calls in the real client: what the model gets, what the person sees, and that the client's own rules
hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from askfirst.audit.read import read_backwards
from askfirst.box import runs
from askfirst.box.bubblewrap import Bubblewrap
from askfirst.box.engines import probed
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import FakeModel, bash, use
from tests.e2e.terminal import Screen
from tests.needs import needs

LINE = "box/start.py"  # stands in what the client runs, and nowhere else


@pytest.fixture
def boxed(client: Client) -> Client:
    needs("bwrap")
    probe = probed(Bubblewrap())
    if not probe.works:
        pytest.skip(f"needs bubblewrap that works: {probe.why_not}")
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("version: 2\nbox: unknown\n")
    script(client, "hello.sh", "echo hello from $PWD; echo made > made.txt; echo oops >&2")
    script(client, "fails.sh", "echo before; exit 3")
    client.init()
    return client


def script(client: Client, name: str, text: str) -> None:
    path = client.project / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def records() -> list[tuple[str, str]]:
    """(decision, text) of what the model wanted, oldest first; the installation tries the hook, too."""
    found = [(r["decision"], r["text"]) for r in read_backwards() if r["kind"] == "verdict"]
    return [(decision, text) for decision, text in reversed(found) if ".sh" in text or text == "pwd"]


def test_output_exit_code_and_directory_are_as_without_a_box(boxed: Client) -> None:
    (boxed.project / "sub").mkdir()
    model = boxed.run(
        [[bash("./hello.sh")], [bash("./fails.sh")], [bash("cd sub && ../hello.sh")], [bash("pwd")]], OPEN
    )
    hello, fails, moved, where = model.tool_results()
    assert f"hello from {boxed.project}" in hello and "oops" in hello
    assert (boxed.project / "made.txt").read_text() == "made\n"
    assert "Exit code 3" in fails and "before" in fails and "askfirst" not in fails
    assert f"hello from {boxed.project}/sub" in moved and (boxed.project / "sub/made.txt").exists()
    assert where.strip() == f"{boxed.project}/sub", "the next call starts where the contained one ended"
    assert [d for d, _ in records()] == ["contain", "contain", "contain", "allow"]
    assert records()[0][1] == "./hello.sh"
    assert LINE not in "".join(model.tool_results())


def test_the_transcript_and_the_log_have_the_original_command(boxed: Client) -> None:
    boxed.run([[bash("./hello.sh")]], OPEN)
    transcripts = list((boxed.home / ".claude/projects").rglob("*.jsonl"))
    lines = [json.loads(line) for path in transcripts for line in path.read_text().splitlines()]
    calls = [
        part["input"]["command"]
        for line in lines
        if isinstance(line.get("message"), dict) and isinstance(line["message"].get("content"), list)
        for part in line["message"]["content"]
        if part.get("type") == "tool_use"
    ]
    assert calls == ["./hello.sh"]
    assert all(LINE not in text for _, text in records())


def test_a_deny_rule_of_the_client_still_holds(boxed: Client) -> None:
    boxed.settings("user", {"permissions": {"deny": ["Bash(./hello.sh:*)"]}})
    model = boxed.run([[bash("./hello.sh")], [bash("./fails.sh")]], OPEN)
    denied, runs_contained = model.tool_results()
    assert "hello from" not in denied and not (boxed.project / "made.txt").exists()
    assert "Exit code 3" in runs_contained


def test_a_background_call_is_contained_too(boxed: Client) -> None:
    model = boxed.run([[use("Bash", command="./hello.sh", run_in_background=True)], [bash("sleep 1; ls")]], OPEN)
    started, _ = model.tool_results()
    assert "background" in started.lower(), started
    (run,) = runs.everything()
    assert run.plan.command == "./hello.sh" and run.plan.background


def test_the_person_sees_what_the_model_wrote(boxed: Client) -> None:
    needs("tmux")
    with FakeModel([[bash("./hello.sh")]]) as model, Screen(boxed, model) as screen:
        screen.say("go")
        screen.until("hello from")
        assert "./hello.sh" in screen.text() and LINE not in screen.text()


def test_an_agent_asks_for_what_the_box_withheld(boxed: Client) -> None:
    script(boxed, "net.sh", 'getent hosts example.org || { echo "could not resolve host: example.org" >&2; exit 6; }')
    model = boxed.run([[bash("./net.sh")], [bash("./net.sh")], [bash("askfirst outside -- ./net.sh")]], OPEN)
    withheld, asked, outside = model.tool_results()
    assert "askfirst outside -- ./net.sh" in withheld
    assert "askfirst denied this" in asked, "what failed for want of the network is asked about the next time"
    assert "without the network, and failed there" in outside and "askfirst denied this" in outside
    assert [d for d, _ in records()] == ["contain", "deny", "deny"]
    assert records()[2][1] == "./net.sh"
