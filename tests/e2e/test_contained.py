"""Contained calls in the real client: what the model gets, what the person sees, and that the client's own rules
hold."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
import threading
from functools import partial
from pathlib import Path

import pytest

from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.audit.read import read_backwards
from askfirst.box import runs
from askfirst.box.bubblewrap import Bubblewrap
from askfirst.box.engines import probed
from askfirst.model import Answer, Decision, Duration
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import FakeModel, bash, use
from tests.e2e.terminal import Screen
from tests.needs import needs
from tests.waiting import until

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


def test_what_agents_do_all_day_is_as_without_a_box(boxed: Client) -> None:
    """A server and its client, a time-out, a text of 100 kB, bytes, input, functions, exit codes, the network."""
    script(boxed, "server.sh", "exec python3 -m http.server 8123 --bind 127.0.0.1")
    read = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8123/made.txt').read())"
    script(boxed, "fetch.sh", f'for i in $(seq 100); do python3 -c "{read}" 2>/dev/null && exit; sleep 0.1; done')
    script(boxed, "slow.sh", "echo began; sleep 4321 & sleep 4321")
    script(boxed, "bytes.sh", "head -c 3000000 /dev/zero | tr '\\0' x; printf '\\377\\376\\000\\001'")
    script(boxed, "count.sh", "wc -c")
    script(boxed, "net.sh", "python3 -c 'import urllib.request as u; u.urlopen(\"http://example.org/\")'")
    text = "a line of text, as long as it is\n" * 3200
    model = boxed.run(
        [
            [bash("./hello.sh")],
            [bash("./server.sh > /tmp/log 2>&1 &")],
            [bash("./fetch.sh")],
            [use("Bash", command="./slow.sh", timeout=3000)],
            [bash(f"cat > big.txt <<'EOF'\n{text}EOF\n./count.sh < big.txt")],
            [bash("./bytes.sh | tail -c 5 | od -An -c")],
            [bash("printf 12345 | ./count.sh; ./count.sh < /dev/null")],
            [bash("twice() { ./hello.sh && ./hello.sh; }; twice; exit 7")],
            [bash("./net.sh 2>&1 | tail -1; exit ${PIPESTATUS[0]}")],
        ],
        OPEN,
        more_env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"},  # else the client lets what takes too long go on
    )
    _, served, fetched, slow, big, last, counts, twice, network = model.tool_results()
    assert "askfirst box forward" in served
    assert fetched == "b'made\\n'"
    assert "timed out" in slow and "began" in slow
    assert not subprocess.run(["pgrep", "-f", "^sleep 4321"], capture_output=True).stdout
    assert big == str(len(text)) and (boxed.project / "big.txt").read_text() == text
    assert last.split() == ["x", "377", "376", r"\0", "001"]
    assert counts.split() == ["5", "0"]
    assert twice.count("hello from") == 2 and "Exit code 7" in twice
    assert "Exit code 1" in network and "askfirst outside -- ./net.sh" in network
    assert {d for d, _ in records()} == {"contain"}


def test_an_interrupt_ends_everything(boxed: Client) -> None:
    needs("tmux")
    script(boxed, "slow.sh", "echo began; sleep 4322 & sleep 4322")
    sleeping = partial(subprocess.run, ["pgrep", "-f", "^sleep 4322"], capture_output=True)
    with FakeModel([[bash("./slow.sh")]]) as model, Screen(boxed, model) as screen:
        until(lambda: sleeping().stdout, "the script")
        screen.press_until("Escape", lambda text: "Interrupted" in text)
        until(lambda: not sleeping().stdout, "the end of its processes")


def test_a_yes_to_outside_runs_it_uncontained(boxed: Client) -> None:
    script(
        boxed, "net.sh", '[ -e /run/askfirst ] && { echo "could not resolve host: example.org" >&2; exit 6; }; id -un'
    )
    models: list[FakeModel] = []
    outside = bash("askfirst outside -- ./net.sh")
    with announce("test"):
        run = threading.Thread(
            target=lambda: models.append(boxed.run([[bash("./net.sh")], [outside], [outside]], OPEN))
        )
        run.start()
        manager = file_manager()
        (asked,) = until(manager.pending, "the question")
        assert isinstance(asked, Question) and asked.text == "./net.sh"
        answer = Answer(Decision.ALLOW, Duration.SESSION, "", "a person at a test", digest=asked.digest)
        manager.respond(asked.id, answer)
        run.join()
    withheld, first, second = models[0].tool_results()
    assert "askfirst outside -- ./net.sh" in withheld
    assert first == second == getpass.getuser(), "a yes for the session is asked for once"
