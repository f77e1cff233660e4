"""The four kinds of findings about files, each with the layer that it comes from."""

from __future__ import annotations

from askfirst.model import Decision, Finding, Layer, Origin, Read, Write

__all__ = ["allow", "ask", "block", "forbid"]


def allow(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ALLOW, reason, Origin(Layer.BUILTIN_ALLOW, rule))


def ask(fact: Write | Read, rule: str, reason: str) -> Finding:
    return Finding(fact, Decision.ASK, reason, Origin(Layer.NOTHING, rule))


def forbid(fact: Write | Read, rule: str, reason: str, advice: str = "", *, default: bool = False) -> Finding:
    """By the settings: the organisation's or the project's files, or what askfirst brings where they say nothing."""
    layer = Layer.BUILTIN_ALLOW if default else Layer.ORG_BLOCK
    return Finding(fact, Decision.DENY, reason, Origin(layer, rule, "write settings"), advice=advice)


def block(fact: Write | Read, rule: str, reason: str, advice: str = "") -> Finding:
    return Finding(fact, Decision.DENY, reason, Origin(Layer.HARDCODED_BLOCK, rule), advice=advice)
