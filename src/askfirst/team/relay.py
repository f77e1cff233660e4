"""The relay: one process a machine, with the one connection that listens. Hooks leave it their requests in the local
store and wait there; it carries them to the database at once, and brings answers back the moment they are given.

Notifications are hints: after every one of them, after every reconnect and now and then anyway, the state is read. A
pooler that hands connections round (PgBouncer in transaction mode) drops notifications without a word; the relay sends
one to itself, and polls where it does not come back. It holds nothing: killed at any moment, the hooks poll instead.
"""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable

import psycopg

from askfirst.approval.wake import Wake
from askfirst.errors import StoreError
from askfirst.store import atomic, clock
from askfirst.team import mailbox
from askfirst.team.courier import Courier, pause_s
from askfirst.team.database import Connection, RefusedByDatabase, Unreachable, call, connect, rows, said

BEAT_S = 3.0  # a round at least this often: hooks take one that is silent for longer as gone
HERE_S = 20.0
PROBE_S = 2.0
AGAIN_S = (0.5, 5.0)  # between two attempts to connect, growing


class Relay:
    """Runs until `stop()` says so."""

    def __init__(
        self, dsn: str, *, say: Callable[[str], None], stop: Callable[[], bool], on_policy: Callable[[Connection], None]
    ) -> None:
        self._dsn, self._say, self._stop, self._on_policy = dsn, say, stop, on_policy
        self._courier = Courier()
        self._here_at = -HERE_S
        self._hears = False
        self._heard: list[tuple[str, str]] = []  # (channel, payload)

    def run(self) -> None:
        fd = os.open(mailbox.relay_lock(), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if not atomic.try_hold(fd):
            os.close(fd)
            raise StoreError("a relay is running already for this user on this machine")
        try:
            self._connect_for_ever()
        finally:
            os.close(fd)

    def _connect_for_ever(self) -> None:
        pause, was_well = AGAIN_S[0], True
        while not self._stop():
            try:
                with connect(self._dsn) as connection:
                    self._say("connected")
                    pause, was_well = AGAIN_S[0], True
                    self._listen(connection)
            except (Unreachable, RefusedByDatabase) as error:
                mailbox.note_round(False, str(error))
                if was_well:
                    self._say(f"{error}; trying again")
                was_well = False
            except psycopg.Error as error:
                mailbox.note_round(False, f"the connection was lost: {error}")
            self._wait_to_try(pause)
            pause = min(pause * 2, AGAIN_S[1])

    def _wait_to_try(self, pause: float) -> None:
        """Spread, and cut short by a new request: somebody waits for it."""
        until = time.monotonic() + pause + pause_s() / 4
        with Wake(self._courier.store.root) as wake:
            while not self._stop() and (left := until - time.monotonic()) > 0:
                before = self._courier.store.pending_ids()
                wake.wait(min(left, 0.5))
                if set(self._courier.store.pending_ids()) - set(before):
                    return

    def _listen(self, connection: Connection) -> None:
        # Also what comes in while something else is asked: it would be lost otherwise.
        connection.add_notify_handler(lambda n: self._heard.append((n.channel, n.payload)))
        with said():
            connection.execute("LISTEN askfirst_answers")
            connection.execute("LISTEN askfirst_policy")
        self._hears = self._probe(connection)
        if not self._hears:
            self._say("notifications do not arrive (a pooler in between?): polling every two seconds")
        self._on_policy(connection)
        with Wake(self._courier.store.root) as wake:
            while not self._stop():
                self._heard.clear()
                self._courier.round(connection)
                self._be_here(connection)
                self._wait(connection, wake)
                if any(channel == "askfirst_policy" for channel, _ in self._heard):
                    self._on_policy(connection)

    def _probe(self, connection: Connection) -> bool:
        """Whether a notification comes through this connection."""
        mark = os.urandom(8).hex()
        rows(connection, "SELECT pg_notify('askfirst_answers', %s) AS sent", mark)
        until = time.monotonic() + PROBE_S
        while time.monotonic() < until:
            if any(payload == mark for _, payload in self._heard):
                return True
            select.select([connection.fileno()], [], [], 0.1)
            self._read(connection)
        return False

    def _be_here(self, connection: Connection) -> None:
        if clock.steady() - self._here_at > HERE_S:
            call(connection, "here", "relay", socket.gethostname())
            self._here_at = clock.steady()

    def _wait(self, connection: Connection, wake: Wake) -> None:
        """Until something happens on either side."""
        if self._heard:
            return
        poller = select.poll()
        poller.register(connection.fileno(), select.POLLIN)
        if wake.fileno() >= 0:
            poller.register(wake.fileno(), select.POLLIN)
        longest_s = BEAT_S if self._hears and wake.fileno() >= 0 else pause_s()
        ready = dict(poller.poll(longest_s * 1000))
        if wake.fileno() in ready:
            wake.drain()
        if connection.fileno() in ready:
            self._read(connection)

    def _read(self, connection: Connection) -> None:
        with said():
            connection.pgconn.consume_input()
            while (found := connection.pgconn.notifies()) is not None:
                self._heard.append((found.relname.decode(), found.extra.decode()))
