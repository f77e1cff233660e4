"""The real thing end to end, in tmux: the hook waits, `askfirst watch` asks, a person answers.

The clock is the real one here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("tmux")
PATIENCE_S = 120.0
ASKFIRST = f"{sys.executable} -m askfirst"


class Tmux:
    """One tmux server with one pane; `environment` is all that its programs get."""

    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self._socket, self._environment = str(directory / "socket"), environment
        self.run("new-session", "-d", "-x", "80", "-y", "24", "-c", str(directory), "/bin/sh")

    def run(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True).stdout

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)

    def keys(self, *names: str) -> None:
        self.run("send-keys", *names)

    def screen(self) -> str:
        return self.run("capture-pane", "-p", "-S", "-200")

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain for {what}; the screen:\n{self.screen()}"
            time.sleep(0.05)

    def sees(self, text: str) -> None:
        self.until(lambda: text in self.screen(), f"{text!r}")

    def frame(self) -> str:
        """The frame that is on screen now: the last one."""
        return self.screen().rpartition("╭─")[2]

    def press(self, key: str, done: Callable[[], bool]) -> None:
        """Press a key whenever the dialog is ready, until it has worked: a busy machine may make it start from zero."""
        while not done():
            self.until(lambda: done() or "● ready" in self.frame(), f"ready, for {key}")
            if not done():
                self.keys(key)
                self.until(lambda: done() or "● ready" not in self.frame(), f"{key} to be seen")
                self.until(lambda: done() or "◉" not in self.frame(), f"{key} to count")


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME")
    }
    return {**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/sh", "PS1": "$ "}


@pytest.fixture
def tmux(tmp_path: Path, environment: dict[str, str]) -> Iterator[Tmux]:
    short = tmp_path / "t"
    short.mkdir()
    server = Tmux(short, environment)
    try:
        yield server
    finally:
        server.run("kill-server")


def hook(environment: dict[str, str], project: Path, command: str, session: str = "s-1") -> subprocess.Popen[str]:
    event = {
        "session_id": session,
        "cwd": str(project),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_use_id": "t",
        "permission_mode": "default",
        "tool_input": {"command": command, "description": "Build the site"},
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "askfirst", "hook"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=project,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(event))
    process.stdin.close()
    return process


def decision(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    output = json.loads(process.stdout.read())
    process.wait()
    return str(output["hookSpecificOutput"]["permissionDecision"])


def test_a_person_answers_a_waiting_hook(tmux: Tmux, environment: dict[str, str], project: Path) -> None:
    tmux.type(
        f"{ASKFIRST} watch; stty -a | tr -s ' ;' '\\n\\n' | grep -x -e icanon -e echo | tr '\\n' ' '; echo left\n"
    )
    tmux.sees("no requests")
    first, second = (hook(environment, project, "hugo build --minify", session) for session in ("s-1", "s-2"))
    tmux.sees("x2 from 2 agents")
    for never in ("F1", "F4", "M-s", "M-p", "Up", "Enter", "1"):
        tmux.until(lambda: "● ready" in tmux.frame(), "ready")
        tmux.keys(never)
    tmux.until(lambda: "● ready" in tmux.frame(), "ready")
    assert first.poll() is None and second.poll() is None
    tmux.press("s", lambda: "✓ allowed for this session" in tmux.screen())
    assert decision(first) == decision(second) == "allow"

    third = hook(environment, project, "hugo deploy")
    tmux.sees("hugo deploy")
    tmux.until(lambda: "ready" in tmux.frame(), "the second question")
    tmux.press("d", lambda: "denying" in tmux.frame() or "✗ denied" in tmux.screen())
    assert decision(third) == "deny"
    tmux.sees("no requests")
    tmux.keys("C-c")
    tmux.sees("icanon echo left")


def test_watch_is_killed_and_the_terminal_comes_back(tmux: Tmux, environment: dict[str, str], project: Path) -> None:
    tmux.type(
        f"{ASKFIRST} watch; stty -a | tr -s ' ;' '\\n\\n' | grep -x -e icanon -e echo | tr '\\n' ' '; echo left\n"
    )
    tmux.sees("no requests")
    waiting = hook(environment, project, "hugo build")
    tmux.sees("hugo build")
    approvers = Path(environment["XDG_STATE_HOME"]) / "askfirst" / "approvers"
    pid = next(json.loads(path.read_text())["pid"] for path in approvers.glob("at-*"))
    os.kill(pid, 9)
    tmux.sees("icanon echo left")
    tmux.sees("nothing was approved")
    assert waiting.poll() is None
    tmux.type(f"clear; {ASKFIRST} watch --once\n")
    tmux.until(lambda: "● ready" in tmux.frame(), "the request that still waits")
    tmux.press("o", lambda: "✓ allowed once" in tmux.screen())
    assert decision(waiting) == "allow"


def test_the_demo_in_a_terminal(tmux: Tmux) -> None:
    tmux.type(f"{ASKFIRST} demo\n")
    tmux.until(lambda: "wants to run" in tmux.frame() and "hugo" in tmux.frame(), "the first question")
    tmux.press("s", lambda: "your answer is remembered" in tmux.screen())
    tmux.until(lambda: "curl" in tmux.frame() and "ready" in tmux.frame(), "the second question")
    tmux.press("d", lambda: "type CONFIRM" in tmux.screen())
    while "denying" not in tmux.frame() and "(REPLACE)" not in tmux.screen():
        tmux.until(lambda: "too early" not in tmux.frame(), "the moment to deny")
        tmux.type("d")
        tmux.until(lambda: any(w in tmux.screen() for w in ("denying", "too early", "(REPLACE)")), "d to be seen")
    tmux.until(lambda: "(REPLACE)" in tmux.screen(), "the file")
    tmux.sees("DELETES 100 of 102 lines")
    tmux.keys("C-c")
    tmux.sees("$ ")


def test_watch_refuses_an_agent(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "askfirst", "watch"],
        env={**environment, "CLAUDECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "refused" in done.stderr
