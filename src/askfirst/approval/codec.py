"""Requests, questions and answers as JSON values, for the store and for other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askfirst.approval.question import Choice, Fold, Line, Question
from askfirst.model import Answer, Decision, Duration, Request, Scope
from askfirst.store.grants import scope_from

if TYPE_CHECKING:
    from askfirst.policy.case import Case
    from askfirst.policy.offers import Offer


# An answer allows or denies. The numbers are those of answers that an older version left behind.
_DECISIONS: dict[object, Decision] = {
    "allow": Decision.ALLOW,
    "deny": Decision.DENY,
    0: Decision.ALLOW,
    2: Decision.DENY,
}


def request_to(request: Request) -> dict[str, Any]:
    return {**vars(request), "input": dict(request.input)}


def request_from(value: dict[str, Any]) -> Request:
    return Request(**value)


def answer_to(answer: Answer) -> dict[str, Any]:
    extra = None if answer.extra is None else dict(answer.extra)
    decision = Decision(answer.decision).name.lower()
    return {**vars(answer), "decision": decision, "duration": int(answer.duration), "extra": extra}


def answer_from(value: dict[str, Any]) -> Answer:
    """Raises ValueError, TypeError or KeyError on anything that is not an answer."""
    return Answer(**{**value, "decision": _DECISIONS[value["decision"]], "duration": Duration(value["duration"])})


def question_to(question: Question) -> dict[str, Any]:
    """Also what `askfirst pending --json` and the page hand out."""
    value = dict(vars(question))
    value["lines"] = [dict(vars(line)) for line in question.lines]
    value["choices"] = _choices_to(question.choices)
    value["steps"] = [_choices_to(step) for step in question.steps]
    value["folds"] = [dict(vars(fold)) for fold in question.folds]
    return value


def _choices_to(choices: tuple[Choice, ...]) -> list[dict[str, Any]]:
    return [{**vars(choice), "duration": int(choice.duration)} for choice in choices]


def _choices_from(value: list[dict[str, Any]]) -> tuple[Choice, ...]:
    return tuple(Choice(**{**c, "duration": Duration(c["duration"]), "also": tuple(c["also"])}) for c in value)


def question_from(value: dict[str, Any]) -> Question:
    lines = tuple(Line(**line) for line in value["lines"])
    choices, steps = _choices_from(value["choices"]), tuple(map(_choices_from, value["steps"]))
    tuples = {name: tuple(value[name]) for name in ("notes", "deleted", "strategies", "ids")}
    folds = tuple(Fold(**fold) for fold in value.get("folds", ()))
    return Question(**{**value, **tuples, "lines": lines, "choices": choices, "steps": steps, "folds": folds})


def body_to(case: Case, question: Question, found: tuple[Offer, ...]) -> dict[str, Any]:
    """What the store keeps of a request: what is asked, and what each of its steps would remember."""
    return {
        "request": request_to(case.request),
        "question": question_to(question),
        "offers": [{"scopes": scopes_to(o.scopes), "entries": [dict(e) for e in o.entries]} for o in found],
        "most_entries": case.layers.settings.max_project_commands,
    }


def scopes_to(scopes: tuple[Scope, ...]) -> list[dict[str, Any]]:
    return [dict(vars(s)) for s in scopes]


def scopes_from(value: list[dict[str, Any]]) -> tuple[Scope, ...]:
    return tuple(scope_from(s) for s in value)
