"""Figures of the log: prompts per session, decisions by layer, the slowest hooks, by day. Counted in stories, as the
log shows them, so that both say the same."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from askfirst.agents.wire import is_probe
from askfirst.report.stories import Record, Story, stories

MAX_TEXT = 200
BULKY = frozenset(("facts", "findings", "input", "content", "diff", "scopes", "event_hash", "prev_hash"))


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
    causes: dict[str, int]  # of the prompts: why a person was asked
    answers_by_day: dict[str, dict[str, int]]  # by state


def figures_of(records: Iterable[Record], takes: Callable[[Record], bool] = lambda _: True) -> Figures:
    """Of the stories of which `takes` takes a record. What `init` and `doctor` tried is no agent's call."""
    told = [s for s in stories(map(_needed, records)) if _is_counted(s) and any(map(takes, s.records))]
    asked = [s for s in told if s.was_asked]
    times = [(float(s.last_word.get("ms", 0)), s.text) for s in told if not s.was_asked]
    ordered = sorted(t for t, _ in times)
    sessions = {str(s.last_word.get("session", "")) for s in told}
    days = Counter(map(_day, asked))
    return Figures(
        verdicts=len(told),
        sessions=len(sessions),
        prompts=len(asked),
        prompts_per_session=round(len(asked) / len(sessions), 1) if sessions else 0.0,
        decisions=dict(Counter(s.decision for s in told).most_common()),
        layers=dict(Counter(map(_layer, told)).most_common()),
        answers=dict(Counter(s.state or "waits" for s in asked).most_common()),
        asked_for=Counter(first_words(s.text) for s in asked).most_common(8),
        slowest=sorted(times, reverse=True)[:5],
        median_ms=_share(ordered, 0.5),
        p95_ms=_share(ordered, 0.95),
        by_day=dict(sorted(days.items())[-14:]),
        causes=dict(Counter(map(_cause, asked)).most_common()),
        answers_by_day=_answers_by_day(asked),
    )


def _answers_by_day(asked: list[Story]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for story in sorted(asked, key=_day):
        states = found.setdefault(_day(story), {})
        states[story.state or "waits"] = states.get(story.state or "waits", 0) + 1
    return found


def _cause(story: Story) -> str:
    return next((str(r["cause"]) for r in story.records if r.get("cause")), "other")


def _is_counted(story: Story) -> bool:
    return story.is_call and not is_probe(story.last_word.get("session"))


def _day(story: Story) -> str:
    return datetime.date.fromtimestamp(float(story.records[0].get("time", 0))).isoformat()


def _needed(record: Record) -> Record:
    """The parts that are counted: a long log need not be in memory."""
    return {key: value[:MAX_TEXT] if key == "text" else value for key, value in record.items() if key not in BULKY}


def _layer(story: Story) -> str:
    """Of the verdict, or of what was judged before somebody was asked."""
    return next((str(r["layer"]) for r in reversed(story.records) if r.get("layer")), "nothing")


def first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:2]) if words else text


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
