"""A warm process of a test's own, and its compiled client."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askfirst.audit.read import read_records
from askfirst.install.command import LAUNCHER
from askfirst.resident import build as building
from askfirst.resident import protocol, start
from askfirst.resident import socket_place as places
from tests.hook.process import Result
from tests.waiting import PATIENCE_S, until

COLD = [sys.executable, "-I", "-S", LAUNCHER, "hook", "--cold"]


def compiled(folder: Path) -> str:
    """The client, built as `askfirst resident build` does, once a test session and worker. It is patient on a loaded
    machine, and judges no sample cold, so that tests can say who answered."""
    target = folder / "askfirst"
    if not target.exists():
        building._compile(building.compiler(), str(target), "-DPATIENCE_MS=5000", "-DSAMPLE=2147483647")
    return str(target)


@dataclass
class Warm:
    """One process, and what a test does with it."""

    place: str
    client: str
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return [self.client, "--place", self.place, "hook"]

    @property
    def status(self) -> dict[str, Any]:
        told = start.ask(self.place, protocol.STATUS)
        assert told is not None, Path(places.log_path(self.place)).read_text()
        found: dict[str, Any] = json.loads(told)
        return found

    @property
    def pid(self) -> int:
        return int(self.status["pid"])

    def start(self, *, idle_s: float = 120.0) -> Warm:
        """It ends by itself soon after a test that dies."""
        command = [
            sys.executable,
            "-I",
            "-S",
            LAUNCHER,
            "resident",
            "run",
            "--place",
            self.place,
            "--idle",
            str(idle_s),
        ]
        with open(places.log_path(self.place), "wb") as log:
            self.started.append(
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd="/")
            )
        until(lambda: start.ask(self.place, protocol.STATUS), "the warm process")
        return self

    def awake(self) -> int:
        """The process that answers, after one may have died and a cold call may be starting another."""

        def answers() -> bool:
            if not start.is_running(self.place):
                self.start()
            return start.ask(self.place, protocol.STATUS) is not None

        until(answers, "the warm process")
        return self.pid

    def stop(self) -> None:
        """Also one that a cold call has started, which may not listen yet."""
        for process in self.started:
            process.kill()
            process.wait()

        def is_gone() -> bool:
            for pid in processes_of(self.place):
                os.kill(pid, signal.SIGKILL)
            return not processes_of(self.place)

        until(is_gone, "the end of the warm process")

    def call(
        self,
        value: dict[str, Any] | bytes,
        *,
        cwd: str | Path,
        words: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
    ) -> Result:
        return called([*self.words, *words], value, cwd=cwd, env=env)

    @property
    def answered(self) -> int:
        """Calls that it has answered itself."""
        told = self.status
        return int(told["calls"]) - int(told["handed_over"])


def processes_of(place: str) -> list[int]:
    """By what they were started with: a test may have taken their socket away."""
    found = [pid for pid in [start.pid_behind(place)] if pid not in (0, os.getpid())]
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"resident" in words and place.encode() in words:
            found.append(int(folder.name))
    return found


def called(
    command: list[str], value: dict[str, Any] | bytes, *, cwd: str | Path, env: dict[str, str] | None = None
) -> Result:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    done = subprocess.run(
        command,
        input=raw,
        cwd=cwd,
        env={**os.environ, "ASKFIRST_RESIDENT": "", **(env or {})},
        capture_output=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


@contextmanager
def warm_process(client: str, **options: float) -> Iterator[Warm]:
    """`idle_s=0`: a place where no process is yet."""
    found = Warm(tempfile.mkdtemp(prefix="af-", dir="/tmp"), client)  # the address of a socket is short
    with stopped_at_the_end(found, **options):
        yield found


@contextmanager
def stopped_at_the_end(warm: Warm, **options: float) -> Iterator[Warm]:
    places.make(warm.place)
    try:
        yield warm.start(**options) if options.get("idle_s", 1.0) else warm
    finally:
        warm.stop()
        shutil.rmtree(warm.place, ignore_errors=True)


def verdicts() -> list[dict[str, Any]]:
    return [r for r in read_records() if r["kind"] == "verdict"]


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in record.items() if k not in ("time", "ms", "prev_hash", "event_hash")}
