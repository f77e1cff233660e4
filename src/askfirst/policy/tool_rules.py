"""Judges the use of a tool by the rules that name tools. Private to policy: callers go through `judge`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.knowledge import addresses
from askfirst.knowledge.own_tools import refused_for
from askfirst.knowledge.tools import FETCH
from askfirst.model import Decision, Finding, Layer, Origin, ToolUse
from askfirst.policy.match import Match, counts
from askfirst.policy.tool_match import blocks, covers, hosts_of, plain_address
from askfirst.policy.tool_scope import entry_line

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers, Rule

__all__ = ["ROLE_OF_TOOL", "judge_tool"]

ROLE_OF_TOOL = "roles: tool"


def judge_tool(use: ToolUse, layers: Layers) -> Finding:
    """The finding for one use of a tool."""
    narrowed = _by_role(use, layers) or _narrowed(use, layers)
    if narrowed is not None:
        return narrowed
    return (
        _by_rule(use, layers.org_allow, Layer.ORG_ALLOW, layers)
        or _by_table(use)
        or _by_rule(use, layers.project_allow, Layer.PROJECT_ALLOW, layers)
        or _nothing(use, layers)
    )


def _by_role(use: ToolUse, layers: Layers) -> Finding | None:
    """One of askfirst's own tools that this user's role may not call."""
    refused = refused_for(use.name, layers.settings.role)
    if not refused:
        return None
    advice = "hand it to a person with that role"
    return Finding(use, Decision.DENY, refused, Origin(Layer.ORG_BLOCK, ROLE_OF_TOOL), advice=advice)


def _narrowed(use: ToolUse, layers: Layers) -> Finding | None:
    """The strictest rule that forbids this call or wants it asked, from the strongest layer."""
    every = ((Layer.ORG_BLOCK, layers.org_block), (Layer.ORG_ALLOW, layers.org_allow))
    worst: Finding | None = None
    for layer, rules in (*every, (Layer.PROJECT_ALLOW, layers.project_allow)):
        for rule in rules:
            found = blocks(rule, use, layers) if rule.decision != Decision.ALLOW else Match.NO
            if found == Match.NO:
                continue
            decision = rule.decision if found == Match.YES else Decision.ASK
            if worst is None or decision > worst.decision:
                verb = "is denied by a rule" if rule.decision == Decision.DENY else "must be asked for"
                verb = "is blocked by your organisation" if layer == Layer.ORG_BLOCK else verb
                reason = f"`{_shown(use)}` {verb if found == Match.YES else f'may be what {verb}'}"
                reason = f"{reason}: {rule.reason}" if rule.reason else reason
                danger = _danger(use, layers) if decision == Decision.ASK else ""
                worst = Finding(use, decision, reason, replace(rule.origin, layer=layer), danger)
    return worst


def _by_rule(use: ToolUse, rules: tuple[Rule, ...], layer: Layer, layers: Layers) -> Finding | None:
    for rule in rules:
        if rule.decision == Decision.ALLOW and counts(rule, layers) and covers(rule, use):
            reason = rule.description or rule.reason or f"`{rule.name}` is allowed"
            return Finding(use, Decision.ALLOW, reason, replace(rule.origin, layer=layer))
    return None


def _by_table(use: ToolUse) -> Finding | None:
    if use.passes:
        return Finding(use, Decision.ALLOW, use.passes, Origin(Layer.BUILTIN_ALLOW, use.name))
    if use.name == FETCH and use.addresses and all(map(_is_documentation, use.addresses)):
        return Finding(use, Decision.ALLOW, "reads documentation", Origin(Layer.BUILTIN_ALLOW, "documentation"))
    return None


def _is_documentation(url: str) -> bool:
    found = plain_address(url)
    return found is not None and found.scheme == "https" and found.pattern in addresses.DOCUMENTATION


def _nothing(use: ToolUse, layers: Layers) -> Finding:
    entries = (*layers.org_allow, *layers.project_allow)
    idle = next((r for r in entries if not counts(r, layers) and covers(r, use)), None)
    if idle is not None:
        reason, origin = f"the entry `{idle.name}` does not count at present", replace(idle.origin, layer=Layer.NOTHING)
    else:
        reason, origin = use.why or _why(use), Origin(Layer.NOTHING, use.name)
    return Finding(use, Decision.ASK, reason, origin, _danger(use, layers), entry=entry_line(use))


def _why(use: ToolUse) -> str:
    if use.name != FETCH:
        return f"no rule allows the tool `{use.name}`"
    odd = next((url for url in use.addresses if addresses.address_of(url) is None), None)
    if odd is not None:
        return f"askfirst cannot tell for certain which host `{odd}` leads to"
    if any(map(addresses.leads_on, use.addresses)):
        return "the address holds another one, to which it may lead on"
    return f"no rule allows fetching from {', '.join(hosts_of(use))}"


def _danger(use: ToolUse, layers: Layers) -> str:
    for rule in layers.dangerous:
        if blocks(rule, use, layers) != Match.NO:
            return rule.warning or rule.reason or "the organisation calls it dangerous"
    return ""


def _shown(use: ToolUse) -> str:
    return f"{use.name} {use.addresses[0]}" if use.name == FETCH and use.addresses else use.name
