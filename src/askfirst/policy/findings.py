"""The four kinds of findings about files, each with the layer that it comes from."""

from __future__ import annotations

from askfirst.model import Decision, Finding, Layer, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Read, Write

__all__ = ["allow", "ask", "block", "forbid"]


def allow(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ALLOW, reason, Origin(Layer.BUILTIN_ALLOW, rule))


def ask(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ASK, reason, Origin(Layer.NOTHING, rule))


def forbid(fact: Write | Read, rule: str, reason: str, advice: str = "") -> Finding:
    """By the settings: the organisation's or the project's files, or their defaults."""
    return Finding(fact, Decision.DENY, reason, Origin(Layer.ORG_BLOCK, rule, "write settings"), advice=advice)


def block(fact: Write | Read, rule: str, reason: str, advice: str = "") -> Finding:
    return Finding(fact, Decision.DENY, reason, Origin(Layer.HARDCODED_BLOCK, rule), advice=advice)
