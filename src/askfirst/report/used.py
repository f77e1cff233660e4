"""How often a permanent yes was used. It counts from the project's rule file, where no hook can tell it from what
people wrote, so nothing counts its uses; the log has the calls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from askfirst.audit.read import read_backwards
from askfirst.model import Duration, Fact, Grant
from askfirst.policy.coverage import scope_covers
from askfirst.policy.rules import Layers
from askfirst.report.rejudge import PastCall, calls_in_log, past_case
from askfirst.store.grants import Use
from askfirst.store.layers import load_layers

MAX_RECORDS = 20_000  # of a longer log, the newest


def uses_of_permanent(grants: Iterable[Grant]) -> dict[str, Use]:
    """Of those for commands: how often a call of the log that nobody was asked about is covered by one of them."""
    wanted = [g for g in grants if g.duration == Duration.PERMANENT and all(s.kind == "command" for s in g.scopes)]
    layers = {project: load_layers(project) for project in {grant.project for grant in wanted}}
    found = {grant.id: Use() for grant in wanted}
    for at, call in _allowed_since(min((grant.created for grant in wanted), default=math.inf)):
        facts = past_case(call, layers[call.project]).facts if call.project in layers else ()
        for grant in wanted:
            if grant.project == call.project and grant.created <= at and _is_used(grant, facts, layers[call.project]):
                use = found[grant.id]
                use.count, use.last = use.count + 1, max(use.last, at)
    return found


def _allowed_since(start: float) -> Iterator[tuple[float, PastCall]]:
    for record in islice(read_backwards(), MAX_RECORDS if start < math.inf else 0):
        at = float(record.get("time", 0))
        if at < start:
            return
        yield from ((at, call) for call in calls_in_log((record,)) if call.then == "allow" and not call.asked)


def _is_used(grant: Grant, facts: tuple[Fact, ...], layers: Layers) -> bool:
    """Whatever the files hold by now that it pins: then they were as they had been."""
    scopes = [replace(scope, sha256="") for scope in grant.scopes]
    return any(scope_covers(scope, fact, facts, layers) for scope in scopes for fact in facts)
