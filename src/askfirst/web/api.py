"""What the page can do: answer, answer what is on screen, look at grants and the log, take a grant back.

An answer names the request and the digest of what was shown: when either has changed, nothing is answered (409).
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from askfirst.approval.answers import AlreadyDecided, NotPending, Refused, describe
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.store import audit, audit_read
from askfirst.store.alerts import alerts
from askfirst.text import one_line, visible
from askfirst.web.server import Conflict

DURATIONS = {"once": Duration.ONCE, "session": Duration.SESSION, "timed": Duration.TIMED, "permanent": Duration.PERMANENT}
MOST_RECORDS = 200
MOST_AT_ONCE = 100


class Api:
    """Bound to one manager and one person."""

    def __init__(self, manager: ApprovalManager, who: str, *, clock: Callable[[], float] = time.time) -> None:
        self.manager, self.who, self._clock = manager, who, clock
        self._calls: dict[str, Callable[[dict[str, Any]], Any]] = {
            "respond": self.respond,
            "approve_all": self.approve_all,
            "revoke": self.revoke,
            "grants": self.grants,
            "log": self.log,
        }

    def __call__(self, name: str, given: dict[str, Any]) -> Any:
        if name not in self._calls:
            raise AskfirstError("there is nothing here")
        return self._calls[name](given)

    def respond(self, given: dict[str, Any]) -> dict[str, Any]:
        question = self._shown(given)
        answer = self._answer(given, question)
        try:
            effective = self.manager.respond(question.id, answer)
        except AlreadyDecided as decided:
            raise Conflict(str(decided)) from None
        except NotPending as gone:
            raise Conflict(str(gone)) from None
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
            raise Conflict("this request does not wait any more")
        if question.digest != digest:
            raise Conflict("this request is not the one that was shown")
        return question

    def _answer(self, given: dict[str, Any], question: Question) -> Answer:
        decision, reason = given.get("decision"), given.get("reason", "")
        if not isinstance(reason, str) or len(reason) > 500:
            raise Refused("a reason is a text of at most 500 characters")
        if decision == "deny":
            return Answer(Decision.DENY, reason=reason, by=self.who, at=self._clock(), digest=question.digest)
        if not isinstance(decision, str) or decision not in DURATIONS:
            raise Refused("an answer is session, permanent, once, timed or deny")
        if question.confirm and given.get("confirm") != "CONFIRM":
            raise Refused("this one wants CONFIRM typed in full")
        duration = DURATIONS[decision]
        until = 0.0
        if duration == Duration.TIMED:
            seconds = given.get("seconds")
            if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or seconds <= 0:
                raise Refused("say for how long, in seconds")
            until = self._clock() + float(seconds)
        return Answer(
            Decision.ALLOW,
            duration,
            reason,
            self.who,
            at=self._clock(),
            until=until,
            widen=given.get("widen") is True,
            digest=question.digest,
        )

    def approve_all(self, given: dict[str, Any]) -> dict[str, Any]:
        """Once for each card that was on screen: never a dangerous one, never for longer."""
        items = given.get("items")
        if not isinstance(items, list) or not 0 < len(items) <= MOST_AT_ONCE or not all(isinstance(i, dict) for i in items):
            raise Refused(f"name 1 to {MOST_AT_ONCE} requests")
        done, left = [], []
        for item in items:
            try:
                question = self._shown(item)
                if question.danger or question.confirm:
                    raise Refused("a dangerous request is answered by itself")
                self.manager.respond(
                    question.id, Answer(Decision.ALLOW, Duration.ONCE, by=self.who, at=self._clock(), digest=question.digest)
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
                    "scope": "; ".join(visible(s.shown or " ".join(s.key)) for s in g.scopes),
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
        grant = self.manager.grants.revoke(str(given.get("id", "")))
        if grant is None:
            raise Conflict("there is no such grant any more")
        audit.append("revoke", {"grant": grant.id, "project": grant.project, "text": grant.text, "by": self.who}, durable=True)
        return {"revoked": grant.id}

    def log(self, given: dict[str, Any]) -> dict[str, Any]:
        text, decision, layer = (str(given.get(k, "")).lower() for k in ("text", "decision", "layer"))
        found: deque[dict[str, Any]] = deque(maxlen=MOST_RECORDS)
        for record in audit_read.records():
            if (decision and record.get("decision") != decision) or (layer and record.get("layer") != layer):
                continue
            if text and text not in f"{record.get('text', '')} {record.get('reason', '')}".lower():
                continue
            found.append(record)
        return {"records": [_row(r) for r in reversed(found)]}


def _row(record: dict[str, Any]) -> dict[str, Any]:
    layer, rule = str(record.get("layer", "")).replace("_", " "), str(record.get("rule", ""))
    return {
        "time": record.get("time", 0),
        "decision": str(record.get("decision", "") or record.get("kind", "")),
        "agent": one_line(str(record.get("agent", "")), 40),
        "text": one_line(str(record.get("text", "")), 400),
        "by": one_line(f"{layer}: {rule}" if layer and rule else layer or rule, 120),
    }


def outcome_of(manager: ApprovalManager, id: str) -> dict[str, Any]:
    """How a request ended, and who ended it."""
    try:
        return manager.store.decision(id) or {"state": "gone"}
    except AskfirstError:
        return {"state": "gone"}


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
    from askfirst.approval.manager import user_name

    return f"{user_name()} at the page (pid {os.getpid()})"
