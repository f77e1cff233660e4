"""Rules prove themselves: an entry's `match` and `not_match` are judged with that entry alone. An entry that lies is refused."""

from __future__ import annotations

from askfirst.errors import ConfigError
from askfirst.model import Command, Decision, Layer
from askfirst.policy import match
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings
from askfirst.policy.words import of_origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from askfirst.model import Fact, Finding
    from askfirst.policy.rules import Rule

__all__ = ["check_examples", "failing_example"]


def check_examples(rules: tuple[Rule, ...], analyze: Callable[[str], tuple[Fact, ...]], layers: Layers) -> None:
    for rule in rules:
        problem = failing_example(rule, analyze, layers)
        if problem is not None:
            raise ConfigError(problem[0], file=rule.origin.source, line=rule.origin.line, column=1, hint=problem[1])


def failing_example(rule: Rule, analyze: Callable[[str], tuple[Fact, ...]], layers: Layers) -> tuple[str, str] | None:
    """(problem, hint) for the first example that does not hold."""
    for text in rule.match:
        finding = _not_covered(rule, analyze(text), layers)
        if finding is not None:
            return f"the example `{text}` is not covered by the entry `{rule.name}`: {finding}", "correct the entry or the example"
    for text in rule.not_match:
        if _not_covered(rule, analyze(text), layers) is None:
            return f"the example `{text}` is covered by the entry `{rule.name}`, and must not be", "narrow it with `args` or `deny_args`"
    return None


def _not_covered(rule: Rule, facts: tuple[Fact, ...], layers: Layers) -> str | None:
    """Why the entry alone does not decide the example; None when it does."""
    alone = rule.replace(expires=0.0, roles=(), void="")
    commands = [f for f in facts if isinstance(f, Command)]
    if not commands:
        return "no command was found in it"
    if rule.decision != Decision.ALLOW:
        return None if any(match.blocks(alone, c, layers) == match.Match.YES for c in commands) else "another program or other arguments"
    if not any(match.covers(alone, c, layers) for c in commands):
        return next((f"`{c.name}` is {c.foreign}" for c in commands if c.foreign), "another program or other arguments")
    verdict = judge(facts, Layers(layers.project, org_allow=(alone,), settings=Settings(), home=layers.home))
    return None if verdict.decision == Decision.ALLOW else _why(verdict.deciding)


def _why(finding: Finding | None) -> str:
    if finding is None:
        return "nothing in it can be judged"
    return f"{finding.reason} ({of_origin(finding.origin)})" if finding.origin.layer != Layer.NOTHING else finding.reason
