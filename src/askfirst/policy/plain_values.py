"""A verdict as plain values, for `--json`, the log and the agent's introspection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst.model import Command, Fact, Finding, Layer, Read, ToolUse, Unknown, Verdict, Write
from askfirst.wording import LAYERS

__all__ = ["of_fact", "of_finding", "of_verdict"]


def of_verdict(verdict: Verdict, clean: Callable[[str], str] = str) -> dict[str, Any]:
    """`clean` is what every text passes through: redaction, for one."""
    plain: dict[str, Any] = {
        "decision": verdict.decision.name.lower(),
        "reason": clean(verdict.reason),
        "findings": [of_finding(f, clean) for f in verdict.findings],
    }
    if verdict.notes:
        plain["notes"] = [clean(n) for n in verdict.notes]
    return plain


def of_finding(finding: Finding, clean: Callable[[str], str] = str) -> dict[str, Any]:
    origin = finding.origin
    plain: dict[str, Any] = {
        "fact": of_fact(finding.fact, clean),
        "decision": finding.decision.name.lower(),
        "reason": clean(finding.reason),
        "layer": LAYERS[Layer(origin.layer)],
        "rule": clean(origin.rule),
        "file": origin.source,
        "line": origin.line,
    }
    if finding.danger:
        plain["danger"] = finding.danger
    if finding.advice:
        plain["advice"] = clean(finding.advice)
    if finding.entry:
        plain["entry"] = clean(finding.entry)
    return plain


def of_fact(fact: Fact, clean: Callable[[str], str] = str) -> dict[str, Any]:
    if isinstance(fact, Command):
        plain: dict[str, Any] = {"kind": "command", "name": clean(fact.name), "text": clean(fact.text)}
        plain |= {"cwd": fact.cwd, "program": fact.program}
        if fact.action.key:
            plain["action"] = clean(" ".join(fact.action.key))
        if fact.via:
            plain["via"] = [clean(v) for v in fact.via]
        if fact.foreign:
            plain["foreign"] = fact.foreign
        return plain
    if isinstance(fact, Write):
        return {
            "kind": "write",
            "path": fact.path,
            "text": clean(fact.text),
            "how": fact.how,
            "by": fact.by,
            "below": fact.below,
        }
    if isinstance(fact, Read):
        return {"kind": "read", "path": fact.path, "text": clean(fact.text), "by": fact.by}
    if isinstance(fact, ToolUse):
        return {"kind": "tool", "name": clean(fact.name), "text": clean(fact.text)}
    assert isinstance(fact, Unknown)
    return {"kind": "unknown", "what": fact.what, "why": clean(fact.why), "text": clean(fact.text)}
