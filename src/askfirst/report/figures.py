"""Figures of the log: prompts per session, decisions by layer, the slowest hooks, by day."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from askfirst.agents.wire import PROBE_SESSION


@dataclass(frozen=True)
class Figures:
    """What `askfirst stats` shows."""

    verdicts: int
    sessions: int
    prompts: int  # questions that reached a person, or waited for one
    prompts_per_session: float
    decisions: dict[str, int]
    layers: dict[str, int]
    answers: dict[str, int]  # by state: once, session, permanent, denied, expired, …
    asked_for: list[tuple[str, int]]  # what was asked for most
    slowest: list[tuple[float, str]]  # milliseconds, text: only hooks that waited for nobody
    median_ms: float
    p95_ms: float
    by_day: dict[str, int]  # prompts


def figures_of(records: Iterable[dict[str, Any]]) -> Figures:
    decisions: Counter[str] = Counter()
    layers: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    asked_for: Counter[str] = Counter()
    by_day: Counter[str] = Counter()
    sessions: set[str] = set()
    times: list[tuple[float, str]] = []
    verdicts = 0
    for record in records:
        if record.get("kind") == "correction":
            _correct(record, decisions, answers)
        if record.get("kind") != "verdict" or record.get("session") == PROBE_SESSION:
            continue
        verdicts += 1
        sessions.add(str(record.get("session", "")))
        decisions[str(record.get("decision"))] += 1
        layers[str(record.get("layer"))] += 1
        answer = record.get("answer")
        if isinstance(answer, dict):
            answers[str(answer.get("state"))] += 1
            asked_for[first_words(str(record.get("text", "")))] += 1
            by_day[datetime.date.fromtimestamp(float(record.get("time", 0))).isoformat()] += 1
        else:
            times.append((float(record.get("ms", 0)), str(record.get("text", ""))))
    ordered = sorted(t for t, _ in times)
    prompts = sum(answers.values())
    return Figures(
        verdicts=verdicts,
        sessions=len(sessions),
        prompts=prompts,
        prompts_per_session=round(prompts / len(sessions), 1) if sessions else 0.0,
        decisions=dict((+decisions).most_common()),
        layers=dict(layers.most_common()),
        answers=dict((+answers).most_common()),
        asked_for=asked_for.most_common(8),
        slowest=sorted(times, reverse=True)[:5],
        median_ms=_share(ordered, 0.5),
        p95_ms=_share(ordered, 0.95),
        by_day=dict(sorted(by_day.items())[-14:]),
    )


def _correct(record: dict[str, Any], decisions: Counter[str], answers: Counter[str]) -> None:
    """What stands above as denied or expired has run: a person had allowed it in the client's dialog."""
    was = str(record.get("was", ""))
    if answers[was] and decisions["deny"]:
        decisions.update({"deny": -1, "allow": 1})
        answers.update({was: -1, "once": 1})


def first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:2]) if words else text


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
