"""Entries that would have saved prompts, from the log: what a permanent yes would have stored, each with what else it
would have allowed. Never one that covers what a person took back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from askfirst.model import Command, Decision
from askfirst.policy.case import Case
from askfirst.policy.match import covers
from askfirst.policy.offers import Offer, offers, usual
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
    case: Case = field(repr=False, compare=False)  # a call that it would have answered
    offer: Offer = field(repr=False, compare=False)  # the permanent yes that stores it

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("entry", "prompts_saved", "examples", "also", "width")}


def taken_back(records: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The commands for which a grant was given and then revoked, and not given again since."""
    found: set[str] = set()
    for record in records:
        kind, text = record.get("kind"), str(record.get("text", ""))
        if kind == "revoke" and record.get("what", "denial" if "digest" in record else "grant") == "grant":
            found.add(text)
        elif kind == "grant":
            found.discard(text)
    return frozenset(found)


def suggestions_of(
    calls: Iterable[PastCall], layers: Layers, revoked: frozenset[str] = frozenset()
) -> list[Suggestion]:
    allowed: list[tuple[str, Case]] = []
    refused: list[tuple[str, Case]] = []
    never: list[Case] = []
    for call in calls:
        if call.asked or call.text in revoked:
            case = past_case(call, layers)
            if call.text in revoked:
                never.append(case)
            elif call.refused:
                refused.append((call.text, case))
            elif case.verdict.decision == Decision.ASK:
                allowed.append((call.text, case))
    found = [
        _suggestion(case, offer, allowed, refused)
        for case, offer in _candidates([case for _, case in allowed]).values()
        if not any(covers(offer.rules()[0], command, gone.layers) for gone in never for command in _asked(gone))
    ]
    found = [s for s in found if not any(_is_better(other, s) for other in found)]
    return sorted(found, key=lambda s: (-s.prompts_saved, -s.width, s.entry))


def _candidates(cases: list[Case]) -> dict[str, tuple[Case, Offer]]:
    """What a permanent yes would have stored, where one entry answers the whole prompt. Nothing that a person would
    have had to widen first."""
    found: dict[str, tuple[Case, Offer]] = {}
    for case in cases:
        given = offers(case)
        for offer in given[: usual(given) + 1]:
            if len(offer.entries) == 1:
                found.setdefault(line_of(offer.entries[0]), (case, offer))
    return found


def _is_better(other: Suggestion, one: Suggestion) -> bool:
    """It saves the same prompts, and is narrower, or says the same in another way."""
    same = other.prompts_saved == one.prompts_saved and other.examples == one.examples
    return same and (other.width, one.entry) > (one.width, other.entry)


def _width(entry: Mapping[str, Any]) -> int:
    words = [w for key in ("args", "action", "target") for w in " ".join(_texts(entry.get(key, ()))).split()]
    return 1 + sum(2 if "*" not in w else 1 for w in words if w != "...") + ("sha256" in entry)


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _suggestion(
    case: Case, offer: Offer, allowed: list[tuple[str, Case]], refused: list[tuple[str, Case]]
) -> Suggestion:
    (entry,), (rule,) = offer.entries, offer.rules()
    saved = [text for text, one in allowed if _answers(rule, one)]
    also = [text for text, one in refused if any(covers(rule, c, one.layers) for c in _asked(one))]
    return Suggestion(
        line_of(entry),
        len(saved),
        tuple(dict.fromkeys(saved))[:MAX_EXAMPLES],
        tuple(dict.fromkeys(also))[:MAX_EXAMPLES],
        _width(entry),
        case,
        offer,
    )


def _answers(rule: Rule, case: Case) -> bool:
    asked = [f for f in case.verdict.findings if f.decision == Decision.ASK]
    commands = _asked(case)
    return len(commands) == len(asked) and all(covers(rule, c, case.layers) for c in commands)


def _asked(case: Case) -> list[Command]:
    return [f.fact for f in case.verdict.findings if f.decision == Decision.ASK and isinstance(f.fact, Command)]
