"""Listening on a connection, and whether it is worth anything: notifications are hints, and some connections have none.

A pooler that hands server connections round (PgBouncer in transaction mode) takes LISTEN without a word, and even gives
back what the same connection sends to itself; what others send is dropped. So the proof is a notification from another
connection while this one is idle.
"""

from __future__ import annotations

import os
import select
import time

from askfirst.team.database import Connection, Unreachable, briefly, rows, said

PROBE_S = 2.0
POLLED = "notifications do not arrive here (a pooler in transaction mode?): polling every two seconds instead"


class Ear:
    """The channels that a connection listens on, and what was heard since it was last asked."""

    def __init__(self, connection: Connection, *channels: str) -> None:
        self._connection = connection
        self._heard: list[tuple[str, str]] = []  # (channel, payload)
        # Also what comes in while something else is asked: it would be lost otherwise.
        connection.add_notify_handler(lambda n: self._heard.append((n.channel, n.payload)))
        for channel in channels:
            self._say(f"LISTEN {channel}")

    def _say(self, command: str) -> None:
        with said():
            self._connection.execute(command.encode())

    def fileno(self) -> int:
        return self._connection.fileno()

    def take(self) -> list[tuple[str, str]]:
        """(channel, payload) of what was heard since the last time."""
        taken, self._heard[:] = list(self._heard), []
        return taken

    def read(self) -> None:
        """Hear what has come in; does not wait."""
        with said():
            self._connection.pgconn.consume_input()
            while (found := self._connection.pgconn.notifies()) is not None:
                self._heard.append((found.relname.decode(), found.extra.decode()))

    def works(self, dsn: str) -> bool:
        """Whether a notification of another connection arrives."""
        mark = os.urandom(8).hex()
        self._say("LISTEN askfirst_probe")
        try:
            briefly(dsn, lambda other: rows(other, "SELECT pg_notify('askfirst_probe', %s) AS sent", mark))
        except Unreachable:
            return False  # it polls, which is never wrong
        until = time.monotonic() + PROBE_S
        while ("askfirst_probe", mark) not in self._heard and (left := until - time.monotonic()) > 0:
            select.select([self.fileno()], [], [], left)
            self.read()
        found = ("askfirst_probe", mark) in self._heard
        self._say("UNLISTEN askfirst_probe")
        return found
