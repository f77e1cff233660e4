"""Rules prove themselves: an entry's `match` and `not_match` are judged with that entry alone. An entry that lies is
refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from askfirst.model import Command, Decision, Fact, Finding, Layer, ToolUse, Unknown
from askfirst.policy import match, tool_match
from askfirst.policy.arguments import REST
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Rule, Settings
from askfirst.wording import of_origin

__all__ = ["FailedExample", "failing_example"]


@dataclass(frozen=True)
class FailedExample:
    """An example that does not hold."""

    rule: Rule
    example: str
    problem: str
    hint: str


def failing_example(rule: Rule, analyze: Callable[[str], tuple[Fact, ...]], layers: Layers) -> FailedExample | None:
    """The first example of the entry that does not hold."""
    for text in rule.match:
        facts = _facts(rule, text, analyze)
        why = _not_covered(rule, facts, layers)
        # An example of version 1 that only the old meaning covers must not void the file: `check` lists the entry.
        before = _as_before(rule, facts) if rule.old or rule.old_env else rule
        if why is not None and (before == rule or _not_covered(before, facts, layers) is not None):
            problem = f"the example `{text}` is not covered by the entry `{rule.name}`: {why}"
            return FailedExample(rule, text, problem, "correct the entry or the example")
    for text in rule.not_match:
        if _not_covered(rule, _facts(rule, text, analyze), layers) is None:
            problem = f"the example `{text}` is covered by the entry `{rule.name}`, and must not be"
            narrower = "`domains`, `input` or `deny_input`" if rule.tool else "`args` or `deny_args`"
            return FailedExample(rule, text, problem, f"narrow it with {narrower}")
    return None


def _facts(rule: Rule, text: str, analyze: Callable[[str], tuple[Fact, ...]]) -> tuple[Fact, ...]:
    """What an example is: a command, or of a tool its name and its input (`WebFetch {"url": "https://…"}`)."""
    if not rule.tool:
        return analyze(text)
    use = tool_match.use_of(text)
    return (use,) if use is not None else ()


def _as_before(rule: Rule, facts: tuple[Fact, ...]) -> Rule:
    """The entry as version 1 meant it: words may follow, and variables that choose no code were free."""
    args = tuple(p if p.endswith(REST) else f"{p} {REST}" for p in rule.args) if rule.old else rule.args
    asked = {f.text.partition("=")[0].rstrip("+") for f in facts if isinstance(f, Unknown) and f.what == "environment"}
    given = {a.name for f in facts if isinstance(f, Command) for a in f.assignments} - asked
    return replace(rule, args=args, env=(*rule.env, *sorted(given)) if rule.old_env else rule.env)


def _not_covered(rule: Rule, facts: tuple[Fact, ...], layers: Layers) -> str | None:
    """Why the entry alone does not decide the example; None when it does."""
    alone = replace(rule, expires=0.0, roles=(), void="")
    if rule.tool:
        return _not_covered_use(alone, facts, layers)
    commands = [f for f in facts if isinstance(f, Command)]
    if not commands:
        return "no command was found in it"
    if rule.decision != Decision.ALLOW:
        return (
            None
            if any(match.blocks(alone, c, layers) == match.Match.YES for c in commands)
            else "another program or other arguments"
        )
    if not any(match.covers(alone, c, layers) for c in commands):
        return next((f"`{c.name}` is {c.foreign}" for c in commands if c.foreign), "another program or other arguments")
    verdict = judge(facts, Layers(layers.project, org_allow=(alone,), settings=Settings(), home=layers.home))
    return None if verdict.decision == Decision.ALLOW else _why(verdict.deciding)


def _not_covered_use(rule: Rule, facts: tuple[Fact, ...], layers: Layers) -> str | None:
    use = next((f for f in facts if isinstance(f, ToolUse)), None)
    if use is None:
        return "it is not a tool's name with its input as a JSON object"
    if rule.decision == Decision.ALLOW:
        return None if tool_match.covers(rule, use) else "another tool or another input"
    return None if tool_match.blocks(rule, use, layers) == match.Match.YES else "another tool or another input"


def _why(finding: Finding | None) -> str:
    if finding is None:
        return "nothing in it can be judged"
    return (
        f"{finding.reason} ({of_origin(finding.origin)})" if finding.origin.layer != Layer.NOTHING else finding.reason
    )
