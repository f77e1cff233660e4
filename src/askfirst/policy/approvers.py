"""Who may allow what, where a team answers: `team:` of the organisation's file, as pure values.

A question has kinds: `danger` (dangerous commands, infrastructure), `publish` (pushing, publishing), or else `default`.
Each kind names the persons or roles that may allow it; an answer counts when every kind is covered by somebody, by as
many distinct persons as it needs. What needs another person, or two, is not for the asking machine to answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from askfirst.model import Command, Decision, Verdict
from askfirst.policy.roles import is_infrastructure, is_release
from askfirst.policy.rules import KINDS, Settings

DANGER, PUBLISH, DEFAULT = KINDS
ANYBODY = ("*",)
# Who may approve like a dev: everybody but a product_owner (roles.CAPABILITIES).
_LIKE_DEV = ("dev", "sre", "release_manager")


@dataclass(frozen=True)
class AnswerNeed:
    """What an answer to one question needs."""

    kinds: tuple[str, ...]
    approvals: int
    may: tuple[tuple[str, tuple[str, ...]], ...]  # kind -> persons; `*` everybody, `!name` all the same not this one
    self_ok: bool  # the person who asks may answer
    unsigned: bool  # an answer without a signature counts

    @property
    def others(self) -> bool:
        """Whether another person, or more than one, must answer: then the asking machine's own answer does not
        count."""
        return not self.self_ok or self.approvals > 1

    def words(self) -> str:
        """Who is needed, for people."""
        who = "; ".join(f"{kind}: {' or '.join(listed)}" for kind, listed in self.may if listed != ANYBODY)
        count = (
            f"{self.approvals} people" if self.approvals > 1 else "another person" if not self.self_ok else "a person"
        )
        return f"needs {count}" + (f" ({who})" if who else "")

    def may_allow(self, person: str) -> bool:
        """Whether the person's yes counts for some kind of it."""
        return any(is_among(person, listed) for _, listed in self.may)

    def uncovered(self, people: Iterable[str]) -> tuple[str, ...]:
        """The kinds that none of these people may allow."""
        known = tuple(people)
        return tuple(kind for kind, listed in self.may if not any(is_among(p, listed) for p in known))

    def as_json(self) -> dict[str, Any]:
        return {
            "kinds": list(self.kinds),
            "approvals": self.approvals,
            "may": {kind: list(listed) for kind, listed in self.may},
            "self_ok": self.self_ok,
            "unsigned": self.unsigned,
        }


def need_of(verdict: Verdict, settings: Settings, asker: str) -> AnswerNeed:
    """What the organisation wants for what the verdict asks. Without a `team` section anybody may answer anything."""
    kinds = kinds_of(verdict)
    team = settings.team
    if team is None:
        return AnswerNeed(kinds, 1, tuple((kind, ANYBODY) for kind in kinds), True, False)
    listed = dict(team.approvers)
    may = tuple((kind, _persons(listed[kind], settings.roles) if kind in listed else ANYBODY) for kind in kinds)
    self_ok = all(kind in team.self_approval for kind in kinds) and all(is_among(asker, who) for _, who in may)
    approvals = team.danger_approvals if DANGER in kinds else 1
    return AnswerNeed(kinds, approvals, may, self_ok, team.unsigned)


def kinds_of(verdict: Verdict) -> tuple[str, ...]:
    found = set()
    for finding in verdict.findings:
        if finding.decision == Decision.ASK:
            if isinstance(finding.fact, Command) and is_release(finding.fact):
                found.add(PUBLISH)
            elif finding.danger or is_infrastructure(finding):
                found.add(DANGER)
    return tuple(kind for kind in KINDS if kind in found) or (DEFAULT,)


def is_among(person: str, listed: tuple[str, ...]) -> bool:
    return person in listed or ("*" in listed and f"!{person}" not in listed)


def _persons(listed: tuple[str, ...], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Names and roles as persons. Who has no role is a dev, so `dev` is everybody but those whose role is another."""
    found: list[str] = []
    for name in listed:
        if name == "dev":
            found += ["*", *(f"!{person}" for person, role in roles.items() if role not in _LIKE_DEV)]
        else:
            found += [person for person, role in roles.items() if role == name]
            if name not in ("sre", "release_manager", "product_owner"):
                found.append(name)
    return tuple(dict.fromkeys(found))
