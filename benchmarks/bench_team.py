"""A team's answers: how soon after a decision each waiting hook is woken, with a relay and polling.

    python benchmarks/bench_team.py [--hooks 300] [--decisions 300]

Needs the extra `team` and PostgreSQL; the server, the hooks (threads of several processes) and the person who answers
all run on this machine, so the figures hold for a network without delay.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.team.asker import Asker, case
from tests.team.server import QUICK, Server, install, new_server, remove

from askfirst.model import Decision
from askfirst.policy.rules import TeamSettings
from askfirst.store.pending import FilePending
from askfirst.team import mailbox
from askfirst.team.database import call, connect, rows
from askfirst.team.joined import join

UNSIGNED = TeamSettings(self_approval=(), unsigned=True)
THREADS = 30  # hooks in one process


def hooks(first: int, count: int, project: str, results: Any) -> None:
    """Ask, and say when each was answered."""
    limit = threading.Semaphore(count)

    def one(number: int) -> None:
        asker = Asker(
            case(f"frobnicate {number}", Path(project), team=UNSIGNED, session=f"{os.getpid()}-{number}"),
            timeout_s=1200,
        )
        asker.join()
        results.put((asker.id, time.time(), asker.answer().decision == Decision.DENY))
        limit.release()

    threads = [threading.Thread(target=one, args=(first + n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(server: Server, project: str, count: int, *, relay: bool) -> list[float]:
    """Milliseconds from the moment a decision stands in the database until its hook goes on."""
    carrier = subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay", "--quiet"]) if relay else None
    results: Any = multiprocessing.Queue()
    processes = [
        multiprocessing.Process(target=hooks, args=(n, min(THREADS, count - n), project, results), daemon=True)
        for n in range(0, count, THREADS)
    ]
    for process in processes:
        process.start()
    decided: dict[str, float] = {}
    with connect(server.dsn("bob")) as bob:
        while len(found := rows(bob, "SELECT id, digest FROM askfirst.request WHERE state = 'waiting'")) < count:
            time.sleep(0.2)
        time.sleep(3)  # everybody sleeps again
        random.shuffle(found)
        for row in found:
            call(bob, "decide", row["id"], row["digest"], "deny", "{}", "")
            decided[row["id"]] = time.time()
            time.sleep(random.expovariate(20))  # about twenty a second
    woken = [results.get(timeout=120) for _ in range(count)]
    for process in processes:
        process.join(30)
    if carrier is not None:
        carrier.kill()
        carrier.wait()
    assert all(denied for _, _, denied in woken)
    return sorted((at - decided[name]) * 1000 for name, at, _ in woken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hooks", type=int, default=300)
    args = parser.parse_args()
    home = tempfile.mkdtemp(prefix="askfirst-bench-")
    os.environ.update(
        {"HOME": home, **{v: f"{home}/{v}" for v in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")}}
    )
    project = os.path.join(home, "project")
    os.mkdir(project)
    server = new_server(settings=QUICK)
    try:
        install(server)
        join("hook", server.dsn("ada_hook"))
        FilePending()
        mailbox.machine()
        for relay in (True, False):
            found = measure(server, project, args.hooks, relay=relay)
            p95 = found[int(len(found) * 0.95)]
            name = "relay" if relay else "polling"
            figures = f"p50 {statistics.median(found):7.1f} ms   p95 {p95:7.1f} ms   most {found[-1]:7.1f} ms"
            print(f"{name:8} {args.hooks} hooks: {figures}")
    finally:
        remove(server)


if __name__ == "__main__":
    main()
