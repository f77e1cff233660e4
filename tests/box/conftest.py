"""A box to try things in: a project, a home and a state outside /tmp, so that /tmp can be a layer over the real one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from askfirst.box import engines, runs, session
from askfirst.box.bubblewrap import Bubblewrap
from askfirst.box.plan import Finished, Plan
from tests.needs import needs

SECONDS = 120


@dataclass(frozen=True)
class Done:
    """What a contained command left."""

    code: int
    out: str
    err: str
    where: str
    run: runs.Run

    @property
    def finished(self) -> Finished:
        return self.run.finished or Finished(self.code)


@dataclass(frozen=True)
class Box:
    base: Path
    project: Path
    home: Path

    def plan(self, command: str, **more: object) -> Plan:
        given: dict[str, object] = {
            "project": str(self.project),
            "shell": "/bin/bash",
            "session": "s1",
            "agent": "claude",
            "cwd": str(self.project),
        }
        return Plan(command=command, **{**given, **more})  # type: ignore[arg-type]

    def run(self, command: str, *, stdin: bytes = b"", **more: object) -> Done:
        run = runs.prepare(self.plan(command, **more))
        return self.finish(run, self.start(run).communicate(stdin, timeout=SECONDS), stdin)

    def start(self, run: runs.Run, *, shell: str = "/bin/bash", **more: object) -> subprocess.Popen[bytes]:
        """As the client does it: its own shell evaluates the line, and says where it ended up."""
        words = [shell, "-c", f'{run.command_line}; s=$?; echo "$s $PWD" > {run.place}/said; exit $s']
        process: subprocess.Popen[bytes] = subprocess.Popen(
            words,
            cwd=run.plan.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **more,  # type: ignore[call-overload]
        )
        return process

    def finish(self, run: runs.Run, output: tuple[bytes, bytes], stdin: bytes = b"") -> Done:
        code, _, where = Path(run.place, "said").read_text().strip().partition(" ")
        out, err = (text.decode("utf-8", "replace") for text in output)
        return Done(int(code), out, err, where, run)

    def out(self, command: str, **more: object) -> str:
        """The output of a command that must succeed."""
        done = self.run(command, **more)  # type: ignore[arg-type]
        assert done.code == 0, done.out + done.err
        return done.out

    def ignores(self, *names: str) -> None:
        """Directories that git's HEAD ignores: builds write there directly."""
        ignore(self.project, *names)

    def bare(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/bash", "-c", command], cwd=self.project, capture_output=True, text=True, timeout=SECONDS
        )


def ignore(project: Path, *names: str) -> None:
    (project / ".gitignore").write_text("".join(f"{name}\n" for name in names))
    for name in names:
        (project / name).mkdir(exist_ok=True)
    git = ("git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", ".gitignore"), ("commit", "-qm", "one")):
        subprocess.run((*git, *words), check=True)


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    needs("bwrap")
    base = Path(tempfile.mkdtemp(prefix="askfirst-box-", dir="/var/tmp")).resolve()
    for name in ("project", "home", "state"):
        (base / name).mkdir()
    monkeypatch.setenv("HOME", str(base / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(base / "state"))
    probe = engines.probed(Bubblewrap())
    if not probe.works:
        pytest.skip(f"needs bubblewrap that works: {probe.why_not}")
    yield Box(base, base / "project", base / "home")
    for place in (base / "state/askfirst/box/sessions").glob("*"):
        session.end(str(place))
    shutil.rmtree(base, onerror=_force)


def _force(function: object, path: str, _error: object) -> None:
    """What overlayfs leaves has no permissions, and the supervisor of what ran on may still be writing its report."""
    if not os.path.lexists(path):
        return
    os.chmod(os.path.dirname(path), 0o700)
    os.chmod(path, 0o700) if not os.path.islink(path) else None
    shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
