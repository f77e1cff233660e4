"""What goes wrong: a database that is away, a cut in the middle, a fail-over to an older copy, a wrong clock, a relay
that dies. Nothing is allowed that was not decided, nothing decided is lost, nobody waits for ever."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.approval.answers import AlreadyDecided
from askfirst.approval.manager import file_manager
from askfirst.audit.read import read_records
from askfirst.errors import AskfirstError
from askfirst.model import Decision, Duration
from askfirst.store import atomic, clock
from askfirst.store.grants import FileGrants
from askfirst.team import administer, mailbox
from askfirst.team.checks import team_checks
from askfirst.team.courier import Courier
from askfirst.team.database import briefly, connect, row, rows
from askfirst.team.desk import Desk
from askfirst.team.hearing import POLLED
from askfirst.team.joined import Joined, join
from askfirst.team.relay import Relay
from tests.team.asker import OTHERS, Asker, card, case, no, yes
from tests.team.conftest import carry, desk_of, set_patience, time_passes
from tests.team.pooler import pooled
from tests.team.proxy import Network
from tests.team.server import Server, free_port, install, new_server, remove, standby_of
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def network(db: Server, signers: Path) -> Iterator[Network]:
    """The asking machine reaches the database through this."""
    found = Network(db)
    join("hook", Server(db.directory, found.port, database=db.database).dsn("ada_hook"))
    yield found
    found.close()


def told(db: Server) -> list[str]:
    with db.as_("olga") as auditor:
        return [str(r["detail"]) for r in rows(auditor, "SELECT detail FROM askfirst.log WHERE what = 'told'")]


def state(db: Server, name: str) -> str:
    with db.as_("olga") as auditor:
        found = rows(auditor, "SELECT state FROM askfirst.request WHERE id = %s", name)
    return str(found[0]["state"]) if found else ""


@pytest.mark.parametrize("how", ["cut", "swallow"])
def test_away_from_the_start(network: Network, project: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_patience(monkeypatch, 2.0)
    getattr(network, how)()
    # What needs others: denied, and it says why.
    answer = Asker(case("frobnicate", project, team=OTHERS)).answer()
    assert answer.decision == Decision.DENY and "the team cannot be asked" in answer.reason
    # Nobody here, nobody there: nobody waits.
    assert Asker(case("frobnicate", project), there=False).outcome() is None
    # Somebody here: asked here, and the card says that the team is not.
    asker = Asker(case("frobnicate", project))
    local = file_manager()
    question = local.find(asker.waits())
    assert any("the team is not asked" in note for note in question.notes)
    local.respond(question.id, yes(question))
    assert asker.answer().decision == Decision.ALLOW


def test_away_while_it_waits_and_answered_here(network: Network, db: Server, project: Path) -> None:
    asker = Asker(case("frobnicate", project))
    asked = asker.waits()
    until(lambda: state(db, asked) == "waiting", "the row")
    network.cut()
    local = file_manager()
    local.respond(asked, yes(local.find(asked)))
    assert asker.answer().decision == Decision.ALLOW
    network.restore()
    carry()
    until(lambda: any("while the database was away: allowed once" in line for line in told(db)), "the event")
    assert state(db, asked) == "withdrawn"  # an event, never a decision


def test_away_while_it_waits_and_back_again(network: Network, db: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(db, "bob", keys)
    question = card(desk)
    network.cut()
    desk.respond(question, yes(question))  # the machine does not know yet
    until(lambda: not mailbox.last_round().good, "the machine to notice")
    assert asker.is_alive()
    network.restore()
    assert asker.answer().by == "bob via team"


def test_away_for_good(network: Network, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    asker.waits()
    set_patience(monkeypatch, 2.0)
    network.swallow()
    time_passes(monkeypatch, 61)
    assert asker.answer().state == "expired"


def test_cut_at_the_moment_of_a_local_decision(
    network: Network, db: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is on its way when the network swallows it: the machine's own answer counts after a few seconds, and
    both sides have it in the end."""
    asker = Asker(case("frobnicate", project))
    asked = asker.waits()
    until(lambda: state(db, asked) == "waiting", "the row")
    set_patience(monkeypatch, 2.0)
    network.swallow()
    local = file_manager()
    local.respond(asked, yes(local.find(asked)))
    assert asker.answer().decision == Decision.ALLOW
    network.restore()
    set_patience(monkeypatch, 30.0)
    carry()
    until(lambda: told(db), "the event")
    assert state(db, asked) in ("withdrawn", "local")


def test_cut_at_the_moment_of_the_teams_decision(
    machine: Server, keys: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told that it failed; whether it counted, the next try says."""
    network = Network(machine)
    asker = Asker(case("frobnicate", project, team=OTHERS))
    far = desk_of(Server(machine.directory, network.port, database=machine.database), "bob", keys)
    question = card(far)
    set_patience(monkeypatch, 2.0)
    network.swallow()
    with pytest.raises(AskfirstError, match="database"):
        far.respond(question, yes(question))
    network.restore()
    set_patience(monkeypatch, 30.0)
    assert state(machine, question.id) in ("waiting", "allowed")
    try:
        far.respond(question, yes(question))
    except AlreadyDecided as error:
        assert "bob via team" in str(error)
    assert asker.answer().by == "bob via team"
    network.close()


def test_a_server_that_is_killed_keeps_what_it_has_acknowledged(signers: Path, keys: Path, project: Path) -> None:
    server = new_server(settings="")  # with fsync, as shipped
    try:
        install(server)
        join("hook", server.dsn("ada_hook"))
        asker = Asker(case("frobnicate", project, team=OTHERS))
        desk = desk_of(server, "bob", keys)
        question = card(desk)
        with server.as_("bob") as bob:
            bob.execute("SELECT askfirst.decide(%s, %s, 'deny', '{}', '')", (question.id, question.digest))
            server.stop(signal.SIGKILL)
        server.start()
        assert asker.answer().by == "bob via team"
    finally:
        remove(server)


def copy_of(server: Server) -> Server:
    """An instance with the state of this moment: a replica that will be promoted later."""
    with server.as_("postgres") as connection:
        connection.execute("CHECKPOINT")
    server.stop()
    copy = Server(Path(f"{server.directory}-copy"), free_port())
    shutil.copytree(server.directory, copy.directory, symlinks=True)
    for path in (copy.directory, *copy.directory.rglob("*")):
        found = os.lstat(server.directory / path.relative_to(copy.directory))
        os.chown(path, found.st_uid, found.st_gid)
    server.start()
    return copy


def test_a_fail_over_to_an_older_copy(signers: Path, keys: Path, project: Path) -> None:
    """A decision that the new primary has forgotten: noticed, said, and the request waits again."""
    server = new_server()
    copy: Server | None = None
    try:
        install(server)
        network = Network(server)
        join("hook", Server(server.directory, network.port).dsn("ada_hook"))
        first = Asker(case("first", project, team=OTHERS))
        question = card(desk_of(server, "bob", keys))
        copy = copy_of(server)
        second = Asker(case("second", project, team=OTHERS))
        until(lambda: state(server, second.id) == "waiting" if second.id else False, "the second request")
        network.cut()
        with server.as_("bob") as bob:
            bob.execute("SELECT askfirst.decide(%s, %s, 'deny', '{}', '')", (question.id, question.digest))
        server.stop()
        copy.start()
        network._to = (copy.host, copy.port)
        network.restore()
        # Both are asked again: the one whose answer is forgotten, and the one of which the copy knows nothing.
        desk = desk_of(copy, "carol", keys)
        until(lambda: {q.text for q in desk.questions()} == {"first", "second"}, "both cards")
        assert any(r["kind"] == "team" and r["what"] == "fork" for r in read_records())
        for found in desk.questions():
            desk.respond(found, yes(found))
        assert first.answer().by == second.answer().by == "carol via team"
        until(lambda: any("had seen line" in line for line in told(copy)), "the new primary to be told")
        network.close()
    finally:
        remove(server)
        if copy is not None:
            remove(copy)


def test_what_was_taken_before_a_fail_over_is_closed_after_it(signers: Path, keys: Path, project: Path) -> None:
    """The machine has acted on a decision that the copy does not know: its card there is closed, not answered twice."""
    server = new_server()
    copy: Server | None = None
    try:
        install(server)
        network = Network(server)
        join("hook", Server(server.directory, network.port).dsn("ada_hook"))
        asker = Asker(case("first", project, team=OTHERS))
        card(desk_of(server, "bob", keys))
        copy = copy_of(server)
        desk = desk_of(server, "bob", keys)
        until(lambda: desk.questions(), "the card, after the restart")
        desk.respond(card(desk), yes(card(desk)))
        assert asker.answer().by == "bob via team"
        server.stop()
        copy.start()
        network._to = (copy.host, copy.port)
        assert state(copy, asker.id) == "waiting"
        network.restore()
        briefly(Server(copy.directory, network.port).dsn("ada_hook"), Courier().round)
        assert state(copy, asker.id) == "withdrawn"
        network.close()
    finally:
        remove(server)
        if copy is not None:
            remove(copy)


def test_a_fail_over_to_a_synchronous_copy(signers: Path, keys: Path, project: Path) -> None:
    """Nothing acknowledged is lost, nothing is asked again, and who named both servers goes on with the other one."""
    server, copy = new_server(settings="fsync=off\n"), None
    try:
        install(server)
        copy = standby_of(server)
        both = {"host": f"{server.host},{copy.host}", "port": f"{server.port},{copy.port}"}
        network = Network(server)
        join("hook", Server(server.directory, network.port).dsn("ada_hook"))
        found, _ = administer.take_part("approver", server.dsn("bob", **both), key=str(keys / "bob"), plain=True)
        (seen,) = administer.status(found)["sides"]["approver"]["standbys"]
        assert (seen["name"], seen["sync"]) == ("copy", "sync")
        desk = Desk(found, at_terminal=False)
        first = Asker(case("first", project, team=OTHERS))
        question = card(desk)
        network.cut()
        assert "not taken" in desk.respond(question, yes(question)).reason
        server.stop(signal.SIGKILL)
        with copy.as_("postgres", target_session_attrs="any") as connection:
            connection.execute("SELECT pg_promote()")
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
            connection.execute("SELECT pg_reload_conf()")
        network._to = (copy.host, copy.port)
        network.restore()
        assert first.answer().by == "bob via team"
        second = Asker(case("second", project, team=OTHERS))
        question = until(lambda: next((q for q in desk.questions() if q.text == "second"), None), "the second card")
        desk.respond(question, yes(question))
        assert second.answer().by == "bob via team"
        assert not any(r["kind"] == "team" and r["what"] == "fork" for r in read_records())
        network.close()
    finally:
        remove(server)
        if copy is not None:
            remove(copy)


def test_a_clock_that_is_wrong_by_a_day(
    machine: Server, keys: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deadlines are the database's, and lengths of time are sent as lengths."""
    real = time.time
    monkeypatch.setattr(clock, "wall", lambda: real() - 86400)
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    assert 0 < question.deadline - clock.wall() <= 61
    desk.respond(question, yes(question, Duration.TIMED, until=clock.wall() + 3600))
    answer = asker.answer()
    assert answer.decision == Decision.ALLOW and abs(answer.until - (clock.wall() + 3600)) < 30
    (grant,) = FileGrants().all()
    assert abs(grant.until - (clock.wall() + 3600)) < 30
    with machine.as_("olga") as auditor:
        found = row(auditor, "SELECT abs(extract(epoch FROM now() - created)) AS off_s FROM askfirst.request")
    assert found["off_s"] < 60


# -- a pooler ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_a_pooler_between(db: Server, signers: Path, keys: Path, project: Path, mode: str) -> None:
    """One that hands connections round drops notifications: noticed, said, and polled instead. Answers arrive."""
    with pooled(db, mode) as pooler:
        join("hook", pooler.dsn("ada_hook"))
        said: list[str] = []
        stop = threading.Event()
        relay = Relay(pooler.dsn("ada_hook"), say=said.append, stop=stop.is_set, on_policy=lambda _: None)
        thread = threading.Thread(target=relay.run, daemon=True)
        thread.start()
        desk = desk_of(pooler, "bob", keys)
        desk.listen()
        try:
            asker = Asker(case("frobnicate", project, team=OTHERS))
            question = card(desk)
            desk.respond(question, yes(question))
            assert asker.answer().by == "bob via team"
            until(lambda: db_presence(db) == ["relay", "watch"], "both to be there")
            assert (POLLED in said) == (POLLED in desk.news()) == (mode == "transaction")
            found = administer.status(Joined(hook=pooler.dsn("ada_hook")))["sides"]["hook"]
            assert found["reachable"] and found["notifications"] == (mode == "session")
            assert any("notifications do not arrive" in c.text for c in team_checks()) == (mode == "transaction")
        finally:
            stop.set()
            desk.close()
            thread.join()


def db_presence(db: Server) -> list[str]:
    with db.as_("olga") as auditor:
        return [str(r["kind"]) for r in rows(auditor, "SELECT kind FROM askfirst.presence ORDER BY kind")]


# -- the relay --------------------------------------------------------------------------------------------------------


@pytest.fixture
def relay(machine: Server) -> Iterator[subprocess.Popen[bytes]]:
    """The real one, in a process of its own."""
    process = start_relay()
    yield process
    process.kill()
    process.wait()


def start_relay() -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-m", "askfirst", "team", "relay", "--quiet"])
    until(lambda: mailbox.relay_is_at_work() and mailbox.last_round().good, "the relay")
    return process


def leads_nobody() -> bool:
    return not atomic.is_held(mailbox.lead_lock())


def test_the_relay_carries_for_all(
    machine: Server, relay: subprocess.Popen[bytes], keys: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "FRESH_S", PATIENCE_S)
    monkeypatch.setattr("askfirst.team.desk.TAKEN_S", PATIENCE_S)
    askers = [Asker(case(f"frobnicate {n}", project, team=OTHERS)) for n in range(5)]
    desk = desk_of(machine, "bob", keys)
    until(lambda: len(desk.questions()) == 5, "five cards")
    assert leads_nobody()
    for question in desk.questions():
        told_ = desk.respond(question, yes(question))
        assert "not taken" not in told_.reason
    assert {asker.answer().by for asker in askers} == {"bob via team"}
    with machine.as_("olga") as auditor:
        there = rows(auditor, "SELECT kind, login FROM askfirst.presence")
    assert [(r["kind"], r["login"]) for r in there] == [("relay", "ada_hook")]


def test_there_is_one_relay(relay: subprocess.Popen[bytes]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "askfirst", "team", "relay"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1 and "running already" in ran.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_relay_that_dies_or_hangs(
    machine: Server,
    relay: subprocess.Popen[bytes],
    keys: Path,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    monkeypatch.setattr(mailbox, "FRESH_S", 1.0)
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    relay.send_signal(number)
    desk.respond(question, yes(question))
    assert asker.answer().by == "bob via team"


def test_the_relay_comes_back_after_a_cut(db: Server, network: Network, keys: Path, project: Path) -> None:
    process = start_relay()
    try:
        asker = Asker(case("frobnicate", project, team=OTHERS))
        desk = desk_of(db, "bob", keys)
        question = card(desk)
        network.cut()
        until(lambda: not mailbox.last_round().good, "the relay to notice")
        network.restore()
        desk.respond(question, yes(question))
        assert asker.answer().by == "bob via team"
        assert leads_nobody() or not mailbox.relay_is_at_work()
    finally:
        process.terminate()
        assert process.wait(30) == 0


def test_a_desk_that_slept_is_told_that_it_is_over(
    machine: Server, keys: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    asker.waits()
    time_passes(monkeypatch, 61)
    assert asker.answer().state == "expired"
    with pytest.raises(AskfirstError, match="expired|withdrawn|no longer"):
        desk.respond(question, yes(question))


def test_a_desk_that_listens(machine: Server, keys: Path, project: Path) -> None:
    """Cards come and go by themselves; a cut is told, and that it is over."""
    network = Network(machine)
    desk = desk_of(Server(machine.directory, network.port, database=machine.database), "bob", keys)
    desk.listen()
    try:
        asker = Asker(case("frobnicate", project, team=OTHERS))
        question = card(desk)
        network.cut()
        until(lambda: any("cannot be reached" in line for line in desk.news()), "the news")
        assert desk.questions() == ()
        network.restore()
        until(lambda: any("is back" in line for line in desk.news()), "the good news")
        card(desk)
        file_manager().respond(question.id, no(question))
        until(lambda: not desk.questions(), "the card to go")
        assert asker.answer().decision == Decision.DENY
    finally:
        desk.close()
        network.close()


def test_a_claim_is_known_again(machine: Server, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement whose answer was lost, sent once more, finds its own first one."""
    monkeypatch.setattr("askfirst.team.elsewhere.LOST_S", 0.2)
    asker = Asker(case("frobnicate", project))
    asked = asker.waits()
    digest = file_manager().find(asked).digest
    with connect(machine.dsn("ada_hook")) as connection:
        until(lambda: rows(connection, "SELECT FROM askfirst.request"), "the row")
        for _ in range(2):
            found = row(connection, "SELECT * FROM askfirst.close(%s, %s, 'local', 'said', 'mine')", asked, digest)
            assert (found["state"], found["is_own"]) == ("local", True)
        other = row(connection, "SELECT * FROM askfirst.close(%s, %s, 'local', 'said', 'other')", asked, digest)
        assert not other["is_own"]
    # Claimed, and then its process died before it could store it: nothing was decided here, so it is denied.
    assert asker.answer().state == "cancelled"


def test_nobody_else_pays(project: Path) -> None:
    """Without a team nothing of it is loaded, whatever is asked."""
    code = (
        "import sys\n"
        "from askfirst.approval.manager import ApprovalManager\n"
        "from askfirst.store.pending import FilePending\n"
        "from tests.approval.support import case\n"
        "manager = ApprovalManager(FilePending(), timeout_s=1)\n"
        f"assert manager.ask(case('frobnicate', {str(project)!r}), there=lambda: True).state == 'expired'\n"
        "print([m for m in sys.modules if m.startswith(('psycopg', 'askfirst.team'))])"
    )
    root = str(Path(__file__).parents[2])
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.strip() == "[]"
