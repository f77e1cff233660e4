"""The real PgBouncer before a server, for a test."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator

from tests.needs import needs, program
from tests.team.server import LOGINS, PASSWORD, Server, as_server, free_port, servers_directory
from tests.waiting import PATIENCE_S, until


@contextlib.contextmanager
def pooled(server: Server, mode: str) -> Iterator[Server]:
    """The same database, behind a pooler as Debian ships it, in this mode."""
    needs("pgbouncer")
    directory = servers_directory("askfirst-pooler-")
    port = free_port()
    (directory / "users").write_text("".join(f'"{login}" "{PASSWORD}"\n' for login in LOGINS))
    (directory / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={server.host} port={server.port}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\npool_mode = {mode}\n"
        f"auth_type = scram-sha-256\nauth_file = {directory}/users\n"
    )
    command = as_server([str(program("pgbouncer")), "-q", str(directory / "pgbouncer.ini")])
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        until(lambda: process.poll() is not None or _answers(port), "the pooler")
        yield Server(server.directory, port, database=server.database)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        shutil.rmtree(directory)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True
