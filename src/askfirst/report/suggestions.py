"""Entries that would have saved prompts, from the log: narrowest first, each with what else it would have allowed."""

from __future__ import annotations

from collections.abc import Iterable

from askfirst._record import Record
from askfirst.model import Command, Decision
from askfirst.policy.match import covers
from askfirst.policy.rules import Layers, Rule
from askfirst.policy.suggest import entry, line_of
from askfirst.report.rejudge import PastCall, judge_again

MAX_EXAMPLES = 5


class Suggestion(Record):
    """One entry, and what speaks for and against it."""

    entry: str  # the line for allowed_commands.yaml
    prompts_saved: int  # with the calls that were denied because no one was there
    examples: tuple[str, ...]  # what was asked for and allowed, or denied because no one was there
    also: tuple[str, ...]  # what else it would have allowed: what a person denied, or did not answer
    width: int  # words the entry pins; more is narrower


def suggestions_of(calls: Iterable[PastCall], layers: Layers) -> list[Suggestion]:
    saved: dict[str, list[tuple[str, Command]]] = {}
    refused: list[tuple[str, list[Command]]] = []
    for call in calls:
        if not call.asked:
            continue
        verdict = judge_again(call, layers)
        asking = [f for f in verdict.findings if f.decision == Decision.ASK]
        commands = [f.fact for f in asking if isinstance(f.fact, Command)]
        if call.refused:
            refused.append((call.text, commands))
            continue
        entries = {entry(c): c for c in commands}
        # One entry must answer the whole prompt: anything else in it (a write, something unknown) would ask again.
        if verdict.decision != Decision.ASK or len(commands) != len(asking) or len(entries) != 1 or "" in entries:
            continue
        ((line, command),) = entries.items()
        saved.setdefault(line, []).append((call.text, command))
    found = [
        _suggestion(rule, asked, refused, layers)
        for line, asked in saved.items()
        for rule in _rules(line, asked, layers)
    ]
    return sorted(found, key=lambda s: (-s.prompts_saved, -s.width, s.entry))


def _rules(line: str, asked: list[tuple[str, Command]], layers: Layers) -> tuple[Rule, ...]:
    """The entry that was offered then; before it, if there is one, a narrower one of the words that all calls share."""
    commands = [command for _, command in asked]
    _, mark, rest = line.partition('args: ["')
    wide = Rule(commands[0].name, args=(rest.partition('"')[0],) if mark else ())
    shared = []
    for words in zip(*(c.argv[1:] for c in commands), strict=False):
        value = words[0].value
        if value is None or any(w.value != value for w in words) or not value.replace("-", "").isalnum():
            break
        shared.append(value)
    narrow = wide.replace(args=(" ".join(shared),))
    if _width(narrow) > _width(wide) and all(covers(narrow, c, layers) for c in commands):
        return narrow, wide
    return (wide,)


def _width(rule: Rule) -> int:
    return 1 + sum(len(a.split()) for a in rule.args)


def _suggestion(
    rule: Rule, asked: list[tuple[str, Command]], refused: list[tuple[str, list[Command]]], layers: Layers
) -> Suggestion:
    also = [text for text, commands in refused if commands and any(covers(rule, c, layers) for c in commands)]
    examples = tuple(dict.fromkeys(text for text, _ in asked))[:MAX_EXAMPLES]
    return Suggestion(
        line_of(rule.name, *rule.args), len(asked), examples, tuple(dict.fromkeys(also))[:MAX_EXAMPLES], _width(rule)
    )
