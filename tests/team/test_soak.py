"""The long runs: many askers and racing approvers, and kills at random. Sizes shrink with ASKFIRST_SOAK (a share)."""

from __future__ import annotations

import collections
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty
from typing import Any

import psycopg
import pytest

from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision
from askfirst.policy.rules import TeamSettings
from askfirst.store import paths
from askfirst.store.pending import FilePending
from askfirst.team import anchors, mailbox, proof
from askfirst.team.database import call, connect, rows
from askfirst.team.joined import join
from tests.team.asker import OTHERS, Asker, case
from tests.team.server import Server, enrol, install, new_server, remove

pytestmark = [pytest.mark.soak, pytest.mark.timeout(7200)]
SHARE = float(os.environ.get("ASKFIRST_SOAK", "1"))
UNSIGNED = TeamSettings(self_approval=(), unsigned=True)
AT_ONCE = 10  # requests that wait at a time, of one asking process
THIEVES = 3  # of the approvers: somebody else has their login, but not their key
# As the login that asks, against a request that waits: none of these may do anything.
FORGED = (
    "UPDATE askfirst.request SET state = 'allowed', ended = now() WHERE id = '{id}'",
    "INSERT INTO askfirst.answer VALUES ('{id}', 'person9', 'person9', 'allow', '', '', now())",
    "SELECT askfirst.decide('{id}', '{digest}', 'allow', '', '')",
    # When it was decided meanwhile this says so, and changes nothing.
    "SELECT is_own FROM askfirst.close('{id}', '{digest}', 'local', '', 'mine')",
    "DELETE FROM askfirst.request WHERE id = '{id}'",
    "SET ROLE askfirst_approver",
)


def own_home(directory: Path, dsn: str, signers: str = "") -> None:
    directory.mkdir(parents=True, exist_ok=True)
    os.environ["HOME"] = str(directory)
    for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        os.environ[variable] = str(directory / variable.lower())
    site = Path(paths.site_config_dir())
    site.mkdir(parents=True, exist_ok=True)
    (site / "allowed_signers").write_text(signers)
    join("hook", dsn)


def ask(directory: str, dsn: str, number: int, count: int, results: Any, signers: str) -> None:
    """One machine: a relay, and requests one after the other from each of its waiting hooks."""
    own_home(Path(directory) / f"m{number}", dsn, signers)
    team = OTHERS if signers else UNSIGNED
    project = Path(directory) / f"p{number}"
    project.mkdir()
    FilePending()
    relay = subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay", "--quiet"])
    while not mailbox.relay_is_at_work():
        time.sleep(0.1)

    def work(first: int) -> None:
        n = first
        while n < count:
            what = case(f"frobnicate {n}", project, team=team, session=f"{number}-{n}")
            asker = Asker(what, there=False, timeout_s=1500)
            asker.join()
            found = asker.outcome()
            said = "nobody" if found is None else f"{found.decision.name.lower()} {found.by} {found.reason}"
            # A database that is too busy for seconds is a deny, and the agent tries again; it is counted.
            results.put((asker.id, said))
            n += 0 if "cannot be asked" in said else AT_ONCE

    threads = [threading.Thread(target=work, args=(n,)) for n in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    relay.kill()
    relay.wait()


def race(server: Server, person: str, key: str, acknowledged: Any, stop: Any) -> None:
    """One approver who answers whatever waits, as fast as it can; with a key, each yes is signed."""
    seed = random.Random(person)
    with connect(server.dsn(person), statement_s=60) as connection:
        while not stop.is_set():
            found = rows(
                connection,
                "SELECT id, digest, card FROM askfirst.request WHERE state = 'waiting' ORDER BY random() LIMIT 10",
            )
            for row in found:
                verdict = seed.choice(("allow", "deny") if not key else ("allow",) * 9 + ("deny",))  # a no is quicker
                given = Answer(Decision.ALLOW if verdict == "allow" else Decision.DENY, step=0)
                body = proof.body_of(person, {row["id"]: row["card"]}, row["digest"], given)
                signature = proof.sign(body, key, at_terminal=False) if key and verdict == "allow" else ""
                state = str(call(connection, "decide", row["id"], row["digest"], verdict, body, signature)[0]["state"])
                if not state.startswith("was "):
                    acknowledged.put((row["id"], verdict, person))
            if not found:
                time.sleep(0.05)


def forge(server: Server, tried: Any, stop: Any) -> None:
    """The agent, with the login of its machine, at whatever waits."""
    with connect(server.dsn("ada_hook"), statement_s=60) as connection:
        while not stop.is_set():
            for row in rows(connection, "SELECT id, digest FROM askfirst.request WHERE state = 'waiting' LIMIT 3"):
                for text in FORGED:
                    try:
                        done = connection.execute(text.format(**row).encode())
                        tried.put("" if "is_own" in text and not done.fetchall()[0]["is_own"] else f"passed: {text}")
                    except psycopg.errors.InsufficientPrivilege:
                        tried.put("")
            time.sleep(0.1)


def drained(queue: Any, processes: list[Any]) -> list[Any]:
    """All that is in a queue, once those who write to it have ended."""
    found = []
    while True:
        alive = any(process.is_alive() for process in processes)
        try:
            while True:
                found.append(queue.get(timeout=0.5))
        except Empty:
            if not alive:
                return found


def new_keys(directory: Path, people: list[str]) -> str:
    """A key for each, and the file of signers."""
    directory.mkdir()
    for person in (*people, "thief"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", person, "-f", str(directory / person)]
        subprocess.run(command, check=True)
    return "".join(f"{person} {(directory / f'{person}.pub').read_text()}" for person in people)


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_many_askers_and_racing_approvers(tmp_path: Path, signed: bool) -> None:
    """Twenty machines with a relay each, fifty approvers; some of them have only stolen their login."""
    askers, each = 20, max(AT_ONCE, int(500 * SHARE))
    people = [f"person{n}" for n in range(50)]
    thieves = people[:THIEVES] if signed else []
    signers = new_keys(tmp_path / "keys", people) if signed else ""
    keys = {p: str(tmp_path / "keys" / ("thief" if p in thieves else p)) if signed else "" for p in people}
    server = new_server(settings="max_connections=300\n")
    try:
        install(server)
        with server.as_("postgres") as connection:
            enrol(connection, {person: ("approver", person) for person in people})
        fork = multiprocessing.get_context("fork")
        results, acknowledged, tried, stop = fork.Queue(), fork.Queue(), fork.Queue(), fork.Event()
        asking = [
            fork.Process(target=ask, args=(str(tmp_path), server.dsn("ada_hook"), n, each, results, signers))
            for n in range(askers)
        ]
        answering = [
            fork.Process(target=race, args=(server, person, keys[person], acknowledged, stop), daemon=True)
            for person in people
        ]
        forging = fork.Process(target=forge, args=(server, tried, stop), daemon=True)
        for process in (*asking, *answering, forging):
            process.start()
        got: dict[str, str] = {}
        busy = 0
        while len(got) < askers * each:
            name, said = results.get(timeout=1800)
            busy += "cannot be asked" in said
            got |= {name: said} if "cannot be asked" not in said else {}
        for process in asking:
            process.join(120)
        stop.set()
        won: dict[str, list[tuple[str, str]]] = collections.defaultdict(list)
        for name, verdict, person in drained(acknowledged, answering):
            won[name].append((verdict, person))
        forgeries = drained(tried, [forging])
        assert forgeries and not any(forgeries), [f for f in forgeries if f]
        odd = {name: (said, won[name]) for name, said in got.items() if len(won[name]) != 1}
        assert not odd, f"not exactly one winner: {len(odd)} of {len(got)}: {list(odd.items())[:5]}"
        expected = {name: outcome(*won[name][0], thieves) for name in got}
        wrong = {n: (s, won[n]) for n, s in got.items() if not s.startswith(expected[n])}
        assert not wrong, list(wrong.items())[:5]
        stolen = sum(said.startswith(REFUSED) for said in got.values())
        assert stolen > 0 or not signed or SHARE < 1
        with server.as_("olga") as auditor:
            assert anchors.first_broken(auditor)[1] == ""
        allowed = sum(said.startswith("allow") for said in got.values())
        print(f"{len(got)} requests, one winner each ({allowed} allowed), none lost; {busy} times too busy to ask")
        print(f"{len(forgeries)} forgeries as the asking login refused, {stolen} answers of stolen logins refused")
    finally:
        remove(server)


REFUSED = "deny team the team's answer does not count"


def outcome(verdict: str, person: str, thieves: list[str]) -> str:
    """How what a hook says must begin."""
    return REFUSED if verdict == "allow" and person in thieves else f"{verdict} {person} via team"


def decide_for_ever(dsn: str, person: str, file: str) -> None:
    """An approver that writes down what the database has acknowledged, and starts again after every failure."""
    while True:
        try:
            with connect(dsn) as connection:
                while True:
                    for row in rows(
                        connection, "SELECT id, digest FROM askfirst.request WHERE state = 'waiting' LIMIT 5"
                    ):
                        state = call(connection, "decide", row["id"], row["digest"], "deny", "{}", "")[0]["state"]
                        if state == "denied":
                            with open(file, "a", encoding="ascii") as out:
                                out.write(f"{row['id']} {person}\n")
                    time.sleep(0.02)
        except (AskfirstError, psycopg.Error, OSError):
            time.sleep(0.05)


def test_kills_at_random(tmp_path: Path) -> None:
    kills = int(500 * SHARE)
    own_home(tmp_path / "home", "")
    server = new_server(settings="")  # with fsync, as shipped
    file = str(tmp_path / "acknowledged")
    Path(file).touch()
    project = tmp_path / "p"
    project.mkdir()
    # Not by fork: a child would keep the locks that a thread of this process happens to hold.
    fresh = multiprocessing.get_context("spawn")
    people = ("bob", "carol", "dan")

    def relay() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay", "--quiet"])

    def approver(person: str) -> Any:
        process = fresh.Process(target=decide_for_ever, args=(server.dsn(person), person, file), daemon=True)
        process.start()
        return process

    stop, answers = threading.Event(), {}

    def keep_asking(number: int) -> None:
        n = 0
        while not stop.is_set():
            n += 1
            asker = Asker(
                case(f"frobnicate {number} {n}", project, team=UNSIGNED, session=f"{number}-{n}"),
                there=False,
                timeout_s=60,
            )
            asker.join(90)
            found = asker.outcome() if not asker.is_alive() else None
            if asker.id and found is not None:
                answers[asker.id] = f"{found.state} {found.by} {found.reason}".strip()

    try:
        install(server)
        join("hook", server.dsn("ada_hook"))
        mailbox.machine()
        carrier, deciders = relay(), {person: approver(person) for person in people}
        threads = [threading.Thread(target=keep_asking, args=(n,), daemon=True) for n in range(8)]
        for thread in threads:
            thread.start()
        killed: collections.Counter[str] = collections.Counter()
        for _ in range(kills):
            time.sleep(random.uniform(0.05, 0.6))
            target = random.choice(("server", "relay", "relay", "approver", "approver"))
            killed[target] += 1
            if target == "server":
                server.stop(signal.SIGKILL)
                server.start()
            elif target == "relay":
                carrier.kill()
                carrier.wait()
                carrier = relay()
            else:
                person = random.choice(people)
                deciders[person].kill()
                deciders[person].join()
                deciders[person] = approver(person)
        time.sleep(5)
        stop.set()
        for thread in threads:
            thread.join(120)
        for process in deciders.values():
            process.kill()
        carrier.kill()
        carrier.wait()
        acknowledged = dict(line.split() for line in Path(file).read_text().splitlines() if len(line.split()) == 2)
        with server.as_("olga") as auditor:
            found = rows(auditor, "SELECT id, state, taken_as FROM askfirst.request")
            kept, taken = {r["id"]: r["state"] for r in found}, {r["id"]: r["taken_as"] for r in found}
            assert anchors.first_broken(auditor)[1] == ""
        lost = [name for name in acknowledged if kept.get(name) != "denied"]
        # Given up before the machine heard that it was asked: a deny there, and here an answer that was never taken.
        given_up = [n for n in acknowledged if "cannot be asked" in answers.get(n, "") and not taken[n]]
        told = {n: p for n, p in acknowledged.items() if n in answers and n not in given_up}
        untold = {n: answers[n] for n, p in told.items() if answers[n] != f"denied {p} via team"}
        allowed = [a for a in answers.values() if not a.startswith(("denied", "expired", "cancelled"))]
        print(f"{kills} kills {dict(killed)}: {len(acknowledged)} acknowledged, {len(lost)} lost, {len(untold)} wrong")
        print(f"{len(answers)} answers, {len(given_up)} given up before: {collections.Counter(answers.values())}")
        assert lost == [] and untold == {} and allowed == []
        assert len(acknowledged) > kills / 4
    finally:
        stop.set()
        remove(server)
