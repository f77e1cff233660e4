"""One PostgreSQL for all tests of a worker, a database for each test, and the keys of a small team."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.store import clock, paths
from askfirst.team.courier import Courier
from askfirst.team.database import _CAREFUL, briefly
from askfirst.team.desk import Desk
from askfirst.team.joined import Joined, join, joined
from tests.needs import needs
from tests.team.server import LOGINS, Server, install, new_server, remove

PEOPLE = ("ada", "bob", "carol", "dan")
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Server]:
    """The server of this worker; its database `team` is the template of the tests'."""
    server = new_server()
    try:
        install(server)
        yield server
    finally:
        remove(server)


@pytest.fixture
def db(cluster: Server) -> Iterator[Server]:
    """A database of the test's own, with the schema and the logins of the team."""
    name = f"team_{next(_numbers)}"
    with cluster.as_("postgres", database="postgres") as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE team".encode())
    yield Server(cluster.directory, cluster.port, database=name)
    with cluster.as_("postgres", database="postgres") as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a key for each person, and one that nobody knows (`eve`)."""
    needs("ssh-keygen")
    directory = tmp_path_factory.mktemp("keys")
    for person in (*PEOPLE, "eve"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", person, "-f", str(directory / person)]
        subprocess.run(command, check=True)
    return directory


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks of these tests poll ten times a second, a desk that closes is not waited for, and a machine that is busy
    with other tests is no database that is away."""
    monkeypatch.setattr("askfirst.team.courier.pause_s", lambda: 0.1)
    monkeypatch.setattr("askfirst.team.desk.LOOK_S", 0.5)
    set_patience(monkeypatch, 30.0)


def set_patience(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """For how long the database is waited for."""
    monkeypatch.setattr("askfirst.team.database.WAIT_S", seconds)
    monkeypatch.setattr("askfirst.team.elsewhere.WAIT_S", seconds)
    monkeypatch.setattr("askfirst.team.elsewhere.QUEUE_S", seconds * 5)
    monkeypatch.setitem(_CAREFUL, "connect_timeout", str(round(seconds)))


@pytest.fixture
def site(home: Path) -> Path:
    """The organisation's directory on the asking machine."""
    directory = Path(paths.site_config_dir())
    directory.mkdir(parents=True)
    return directory


@pytest.fixture
def signers(site: Path, keys: Path) -> Path:
    file = site / "allowed_signers"
    file.write_text("".join(f"{person} {(keys / f'{person}.pub').read_text()}" for person in PEOPLE))
    return file


@pytest.fixture
def machine(db: Server, signers: Path) -> Server:
    """This test's home is the machine of ada, whose agents ask."""
    join("hook", db.dsn("ada_hook"))
    return db


def time_passes(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """On this machine; the database's clock stays."""
    real = clock.steady
    monkeypatch.setattr(clock, "steady", lambda: real() + seconds)


def carry() -> None:
    """One round between this machine and the database, as the next hook or a relay would make it."""
    found = joined()
    assert found is not None
    briefly(found.hook, Courier().round)


def desk_of(db: Server, person: str, keys: Path, *, key: str = "") -> Desk:
    """Where a person answers, elsewhere. `key`: of somebody else, or `none`."""
    path = "" if key == "none" else str(keys / (key or person))
    return Desk(Joined(approver=db.dsn(person), key=path), at_terminal=False)


__all__ = ["LOGINS", "desk_of"]
