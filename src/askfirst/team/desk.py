"""The answering side: the team's cards as one person may see and answer them, and their answers, signed.

A thread holds the one connection that listens and keeps the cards; whoever shows them only reads. What a card says came
from another machine: it is drawn like every other text, and an answer is bound to exactly what was shown.
"""

from __future__ import annotations

import json
import os
import select
import socket
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from askfirst.approval.answers import AlreadyDecided, NotPending, deny
from askfirst.approval.codec import question_from
from askfirst.approval.manager import complete, one_card
from askfirst.approval.question import Choice, Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.policy.approvers import is_among
from askfirst.store import clock
from askfirst.team import mailbox, proof
from askfirst.team.database import (
    Connection,
    RefusedByDatabase,
    Row,
    Unreachable,
    briefly,
    call,
    connect,
    row,
    rows,
)
from askfirst.team.hearing import POLLED, Ear
from askfirst.team.joined import APPROVER, Joined
from askfirst.text import one_line

LOOK_S, POLL_S = 5.0, 2.0  # the cards are read at least this often: where notifications arrive, and elsewhere
HERE_S = 20.0
TAKEN_S = 1.0  # how long an answer waits to hear that the asking machine has it
AGAIN_S = (0.5, 5.0)
_WAITING = """
SELECT r.id, r.digest, r.card, r.kinds, r.approvals, r.may, r.self_ok, r.host, r.project, r.agent, r.session, r.labels,
    r.asked_by, r.asker, extract(epoch FROM r.expires - clock_timestamp())::float8 AS left_s,
    extract(epoch FROM clock_timestamp() - r.created)::float8 AS age_s,
    ARRAY(SELECT a.person FROM askfirst.answer a WHERE a.request = r.id AND a.verdict = 'allow' ORDER BY a.at) AS given
FROM askfirst.request r WHERE r.state = 'waiting' AND r.expires > clock_timestamp() ORDER BY r.created, r.id
"""
_ENDED = """
SELECT state, ended_by, said, taken_as, extract(epoch FROM ended)::float8 AS at,
    ARRAY(SELECT a.person FROM askfirst.answer a WHERE a.request = r.id AND a.verdict = 'deny') AS no
FROM askfirst.request r WHERE r.id = %s
"""
FORKED = (
    "the team's database went back to an older state (a fail-over to a copy that was behind): answers given shortly "
    "before may be forgotten, and what they answered waits again"
)


@dataclass(frozen=True)
class TeamCard:
    """One request of the team, as this person sees it."""

    question: Question
    text: str  # as it stands in the database: what is signed
    row: Row


class Desk:
    """One person's view of the team's requests."""

    def __init__(self, joined: Joined, *, kind: str = "watch", at_terminal: bool = True) -> None:
        if not joined.approver:
            raise AskfirstError("you have not joined as an approver: `askfirst team join DSN --as approver`")
        self._dsn, self._key = joined.approver, joined.key
        self._kind, self._at_terminal = kind, at_terminal
        self._lock = threading.Lock()
        self._cards: tuple[TeamCard, ...] = ()
        self._news: list[str] = []
        self._stop = threading.Event()
        self._ear, self._mouth = -1, -1
        self._thread: threading.Thread | None = None

    # The cards

    def cards(self) -> tuple[TeamCard, ...]:
        """What waits, oldest first: as last heard of where this desk listens, else read now."""
        if self._thread is None:
            return briefly(self._dsn, read_cards)
        with self._lock:
            now = clock.wall()
            return tuple(c for c in self._cards if c.question.deadline > now)

    def questions(self) -> tuple[Question, ...]:
        """The same as people see them: requests that read alike are one card."""
        same: dict[str, list[Question]] = {}
        for card in self.cards():
            same.setdefault(_reads(card), []).append(card.question)
        return tuple(one_card(alike) for alike in same.values())

    def respond(self, question: Question, answer: Answer) -> Answer:
        """Answer a card, of all requests behind it. Raises AlreadyDecided when somebody, or time, was first."""
        behind = {c.question.id: c for c in self.cards() if c.question.id in question.all_ids()}
        if not behind:
            found = self.outcome(question.id)
            raise AlreadyDecided(found, {}) if found is not None else NotPending("this request no longer waits")
        answer = complete(answer, question)
        first = next(iter(behind.values())).row
        person = str(first["me"])
        texts = {name: card.text for name, card in behind.items()}
        body = proof.body_of(person, texts, question.digest, answer)
        signature = ""
        if answer.decision == Decision.ALLOW and self._key:
            signature = proof.sign(body, self._key, at_terminal=self._at_terminal)
        verdict = "allow" if answer.decision == Decision.ALLOW else "deny"
        given = briefly(
            self._dsn,
            lambda c: [call(c, "decide", name, question.digest, verdict, body, signature)[0] for name in behind],
            limit_s=10.0,
        )
        return self._told(question, replace(answer, by=f"{person} via team"), given[0], signed=bool(signature))

    def _told(self, question: Question, answer: Answer, given: Row, *, signed: bool) -> Answer:
        """What the person is told: who was first, who is still needed, and whether the asking machine has it."""
        state = str(given["state"])
        if state.startswith("was "):
            raise AlreadyDecided(self.outcome(question.id) or deny("cancelled", "", "it ended"), {})
        if state == "waiting":
            more = f"{given['given']} of {given['approvals']} have allowed it; another person must allow it, too"
            return replace(answer, state="counted", reason=more)
        if answer.decision == Decision.ALLOW and not signed:
            answer = replace(answer, reason="not signed: it counts only where the organisation takes unsigned answers")
        taken = self._taken(question.id)
        if taken.startswith("refused"):
            return replace(answer, state="refused", reason=taken.removeprefix("refused: "))
        if not taken:
            return replace(answer, reason=f"{answer.reason}; the asking machine has not taken it yet".lstrip("; "))
        return answer

    def _taken(self, id: str) -> str:
        give_up = time.monotonic() + TAKEN_S
        try:
            with connect(self._dsn) as connection:
                while True:
                    found = str(row(connection, "SELECT taken_as FROM askfirst.request WHERE id = %s", id)["taken_as"])
                    if found or time.monotonic() > give_up:
                        return found
                    time.sleep(0.05)
        except (Unreachable, RefusedByDatabase):
            return ""

    def outcome(self, id: str) -> Answer | None:
        """How a request ended; None while it waits, and when nobody can tell."""
        try:
            found = briefly(self._dsn, lambda c: rows(c, _ENDED, id))
        except AskfirstError:
            return None
        return _ending(found[0]) if found else None

    # Listening

    def listen(self) -> None:
        """From now on the cards are kept up to date by a thread."""
        self._ear, self._mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if hasattr(os, "pipe2") else os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """Readable when the cards have changed."""
        return self._ear

    def drain(self) -> None:
        try:
            while os.read(self._ear, 4096):
                pass
        except OSError:
            pass

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(LOOK_S)

    def news(self) -> tuple[str, ...]:
        """Lines to tell, each once."""
        with self._lock:
            told, self._news = tuple(self._news), []
        return told

    def _tell(self, line: str) -> None:
        with self._lock:
            self._news.append(line)
        self._ring()

    def _ring(self) -> None:
        try:
            os.write(self._mouth, b".")
        except OSError:
            pass

    def _run(self) -> None:
        pause, was_well = AGAIN_S[0], True
        while not self._stop.is_set():
            try:
                with connect(self._dsn) as connection:
                    if not was_well:
                        self._tell("the team's database is back")
                    pause, was_well = AGAIN_S[0], True
                    self._listen(connection)
            except (AskfirstError, psycopg.Error) as error:
                self._keep(())  # what nobody can answer is not shown
                if was_well:
                    self._tell(one_line(str(error), 200))
                was_well = False
                self._stop.wait(pause)
                pause = min(pause * 2, AGAIN_S[1])

    def _listen(self, connection: Connection) -> None:
        seq, seen = mailbox.seen_head(APPROVER)
        if not row(connection, "SELECT askfirst.has(%s, %s) AS there", seq, seen)["there"]:
            self._tell(FORKED)
        ear = Ear(connection, "askfirst_requests", "askfirst_answers")
        self._keep(read_cards(connection))
        hears = ear.works(self._dsn)
        if not hears:
            self._tell(POLLED)
        here_at = -HERE_S
        while not self._stop.is_set():
            self._keep(read_cards(connection))
            found = row(connection, "SELECT seq, hash FROM askfirst.whoami()")
            mailbox.keep_head(APPROVER, int(found["seq"]), str(found["hash"]))
            if clock.steady() - here_at > HERE_S:
                call(connection, "here", self._kind, socket.gethostname())
                here_at = clock.steady()
            if not ear.take():
                select.select([ear.fileno()], [], [], LOOK_S if hears else POLL_S)
            ear.read()
            ear.take()

    def _keep(self, cards: tuple[TeamCard, ...]) -> None:
        with self._lock:
            before = {(c.question.id, tuple(c.row["given"])): c for c in self._cards}
            # A card that has not changed stays the same, its times included: nothing is drawn anew for it.
            self._cards = tuple(before.get((c.question.id, tuple(c.row["given"])), c) for c in cards)
            changed = set(before) != {(c.question.id, tuple(c.row["given"])) for c in cards}
        if changed:
            self._ring()


def read_cards(connection: Connection) -> tuple[TeamCard, ...]:
    me = str(row(connection, "SELECT person FROM askfirst.whoami()")["person"])
    found = (_card({**r, "me": me}) for r in rows(connection, _WAITING))
    return tuple(card for card in found if card is not None)


def _card(found: Row) -> TeamCard | None:
    """None where the card is not one, or not about the row that holds it."""
    try:
        question = question_from(json.loads(found["card"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if question.id != found["id"] or question.digest != found["digest"] or not _is_sound(question):
        return None
    now = clock.wall()
    question = replace(
        question,
        created=now - found["age_s"],
        deadline=now + found["left_s"],
        ids=(question.id,),
        agent=f"{found['agent']} on {found['host']}",
        project=str(found["project"]),
        session=str(found["session"]),
        notes=(*_notes(found), *question.notes),
        strategies=(),  # a file of that name here is another one
        proposed="",
    )
    why = why_not(found)
    if why:
        closed = tuple(Choice(c.duration, why, file=c.file) for c in question.choices)
        question = replace(question, choices=closed, steps=())
    return TeamCard(question, str(found["card"]), found)


_SOUND = Question("", "", "", "", "", "", "", "", "", 0.0, 0.0)


def _is_sound(question: Question) -> bool:
    """Whether every field is of its kind: a card of another machine must not break what draws it."""
    fields = vars(_SOUND)
    whole = all(isinstance(value, type(fields[name])) for name, value in vars(question).items())
    texts = (*question.notes, *question.deleted, *question.strategies, *question.ids) if whole else ()
    whole = whole and all(isinstance(text, str) for text in texts)
    return whole and all(map(_are_texts, (*question.lines, *question.choices, *(c for s in question.steps for c in s))))


def _are_texts(part: object) -> bool:
    values = [v for value in vars(part).values() for v in (value if isinstance(value, tuple) else (value,))]
    return all(isinstance(value, (str, Duration)) for value in values)


def _notes(found: Row) -> tuple[str, ...]:
    notes = [f"asked by {found['asker']} ({found['asked_by']}) on {found['host']}"]
    if found["labels"]:
        notes.append(f"labels: {', '.join(map(str, found['labels']))}")
    if found["approvals"] > 1:
        given = f"; allowed so far by {', '.join(found['given'])}" if found["given"] else ""
        notes.append(f"needs {found['approvals']} different people{given}")
    return tuple(notes)


def why_not(found: Row) -> str:
    """Why this person's yes would not be taken; "" when it would."""
    me, may = str(found["me"]), found["may"]
    if me == found["asker"] and not found["self_ok"]:
        return "it was asked for you: another person must allow it"
    listed: list[tuple[str, ...]] = [tuple(may.get(kind, ())) for kind in found["kinds"]]
    if not any(is_among(me, who) for who in listed):
        return f"it is for others to allow: {', '.join(dict.fromkeys(p for who in listed for p in who)) or 'nobody'}"
    if me in found["given"]:
        return "you have allowed it; another person must, too"
    return ""


def _reads(card: TeamCard) -> str:
    """Equal for cards that read alike."""
    value: dict[str, Any] = json.loads(card.text)
    for name in ("id", "ids", "count", "agents", "created", "deadline"):
        value.pop(name, None)
    return json.dumps([value, str(card.row["asked_by"]), str(card.row["host"]), card.row["given"]], sort_keys=True)


def _ending(found: Row) -> Answer | None:
    state, by, said_ = str(found["state"]), str(found["ended_by"]), str(found["said"])
    at = float(found["at"] or 0)
    taken = str(found["taken_as"])
    if state == "allowed" and taken.startswith("refused"):
        why = f"the yes of {by}: {taken.removeprefix('refused: ')}"
        return Answer(Decision.DENY, Duration.ONCE, why, "", "refused", at)
    if state == "allowed":
        return Answer(Decision.ALLOW, Duration.ONCE, "", f"{by} via team", "once", at)
    if state == "local":
        return Answer(Decision.ALLOW, Duration.ONCE, said_, by, "once", at)
    if state == "denied":
        no = found["no"]
        return Answer(Decision.DENY, Duration.ONCE, said_, f"{no[0]} via team" if no else by, "denied", at)
    if state == "waiting":
        return None
    return Answer(Decision.DENY, Duration.ONCE, said_, by, "expired" if state == "expired" else "cancelled", at)
