"""Carries between this machine's store and the team's database: requests there, answers back, events afterwards. It
decides nothing. Run by the relay, or by one waiting hook where there is no relay; every step may be repeated."""

from __future__ import annotations

import random
import socket

from psycopg.types.json import Jsonb

from askfirst import audit
from askfirst.errors import AskfirstError
from askfirst.store import clock
from askfirst.store.pending import FilePending, Item
from askfirst.team import mailbox
from askfirst.team.database import Connection, RefusedByDatabase, Row, Unreachable, call, row
from askfirst.team.joined import HOOK
from askfirst.team.mailbox import Evidence
from askfirst.text import one_line

ANCHOR_S = 60.0
MAX_SENT = 200  # events in one round
FORKED = (
    "the team's database went back to an older state (a fail-over to a copy that was behind): decisions that it has "
    "forgotten stand in this machine's log, and requests that wait are asked again"
)


class Courier:
    """One user of one machine."""

    def __init__(self) -> None:
        self.store, self.machine = FilePending(), mailbox.machine()
        self._asked: dict[str, Item | None] = {}  # what was read before: a request does not change
        self._known: dict[str, Evidence] = {}
        self._anchored_at = -ANCHOR_S

    def round(self, connection: Connection) -> None:
        """Bring both sides to the same state, as far as they can be. Raises Unreachable; what the database refuses is
        kept with its words, for the hook to say."""
        try:
            self._look_for_fork(connection)
            waiting = self._waiting()
            for item in waiting.values():
                self._submit(connection, item)
            self._send(connection)
            self._fetch(connection, waiting)
            self._close_what_is_over(connection, waiting)
            self._anchor(connection)
            found = row(connection, "SELECT seq, hash FROM askfirst.whoami()")
            mailbox.keep_head(HOOK, int(found["seq"]), str(found["hash"]))
        except (Unreachable, RefusedByDatabase) as error:
            mailbox.note_round(False, str(error))
            raise
        mailbox.note_round(True)

    def asks(self, id: str) -> bool:
        """Whether it is a request of this machine that waited in the last round."""
        return id in self._asked

    def _waiting(self) -> dict[str, Item]:
        """Undecided requests that the team is asked, too."""
        names = self.store.pending_ids()
        for gone in set(self._asked) - set(names):
            del self._asked[gone]
            self._known.pop(gone, None)
        for name in names:
            if name not in self._asked:
                item = self.store.find(name)
                self._asked[name] = item if item is not None and "team" in item.body else None
        asked = [item for item in self._asked.values() if item is not None]
        return {item.id: item for item in asked if not self.store.is_decided(item.id)}

    def _look_for_fork(self, connection: Connection) -> None:
        seq, seen = mailbox.seen_head(HOOK)
        if not row(connection, "SELECT askfirst.has(%s, %s) AS there", seq, seen)["there"]:
            self._note_fork(f"line {seq} of this log, {seen}")

    def _note_fork(self, seen: str) -> None:
        audit.append("team", {"what": "fork", "text": FORKED, "seen": seen}, durable=True)
        mailbox.send_later("tell", "", "", f"{socket.gethostname()} had seen {seen}")
        mailbox.keep_head(HOOK, 0, "")

    def _submit(self, connection: Connection, item: Item, *, again: bool = False) -> None:
        before = self._known.get(item.id) or mailbox.evidence(self.store, item.id)
        left_s = item.steady_deadline - clock.steady()
        if (before is not None and not again) or left_s < 1:
            return
        try:
            found = _submitted(connection, item, self.machine, left_s)
            self._put(item.id, Evidence(str(found["state"]), str(found["asker"])))
            mailbox.note_round(True)  # others wait for theirs, and see that it goes on
        except RefusedByDatabase as error:
            self._put(item.id, Evidence(mailbox.REFUSED, said=str(error)))

    def _put(self, id: str, found: Evidence) -> None:
        if self._known.get(id) != found:
            mailbox.put_evidence(self.store, id, found)
            self._known[id] = found

    def _send(self, connection: Connection) -> None:
        for number, (event, what) in enumerate(mailbox.to_send()):
            if number >= MAX_SENT:
                return
            try:
                if what.get("what") == "take":
                    call(connection, "take", what["id"], what["words"])
                else:
                    call(connection, "tell", event, what["id"], what["digest"], what["words"])
            except RefusedByDatabase:
                pass  # it will not take it the next time either
            mailbox.was_sent(event)

    def _fetch(self, connection: Connection, waiting: dict[str, Item]) -> None:
        if not waiting:
            return
        found = {str(r["id"]): _evidence(r) for r in call(connection, "answers_to", list(waiting))}
        for name, state in found.items():
            self._put(name, state)
        forgotten = [item for item in waiting.values() if item.id not in found and self._was_taken(item.id)]
        if forgotten:
            self._note_fork(f"{len(forgotten)} requests that are not there any more")
        for item in forgotten:
            self._submit(connection, item, again=True)

    def _was_taken(self, id: str) -> bool:
        known = self._known.get(id) or mailbox.evidence(self.store, id)
        return known is not None and known.state != mailbox.REFUSED

    def _close_what_is_over(self, connection: Connection, waiting: dict[str, Item]) -> None:
        """What waits there and not here: its hook was killed, or it was answered while the database was away."""
        for found in call(connection, "waiting_for", self.machine):
            name = str(found["id"])
            if name not in waiting and not self._waits(name):
                words = _how_it_ended(self.store, name)
                call(connection, "close", name, found["digest"], "withdrawn", words, "")

    def _waits(self, id: str) -> bool:
        return id in self.store.pending_ids() and not self.store.is_decided(id) and self.store.is_waited_for(id)

    def _anchor(self, connection: Connection) -> None:
        """The head of this machine's own log, now and then: a log that is cut off later then lacks it."""
        if clock.steady() - self._anchored_at < ANCHOR_S:
            return
        anchor_now(connection, self.machine)
        self._anchored_at = clock.steady()


def anchor_now(connection: Connection, machine: str) -> None:
    try:
        seq, head = audit.head()
    except (AskfirstError, OSError):
        return
    if seq:
        call(connection, "anchor", machine, socket.gethostname(), seq, head)


def _submitted(connection: Connection, item: Item, machine: str, left_s: float) -> Row:
    team = item.body["team"]
    need = team["need"]
    values = (
        item.id,
        item.digest,
        team["card"],
        need["kinds"],
        need["approvals"],
        Jsonb(need["may"]),
        need["self_ok"],
        need["local_ok"],
        machine,
        one_line(team["host"], 200),
        one_line(team["project"], 400),
        one_line(team["agent"], 100),
        one_line(team["session"], 200),
        [one_line(label, 100) for label in team["labels"]],
        max(1, round(left_s)),
    )
    return call(connection, "submit", *values)[0]


def _evidence(found: Row) -> Evidence:
    answers = tuple({str(k): str(v) for k, v in a.items()} for a in found["answers"])
    return Evidence(str(found["state"]), str(found["asker"]), str(found["ended_by"]), str(found["said"]), answers)


def _how_it_ended(store: FilePending, id: str) -> str:
    try:
        found = store.decision(id)
    except AskfirstError:
        found = None
    return f"on the asking machine: {found['state']} by {found['by']}" if found else "the process that asked is gone"


def pause_s() -> float:
    """Between two polls: up to two seconds, spread, so that many machines do not come at once."""
    return random.uniform(1.4, 2.0)
