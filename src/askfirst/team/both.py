"""The manager of a person who answers for a team: this machine's requests and the team's, in one queue."""

from __future__ import annotations

import select
from collections.abc import Callable

from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.approval.wake import Wake
from askfirst.model import Answer, Duration, Request, Verdict
from askfirst.store import ids
from askfirst.store.pending import FilePending
from askfirst.team.desk import Desk


class TeamManager(ApprovalManager):
    """What is asked on this machine is answered here, as ever; what the team is asked, at its desk. A request of this
    machine that needs others is the team's."""

    def __init__(self, desk: Desk, *, rejudge: Callable[[Request], Verdict | None] | None = None) -> None:
        super().__init__(FilePending(), rejudge=rejudge)
        self.desk = desk

    def pending(self) -> tuple[Question, ...]:
        local = super().pending()
        theirs = self._theirs(local)
        shown = {name for question in theirs for name in question.all_ids()}
        mine = (q for q in local if shown.isdisjoint(q.all_ids()))
        return tuple(sorted((*mine, *theirs), key=lambda q: q.created))

    def _theirs(self, local: tuple[Question, ...]) -> tuple[Question, ...]:
        """The team's cards, without those that this machine asks and can answer itself."""
        known = {name for question in local for name in question.all_ids()}
        return tuple(q for q in self.desk.questions() if known.isdisjoint(q.all_ids()) or _is_for_others(local, q))

    def find(self, typed: str) -> Question:
        cards = self.desk.questions()
        found = ids.matching(typed, [name for card in cards for name in card.all_ids()])
        if len(ids.normal(typed)) < ids.MIN_LENGTH or not found:
            return super().find(typed)
        exact = ids.resolve(typed, found)
        return next(q for q in self.pending() if exact in q.all_ids())

    def respond(self, id: str, answer: Answer) -> Answer:
        theirs = next((q for q in self._theirs(super().pending()) if id in q.all_ids()), None)
        if theirs is not None or self.store.find(id) is None:
            return self.desk.respond(theirs or _gone(id), answer)
        return super().respond(id, answer)

    def outcome(self, id: str) -> Answer | None:
        return super().outcome(id) or self.desk.outcome(id)

    def changes(self) -> Wake:
        return TeamWake(self.store.root if isinstance(self.store, FilePending) else "", self.desk)


class TeamWake(Wake):
    """Woken by this machine's store and by the database alike, where the system can wait for both with one
    descriptor."""

    def __init__(self, root: str, desk: Desk) -> None:
        super().__init__(root)
        self._desk, self._both = desk, None
        if hasattr(select, "epoll") and super().fileno() >= 0:
            self._both = select.epoll()
            self._both.register(super().fileno(), select.EPOLLIN)
            self._both.register(desk.fileno(), select.EPOLLIN)

    def fileno(self) -> int:
        return self._both.fileno() if self._both is not None else -1

    def drain(self) -> None:
        super().drain()
        self._desk.drain()

    def close(self) -> None:
        if self._both is not None:
            self._both.close()
            self._both = None
        super().close()


def _is_for_others(local: tuple[Question, ...], team: Question) -> bool:
    """Whether the local card of the same request offers no yes."""
    same = next((q for q in local if q.is_same_card(team)), None)
    return same is not None and not any(same.offers(duration) for duration in Duration)


def _gone(id: str) -> Question:
    return Question(id, "", "", "", "", "", "", "", "", 0.0, 0.0)
