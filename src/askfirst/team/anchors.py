"""Logs that cannot be cut off unseen: the heads of this machine's log that the database has kept, and the database's
own log, whose lines are bound to each other."""

from __future__ import annotations

from askfirst.digest import sha256_hex
from askfirst.team import mailbox
from askfirst.team.database import Connection, briefly, rows
from askfirst.team.joined import ADMIN, APPROVER, AUDITOR, HOOK, Joined

ZERO = "0" * 64
LONG_S = 600.0
MANY = 5000


def kept(found: Joined) -> tuple[tuple[tuple[int, str], ...], list[str], bool]:
    """The heads of this machine's log, what to say about the database's own log, and whether that is intact."""
    heads: tuple[tuple[int, str], ...] = ()
    words: list[str] = []
    if found.hook:
        heads = briefly(found.hook, lambda c: of_machine(c, mailbox.machine()))
        words.append(f"the team's database has kept {len(heads)} heads of this machine's log")
    reader = found.best(AUDITOR, APPROVER, ADMIN)
    if not reader:
        words.append(
            "the database's own log is for approvers and auditors to read: `askfirst team join DSN --as auditor`"
        )
        return heads, words, True
    intact, broken = briefly(reader, first_broken, limit_s=LONG_S)
    cuts = briefly(
        reader, lambda c: rows(c, "SELECT detail, at::text FROM askfirst.log WHERE what = 'log-cut' ORDER BY seq")
    )
    words += [f"CUT OFF: {cut['detail']} ({cut['at']})" for cut in cuts]
    words.append(f"the database's log: {intact} lines hold" + (f"; NOT GOOD: {broken}" if broken else ""))
    seq, head = mailbox.seen_head(HOOK if found.hook else APPROVER)
    if seq and not briefly(reader, lambda c: rows(c, "SELECT askfirst.has(%s, %s) AS there", seq, head))[0]["there"]:
        words.append(f"NOT GOOD: it lacks line {seq}, which was seen here: it went back to an older state")
        return heads, words, False
    return heads, words, not broken and not cuts


def of_machine(connection: Connection, machine: str) -> tuple[tuple[int, str], ...]:
    found = rows(connection, "SELECT seq, head FROM askfirst.anchor WHERE machine = %s ORDER BY at, seq", machine)
    return tuple((int(r["seq"]), str(r["head"])) for r in found)


def first_broken(connection: Connection) -> tuple[int, str]:
    """(lines that hold, "" or what is wrong with the next one) of the database's own log."""
    previous, number = ZERO, 0
    while True:
        found = rows(
            connection,
            "SELECT seq, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US') AS at, what, request, digest, "
            "login::text, person, detail, prev, hash FROM askfirst.log WHERE seq > %s ORDER BY seq LIMIT %s",
            number,
            MANY,
        )
        for line in found:
            if line["seq"] != number + 1:
                return number, f"line {number + 1} is missing"
            names = ("seq", "at", "what", "request", "digest", "login", "person", "detail", "prev")
            text = "".join(_part(str(line[name])) for name in names)
            if line["prev"] != previous or line["hash"] != sha256_hex("askfirst-team-1\n" + text):
                return number, f"line {line['seq']} was changed"
            previous, number = str(line["hash"]), int(line["seq"])
        if len(found) < MANY:
            return number, ""


def _part(text: str) -> str:
    return f"{len(text.encode())}:{text},"
