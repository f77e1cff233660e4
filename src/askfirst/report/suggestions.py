"""Entries that would have saved prompts, from the log: what a permanent yes would have stored, each with what else it
would have allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from askfirst.model import Command, Decision
from askfirst.policy.case import Case
from askfirst.policy.match import covers
from askfirst.policy.offers import offers, usual
from askfirst.policy.rules import Layers, Rule
from askfirst.policy.yaml_writing import line_of
from askfirst.report.rejudge import PastCall, past_case

MAX_EXAMPLES = 5


@dataclass(frozen=True)
class Suggestion:
    """One entry, and what speaks for and against it."""

    entry: str  # the line for allowed_commands.yaml
    prompts_saved: int  # with the calls that were denied because no one was there
    examples: tuple[str, ...]  # what was asked for and allowed, or denied because no one was there
    also: tuple[str, ...]  # what else it would have allowed: what a person denied, or did not answer
    width: int  # words the entry pins; more is narrower


def suggestions_of(calls: Iterable[PastCall], layers: Layers) -> list[Suggestion]:
    allowed: list[tuple[str, Case]] = []
    refused: list[tuple[str, Case]] = []
    for call in calls:
        if call.asked:
            case = past_case(call, layers)
            if call.refused:
                refused.append((call.text, case))
            elif case.verdict.decision == Decision.ASK:
                allowed.append((call.text, case))
    found = [
        _suggestion(entry, rule, allowed, refused)
        for entry, rule in _candidates([case for _, case in allowed]).values()
    ]
    found = [s for s in found if not any(_is_better(other, s) for other in found)]
    return sorted(found, key=lambda s: (-s.prompts_saved, -s.width, s.entry))


def _candidates(cases: list[Case]) -> dict[str, tuple[Mapping[str, Any], Rule]]:
    """What a permanent yes would have stored, where one entry answers the whole prompt. Nothing that a person would
    have had to widen first."""
    found: dict[str, tuple[Mapping[str, Any], Rule]] = {}
    for case in cases:
        given = offers(case)
        for offer in given[: usual(given) + 1]:
            if len(offer.entries) == 1:
                (entry,), (rule,) = offer.entries, offer.rules()
                found.setdefault(line_of(entry), (entry, rule))
    return found


def _is_better(other: Suggestion, one: Suggestion) -> bool:
    """It saves the same prompts, and is narrower."""
    same = other.prompts_saved == one.prompts_saved and other.examples == one.examples
    return same and other.width > one.width


def _width(entry: Mapping[str, Any]) -> int:
    words = [w for key in ("args", "action", "target") for w in " ".join(_texts(entry.get(key, ()))).split()]
    return 1 + sum(2 if "*" not in w else 1 for w in words if w != "...") + ("sha256" in entry)


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _suggestion(
    entry: Mapping[str, Any], rule: Rule, allowed: list[tuple[str, Case]], refused: list[tuple[str, Case]]
) -> Suggestion:
    saved = [text for text, case in allowed if _answers(rule, case)]
    also = [text for text, case in refused if any(covers(rule, c, case.layers) for c in _asked(case))]
    return Suggestion(
        line_of(entry),
        len(saved),
        tuple(dict.fromkeys(saved))[:MAX_EXAMPLES],
        tuple(dict.fromkeys(also))[:MAX_EXAMPLES],
        _width(entry),
    )


def _answers(rule: Rule, case: Case) -> bool:
    asked = [f for f in case.verdict.findings if f.decision == Decision.ASK]
    commands = _asked(case)
    return len(commands) == len(asked) and all(covers(rule, c, case.layers) for c in commands)


def _asked(case: Case) -> list[Command]:
    return [f.fact for f in case.verdict.findings if f.decision == Decision.ASK and isinstance(f.fact, Command)]
