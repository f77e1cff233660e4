"""What the page can do: answer, answer what is on screen, merge a file, look at grants and the log, take a grant back.

An answer names the request and the digest of what was shown, and the mark of the merged text if it was to be merged:
when one of them has changed, nothing is answered (409).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from askfirst.approval.answers import AlreadyDecided, NotPending, Refused, describe
from askfirst.approval.manager import ApprovalManager, user_name
from askfirst.approval.merging import Merge, file_lines, line_count, merged, offered
from askfirst.approval.question import Question
from askfirst.approval.remember import take_back
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter, moment
from askfirst.audit.read import read_backwards
from askfirst.errors import AskfirstError
from askfirst.files.merge import from_answer, line_number
from askfirst.model import Answer, Decision, Duration
from askfirst.store.alerts import alerts, clear
from askfirst.text import one_line, visible
from askfirst.web.cards import card
from askfirst.web.server import Stale

DURATIONS = {
    "once": Duration.ONCE,
    "session": Duration.SESSION,
    "timed": Duration.TIMED,
    "permanent": Duration.PERMANENT,
}
MAX_RECORDS = 200
MAX_ANSWERS = 100
MAX_AT_ONCE = 100  # requests that one click allows
MAX_REASON_CHARS = 500
LASTING = ("session", "timed", "permanent")
NOT_PEOPLE = ("the client's dialog", "rule")  # end a request without a record of their own


class Api:
    """Bound to one manager and one person."""

    def __init__(
        self,
        manager: ApprovalManager,
        who: str,
        *,
        clock: Callable[[], float] = time.time,
        report: Callable[[int], dict[str, Any]] | None = None,
    ) -> None:
        self.manager, self.who, self._clock, self._report = manager, who, clock, report
        self._calls: dict[str, Callable[[dict[str, Any]], Any]] = {
            "respond": self.respond,
            "merge": self.merge,
            "lines": self.lines,
            "approve_all": self.approve_all,
            "revoke": self.revoke,
            "clear_alert": self.clear_alert,
            "grants": self.grants,
            "history": self.history,
            "log": self.log,
            "team": self.team,
        }

    def __call__(self, name: str, given: dict[str, Any]) -> Any:
        if name not in self._calls:
            raise AskfirstError("no such address")
        return self._calls[name](given)

    def respond(self, given: dict[str, Any]) -> dict[str, Any]:
        question = self._shown(given)
        answer = self._answer(given, question)
        try:
            effective = self.manager.respond(question.id, answer)
        except AlreadyDecided as decided:
            raise Stale(str(decided)) from None
        except NotPending as gone:
            raise Stale(str(gone)) from None
        return {
            "type": "approval_response",
            "request_id": question.id,
            "decision": str(given["decision"]),
            "state": effective.state,
            "said": describe(effective),
        }

    def _shown(self, given: dict[str, Any]) -> Question:
        """The card that the page means, if it is still what the page showed."""
        wanted, digest = given.get("request_id"), given.get("digest")
        question = next((q for q in self.manager.pending() if q.id == wanted), None)
        if question is None:
            raise Stale("this request is no longer waiting")
        if question.digest != digest:
            raise Stale("this request has changed: read it again")
        return question

    def _answer(self, given: dict[str, Any], question: Question) -> Answer:
        decision, reason = given.get("decision"), given.get("reason", "")
        if not isinstance(reason, str) or len(reason) > MAX_REASON_CHARS:
            raise Refused(f"a reason is a text of at most {MAX_REASON_CHARS} characters")
        if decision == "deny":
            return Answer(Decision.DENY, reason=reason, by=self.who, at=self._clock(), digest=question.digest)
        if not isinstance(decision, str) or decision not in DURATIONS:
            raise Refused("`decision` is session, permanent, once, timed or deny")
        if question.confirm and given.get("confirm") != "CONFIRM":
            raise Refused("type CONFIRM in full to allow this")
        duration = DURATIONS[decision]
        until = 0.0
        if duration == Duration.TIMED:
            seconds = given.get("seconds")
            if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or seconds <= 0:
                raise Refused("`seconds` says for how long: a number above 0")
            until = self._clock() + float(seconds)
        return Answer(
            Decision.ALLOW,
            duration,
            reason,
            self.who,
            at=self._clock(),
            until=until,
            step=_step(given.get("step")),
            digest=question.digest,
            extra=self._chosen(given, question),
        )

    def merge(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a merge would make of the file: a card to be read like the first, and the mark for its answer."""
        found = self._merged(given, self._shown(given))
        strategy, line = from_answer(found.extra)
        shown = card(found.question, now=self._clock())
        return {"card": shown, "strategy": strategy, "line": "" if line is None else str(line), "merged": found.mark}

    def lines(self, given: dict[str, Any]) -> dict[str, Any]:
        """The file with its numbers, for choosing where to insert."""
        question = self._shown(given)
        if "insert" not in offered(question):
            raise Refused("insert is not offered here")
        found = file_lines(question)
        return {"lines": [visible(line, tabs=True) for line in found], "count": len(found)}

    def _chosen(self, given: dict[str, Any], question: Question) -> dict[str, object] | None:
        """The merge that an answer is for, if it is still what the page showed."""
        if given.get("strategy", "replace") == "replace":
            return None
        found = self._merged(given, question)
        if given.get("merged") != found.mark:
            raise Stale("the file has changed since the merge was shown: choose again")
        return found.extra

    def _merged(self, given: dict[str, Any], question: Question) -> Merge:
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

    def approve_all(self, given: dict[str, Any]) -> dict[str, Any]:
        """Once for each card that was on screen: never a dangerous one, never for longer."""
        items = given.get("items")
        if not isinstance(items, list) or not all(isinstance(i, dict) for i in items):
            items = []
        if not 0 < len(items) <= MAX_AT_ONCE:
            raise Refused(f"`items` names 1 to {MAX_AT_ONCE} requests")
        done, left = [], []
        for item in items:
            try:
                question = self._shown(item)
                if question.danger or question.confirm:
                    raise Refused("a dangerous request must be answered on its own")
                self.manager.respond(
                    question.id,
                    Answer(Decision.ALLOW, Duration.ONCE, by=self.who, at=self._clock(), digest=question.digest),
                )
                done.append(question.id)
            except AskfirstError as error:
                left.append({"request_id": str(item.get("request_id"))[:64], "why": str(error)})
        return {"answered": done, "left": left}

    def grants(self, _given: dict[str, Any]) -> dict[str, Any]:
        uses = self.manager.grants.uses()
        found = sorted(self.manager.grants.all(), key=lambda g: -g.created)
        return {
            "grants": [
                {
                    "id": g.id,
                    "duration": g.duration.name.lower(),
                    "scope": "; ".join(dict.fromkeys(visible(s.shown) for s in g.scopes if s.shown)),
                    "text": one_line(g.text, 200),
                    "project": visible(g.project),
                    "session": visible(g.session),
                    "created": g.created,
                    "until": g.until,
                    "uses": uses[g.id].count if g.id in uses else 0,
                }
                for g in found
            ]
        }

    def revoke(self, given: dict[str, Any]) -> dict[str, Any]:
        wanted = str(given.get("id", ""))
        grant = next((g for g in self.manager.grants.all() if g.id == wanted), None)
        if grant is None:
            raise Stale("this grant no longer exists")
        left = take_back(self.manager.grants, grant, self.who)
        if left:
            raise Refused(f"{left}; remove the entry by hand")
        return {"revoked": grant.id}

    def clear_alert(self, given: dict[str, Any]) -> dict[str, Any]:
        if not clear(str(given.get("session", "")), self.who):
            raise Stale("this session is no longer flagged")
        return {"cleared": True}

    def history(self, _given: dict[str, Any]) -> dict[str, Any]:
        """The last answers, whoever gave them and wherever, each with the grants of it that are still in force."""
        in_force: dict[str, list[str]] = {}
        for grant in self.manager.grants.all():
            in_force.setdefault(grant.digest, []).append(grant.id)
        answers = islice((a for r in read_backwards() if (a := _answer_in(r)) is not None), MAX_ANSWERS)
        return {
            "answers": [
                {**a, "grants": in_force.pop(a.pop("digest"), []) if a["state"] in LASTING else []} for a in answers
            ]
        }

    def team(self, given: dict[str, Any]) -> dict[str, Any]:
        """The team's figures, with every text of theirs made visible."""
        if self._report is None:
            raise AskfirstError("no team is shown here: start it with `askfirst serve --team`")
        days = str(given.get("days", "30"))
        found = self._report(min(max(int(days), 1), 3650) if days.isdigit() else 30)
        groups = ("askers", "answerers", "texts")
        shown = {name: [{**line, "name": one_line(line["name"], 80)} for line in found[name]] for name in groups}
        return {**found, **shown}

    def log(self, given: dict[str, Any]) -> dict[str, Any]:
        """The newest records that fit, and whether there are more; `before` goes on from a record's number."""
        said = {k: str(v) for k, v in given.items()}
        chosen = Filter(
            since=moment(said["since"]) if said.get("since") else 0.0,
            project=said.get("project", ""),
            agent=said.get("agent", ""),
            kind=said.get("kind", ""),
            decision=said.get("decision", ""),
            layer=said.get("layer", ""),
            text=said.get("text", ""),
        )
        before = int(given["before"]) if str(given.get("before", "")).isdigit() else 0
        older = (r for r in read_backwards() if not before or r.get("seq", 0) < before)
        found = list(islice(filter(chosen.takes, older), MAX_RECORDS + 1))
        return {"records": [_row(r) for r in found[:MAX_RECORDS]], "more": len(found) > MAX_RECORDS}


def _step(given: object) -> int:
    """Which of the offered scopes; -1, the one that the card begins with, where the page does not say."""
    if given is None:
        return -1
    if not isinstance(given, int) or isinstance(given, bool) or not -1 <= given < 100:
        raise Refused("`step` is the number of an offered scope")
    return given


def _row(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "seq": record.get("seq", 0),
        "time": record.get("time", 0),
        "decision": str(record.get("decision", "")),
        "outcome": one_line(outcome_of(record), 60),
        "severity": str(record.get("severity", "")),
        "agent": one_line(str(record.get("agent", "")), 40),
        "project": one_line(str(record.get("project", "")), 200),
        "text": one_line(subject_of(record), 400),
        "by": one_line(author_of(record), 120),
    }


def _answer_in(record: dict[str, Any]) -> dict[str, Any] | None:
    """What a record says of an answer: a person's own record, or the verdict of what ended without a person."""
    answer: Any = record
    if record.get("kind") == "verdict":
        answer = record.get("answer")
        if not isinstance(answer, dict):
            return None
        if answer.get("state") not in ("expired", "cancelled") and answer.get("by") not in NOT_PEOPLE:
            return None
    elif record.get("kind") == "correction":
        answer = {**record.get("answer", {}), "reason": f"it has run; an earlier record says {record.get('was', '')}"}
    elif record.get("kind") != "answer":
        return None
    return {
        "at": record.get("time", 0),
        "state": one_line(str(answer.get("state", "")), 20),
        "by": one_line(str(answer.get("by", "")), 80),
        "reason": one_line(str(answer.get("reason", "")), 200),
        "merge": one_line(str(answer.get("merge", "")), 40),
        "text": one_line(str(record.get("text", "")), 400),
        "project": one_line(str(record.get("project", "")), 200),
        "digest": str(record.get("digest", "")),
    }


def flagged() -> list[dict[str, Any]]:
    return [
        {
            "session": visible(a.session),
            "agent": visible(a.agent),
            "violations": a.violations,
            "last": one_line(a.last, 200),
            "since": a.since,
        }
        for a in alerts()
    ]


def page_user() -> str:
    return f"{user_name()} at the page (pid {os.getpid()})"
