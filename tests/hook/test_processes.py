"""`kill` without asking: processes of this session, by the mark that their environment carries. Real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.store.layers import load_layers

MARK = "CLAUDE_CODE_SESSION_ID"


@pytest.fixture
def started() -> Iterator[dict[str, int]]:
    """own: of the session; orphan: of the session, its parents gone; other: of another one; mine: of nobody's session;
    gate: a hook of the session."""
    plain = {name: value for name, value in os.environ.items() if name != MARK}
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    own = subprocess.Popen(sleep, env={**plain, MARK: "s"})
    other = subprocess.Popen(sleep, env={**plain, MARK: "t"})
    mine = subprocess.Popen(sleep, env=plain)
    gate = subprocess.Popen([*sleep, "askfirst"], env={**plain, MARK: "s"})
    leave = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL).pid)"
    orphan = int(subprocess.check_output([sys.executable, "-c", leave, *sleep], env={**plain, MARK: "s"}))
    try:
        yield {"own": own.pid, "orphan": orphan, "other": other.pid, "mine": mine.pid, "gate": gate.pid}
    finally:
        for process in (own, other, mine, gate):
            process.kill()
            process.wait()
        os.kill(orphan, 9)


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("kill {own}", Decision.ALLOW),
        ("kill -9 {own} {orphan} 2>/dev/null; echo done", Decision.ALLOW),
        ("kill -s TERM {orphan}", Decision.ALLOW),
        ("kill -TERM -- {own}", Decision.ALLOW),
        ("sleep 60 & sleep 1; kill $!", Decision.ALLOW),
        ("sleep 60 & kill %1", Decision.ALLOW),
        ("kill {other}", Decision.ASK),
        ("kill {own} {mine}", Decision.ASK),
        ("kill {gate}", Decision.ASK),
        ("kill -- -{own}", Decision.ASK),
        ("kill -9 -1", Decision.ASK),
        ("kill 1", Decision.ASK),
        ("kill {own} $x", Decision.ASK),
        ("kill $PPID", Decision.ASK),
        ("pkill python", Decision.ASK),
        ("kill 999999999", Decision.ASK),
    ],
)
def test_kill(command: str, wanted: Decision, started: dict[str, int], project: Path) -> None:
    text = command.format(**started)
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": text})
    assert judged(request, load_layers(str(project), session="s", now=1.0)).verdict.decision == wanted
