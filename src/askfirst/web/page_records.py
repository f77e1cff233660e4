"""What the log tells on the page: answers, one request's story, figures, records with filters, whether the chain
holds."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from askfirst.approval.answers import describe
from askfirst.approval.manager import ApprovalManager
from askfirst.audit.describe import author_of, outcome_of, subject_of
from askfirst.audit.filter import Filter, moment
from askfirst.audit.read import read_backwards, read_records
from askfirst.audit.verify import verify_chain
from askfirst.errors import AskfirstError
from askfirst.report.figures import figures_of
from askfirst.report.stories import last_stories
from askfirst.text import one_line, visible
from askfirst.web.cards import card
from askfirst.web.page_grants import PageGrants

MAX_ROWS = 200
MAX_ANSWERS = 100
MAX_DAYS = 90
MAX_PROBLEMS = 20
LASTING = ("session", "timed", "permanent")
NOT_PEOPLE = ("the client's dialog", "rule")  # end a request without a record of their own
Given = dict[str, Any]


class PageRecords:
    def __init__(
        self,
        manager: ApprovalManager,
        grants: PageGrants,
        *,
        clock: Callable[[], float] = time.time,
        report: Callable[[int], dict[str, Any]] | None = None,
    ) -> None:
        self._manager, self._grants, self._clock, self._report = manager, grants, clock, report

    def history(self, given: Given) -> dict[str, Any]:
        """The last answers, whoever gave them and wherever, each with what of it is still in force."""
        in_force, denied = self._grants.by_digest(), self._grants.denied()
        text = str(given.get("text", "")).lower()
        found = (a for r in _older(given) if (a := _answer_in(r)) is not None and text in a["text"].lower())
        answers = list(islice(found, MAX_ANSWERS + 1))
        for answer in answers:
            digest, lasting = answer["digest"], answer["state"] in LASTING
            answer["grants"] = in_force.pop(digest, []) if lasting else []
            answer["still_denied"] = answer["state"] == "denied" and (answer["session"], digest) in denied
        return {"answers": answers[:MAX_ANSWERS], "more": len(answers) > MAX_ANSWERS}

    def request(self, given: Given) -> dict[str, Any]:
        """One request, waiting or not: its card where it is still kept, and its records."""
        wanted = str(given.get("id", ""))
        if len(wanted) < 4 or not wanted.isascii() or not wanted.isalnum():
            raise AskfirstError("no such request")
        story = next(iter(last_stories(read_backwards(), 1, lambda s: s.is_named(wanted))), None)
        shown, said = None, ""
        try:
            item = self._manager.answered(wanted)
            shown = card(self._manager.asked_in(item), now=self._clock())
            outcome = self._manager.outcome(item.id)
            said = visible(describe(outcome)) if outcome is not None else ""
        except AskfirstError:
            pass  # it is told by the log alone
        if story is None and shown is None:
            raise AskfirstError(f"no request with id `{wanted}` is known")
        return {"card": shown, "said": said, "records": [_row(r) for r in story.records] if story is not None else []}

    def figures(self, given: Given) -> dict[str, Any]:
        """Prompts by day, by cause and by answer."""
        days = _days(given)
        since = self._clock() - days * 86400.0
        found = figures_of(r for r in read_records() if float(r.get("time", 0)) >= since)
        return {
            "days": days,
            "now": self._clock(),
            "verdicts": found.verdicts,
            "sessions": found.sessions,
            "prompts": found.prompts,
            "by_day": {day: _grouped(states) for day, states in found.answers_by_day.items()},
            "answers": found.answers,
            "causes": dict(list(found.causes.items())[:10]),
            "asked_for": [{"text": one_line(text, 80), "count": count} for text, count in found.asked_for],
        }

    def log(self, given: Given) -> dict[str, Any]:
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
        found = list(islice(filter(chosen.takes, _older(given)), MAX_ROWS + 1))
        return {"records": [_row(r) for r in found[:MAX_ROWS]], "more": len(found) > MAX_ROWS}

    def verify(self, _given: Given) -> dict[str, Any]:
        """Walk the whole chain."""
        found = verify_chain()
        problems = [f"line {p.line}: {visible(p.what)}" for p in found.problems[:MAX_PROBLEMS]]
        return {
            "good": found.good,
            "records": found.records,
            "first": found.first,
            "last": found.last,
            "head": found.head,
            "sealed": found.sealed,
            "repaired": found.repaired,
            "removed": found.removed,
            "problems": problems,
        }

    def team(self, given: Given) -> dict[str, Any]:
        """The team's figures, with every text of theirs made visible."""
        if self._report is None:
            raise AskfirstError("no team is shown here: start it with `askfirst serve --team`")
        found = self._report(_days(given))
        groups = ("askers", "answerers", "texts")
        shown = {name: [{**line, "name": one_line(line["name"], 80)} for line in found[name]] for name in groups}
        return {**found, **shown}


def _days(given: Given) -> int:
    typed = str(given.get("days", "30"))
    return min(max(int(typed), 1), MAX_DAYS) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 30


def _older(given: Given) -> Any:
    typed = str(given.get("before", ""))
    before = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 16 else 0
    return (r for r in read_backwards() if not before or r.get("seq", 0) < before)


def _grouped(states: dict[str, int]) -> dict[str, int]:
    """As a person counts them: what was allowed, what was denied, what nobody answered."""
    groups = {"allowed": ("once", *LASTING), "denied": ("denied",)}
    found = {name: sum(states.get(state, 0) for state in of) for name, of in groups.items()}
    return {**found, "unanswered": sum(states.values()) - sum(found.values())}


def _row(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "seq": record.get("seq", 0),
        "time": record.get("time", 0),
        "kind": str(record.get("kind", "")),
        "decision": str(record.get("decision", "")),
        "outcome": one_line(outcome_of(record), 60),
        "severity": str(record.get("severity", "")),
        "agent": one_line(str(record.get("agent", "")), 40),
        "session": one_line(str(record.get("session", "")), 80),
        "project": one_line(str(record.get("project", "")), 200),
        "text": one_line(subject_of(record), 400),
        "reason": one_line(str(record.get("reason", "") or ""), 300),
        "by": one_line(author_of(record), 120),
        "id": str(record.get("id", "")) if record.get("kind") in ("question", "answer", "answer-late") else "",
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
        "seq": record.get("seq", 0),
        "id": str(record.get("id", "")),
        "at": record.get("time", 0),
        "state": one_line(str(answer.get("state", "")), 20),
        "by": one_line(str(answer.get("by", "")), 80),
        "reason": one_line(str(answer.get("reason", "")), 200),
        "merge": one_line(str(answer.get("merge", "")), 40),
        "text": one_line(str(record.get("text", "")), 400),
        "agent": one_line(str(record.get("agent", "")), 40),
        "session": str(record.get("session", "")),
        "project": one_line(str(record.get("project", "")), 200),
        "digest": str(record.get("digest", "")),
    }
