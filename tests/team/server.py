"""The real PostgreSQL, started for a test: its own directory, port and certificates, with the roles as shipped.

Root cannot run it, so it then runs as `postgres` (Debian's package makes that user) or as `nobody`.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from askfirst.team import schema
from askfirst.team.database import connect, rows
from tests.waiting import PATIENCE_S, until

PASSWORD = "correct horse"
# login -> (group, person): two machines of ada and bob, and four people who answer.
LOGINS = {
    "ada_hook": ("hook", "ada"),
    "bob_hook": ("hook", "bob"),
    "ada": ("approver", "ada"),
    "bob": ("approver", "bob"),
    "carol": ("approver", "carol"),
    "dan": ("approver", "dan"),
    "olga": ("auditor", "olga"),
    "root_of_team": ("admin", "rita"),
}
QUICK = "fsync=off\nsynchronous_commit=off\nfull_page_writes=off\n"


@functools.cache
def bin_directory() -> str:
    """Where initdb is; skips the test where PostgreSQL is not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda p: int(p.split("/")[4]))
    path = found[-1] if found else shutil.which("initdb")
    if path is None:
        pytest.skip("postgresql is not installed (Debian: apt-get install postgresql)")
    return os.path.dirname(path)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def server_user() -> pwd.struct_passwd:
    """Root cannot run PostgreSQL, nor PgBouncer."""
    return pwd.getpwnam("postgres" if any(p.pw_name == "postgres" for p in pwd.getpwall()) else "nobody")


def servers_directory(prefix: str) -> Path:
    directory = Path(tempfile.mkdtemp(prefix=prefix))
    if os.geteuid() == 0:
        os.chown(directory, server_user().pw_uid, server_user().pw_gid)
    return directory


def as_server(command: list[str]) -> list[str]:
    if os.geteuid() != 0:
        return command
    user = server_user()
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *command]


@dataclass
class Server:
    """One instance."""

    directory: Path
    port: int
    host: str = "127.0.0.1"
    database: str = "team"
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def dsn(self, user: str = "postgres", database: str = "", **more: str) -> str:
        words = {"host": self.host, "port": str(self.port), "dbname": database or self.database, "user": user}
        words |= {"password": PASSWORD, **more}
        return " ".join(f"{k}='{v}'" for k, v in words.items())

    def start(self) -> None:
        """Again after a kill -9: until its children have noticed, the directory counts as in use."""
        give_up = time.monotonic() + PATIENCE_S
        while not self._started():
            assert time.monotonic() < give_up, (self.directory / "log").read_text()[-2000:]
            time.sleep(0.05)
        self.wait()

    def _started(self) -> bool:
        command = [f"{bin_directory()}/postgres", "-D", str(self.data), "-p", str(self.port)]
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                as_server(command), stdout=log, stderr=log, cwd="/", env={"PATH": os.environ["PATH"], "LC_ALL": "C"}
            )
        try:
            return self.process.wait(0.15) is None
        except subprocess.TimeoutExpired:
            return True

    def wait(self) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while True:
            try:
                psycopg.connect(self.dsn(database="postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > give_up or (self.process is not None and self.process.poll() is not None):
                    raise AssertionError((self.directory / "log").read_text()[-2000:]) from None
                time.sleep(0.05)

    def stop(self, number: int = signal.SIGINT) -> None:
        """SIGINT is PostgreSQL's fast shutdown, SIGQUIT its crash; kill -9 leaves children that end by themselves."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE_S)
            self.process = None

    @contextlib.contextmanager
    def as_(self, user: str, *, database: str = "", **more: str) -> Iterator[psycopg.Connection[dict[str, object]]]:
        connection = connect(self.dsn(user, database, **more))
        try:
            yield connection
        finally:
            connection.close()


def new_server(*, settings: str = QUICK, tls: bool = False) -> Server:
    """An empty instance, started; `team` is its database. Whoever makes it removes it (`remove`)."""
    directory = servers_directory("askfirst-pg-")
    server = Server(directory, free_port())
    secret = directory / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    initdb = [f"{bin_directory()}/initdb", "-D", str(server.data), "-U", "postgres", "-A", "scram-sha-256"]
    more = ["--no-sync", "--no-locale", "-E", "UTF8", f"--pwfile={secret}"]
    subprocess.run(as_server([*initdb, *more]), check=True, capture_output=True, cwd="/")
    with (server.data / "postgresql.conf").open("a") as file:
        file.write(f"listen_addresses='127.0.0.1'\nunix_socket_directories=''\nmax_connections=200\n{settings}")
    if tls:
        _use_tls(server)
    server.start()
    with psycopg.connect(server.dsn(database="postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE team")
    return server


def standby_of(server: Server) -> Server:
    """A synchronous copy, started: nothing is acknowledged that it has not."""
    copy = Server(servers_directory("askfirst-pg-copy-"), free_port())
    source = server.dsn(database="replication", application_name="copy")
    command = [f"{bin_directory()}/pg_basebackup", "-D", str(copy.data), "-d", source, "-R", "-c", "fast", "--no-sync"]
    subprocess.run(as_server(command), check=True, capture_output=True, cwd="/")
    copy.start()
    with server.as_("postgres") as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'copy'")
        connection.execute("SELECT pg_reload_conf()")
        until(lambda: rows(connection, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"), "the copy")
    return copy


def _use_tls(server: Server) -> None:
    """A certificate for localhost from a CA of the test's own."""
    where = server.directory
    for command in (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout {where}/ca.key -out {where}/ca.crt",
        f"openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout {where}/server.key -out {where}/server.csr",
        f"openssl x509 -req -in {where}/server.csr -CA {where}/ca.crt -CAkey {where}/ca.key -CAcreateserial -days 2 "
        f"-out {where}/server.crt",
    ):
        subprocess.run(command.split(), check=True, capture_output=True)
    if os.geteuid() == 0:
        user = os.stat(server.data).st_uid
        for name in ("server.key", "server.crt", "ca.crt"):
            os.chown(where / name, user, -1)
    (where / "server.key").chmod(0o600)
    with (server.data / "postgresql.conf").open("a") as file:
        file.write(f"ssl=on\nssl_cert_file='{where}/server.crt'\nssl_key_file='{where}/server.key'\n")


def install(server: Server, logins: dict[str, tuple[str, str]] | None = None) -> None:
    """The schema, and the logins of a small team."""
    with server.as_("postgres") as connection:
        schema.apply(connection)
        enrol(connection, logins or LOGINS)


def enrol(connection: psycopg.Connection[dict[str, object]], logins: dict[str, tuple[str, str]]) -> None:
    for login, (group, person) in logins.items():
        connection.execute(f"CREATE ROLE {login} LOGIN PASSWORD '{PASSWORD}' IN ROLE askfirst_{group}".encode())
        connection.execute("SELECT askfirst.enrol(%s::name, %s)", (login, person))


def remove(server: Server) -> None:
    if server.process is not None:
        server.stop(signal.SIGQUIT)
    shutil.rmtree(server.directory, ignore_errors=True)
