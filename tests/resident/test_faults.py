"""Every system call of a client and of the warm process fails once, or is the last: never an allow for what nobody
allows, never two answers, never an allow without its one record. strace does it, so it needs the right to trace."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from askfirst.audit.verify import verify_chain
from askfirst.resident import start
from tests.hook.process import Result, event
from tests.resident.warm import Warm, called, verdicts
from tests.waiting import until

pytestmark = pytest.mark.needs("strace")
UNKNOWN = "some-unknown-program"
FAULTS = ("error=EIO", "error=ENOSPC", "signal=SIGKILL")
# Of a process that is killed before it runs, or that ends anyway, there is nothing to learn.
LEFT_OUT = {"execve", "exit_group", "exit", "restart_syscall"}
LINE = re.compile(r"^(?:\d+\s+)?([a-z0-9_]+)\(")


def calls_in(trace: Path) -> list[tuple[str, int]]:
    """(system call, which of its kind), as they came."""
    seen: Counter[str] = Counter()
    found = []
    for line in trace.read_text(errors="replace").splitlines():
        name = LINE.match(line)
        if name and name[1] not in LEFT_OUT and "resumed" not in line:
            seen[name[1]] += 1
            found.append((name[1], seen[name[1]]))
    return found


def broken(found: Result, command: str, before: int) -> str:
    """What is wrong; "" when the promise holds."""
    records = verdicts()[before:]
    if len(records) > 1:
        return f"{len(records)} records"
    if found.returncode != 0:
        return ""  # closed; the call may have been judged before the client died
    if found.decision == "allow" and (command == UNKNOWN or [r["decision"] for r in records] != ["allow"]):
        return f"allowed, and the log has {records}"
    if found.decision == "deny" and any(r["decision"] != "deny" for r in records):
        return f"denied, and the log has {records}"
    return ""


def some(cases: list[tuple[str, int]], step: int, offset: int) -> list[tuple[str, int]]:
    return cases[offset % step :: step]


# -- the client -------------------------------------------------------------------------------------------------------


def client_faults(warm: Warm, project: Path, tmp_path: Path, *, step: int) -> None:
    sent = {UNKNOWN: event(cwd=project, command=UNKNOWN), "ls": event(cwd=project, command="ls")}
    called(["strace", "-o", str(tmp_path / "trace"), *warm.words], sent["ls"], cwd=project)
    cases = calls_in(tmp_path / "trace")
    assert len(cases) > 30 and warm.answered == 1
    wrong = []
    for kind, fault in enumerate(FAULTS):
        for name, when in some(cases, step, kind):
            command = (UNKNOWN, "ls")[when % 2]
            before = len(verdicts())
            inject = ["strace", "-o", "/dev/null", "-e", f"inject={name}:{fault}:when={when}"]
            problem = broken(called([*inject, *warm.words], sent[command], cwd=project), command, before)
            if problem:
                wrong.append(f"{name} {when} {fault} {command}: {problem}")
    assert not wrong, "\n".join(wrong)
    assert verify_chain().good


def test_faults_of_the_client(warm: Warm, project: Path, tmp_path: Path) -> None:
    client_faults(warm, project, tmp_path, step=9)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_all_faults_of_the_client(warm: Warm, project: Path, tmp_path: Path) -> None:
    client_faults(warm, project, tmp_path, step=1)


# -- the process ------------------------------------------------------------------------------------------------------


@contextmanager
def traced(pid: int, *words: str) -> Iterator[None]:
    tracer = subprocess.Popen(["strace", "-p", str(pid), *words], stderr=subprocess.PIPE, text=True)
    try:
        assert tracer.stderr is not None and "attached" in tracer.stderr.readline()
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=60)


def process_faults(warm: Warm, project: Path, tmp_path: Path, *, step: int) -> None:
    sent = {UNKNOWN: event(cwd=project, command=UNKNOWN), "ls": event(cwd=project, command="ls")}
    for command in sent:  # the first of each fills caches
        warm.call(sent[command], cwd=project)
    cases = []
    for command in sent:
        with traced(warm.pid, "-o", str(tmp_path / "trace")):
            warm.call(sent[command], cwd=project)
        cases += [(command, *case) for case in calls_in(tmp_path / "trace")]
    assert len(cases) > 60
    wrong = []
    for kind, fault in enumerate(FAULTS):
        for command, name, when in cases[kind % step :: step]:
            pid = warm.awake()
            before = len(verdicts())
            with traced(pid, "-o", "/dev/null", "-e", f"inject={name}:{fault}:when={when}"):
                found = warm.call(sent[command], cwd=project)
            problem = broken(found, command, before)
            if found.returncode != 0:
                problem = problem or f"exit code {found.returncode}: {found.stderr!r}"
            if problem:
                wrong.append(f"{name} {when} {fault} {command}: {problem}")
    assert not wrong, "\n".join(wrong)
    assert verify_chain().good


def test_faults_of_the_process(warm: Warm, project: Path, tmp_path: Path) -> None:
    process_faults(warm, project, tmp_path, step=23)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_all_faults_of_the_process(warm: Warm, project: Path, tmp_path: Path) -> None:
    process_faults(warm, project, tmp_path, step=1)


def test_killed_while_it_judges(warm: Warm, project: Path) -> None:
    """At any moment of a call, without strace: whoever waits gets one answer."""
    for number in range(8):
        pid, command = warm.awake(), (UNKNOWN, "ls")[number % 2]
        before = len(verdicts())
        process = subprocess.Popen(
            warm.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(event(cwd=project, command=command)).encode())
        process.stdin.close()
        process.stdin = None
        time.sleep(number * 0.0007)
        os.kill(pid, signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=60)
        found = Result(process.returncode, stdout, stderr)
        assert found.returncode == 0 and broken(found, command, before) == "", found.stderr
        assert len(verdicts()) == before + 1
        until(lambda: not start.is_running(warm.place) or start.pid_behind(warm.place) != pid, "its end")
