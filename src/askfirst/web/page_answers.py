"""What a person answers on the page: one request, those that were marked, an expired one, a file that is to be merged.

An answer names the request and the digest of what was shown, and the mark of the merged text if it was to be merged:
when one of them has changed, nothing is answered (409).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from askfirst.approval.answers import AlreadyDecided, NotPending, Refused, describe
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.merging import Merge, file_lines, line_count, merged, offered
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.files.merge import from_answer, line_number
from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible
from askfirst.web.cards import card
from askfirst.web.diffs import rows_of
from askfirst.web.live import Live
from askfirst.web.server import Stale

DURATIONS = {
    "once": Duration.ONCE,
    "session": Duration.SESSION,
    "timed": Duration.TIMED,
    "permanent": Duration.PERMANENT,
}
MAX_AT_ONCE = 200  # requests that one click answers
MAX_REASON_CHARS = 500
MAX_VOID, MAX_KEY_CHARS = 1000, 64
Given = dict[str, Any]


class PageAnswers:
    """Bound to one manager and one person."""

    def __init__(
        self, manager: ApprovalManager, live: Live, who: str, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._manager, self._live, self._who, self._clock = manager, live, who, clock
        self._one_by_one = threading.Lock()
        self._void: deque[str] = deque(maxlen=MAX_VOID)  # keys of answers that the page was told have not arrived

    def respond(self, given: Given) -> dict[str, Any]:
        with self._counted(given):
            question = self._shown(given)
            answer = self._answer(given, question)
            try:
                effective = self._manager.respond(question.id, answer)
            except NotPending as gone:
                raise Stale(str(gone)) from None
        return {
            "type": "approval_response",
            "request_id": question.id,
            "decision": str(given["decision"]),
            "state": effective.state,
            "said": visible(describe(effective)),
        }

    @contextmanager
    def _counted(self, given: Given) -> Iterator[None]:
        """One answer at a time: whoever asks what became of one hears of it as it is afterwards."""
        with self._one_by_one:
            if given.get("key") in self._void:
                raise Stale("this answer comes too late: the page was told that it had not arrived")
            yield

    def respond_many(self, given: Given) -> dict[str, Any]:
        """One answer for each request that was marked; a dangerous one, and one that does not offer this answer, is
        left, and said so."""
        items = given.get("items")
        if not isinstance(items, list) or not all(isinstance(i, dict) for i in items):
            items = []
        if not 0 < len(items) <= MAX_AT_ONCE:
            raise Refused(f"`items` names 1 to {MAX_AT_ONCE} requests")
        same: Given = {name: given[name] for name in ("decision", "reason", "seconds") if name in given}
        with self._counted(given):
            return self._each(items, same)

    def _each(self, items: list[Given], same: Given) -> dict[str, Any]:
        done: list[str] = []
        left: list[dict[str, str]] = []
        waiting = {q.id: q for q in self._manager.pending()}
        for item in items:
            wanted = str(item.get("request_id"))[:64]
            try:
                question = self._shown(item, waiting.get(wanted))
                if same.get("decision") != "deny" and (question.danger or question.confirm):
                    raise Refused("a dangerous request is answered on its own")
                self._manager.respond(question.id, self._answer({**same, "step": item.get("step")}, question))
                done.append(question.id)
            except (AlreadyDecided, DecidedMeanwhile) as decided:
                # Often by this very click: a yes for the session has settled what it covers.
                left.append({"request_id": wanted, "why": visible(str(decided)), "settled": "yes"})
            except AskfirstError as error:
                left.append({"request_id": wanted, "why": visible(str(error)), "settled": ""})
        return {"answered": done, "left": left}

    def outcome(self, given: Given) -> dict[str, Any]:
        """What has become of a request whose answer may or may not have arrived. If it has not, it does not count any
        more, so that what the page says now stays true."""
        wanted, key = str(given.get("request_id", "")), str(given.get("key", ""))[:MAX_KEY_CHARS]
        with self._one_by_one:
            found = self._manager.outcome(wanted)
            if found is not None:
                return {"state": found.state, "said": visible(describe(found))}
            self._void.append(key)
        waits = any(wanted in q.all_ids() for q in self._manager.pending())
        return {"state": "waits" if waits else "unknown", "said": ""}

    def next_try(self, given: Given) -> dict[str, Any]:
        """An expired request: the agent has moved on, and its next try within ten minutes is allowed once."""
        wanted = str(given.get("request_id", ""))
        question = self._manager.late(wanted)
        if question.digest != given.get("digest"):
            raise Stale("this request has changed: read it again")
        if question.confirm and given.get("confirm") != "CONFIRM":
            raise Refused("type CONFIRM in full to allow this")
        self._manager.keep_late(wanted, self._who)
        self._live.dismiss(question.id)
        return {"said": "the agent's next try of exactly this, within ten minutes, is allowed once"}

    def dismiss(self, given: Given) -> dict[str, Any]:
        """An expired request is not of interest any more."""
        return {"dismissed": self._live.dismiss(str(given.get("request_id", "")))}

    def diff(self, given: Given) -> dict[str, Any]:
        """The lines of what would change in a file."""
        wanted = str(given.get("request_id", ""))
        question = next((q for q in self._manager.pending() if q.id == wanted), None)
        if question is None:
            question = self._manager.asked_in(self._manager.answered(wanted))
        return {"path": visible(question.text), "rows": rows_of(question.diff, question.text)}

    def merge(self, given: Given) -> dict[str, Any]:
        """What a merge would make of the file: a card to be read like the first, and the mark for its answer."""
        found = self._merged(given, self._shown(given))
        strategy, line = from_answer(found.extra)
        return {
            "card": card(found.question, now=self._clock()),
            "rows": rows_of(found.question.diff, found.question.text),
            "strategy": strategy,
            "line": "" if line is None else str(line),
            "merged": found.mark,
        }

    def lines(self, given: Given) -> dict[str, Any]:
        """The file with its numbers, for choosing where to insert."""
        question = self._shown(given)
        if "insert" not in offered(question):
            raise Refused("insert is not offered here")
        found = file_lines(question)
        return {"lines": [visible(line, tabs=True) for line in found], "count": len(found)}

    def _shown(self, given: Given, waiting: Question | None = None) -> Question:
        """The card that the page means, if it is still what the page showed."""
        wanted, digest = given.get("request_id"), given.get("digest")
        question = waiting or next((q for q in self._manager.pending() if q.id == wanted), None)
        if question is None:
            decided = self._manager.outcome(wanted) if isinstance(wanted, str) else None
            if decided is not None:
                raise DecidedMeanwhile(f"already decided: {describe(decided)}")
            raise Stale("this request is no longer waiting")
        if question.digest != digest:
            raise Stale("this request has changed: read it again")
        return question

    def _answer(self, given: Given, question: Question) -> Answer:
        decision, reason = given.get("decision"), given.get("reason", "")
        if not isinstance(reason, str) or len(reason) > MAX_REASON_CHARS:
            raise Refused(f"a reason is a text of at most {MAX_REASON_CHARS} characters")
        if decision == "deny":
            return Answer(Decision.DENY, reason=reason, by=self._who, at=self._clock(), digest=question.digest)
        if not isinstance(decision, str) or decision not in DURATIONS:
            raise Refused("`decision` is session, permanent, once, timed or deny")
        if question.confirm and given.get("confirm") != "CONFIRM":
            raise Refused("type CONFIRM in full to allow this")
        duration = DURATIONS[decision]
        return Answer(
            Decision.ALLOW,
            duration,
            by=self._who,  # a reason is for a deny: what was typed and then not sent as one is not the agent's to read
            at=self._clock(),
            until=self._clock() + _seconds(given.get("seconds")) if duration == Duration.TIMED else 0.0,
            step=_step(given.get("step")),
            digest=question.digest,
            extra=self._chosen(given, question),
        )

    def _chosen(self, given: Given, question: Question) -> dict[str, object] | None:
        """The merge that an answer is for, if it is still what the page showed."""
        if given.get("strategy", "replace") == "replace":
            return None
        found = self._merged(given, question)
        if given.get("merged") != found.mark:
            raise Stale("the file has changed since the merge was shown: choose again")
        return found.extra

    def _merged(self, given: Given, question: Question) -> Merge:
        strategy, typed = given.get("strategy"), given.get("line", "")
        if not isinstance(strategy, str) or not isinstance(typed, str):
            raise Refused("`strategy` names a way to merge; for insert, `line` is the number as it was typed")
        if strategy != "insert":
            return merged(question, strategy, None)
        count = line_count(question)
        line = line_number(typed, count)
        if line is None:
            raise Refused(f"`{one_line(typed, 20)}` is not a number from 0 to {count}")
        return merged(question, strategy, line)


class DecidedMeanwhile(Stale):
    """Somebody, or time, was first."""


def _seconds(given: object) -> float:
    if not isinstance(given, (int, float)) or isinstance(given, bool) or not 0 < given < 10**9:
        raise Refused("`seconds` says for how long: a number above 0")
    return float(given)


def _step(given: object) -> int:
    """Which of the offered scopes; -1, the one that the card begins with, where the page does not say."""
    if given is None:
        return -1
    if not isinstance(given, int) or isinstance(given, bool) or not -1 <= given < 100:
        raise Refused("`step` is the number of an offered scope")
    return given
