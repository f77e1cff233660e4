"""What running contained costs over the bare command: preparing it, in the hook's process, and its start. Aims: 25 ms,
and 60 ms in a project of 10,000 files. The first command of a session pays for its network once; it is told apart. What
a command changed is judged and applied by the warm process (`askfirst resident`), or by one that starts for it.

    python benchmarks/bench_box.py [--runs 30]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from askfirst.box import engines, runs, session
from askfirst.box.plan import Plan
from askfirst.resident import socket_place, start

CHANGE = "echo $RANDOM > changed.txt"


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def shell(line: str, cwd: Path) -> None:
    subprocess.run(["/bin/bash", "-c", line], cwd=cwd, stdin=subprocess.DEVNULL, check=True)


def measure(name: str, project: Path, command: str, count: int) -> None:
    """The median of each part, in turns, so that a busy moment meets all of them."""
    plan = Plan(command, "/bin/bash", str(project), str(project), "bench", "claude")
    first = milliseconds(lambda: shell(runs.prepare(plan).command_line, project))
    bare, preparing, contained = [], [], []
    for _ in range(count):
        bare.append(milliseconds(lambda: shell(command, project)))
        preparing.append(milliseconds(lambda: runs.prepare(plan)))
        line = runs.prepare(plan).command_line
        contained.append(milliseconds(partial(shell, line, project)))
    medians = [statistics.median(values) for values in (bare, preparing, contained)]
    over = medians[1] + medians[2] - medians[0]
    row = (*medians, over, first - medians[0])
    print(f"{name:28}" + "".join(f"{value:12.1f}" for value in row), flush=True)


def make_files(project: Path, count: int) -> None:
    for number in range(count):
        folder = project / f"package{number // 20}"
        folder.mkdir(exist_ok=True)
        (folder / f"module_{number}.py").write_text(f"value = {number}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=30)
    count = parser.parse_args().runs
    base = Path(tempfile.mkdtemp(prefix="askfirst-bench-", dir="/var/tmp")).resolve()
    os.environ.update(HOME=str(base / "home"), XDG_STATE_HOME=str(base / "state"))
    (base / "home").mkdir()
    engine = engines.available()
    print(f"engine: {engine.name if engine else 'none'}; milliseconds, medians of {count}")
    print(f"{'':28}" + "".join(f"{name:>12}" for name in ("bare", "preparing", "contained", "over bare", "first")))
    for files in (10, 10_000):
        project = base / f"project{files}"
        project.mkdir()
        make_files(project, files)
        measure(f"`:`, {files} files", project, ":", count)
        os.environ["ASKFIRST_RESIDENT"] = "off"
        measure(f"one file changed, {files} files", project, CHANGE, count)
        del os.environ["ASKFIRST_RESIDENT"]
        here = socket_place.default()
        started = start.start_behind(here, at_once=True)
        if start.wait_until_answering(here):
            measure("  the same, warm process", project, CHANGE, count)
        if started:
            start.stop(here)
    for place in (base / "state/askfirst/box/sessions").glob("*"):
        session.end(str(place))
    shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
