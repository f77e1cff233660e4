"""The write gate: what judging a file write costs in time, and comparing large files in memory. Prints a table.

python benchmarks/bench_files.py [--rounds 20] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from askfirst import proposals
from askfirst.files import facts_of_tool
from askfirst.files.approval import question_fields
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, WriteSettings
from askfirst.store import proposal_files

Row = tuple[str, float, str, float | None]  # what, how much, unit, the target it must stay below

MEMORY = """
import sys, time
from askfirst.files.change import classify
from askfirst.files.content import look_at
from askfirst.files.show import shown
from askfirst.model import Write
from askfirst.policy.rules import WriteSettings
path, new = sys.argv[1:3]
steps = []
start = time.perf_counter()
if new == "-":
    from askfirst.files.big import compare
    compare(path, path + ".new", lambda done, total: steps.append(done))
else:
    content = (new + "\\n").encode() * 50
    found = look_at(path)
    write = Write(path, path, "overwrite", "Write", content, change=classify(path, found, content, WriteSettings()))
    shown(write, "", lambda done, total: steps.append(done))
assert steps == sorted(steps) and steps, "progress goes forward"
# Not ru_maxrss: across exec it keeps the peak of the process that started this one.
with open("/proc/self/status") as status:
    print(next(int(x.split()[1]) for x in status if x.startswith("VmHWM:")) / 1024, time.perf_counter() - start)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="one object a row")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = directory
        rows = [*analysing(directory, args.rounds), *large(directory), *applying(directory, args.rounds)]
    if args.json:
        print("\n".join(json.dumps({"what": w, "value": round(v, 3), "unit": u, "below": b}) for w, v, u, b in rows))
        return
    width = max(len(row[0]) for row in rows)
    for what, value, unit, below in rows:
        target = "" if below is None else f"   (below {below:g} {unit}: {'yes' if value < below else 'NO'})"
        print(f"{what:<{width}}  {value:9.1f} {unit}{target}")


def module(lines: int, name: str = "f") -> str:
    return "".join(f"def {name}{i}(a, b):\n    return a + {i} * b\n\n" for i in range(lines // 3))


def timed(work: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time) -> float:
    """Median, in milliseconds: processor time, because others use this machine too, unless the disk is measured."""
    times = []
    for _ in range(rounds):
        start = clock()
        work()
        times.append((clock() - start) * 1000)
    return statistics.median(times)


def analysing(directory: str, rounds: int) -> list[Row]:
    path, old = os.path.join(directory, "state.py"), module(5000)
    with open(path, "w") as file:
        file.write(old)
    layers = Layers(directory)

    def verdict(tool: str, **given: str) -> Callable[[], object]:
        return lambda: judge(
            facts_of_tool(
                tool, {"file_path": path, **given}, project=directory, cwd=directory, settings=WriteSettings()
            ),
            layers,
        )

    replaced = verdict("Write", content=module(1000, "g"))()
    shuffled = "".join(sorted(old.splitlines(keepends=True), reverse=True))
    return [
        (
            "5,000 lines: Edit of one line",
            timed(verdict("Edit", old_string="a + 700 * b", new_string="a - 700 * b"), rounds),
            "ms",
            100,
        ),
        (
            "5,000 lines: Write with 10 % changed",
            timed(verdict("Write", content=old.replace("7 * b", "7 // b")), rounds),
            "ms",
            100,
        ),
        (
            "5,000 lines: replaced by 1,000 others",
            timed(verdict("Write", content=module(1000, "g")), rounds),
            "ms",
            100,
        ),
        ("5,000 lines: sorted (the worst for a diff)", timed(verdict("Write", content=shuffled), rounds), "ms", 100),
        (
            "5,000 lines: the question with its diff",
            timed(lambda: question_fields(replaced.findings, directory), rounds),  # type: ignore[attr-defined]
            "ms",
            None,
        ),
    ]


def large(directory: str) -> list[Row]:
    if not os.path.exists("/proc/self/status"):
        return []
    path = os.path.join(directory, "large.txt")
    with open(path, "w") as old, open(path + ".new", "w") as new:
        for i in range(250_000):
            line = f"line {i} " + "x" * 50 + "\n"
            old.write(line)
            new.write(line if i % 5000 else "another line\n")
    rows: list[Row] = []
    for what, word in (("15 MB: against 15 MB, 50 lines changed", "-"), ("15 MB: replaced by 50 lines", "small")):
        done = subprocess.run([sys.executable, "-c", MEMORY, path, word], capture_output=True, text=True, check=True)
        peak, seconds = map(float, done.stdout.split())
        rows += [(what, peak, "MB", 50), ("  and in time", seconds * 1000, "ms", None)]
    return rows


def applying(directory: str, rounds: int) -> list[Row]:
    project = os.path.realpath(os.path.join(directory, "project"))
    os.mkdir(project)
    path = os.path.join(project, "a.txt")
    with open(path, "w") as file:
        file.write("old\n")
    numbers = iter(range(10**6))
    made: list[proposal_files.Proposal] = []

    def propose() -> None:
        made.append(proposals.store(project, path, path, f"{next(numbers)}\n".encode(), proposals.Proposer()))

    def apply() -> None:
        propose()
        proposal_files.apply([made[-1]], check=lambda _: "", by="benchmark")

    wall = time.perf_counter
    alone = timed(propose, rounds, wall)
    return [
        ("propose, on the disk", alone, "ms", None),
        ("propose and apply, on the disk", timed(apply, rounds, wall), "ms", None),
    ]


if __name__ == "__main__":
    main()
