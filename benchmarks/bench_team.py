"""A team's answers: how soon after a decision each waiting hook is woken, with a relay and polling.

    python benchmarks/bench_team.py [--hooks 300] [--machines 20] [--approvers 50]

Needs the extra `team` and PostgreSQL. A machine is a state directory with a relay of its own; the server, the hooks
(threads of several processes) and the people who answer all run on this machine, so the figures hold for a network
without delay. About twenty answers a second are given, in a random order.
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
from tests.team.server import QUICK, Server, enrol, install, new_server, remove

from askfirst.model import Decision
from askfirst.policy.rules import TeamSettings
from askfirst.store.pending import FilePending
from askfirst.team import mailbox
from askfirst.team.database import Row, call, connect, rows
from askfirst.team.joined import join

UNSIGNED = TeamSettings(self_approval=(), unsigned=True)
THREADS = 30  # hooks in one process
A_SECOND = 20.0  # answers, of all people together


def use_home(home: str) -> None:
    variables = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS")
    os.environ.update({"HOME": home, **{name: f"{home}/{name}" for name in variables}})


def hooks(home: str, first: int, count: int, results: Any) -> None:
    """Ask, and say when each was answered."""
    use_home(home)

    def one(number: int) -> None:
        text, session = f"frobnicate {number}", f"{os.getpid()}-{number}"
        while True:
            asker = Asker(case(text, Path(home), team=UNSIGNED, session=session), timeout_s=1200)
            asker.join()
            if "cannot be asked" not in asker.answer().reason:  # all start at once here, and the machine is too busy
                break
        results.put((asker.id, time.time(), asker.answer().decision == Decision.DENY))

    threads = [threading.Thread(target=one, args=(first + n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def relays(homes: list[str]) -> list[subprocess.Popen[bytes]]:
    found = []
    for home in homes:
        use_home(home)
        found.append(subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay", "--quiet"]))
    return found


def decide(server: Server, person: str, asked: list[Row], pace: float, decided: dict[str, float]) -> None:
    """One person, who answers their share."""
    with connect(server.dsn(person)) as connection:
        for row in asked:
            time.sleep(random.expovariate(pace))
            call(connection, "decide", row["id"], row["digest"], "deny", "{}", "")
            decided[row["id"]] = time.time()


def measure(server: Server, homes: list[str], people: list[str], count: int, *, relay: bool) -> list[float]:
    """Milliseconds from the moment a decision stands in the database until its hook goes on."""
    carriers = relays(homes) if relay else []
    results: Any = multiprocessing.Queue()
    most = max(1, min(THREADS, count // len(homes)))
    processes = [
        multiprocessing.Process(
            target=hooks, args=(homes[k % len(homes)], n, min(most, count - n), results), daemon=True
        )
        for k, n in enumerate(range(0, count, most))
    ]
    for process in processes:
        process.start()
    with connect(server.dsn("bob")) as bob:
        while len(found := rows(bob, "SELECT id, digest FROM askfirst.request WHERE state = 'waiting'")) < count:
            time.sleep(0.2)
    time.sleep(3)  # everybody sleeps again
    random.shuffle(found)
    decided: dict[str, float] = {}
    pace = A_SECOND / len(people)
    for n, person in enumerate(people):
        share = found[n :: len(people)]
        threading.Thread(target=decide, args=(server, person, share, pace, decided), daemon=True).start()
    woken = [results.get(timeout=600) for _ in range(count)]
    for process in processes:
        process.join(30)
    for carrier in carriers:
        carrier.kill()
        carrier.wait()
    assert all(denied for _, _, denied in woken)
    return sorted((at - decided[name]) * 1000 for name, at, _ in woken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hooks", type=int, default=300)
    parser.add_argument("--machines", type=int, default=1)
    parser.add_argument("--approvers", type=int, default=1)
    args = parser.parse_args()
    server = new_server(settings=QUICK)
    people = [f"person{n}" for n in range(args.approvers)]
    try:
        install(server)
        with server.as_("postgres") as connection:
            enrol(connection, {person: ("approver", person) for person in people})
        homes = [tempfile.mkdtemp(prefix="askfirst-bench-") for _ in range(args.machines)]
        for home in homes:
            use_home(home)
            join("hook", server.dsn("ada_hook"))
            FilePending()
            mailbox.machine()
        for relay in (True, False):
            found = measure(server, homes, people, args.hooks, relay=relay)
            p95 = found[int(len(found) * 0.95)]
            what = f"{args.hooks} hooks on {args.machines} machines, {args.approvers} approvers"
            figures = f"p50 {statistics.median(found):7.1f} ms   p95 {p95:7.1f} ms   most {found[-1]:7.1f} ms"
            print(f"{'relay' if relay else 'polling':8} {what}: {figures}")
    finally:
        remove(server)


if __name__ == "__main__":
    main()
