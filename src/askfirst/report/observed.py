"""What observing has shown: what would have been allowed, asked and denied, and what would change that, each with its
effect on the same calls."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from askfirst.agents.wire import is_probe
from askfirst.box import engines
from askfirst.model import Decision
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import Box
from askfirst.report.causes import main_cause
from askfirst.report.history import PastSession
from askfirst.report.rejudge import PastCall, calls_in_log, past_case
from askfirst.report.simulate import Tally, simulate
from askfirst.report.suggestions import Suggestion, suggestions_of
from askfirst.store.layers import load_layers
from askfirst.store.manifests import profiles_for


@dataclass(frozen=True)
class ProfileEffect:
    """A profile that is off, and how many of the asked calls it would have allowed."""

    name: str
    fits: str  # the manifest that speaks for it; "" when none does
    saves: int


@dataclass(frozen=True)
class ObservedReport:
    """The report of one project."""

    calls: int
    decisions: dict[str, int]  # allow, ask, deny: what would have been decided then
    denied: tuple[tuple[str, str], ...]  # (text, reason)
    causes: tuple[tuple[str, int], ...]
    session: Tally  # the same calls, answered with Session
    profiles: tuple[ProfileEffect, ...]
    rules: tuple[Suggestion, ...]
    contained: int = 0  # of the asked calls, those that would run contained with `box: unknown`
    box: str = ""  # why no box can be used here; "" where one can


def observed_report(records: Iterable[dict[str, Any]], project: str) -> ObservedReport:
    here = (r for r in records if r.get("kind") == "observed" and r.get("project") == project)
    found = [r for r in here if not is_probe(r.get("session"))]
    calls = [replace(call, asked=call.then == "ask") for call in calls_in_log(found)]
    layers = load_layers(project, now=time.time())
    asked = [call for call in calls if past_case(call, layers).verdict.decision == Decision.ASK]
    boxed = simulate(iter(_sessions(calls, project)), "once", box=Box(unknown=True))
    return ObservedReport(
        calls=len(found),
        decisions=dict(Counter(str(r.get("decision", "")) for r in found)),
        denied=tuple((str(r.get("text", "")), str(r.get("reason", ""))) for r in found if r.get("decision") == "deny"),
        causes=tuple(Counter(main_cause(past_case(call, layers).verdict) for call in asked).most_common()),
        session=simulate(iter(_sessions(calls, project)), "session"),
        profiles=_profiles(asked, project),
        rules=tuple(suggestions_of(calls, layers)),
        contained=0 if layers.settings.box.unknown else len(boxed.contained),
        box="" if engines.available() is not None else "see `askfirst doctor` for what to install",
    )


def _sessions(calls: list[PastCall], project: str) -> list[PastSession]:
    by_session: dict[str, list[PastCall]] = {}
    for call in calls:
        by_session.setdefault(call.session, []).append(call)
    return [PastSession(name, project, project, tuple(found)) for name, found in by_session.items()]


def _profiles(asked: list[PastCall], project: str) -> tuple[ProfileEffect, ...]:
    signs = dict(profiles_for(project))
    found = []
    for name in PROFILES:
        layers = load_layers(project, now=time.time(), profiles=(name,))
        saves = sum(past_case(call, layers).verdict.decision == Decision.ALLOW for call in asked)
        if saves:
            found.append(ProfileEffect(name, signs.get(name, ""), saves))
    return tuple(sorted(found, key=lambda effect: -effect.saves))
