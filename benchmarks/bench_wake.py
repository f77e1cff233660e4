"""Waiting hooks: what they cost while they wait, and how soon an answer wakes each. Real processes. Prints a table.

    python benchmarks/bench_wake.py [--hooks 100] [--seconds 10]

The target is 300 ms at the 95th percentile, at 3 % of a core for all of them together.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time

from askfirst.approval.codec import answer_to
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import announce
from askfirst.install.command import LAUNCHER
from askfirst.model import Answer, Decision, Duration

TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hooks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to watch them wait")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME"):
            os.environ[variable] = os.path.join(home, variable.lower())
        project = os.path.join(home, "project")
        os.mkdir(project)
        rows = measure(args.hooks, args.seconds, project)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")


def measure(many: int, seconds: float, project: str) -> list[tuple[str, str]]:
    manager = file_manager()
    with announce("benchmark"):
        hooks: list[subprocess.Popen[bytes]] = []
        while len(hooks) < many:
            # A few at a time: a hook that is kept from thinking for 25 seconds denies.
            hooks += [start(number, project) for number in range(len(hooks), min(many, len(hooks) + 10))]
            while len(manager.store.items()) < len(hooks):
                assert all(hook.poll() is None for hook in hooks), "a hook did not wait"
                time.sleep(0.05)
        before, begun = cpu_s(hooks), time.monotonic()
        time.sleep(seconds)
        share = (cpu_s(hooks) - before) / (time.monotonic() - begun)
        times = sorted(answer_one(hook, number, manager) for number, hook in enumerate(hooks))
    return [
        (f"{many} waiting hooks, all together", f"{share * 100:.1f} % of a core"),
        ("from the answer to the hook's reply, median", f"{statistics.median(times) * 1000:.1f} ms"),
        ("  95 % within", f"{times[int(len(times) * 0.95)] * 1000:.1f} ms"),
        ("  the slowest", f"{times[-1] * 1000:.1f} ms"),
    ]


def start(number: int, project: str) -> subprocess.Popen[bytes]:
    # Few enough for one session that no limit is met.
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": f"s{number // 50}",
        "cwd": project,
        "tool_name": "Bash",
        "tool_use_id": "t",
        "tool_input": {"command": f"no-such-tool {number}"},
    }
    hook = subprocess.Popen(
        [sys.executable, "-I", "-S", LAUNCHER, "hook"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert hook.stdin is not None
    hook.stdin.write(json.dumps(event).encode())
    hook.stdin.close()
    return hook


def answer_one(hook: subprocess.Popen[bytes], number: int, manager: object) -> float:
    """Seconds from the moment the decision stands to the hook's words."""

    assert isinstance(manager, ApprovalManager) and hook.stdout is not None
    item = next(i for i in manager.store.items() if i.body["request"]["input"]["command"] == f"no-such-tool {number}")
    answer = Answer(Decision.ALLOW, Duration.ONCE, "", "benchmark", "once", time.time(), digest=item.digest)
    manager.store.decide(item.id, answer_to(answer))
    decided = time.monotonic()
    select.select([hook.stdout], [], [], 60)
    took = time.monotonic() - decided
    assert json.loads(hook.stdout.read())["hookSpecificOutput"]["permissionDecision"] == "allow"
    hook.wait()
    return took


def cpu_s(hooks: list[subprocess.Popen[bytes]]) -> float:
    total = 0
    for hook in hooks:
        with open(f"/proc/{hook.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


if __name__ == "__main__":
    main()
