"""What people have allowed and denied, as the page lists it, and taking back exactly one of them."""

from __future__ import annotations

import time
from typing import Any

from askfirst.approval.answers import Refused
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.remember import forget_denial, take_back
from askfirst.model import Duration, Grant
from askfirst.store.grants import Denial, Use
from askfirst.text import one_line, visible
from askfirst.web.server import Stale

Given = dict[str, Any]


class PageGrants:
    def __init__(self, manager: ApprovalManager, who: str) -> None:
        self._grants, self._who = manager.grants, who

    def kept(self, _given: Given) -> dict[str, Any]:
        uses = self._grants.uses()
        in_force = [g for g in self._grants.all() if g.duration != Duration.TIMED or time.time() < g.until]
        return {
            "grants": [_grant(g, uses.get(g.id, Use())) for g in sorted(in_force, key=lambda g: -g.created)],
            "denials": [_denial(d) for d in reversed(self._grants.denials())],
        }

    def revoke(self, given: Given) -> dict[str, Any]:
        wanted = str(given.get("id", ""))
        grant = next((g for g in self._grants.all() if g.id == wanted), None)
        if grant is None:
            raise Stale("this grant no longer exists")
        left = take_back(self._grants, grant, self._who)
        if left:
            raise Refused(f"{left}; remove the entry by hand")
        return {"revoked": grant.id}

    def forget_denial(self, given: Given) -> dict[str, Any]:
        """The agent's next try asks again."""
        wanted = (given.get("session"), given.get("digest"))
        denial = next((d for d in self._grants.denials() if (d.session, d.digest) == wanted), None)
        if denial is None:
            raise Stale("this denial no longer exists")
        forget_denial(self._grants, denial, self._who)
        return {"forgotten": denial.id}

    def by_digest(self) -> dict[str, list[dict[str, Any]]]:
        """Digest of a request -> the grants of it that are in force."""
        found: dict[str, list[dict[str, Any]]] = {}
        for grant in self._grants.all():
            shown = {"id": grant.id, "session": visible(grant.session), "duration": _duration(grant)}
            found.setdefault(grant.digest, []).append(shown)
        return found

    def denied(self) -> set[tuple[str, str]]:
        return {(d.session, d.digest) for d in self._grants.denials()}


def _duration(grant: Grant) -> str:
    return Duration(grant.duration).name.lower()


def _grant(grant: Grant, use: Use) -> dict[str, Any]:
    return {
        "id": grant.id,
        "duration": _duration(grant),
        "scope": "; ".join(dict.fromkeys(visible(s.shown) for s in grant.scopes if s.shown)),
        "text": one_line(grant.text, 200),
        "project": visible(grant.project),
        "session": visible(grant.session),
        "agent": visible(grant.agent),
        "by": one_line(grant.by, 80),
        "created": grant.created,
        "until": grant.until,
        "uses": use.count,
        "last": use.last,
    }


def _denial(denial: Denial) -> dict[str, Any]:
    return {
        "id": denial.id,
        "session": denial.session,
        "digest": denial.digest,
        "reason": one_line(denial.reason, 200),
        "text": one_line(denial.text, 200),
        "project": visible(denial.project),
        "by": one_line(denial.by, 80),
        "at": denial.at,
    }
