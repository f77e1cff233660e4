"""The relay: one process a machine, with the one connection that listens. Hooks leave it their requests in the local
store and wait there; it carries them to the database at once, and brings answers back the moment they are given.

Notifications are hints: after every one of them, after every reconnect and now and then anyway, the state is read;
where none arrive (`hearing`) it polls. It holds nothing: killed at any moment, the hooks poll instead.
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
from askfirst.team.database import Connection, RefusedByDatabase, Unreachable, call, connect
from askfirst.team.hearing import POLLED, Ear

BEAT_S = 3.0  # a round at least this often: hooks take one that is silent for longer as gone
HERE_S = 20.0
AGAIN_S = (0.5, 5.0)  # between two attempts to connect, growing


class Relay:
    """Runs until `stop()` says so."""

    def __init__(
        self, dsn: str, *, say: Callable[[str], None], stop: Callable[[], bool], on_policy: Callable[[Connection], None]
    ) -> None:
        self._dsn, self._say, self._stop, self._on_policy = dsn, say, stop, on_policy
        self._courier = Courier()
        self._here_at = -HERE_S

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
        ear = Ear(connection, "askfirst_answers", "askfirst_policy")
        self._courier.round(connection)
        hears = ear.works(self._dsn)
        if not hears:
            self._say(POLLED)
        self._on_policy(connection)
        with Wake(self._courier.store.root) as wake:
            while not self._stop():
                self._courier.round(connection)
                self._be_here(connection)
                news = self._news(ear, wake, BEAT_S if hears and wake.fileno() >= 0 else pause_s())
                if any(channel == "askfirst_policy" for channel, _ in news):
                    self._on_policy(connection)

    def _be_here(self, connection: Connection) -> None:
        if clock.steady() - self._here_at > HERE_S:
            call(connection, "here", "relay", socket.gethostname())
            self._here_at = clock.steady()

    def _news(self, ear: Ear, wake: Wake, longest_s: float) -> list[tuple[str, str]]:
        """What was heard that is of this machine; nothing when its own store has changed, or the time is over. Every
        relay hears every answer: most are for others, and cost nothing."""
        until = time.monotonic() + longest_s
        while True:
            news = [n for n in ear.take() if n[0] == "askfirst_policy" or self._courier.asks(n[1])]
            left = until - time.monotonic()
            if news or left <= 0 or self._stop() or self._wait(ear, wake, left):
                return news

    def _wait(self, ear: Ear, wake: Wake, longest_s: float) -> bool:
        """Until something happens on either side; whether it was on this machine's."""
        poller = select.poll()
        poller.register(ear.fileno(), select.POLLIN)
        if wake.fileno() >= 0:
            poller.register(wake.fileno(), select.POLLIN)
        ready = dict(poller.poll(longest_s * 1000))
        if ear.fileno() in ready:
            ear.read()
        if wake.fileno() not in ready:
            return False
        wake.drain()
        return True
