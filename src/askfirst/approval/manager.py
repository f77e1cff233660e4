"""Publishes a request, waits for the first answer, and remembers what it means. One API for every surface.

    answer = manager.ask(case, gone=…)     the asking side: a person, time, or the death of the client answers
    manager.pending(); manager.respond(question.id, answer)     the answering side, in any thread or process

Within one process it works in memory (`ApprovalManager()`), across processes on files (`file_manager()`); the behaviour
and the tests are the same. Silence is a deny; whatever cannot be read is a deny. What was answered before, and whether
anybody is there to answer, is known here and nowhere else. Where a team answers (`askfirst.team`), it is asked as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.approval import codec, limits
from askfirst.approval.answers import (
    AlreadyDecided,
    NotPending,
    Refused,
    client_yes,
    denied_before,
    deny,
    state_of,
)
from askfirst.approval.identity import digest_of
from askfirst.approval.make_question import make_question_and_offers, under_review
from askfirst.approval.memory import MemoryPending, MemoryWake
from askfirst.approval.merging import refuse_unless_offered
from askfirst.approval.person import user_name
from askfirst.approval.presence import approver_alive
from askfirst.approval.remember import Memory, note, note_late
from askfirst.approval.wake import Wake
from askfirst.errors import AskfirstError, StoreError
from askfirst.model import Answer, Decision, Duration, Grant, Request, Verdict
from askfirst.policy.approvers import need_of
from askfirst.store import clock, ids, paths
from askfirst.store.alerts import is_flagged
from askfirst.store.grants import FileGrants, MemoryGrants
from askfirst.store.pending import FilePending, Item

if TYPE_CHECKING:
    from askfirst.approval.question import Question
    from askfirst.policy.case import Case
    from askfirst.policy.rules import Settings
    from askfirst.team.elsewhere import Asking

__all__ = ["AlreadyDecided", "ApprovalManager", "NotPending", "Refused", "file_manager", "user_name"]


def file_manager(
    rejudge: Callable[[Request], Verdict | None] | None = None,
    asked_before: Callable[[Case], tuple[Case, ...]] | None = None,
) -> ApprovalManager:
    """The manager that all processes of this user share."""
    return ApprovalManager(FilePending(), rejudge=rejudge, asked_before=asked_before)


class ApprovalManager:
    """Thread-safe. `rejudge` judges a waiting request again after an answer: a new rule settles what it covers.
    `asked_before` gives what was asked before in the request's project, for a question to look back on."""

    def __init__(
        self,
        store: FilePending | MemoryPending | None = None,
        *,
        grants: FileGrants | MemoryGrants | None = None,
        rejudge: Callable[[Request], Verdict | None] | None = None,
        asked_before: Callable[[Case], tuple[Case, ...]] | None = None,
        timeout_s: float | None = None,
    ) -> None:
        self.store = store if store is not None else MemoryPending()
        in_memory = isinstance(self.store, MemoryPending)
        self.grants: FileGrants | MemoryGrants = (
            grants if grants is not None else MemoryGrants() if in_memory else FileGrants()
        )
        self._memory = Memory(self.grants)
        self._rejudge = rejudge
        self._asked_before = asked_before
        self._timeout_s = timeout_s
        self._known: dict[str, Answer] = {}  # what people had said before
        self._answered: dict[str, Answer] = {}  # answered before anybody was asked
        self._waiting: dict[str, str] = {}  # id -> digest, of this process
        self._asking: Asking | None = None
        self.sweep()

    # The asking side

    def ask(
        self,
        case: Case,
        *,
        there: Callable[[], bool] = approver_alive,
        by_client: bool = False,
        changed: Callable[[Case], Verdict | None] = lambda _: None,
        waiting: Callable[[str], None] = lambda _: None,
        wait: Callable[[str], Answer] | None = None,
        gone: Callable[[], bool] | None = None,
    ) -> Answer | None:
        """Ask a person and wait. None when no one is there to answer, or the client asks: then nothing was asked.

        there     is anybody there who could answer?
        by_client the client's own dialog asks what has no answer yet
        changed   the verdict of this moment, if rules or grants have changed since the case was judged
        waiting   called with the id once the question is published
        wait      waits for the answer to an id, where not by `wait_for_response`
        """
        team = self._team(case.layers.settings)
        asked = self._request(case, None, lambda: not by_client and (team is not None or there()))
        if asked is None:
            return None
        if asked in self._known:
            return self._known.pop(asked)
        if team is not None and asked not in self._answered and not team.is_published(asked) and not there():
            self.cancel(asked, "no one is available")
            self.store.settle(asked)
            return None
        waiting(asked)
        # An answer given between the judging and the question must not leave it waiting.
        self._decide_by_rule(asked, changed(case))
        return wait(asked) if wait is not None else self.wait_for_response(asked, gone=gone)

    def known_answer(self, case: Case) -> Answer | None:
        """What a person has already said to this very request: a late approval that was kept, or a denial."""
        request, digest = case.request, case.digest
        kept = not self.needs_others(case)
        by = self.grants.take_once(request.session, digest, clock.wall()) if kept else None
        if by is not None:
            why = "approved afterwards, for one more try"
            return Answer(Decision.ALLOW, Duration.ONCE, why, by, "once", clock.wall(), digest=digest)
        reason = self.grants.denied(request.session, digest)
        if reason is not None:
            return deny("denied", "denied before", denied_before(reason), digest)
        return None

    def needs_others(self, case: Case) -> bool:
        """Whether the organisation wants another person, or two: then no answer of this machine counts."""
        settings = case.layers.settings
        return settings.team is not None and need_of(case.verdict, settings, user_name()).others

    def _for_others_only(self, case: Case) -> Answer | None:
        """A program's own questions reach nobody but its own person."""
        if isinstance(self.store, FilePending) or not self.needs_others(case):
            return None
        why = "this needs other people, whom a program's own questions do not reach; use the shared manager"
        return deny("cancelled", "team", why, case.digest)

    def _team(self, settings: Settings) -> Asking | None:
        """The team that is asked as well; None where the organisation names none and nobody has joined one."""
        if self._asking is None and isinstance(self.store, FilePending):
            if settings.team is not None or paths.is_there(paths.team_file()):
                from askfirst.team.elsewhere import Asking

                self._asking = Asking()
        return self._asking

    def request_approval(self, case: Case, *, timeout_s: float | None = None) -> str:
        """Publish a request and give back its id."""
        asked = self._request(case, timeout_s, lambda: True)
        assert asked is not None
        return asked

    def _request(self, case: Case, timeout_s: float | None, there: Callable[[], bool]) -> str | None:
        """The id of a request that is published, or answered already; None where neither is so and nobody is there."""
        new = ids.new_id()
        request, layers = case.request, case.layers
        known = self.known_answer(case)
        if known is not None:
            self._known[new] = known
            return new
        if not there():
            return None
        answer = self._over_limits(request) or self._for_others_only(case)
        if answer is not None:
            self._answered[new] = answer
            return new
        if timeout_s is None:
            timeout_s = self._timeout_s if self._timeout_s is not None else limits.timeout_s(layers.settings)
        now = clock.wall()
        before = self._asked_before(case) if self._asked_before is not None else ()
        question, found = make_question_and_offers(
            case, id=new, created=now, deadline=now + timeout_s, approver=user_name(), before=before
        )
        team = self._team(layers.settings)
        shown, for_team = (question, {}) if team is None else team.prepare(case, question, before)
        body = {**codec.body_to(case, shown, found), **for_team}
        # Noted before it is published: whatever ends this process in between, `withdraw_all` knows of it.
        self._waiting[new] = question.digest
        item = Item(new, question.digest, now, now + timeout_s, clock.steady() + timeout_s, clock.boot_id(), body)
        self.store.create(item)
        if team is not None:
            self._publish(team, item)
        return new

    def _publish(self, team: Asking, item: Item) -> None:
        """Ask the team, too. What needs another person has nobody else to ask."""
        why = team.publish(item)
        if why and team.must_wait_for_others(item.id):
            answer = deny("cancelled", "team", team.cannot_be_asked(item.id, why), item.digest)
            self._answered[item.id] = answer
            self.store.decide(item.id, codec.answer_to(answer))
            self.store.settle(item.id)

    def wait_for_response(
        self, id: str, *, gone: Callable[[], bool] | None = None, allowed: Callable[[], bool] | None = None
    ) -> Answer:
        """Block until the request has its one answer. `gone()` says that the client is dead: the request is
        withdrawn. `allowed()` says that a person said yes in the client's own dialog."""
        for answers in (self._known, self._answered):
            if id in answers:
                return answers.pop(id)
        try:
            item = self.store.find(id)
            if item is None:
                return deny("cancelled", "store", "the request is not in the store any more")
            answer = self._wait(item, gone, allowed)
        except (AskfirstError, OSError, ValueError, TypeError, KeyError) as error:
            answer = deny("cancelled", "store", f"the answer could not be read: {error}")
        self._waiting.pop(id, None)
        self.store.settle(id)
        if self._asking is not None and not self._waiting:
            self._asking.stop_leading()
        return answer

    def _wait(self, item: Item, gone: Callable[[], bool] | None, allowed: Callable[[], bool] | None = None) -> Answer:
        with self._wake(item.id) as wake:
            while True:
                found = self.store.decision(item.id)
                if found is not None:
                    return self._checked(item, codec.answer_from(found))
                if self.store.find(item.id) is None:
                    # Somebody has removed it, so nobody can answer it: not even time.
                    return deny("cancelled", "store", "the request is not in the store any more")
                by_team = self._asking.look(item) if self._asking is not None else None
                if by_team is not None:
                    self._take(item, by_team)
                elif item.is_over():
                    self._claim(item, "expired", asked_here=True)
                elif gone is not None and gone():
                    self._claim(item, "cancelled", "the agent's client is gone", asked_here=True)
                elif allowed is not None and allowed():
                    self._decide(item, client_yes(item.digest))
                else:
                    left_s = item.steady_deadline - clock.steady()
                    wake.wait(left_s if self._asking is None else min(left_s, self._asking.patience_s()))

    def _checked(self, item: Item, answer: Answer) -> Answer:
        """An answer counts only for the very request it was given for."""
        if answer.digest != self._waiting.get(item.id, item.digest):
            return deny("cancelled", "store", "the answer belongs to another request")
        if self._asking is not None and not self._asking.counts(item, answer, by_rule=self._is_by_rule(item, answer)):
            return deny("cancelled", "store", "an answer on this machine does not count: this needs other people")
        return answer

    def _is_by_rule(self, item: Item, answer: Answer) -> bool:
        """Whether a rule or grant of this moment allows it, as the answer says."""
        verdict = self._judged_again(item) if answer.by == "rule" and self._rejudge is not None else None
        return verdict is not None and verdict.decision == Decision.ALLOW

    def _take(self, item: Item, answer: Answer) -> None:
        """The team has answered: from here on it is an answer like any other."""
        assert self._asking is not None
        try:
            if answer.state != "cancelled":
                answer = complete(answer, self._asking.card(item.id))
                note([item], answer)
        except Refused as error:
            answer = deny("cancelled", "team", f"the team's answer does not count: {error}", item.digest)
        if self.store.decide(item.id, codec.answer_to(answer)) is None and answer.state != "cancelled":
            self._asking.took(item, self._remember([item], answer))

    def _decide(self, item: Item, answer: Answer) -> Answer | None:
        """Claim the one decision, of a team as well. None: this one counts. Otherwise the one that was first."""
        if item.body.get("team"):
            from askfirst.team.elsewhere import claim

            first = claim(item, answer)
            if first is not None:
                return first
        found = self.store.decide(item.id, codec.answer_to(answer))
        return None if found is None else codec.answer_from(found)

    def cancel(self, id: str, why: str) -> None:
        """Withdraw a request: its client is dead, or it was answered elsewhere. Too late is no error."""
        item = self.store.find(id)
        if item is not None:
            self._claim(item, "cancelled", why)

    def withdraw_waiting(self, why: str) -> int:
        """Withdraw whatever waits, whoever asked: how many cards. It is no person's no to any of it, and is not
        remembered as one."""
        waiting = self.pending()
        for question in waiting:
            for one in question.ids:
                self.cancel(one, why)
        return len(waiting)

    def withdraw_all(self, why: str) -> None:
        """For the handler of SIGTERM: nothing that this process asked stays open."""
        for waiting in tuple(self._waiting):
            self.cancel(waiting, why)
            if self._asking is not None:
                self._asking.withdraw(waiting)

    # The answering side

    def pending(self) -> tuple[Question, ...]:
        """Cards, oldest first; identical requests are one card, but never those of a flagged session with those of
        others."""
        self.sweep()
        cards: dict[tuple[str, bool], list[Question]] = {}
        for item in self.store.items():
            question = _question(item)
            if question is not None:
                cards.setdefault((item.digest, question.flagged), []).append(question)
        return tuple(one_card(same) for same in cards.values())

    def find(self, typed: str) -> Question:
        """The card of an id or the beginning of one. Raises UnknownId, AmbiguousId or AlreadyDecided, each with its own
        words."""
        self.sweep()
        known = (*self.store.pending_ids(), *self.store.settled_ids())
        found = ids.matching(typed, known) if len(ids.normal(typed)) >= ids.MIN_LENGTH else ()
        waiting = tuple(i.id for i in self.store.items())
        # A settled request must not make the beginning of a waiting one ambiguous.
        exact = ids.resolve(typed, [i for i in found if i in waiting] or known)
        item = self.store.find(exact)
        if item is None:
            raise ids.UnknownId(f"no request with id `{typed}`; see `askfirst pending`")
        self._refuse_if_decided(item)
        card = next((c for c in self.pending() if exact in c.ids), None)
        if card is None:
            self._refuse_if_decided(item)
            raise NotPending(f"request `{typed}` does not wait any more")
        return card

    def respond(self, id: str, answer: Answer) -> Answer:
        """Answer a card: all identical requests behind it. Raises AlreadyDecided when somebody, or time, was first."""
        item = self.store.find(id)
        if item is None:
            raise NotPending(f"no request with id `{id}` waits")
        if answer.digest != item.digest:
            raise Refused("the request is not the one that was shown; look at it again")
        self._refuse_if_decided(item)
        question = _question(item)
        if question is None:
            raise StoreError(f"request `{id}` cannot be read, so it cannot be answered")
        answer = complete(answer, question)
        if item.is_over():
            self._claim(item, "expired")
            self._refuse_if_decided(item)
        same = [i for i in self.store.items() if i.id != item.id and _are_one_card(i, item, question)]
        # The record first: an allow that counts without being in the log must not exist, whoever is killed when.
        note([item, *same], answer)
        first = self._decide(item, answer)
        if first is not None:
            note_late(item, answer, first)
            raise AlreadyDecided(first, item.body["question"])
        return self._remember([item, *(i for i in same if self._decide(i, answer) is None)], answer)

    def _remember(self, answered: list[Item], answer: Answer) -> Answer:
        """Store what an answer that counts means beyond this call."""
        try:
            effective = self._memory.remember(answered, answer)
        except AskfirstError as error:
            # The decision stands, and the agent goes on with it: a person who is told `not taken` would be told wrong.
            if answer.decision == Decision.DENY:
                return answer
            told = f"this call is allowed, but not all that the answer means could be stored: {error}"
            return replace(answer, duration=Duration.ONCE, state="once", reason=told)
        if effective.decision == Decision.ALLOW and effective.duration != Duration.ONCE:
            self.judge_again()
        return effective

    def check(self, question: Question, answer: Answer) -> None:
        """Raises Refused when `respond` would: this answer is not one of those that are offered."""
        complete(answer, question)

    def outcome(self, id: str) -> Answer | None:
        """How a request ended and who ended it; None while it waits, and when nobody can tell any more."""
        try:
            found = self.store.decision(id)
            return None if found is None else codec.answer_from(found)
        except (AskfirstError, OSError, ValueError, TypeError, KeyError):
            return None

    def late(self, typed: str) -> Question:
        """A request whose time was over, whose asker was gone, or that was denied. Raises Refused when it was
        allowed."""
        exact = ids.resolve(typed, (*self.store.pending_ids(), *self.store.settled_ids()))
        item = self.store.find(exact)
        question = _question(item) if item is not None else None
        if item is None or question is None:
            raise ids.UnknownId(f"no request with id `{typed}`")
        found = self.store.decision(exact)
        if found is None or codec.answer_from(found).state not in ("expired", "cancelled", "denied"):
            raise Refused(f"request `{typed}` was not late: only an expired, withdrawn or denied one can be kept")
        once = question.choice(Duration.ONCE)
        if once is not None and once.refused:
            raise Refused(once.refused)
        if question.change:
            raise Refused("a change of a file is approved for what is there at that moment: let the agent ask again")
        return question

    def keep_late(self, typed: str, by: str) -> Question:
        """Keep a late approval for one use within ten minutes: the agent has moved on, and may try again."""
        question = self.late(typed)
        self.grants.forget_denial(question.session, question.digest)
        self.grants.keep_once(question.session, question.digest, clock.wall() + limits.LATE_S, by)
        return question

    def answered(self, typed: str) -> Item:
        """A request that has its answer, of the last hours. Raises Refused while it waits."""
        exact = ids.resolve(typed, (*self.store.pending_ids(), *self.store.settled_ids()), see="askfirst log")
        item = self.store.find(exact)
        if item is None or _question(item) is None:
            raise ids.UnknownId(f"no request with id `{typed}`")
        if self.store.decision(exact) is None:
            raise Refused(f"request `{typed}` still waits: answer it with `askfirst approve {typed}`")
        return item

    def last_allowed(self, is_meant: Callable[[str], bool]) -> Item | None:
        """The request that was allowed last, of the projects that are meant."""
        found: list[tuple[float, Item]] = []
        for name in self.store.settled_ids():
            item, answer = self.store.find(name), self.outcome(name)
            if item is not None and answer is not None and answer.decision == Decision.ALLOW and answer.by != "rule":
                question = _question(item)
                if question is not None and is_meant(question.project):
                    found.append((answer.at, item))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def ended_since(self, when: float) -> tuple[tuple[Question, Answer], ...]:
        """What has had its answer since then, as far as it is kept, oldest first."""
        found: list[tuple[Question, Answer]] = []
        for name in self.store.settled_ids():
            item, answer = self.store.find(name), self.outcome(name)
            question = _question(item) if item is not None else None
            if question is not None and answer is not None and answer.at >= when:
                found.append((question, answer))
        return tuple(sorted(found, key=lambda pair: pair[1].at))

    def asked_in(self, item: Item) -> Question:
        """The question of a request, as every surface shows it."""
        question = _question(item)
        if question is None:
            raise StoreError(f"request `{item.id}` cannot be read")
        return question

    def remember(self, item: Item, answer: Answer) -> Answer:
        """A longer answer to what has had one: what the offers say that were shown then, and nothing else."""
        answer = complete(answer, self.asked_in(item))
        note([item], answer, kind="remember")
        effective = self._memory.remember([item], answer)
        self.judge_again()
        return effective

    def judge_again(self) -> tuple[str, ...]:
        """Answer what a new rule or grant covers, of all that waits, and give back the ids."""
        if self._rejudge is None:
            return ()
        return tuple(i.id for i in self.store.items() if self._decide_by_rule(i.id, self._judged_again(i)))

    def _decide_by_rule(self, id: str, verdict: Verdict | None) -> bool:
        """Each waiting hook writes its own record, but what the verdict rests on is known only here: the use of a grant
        is counted here."""
        item = self.store.find(id) if verdict is not None and verdict.decision != Decision.ASK else None
        if verdict is None or item is None or self.store.decide(item.id, codec.answer_to(_by_rule(verdict, item))):
            return False
        self._note_uses(verdict)
        return True

    def _note_uses(self, verdict: Verdict) -> None:
        try:
            for grant in dict.fromkeys(verdict.grants_used):
                self.grants.note_use(grant, clock.wall())
        except OSError:
            pass  # a count that cannot be written is lost; the answer stands

    def _judged_again(self, item: Item) -> Verdict | None:
        assert self._rejudge is not None
        try:
            return self._rejudge(codec.request_from(item.body["request"]))
        except (AskfirstError, OSError, ValueError, TypeError, KeyError):
            return None  # it waits on for a person

    def changes(self) -> Wake | MemoryWake:
        """What a surface waits on between two looks at `pending()`."""
        return MemoryWake(self.store) if isinstance(self.store, MemoryPending) else Wake(self.store.root)

    def grants_for(self, request: Request) -> tuple[Grant, ...]:
        """Grants in force; for in-memory use, where store.layers does not see them."""
        return self.grants.load(request.project, request.session, clock.wall())

    # Housekeeping

    def sweep(self) -> None:
        """Settle what is older than its deadline or whose asker is dead, and clear orphans."""
        for name, state in self.store.unfinished():
            item = self.store.find(name)
            if item is not None:
                ended = self._claim(item, state, "the process that asked is gone" if state == "cancelled" else "")
                if ended is not None and not self.store.is_waited_for(name) and _question(item) is not None:
                    # Its hook is dead and writes no verdict: the question must not stay open in the log.
                    note([item], ended)
        self.store.sweep()

    def _claim(self, item: Item, state: str, why: str = "", *, asked_here: bool = False) -> Answer | None:
        """Expiry and withdrawal compete for the same link as people do; losing is fine. The answer, where it counts.

        `asked_here`: this process waits for it, and so it competes for the team's row as well."""
        if state == "expired":
            minutes = max(1, round((item.deadline - item.created) / 60))
            time_ = f"within {minutes} minute{'s' if minutes > 1 else ''}"
            partly = self._asking.allowed_by_some(item.id) if self._asking is not None else ""
            if partly:
                answer = deny("expired", "team", f"{partly} {time_}", item.digest)
            else:
                answer = deny("expired", "timeout", f"nobody answered {time_}", item.digest)
        else:
            answer = deny("cancelled", "cancelled", why, item.digest)
        try:
            if not asked_here:
                return answer if self.store.decide(item.id, codec.answer_to(answer)) is None else None
            first = self._decide(item, answer)
            if first is not None and self._asking is not None:
                self._asking.await_answer(item)
            return answer if first is None else None
        except ids.UnknownId:
            return None

    def _refuse_if_decided(self, item: Item) -> None:
        found = self.store.decision(item.id)
        if found is not None:
            raise AlreadyDecided(codec.answer_from(found), item.body.get("question", {}))

    def _over_limits(self, request: Request) -> Answer | None:
        waiting = self.store.items()
        mine = sum(i.body.get("request", {}).get("session") == request.session for i in waiting)
        if len(waiting) >= limits.MAX_PENDING or mine >= limits.MAX_PENDING_SESSION:
            return deny("cancelled", "limit", f"{len(waiting)} requests wait already; let a person answer them first")
        return None

    def _wake(self, id: str) -> Wake | MemoryWake:
        return (
            MemoryWake(self.store)
            if isinstance(self.store, MemoryPending)
            else Wake(self.store.directory(id), bell=self.store.bell(id))
        )


def _question(item: Item) -> Question | None:
    """The stored question; None when it is not one, or when it is not about the stored request.

    Whether its session is flagged is looked up each time: a flag counts for what waits already, and ends when a person
    clears it.
    """
    try:
        question = codec.question_from(item.body["question"])
        if digest_of(codec.request_from(item.body["request"])) != item.digest or question.digest != item.digest:
            return None
        question = replace(question, id=item.id, created=item.created, deadline=item.deadline, ids=(item.id,))
        if item.body.get("team"):
            from askfirst.team.elsewhere import notes

            question = replace(question, notes=(*question.notes, *notes(item)))
    except (KeyError, TypeError, ValueError):
        return None
    return under_review(question) if _is_flagged(question.session) else question


def _are_one_card(other: Item, item: Item, question: Question) -> bool:
    same = _question(other) if other.digest == item.digest else None
    return same is not None and same.flagged == question.flagged


def _by_rule(verdict: Verdict, item: Item) -> Answer:
    state = "once" if verdict.decision == Decision.ALLOW else "denied"
    words = "a rule or grant that came after it covers it" if verdict.decision == Decision.ALLOW else verdict.reason
    return Answer(verdict.decision, Duration.ONCE, words, "rule", state, clock.wall(), digest=item.digest)


def one_card(same: list[Question]) -> Question:
    return replace(
        same[0], count=len(same), agents=len({(q.agent, q.session) for q in same}), ids=tuple(q.id for q in same)
    )


def complete(answer: Answer, question: Question) -> Answer:
    """An answer with its state and time; one that was not offered is refused."""
    if answer.decision == Decision.ALLOW:
        step = answer.step if answer.step >= 0 else question.step
        if step != question.step and step >= len(question.steps):
            raise Refused("this cannot be widened")
        answer = replace(answer, step=step)
        choice = question.at(step).choice(answer.duration)
        if choice is None or choice.refused:
            raise Refused(choice.refused if choice else "this is not one of the answers")
        if answer.duration == Duration.TIMED and not clock.wall() < answer.until <= clock.wall() + limits.MAX_TIMED_S:
            raise Refused("a time must lie ahead, by 30 days at most")
        if answer.extra is not None:
            refuse_unless_offered(answer, question)
    return replace(answer, state=state_of(answer), at=answer.at or clock.wall(), digest=question.digest)


def _is_flagged(session: str) -> bool:
    return is_flagged(session)
