"""The asking side of a team: what `approval.manager` does besides its own store, where a team is to be asked.

Only the process that asked decides what a team's answer comes to: what it needs and the card that people were shown
are kept in its memory, and neither a file nor a row can change them.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askfirst import audit
from askfirst.approval.answers import Refused, deny, describe
from askfirst.approval.codec import question_from, question_to
from askfirst.approval.make_question import make_question_and_offers, under_review
from askfirst.approval.person import user_name
from askfirst.approval.question import Choice, Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.policy.approvers import AnswerNeed, need_of
from askfirst.policy.case import Case
from askfirst.redact import redact
from askfirst.store import alerts, atomic, clock
from askfirst.store.pending import FilePending, Item
from askfirst.team import mailbox, proof
from askfirst.team.joined import joined, signers_file
from askfirst.text import one_line

if TYPE_CHECKING:
    from askfirst.team.courier import Courier

WAIT_S = 3.0  # for a sign of life of the database
LOOK_S = 3.0  # between two looks at whether anybody carries
QUEUE_S = 15.0  # for one's turn, while there are signs
HUNG_S = 2.5  # a hook that polls for all and is silent for so long has been stopped
LOST_S = 5.0  # an answer of this machine that the database has, and the store has not
NOT_JOINED = "this machine has not joined the team's database (`askfirst team join`)"


@dataclass(frozen=True)
class Asked:
    """What the team is asked, as this process knows it."""

    need: AnswerNeed
    card: str  # "" where the team is not asked

    def as_json(self, case: Case) -> dict[str, object]:
        request = case.request
        need = {**self.need.as_json(), "local_ok": not self.need.others}
        return {
            "card": self.card,
            "need": need,
            "host": socket.gethostname(),
            "project": request.project,
            "agent": request.agent,
            "session": request.session,
            "labels": list(dict.fromkeys(f"{label.kind}: {redact(label.reason)}" for label in case.layers.labels)),
        }


class Asking:
    """One process that asks. Rounds with the database run in a thread of their own: a person at this machine does not
    wait for them."""

    def __init__(self) -> None:
        found = joined()
        self._dsn = found.hook if found is not None else ""
        self.store = FilePending()
        self._asked: dict[str, Asked] = {}
        self._believed: dict[str, Answer] = {}
        self._lost_since: dict[str, float] = {}
        self._since = clock.steady()
        self._lead_fd = -1
        self._due = 0.0
        self._thread: threading.Thread | None = None
        self._courier: Courier | None = None
        self._lock = threading.Lock()

    # Before it is asked

    def need(self, case: Case) -> AnswerNeed:
        return need_of(case.verdict, case.layers.settings, user_name())

    def prepare(
        self, case: Case, question: Question, before: tuple[Case, ...]
    ) -> tuple[Question, dict[str, dict[str, object]]]:
        """The question as this machine's surfaces show it, and what the store keeps for the courier."""
        need = self.need(case)
        card = _card_text(_for_anybody(case, question, before)) if self._dsn else ""
        asked = Asked(need, card)
        self._asked[question.id] = asked
        if need.others:
            question = _for_others(question, need)
        return question, {"team": asked.as_json(case)} if card else {}

    def publish(self, item: Item) -> str:
        """Wait until the database has the request: "", or else why it has not within a few seconds. Who is at this
        machine can answer meanwhile; what needs others is tried until the time is over, because it is denied then."""
        if not self._dsn:
            return NOT_JOINED
        why = "the team's database did not answer in time"
        started = heard = clock.steady()
        while clock.steady() < min(heard + WAIT_S, started + QUEUE_S, item.steady_deadline):
            found = mailbox.evidence(self.store, item.id)
            if found is not None:
                return found.said if found.state == mailbox.REFUSED else ""
            last = mailbox.last_round()
            if last.is_fresh() and last.at >= started:
                if last.good:
                    heard = last.at  # it is at work, for those who came first
                elif self.must_wait_for_others(item.id):
                    why = last.why
                else:
                    return last.why
            self._carry()
            time.sleep(0.02)
        return why

    def is_published(self, id: str) -> bool:
        found = mailbox.evidence(self.store, id)
        return found is not None and found.state != mailbox.REFUSED

    def cannot_be_asked(self, id: str, why: str) -> str:
        return f"this {self._asked[id].need.words()}, and the team cannot be asked: {why}"

    def must_wait_for_others(self, id: str) -> bool:
        return id in self._asked and self._asked[id].need.others

    def allowed_by_some(self, id: str) -> str:
        """Who has allowed what needs more people than that; "" where nobody has."""
        asked, found = self._asked.get(id), mailbox.evidence(self.store, id)
        given = [a.get("person", "") for a in found.answers if a.get("verdict") == "allow"] if found else []
        if asked is None or not given:
            return ""
        return f"this {asked.need.words()}; only {one_line(' and '.join(given), 200)} allowed it"

    # While it waits

    def patience_s(self) -> float:
        """How long to wait at most before the next look."""
        if self._thread is not None and self._thread.is_alive():
            return 0.2  # when its round is over, the next one is known
        return max(0.05, self._due - clock.steady()) if self._lead_fd >= 0 else LOOK_S

    def look(self, item: Item) -> Answer | None:
        """The team's answer, once there is one that can be believed, or that must be refused."""
        asked = self._asked.get(item.id)
        if asked is None or not asked.card:
            return None
        self._carry()
        found = mailbox.evidence(self.store, item.id)
        if found is None:
            return None
        if found.state in ("allowed", "denied") and found.answers:
            return self._believe(item, asked, found)
        if found.state in ("local", "withdrawn", "denied"):
            since = self._lost_since.setdefault(item.id, clock.steady())
            if clock.steady() - since > LOST_S:
                return deny("cancelled", "team", f"closed by this machine itself: {found.said}", item.digest)
        return None

    def _believe(self, item: Item, asked: Asked, found: mailbox.Evidence) -> Answer:
        try:
            answers = [proof.Signed(a["person"], a["verdict"], a["body"], a["signature"]) for a in found.answers]
            asker = frozenset({found.asker, user_name()})
            wanted = proof.Wanted(item.id, asked.card, item.digest, asked.need, asker)
            answer = proof.team_answer(found.state, answers, wanted, signers=signers_file())
        except (proof.NotBelieved, KeyError) as error:
            why = f"the team's answer does not count: {error}"
            record = {"what": "team answer", "why": why, "id": item.id, "by": found.ended_by, "digest": item.digest}
            audit.append("violation", {**record, "session": item.body["request"]["session"]}, durable=True)
            mailbox.send_later("take", item.id, item.digest, f"refused: {one_line(why, 300)}")
            return deny("cancelled", "team", why, item.digest)
        self._believed[item.id] = answer
        return answer

    def card(self, id: str) -> Question:
        """The question that the team was asked, with a flag of this moment."""
        question = question_from(json.loads(self._asked[id].card))
        return under_review(question) if alerts.is_flagged(question.session) else question

    def counts(self, item: Item, answer: Answer, *, by_rule: bool) -> bool:
        """Whether a yes from the local store is good for this request: always, unless it needs others. Then only what
        this process itself has believed, or what a rule allows that is in force now."""
        if answer.decision == Decision.DENY or not self.must_wait_for_others(item.id):
            return True
        believed = self._believed.get(item.id)
        return by_rule or (believed is not None and believed.by == answer.by and answer.duration <= believed.duration)

    def took(self, item: Item, answer: Answer) -> None:
        """The team is told what became of its answer."""
        mailbox.send_later("take", item.id, item.digest, describe(answer))
        self._due = 0.0
        self._carry()

    def await_answer(self, item: Item) -> None:
        """The database says that somebody was first: what they said is on its way."""
        self._due = 0.0
        self._carry()
        time.sleep(0.1)

    def withdraw(self, id: str) -> None:
        """This process ends: the team's card goes away, at once where that is quick, else with the next round."""
        item = self.store.find(id)
        if item is not None and not mailbox.relay_is_at_work():
            claim(item, deny("cancelled", "client", "the client ended this call", item.digest), limit_s=1.0)

    # Rounds

    def _carry(self) -> None:
        """Where no relay is at work, one of the waiting hooks polls for all of them."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            if not self._dsn or mailbox.relay_is_at_work():
                self.stop_leading()
                return
            if clock.steady() < self._due or not self._leads():
                return
            self._due = clock.steady() + 2.0  # set anew when the round is over
            self._thread = threading.Thread(target=self._round, daemon=True)
            self._thread.start()

    def _leads(self) -> bool:
        if self._lead_fd < 0:
            fd = os.open(mailbox.lead_lock(), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            if atomic.try_hold(fd):
                self._lead_fd = fd
            else:
                os.close(fd)
        # One that leads and was stopped must not keep the others from it.
        hung = clock.steady() - self._since > HUNG_S and not mailbox.last_round().is_fresh()
        return self._lead_fd >= 0 or hung

    def stop_leading(self) -> None:
        if self._lead_fd >= 0:
            os.close(self._lead_fd)
            self._lead_fd = -1

    def _round(self) -> None:
        try:
            from askfirst.team.courier import Courier, pause_s
            from askfirst.team.database import briefly
        except ImportError:
            mailbox.note_round(False, "the extra `team` is not installed; run `pip install 'askfirst[team]'`")
            return
        try:
            self._courier = self._courier or Courier()
            briefly(self._dsn, self._courier.round, limit_s=QUEUE_S)
        except (AskfirstError, OSError) as error:
            try:
                mailbox.note_round(False, str(error))
            except OSError:
                return
        self._due = clock.steady() + pause_s()


def claim(item: Item, answer: Answer, *, limit_s: float = 0.0) -> Answer | None:
    """Claim an answer of this machine in the database, before it counts here. None: it may count. Otherwise the answer
    that was first. Where the database is away, the machine's own answer counts, and the database is told afterwards."""
    found = joined()
    if found is None or not found.hook or not item.body.get("team"):
        return None
    last = mailbox.last_round()
    if last.is_fresh() and not last.good:
        _tell_later(item, answer)
        return None
    from askfirst.team.database import RefusedByDatabase, Unreachable, briefly, call

    outcome, own = _outcome(answer), os.urandom(8).hex()
    try:
        rows = briefly(
            found.hook,
            lambda connection: call(connection, "close", item.id, item.digest, outcome, describe(answer), own),
            limit_s=limit_s,
        )
    except Unreachable:
        _tell_later(item, answer)
        return None
    except RefusedByDatabase as error:
        if "another person" in str(error):
            raise Refused(str(error)) from None
        _tell_later(item, answer)  # it has no such row: never asked there, or forgotten in a fail-over
        return None
    return None if rows[0]["is_own"] else _winner(rows[0], item)


def _winner(row: dict[str, object], item: Item) -> Answer:
    state, by, said = str(row["state"]), str(row["ended_by"]), str(row["said"])
    if state == "allowed":
        return Answer(Decision.ALLOW, Duration.ONCE, "", f"{by} via team", "once", clock.wall(), digest=item.digest)
    if state == "expired":
        return deny("expired", "timeout", "its time was over", item.digest)
    if state == "denied":
        return deny("denied", f"{by} via team", said, item.digest)
    return deny("cancelled", by, said, item.digest)


def _outcome(answer: Answer) -> str:
    if answer.decision == Decision.ALLOW:
        return "withdrawn" if answer.by == "rule" else "local"
    return {"expired": "expired", "denied": "denied"}.get(answer.state, "withdrawn")


def _tell_later(item: Item, answer: Answer) -> None:
    words = f"answered on {socket.gethostname()} while the database was away: {describe(answer)}"
    mailbox.send_later("tell", item.id, item.digest, words)


def notes(item: Item) -> tuple[str, ...]:
    """What a card on this machine says about the team."""
    found = mailbox.evidence(FilePending(), item.id)
    if found is None or found.state == mailbox.REFUSED:
        last = mailbox.last_round()
        why = found.said if found is not None else last.why if not last.good else ""
        return (f"the team is not asked: {why or 'its database has not answered yet'}",)
    given = [a["person"] for a in found.answers if a.get("verdict") == "allow"]
    most = item.body["team"]["need"]["approvals"]
    if given and most > 1:
        return (f"the team is asked, too; {len(given)} of {most} have allowed it: {', '.join(given)}",)
    return ("the team is asked, too",)


def _card_text(question: Question) -> str:
    """What people elsewhere are shown. Times are the database's, and a file can only be merged where it is."""
    if alerts.is_flagged(question.session):
        question = under_review(question)
    plain = replace(question, created=0.0, deadline=0.0, strategies=(), proposed="")
    return json.dumps(question_to(plain), sort_keys=True)


def _for_anybody(case: Case, question: Question, before: tuple[Case, ...]) -> Question:
    """The question with the answers that are offered to whoever may give them: the user of this machine may have a
    role that may not."""
    settings = case.layers.settings
    if not settings.roles:
        return question
    plain = replace(case, layers=replace(case.layers, settings=replace(settings, roles={})))
    return make_question_and_offers(plain, id=question.id, before=before)[0]


def _for_others(question: Question, need: AnswerNeed) -> Question:
    """The same question where it cannot be allowed: what is left is to deny it."""
    words = f"this {need.words()}; the team is asked"
    closed = tuple(Choice(c.duration, words, file=c.file) for c in question.choices)
    return replace(question, choices=closed, steps=(), notes=(*question.notes, words))
