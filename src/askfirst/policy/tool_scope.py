"""What a yes to a tool remembers: the tool, and what its call is aimed at.

One value says it: the entry of a rule file. The words that a person reads are made from it, a permanent yes stores it,
and a yes for the session is compared as the rule that it would be. So none of them can be wider than another.

A fetch is aimed at its host. The target of somebody else's tool is every input that is not free text (`is_free` of
knowledge/tools.py): a key that no table knows is part of it.
"""

from __future__ import annotations

from typing import Any

from askfirst import jsontext
from askfirst.knowledge.tools import (
    ACTION_INPUT,
    FETCH,
    TAKES_AWAY,
    is_free,
    is_paging,
    own_words,
    plain_key,
    runs_its_input,
)
from askfirst.model import Scope, ToolUse
from askfirst.policy.rules import Rule
from askfirst.policy.tool_match import hosts_of, text_of
from askfirst.policy.yaml_writing import line_of

__all__ = ["entry_line", "entry_of", "rule_of_tool", "scope_of", "wide_scope_of", "words_for"]

MAX_TARGETS = 8
MAX_VALUE = 200


def scope_of(use: ToolUse) -> Scope | None:
    """The narrowest scope that still saves the next prompt; None where only the exact call can be remembered."""
    entry = _entry(use)
    return _scope(entry) if entry is not None else None


def wide_scope_of(use: ToolUse) -> Scope | None:
    """One key wider: the tool and what it does, whatever its target. None for what may take something away."""
    if use.name == FETCH or runs_its_input(use.name) or not own_words(use.name).isdisjoint(TAKES_AWAY):
        return None
    kept = {k: text_of(v) for k, v in use.input.items() if plain_key(k) in ACTION_INPUT}
    if not all(value is not None and _can_be_written(value) for value in kept.values()):
        return None
    entry: dict[str, Any] = {"tool": use.name}
    if kept:
        entry["input"] = {k: [v] for k, v in kept.items()}
    return _scope(entry) if entry != _entry(use) else None


def _scope(entry: dict[str, Any]) -> Scope:
    return Scope("tool", entry["tool"], target=jsontext.dumps(entry), where="-", shown=words_for(entry))


def _entry(use: ToolUse) -> dict[str, Any] | None:
    if use.addresses and use.name == FETCH:
        hosts = hosts_of(use)
        return {"tool": use.name, "domains": list(hosts)} if hosts else None
    pinned: dict[str, list[str]] = {}
    free: list[str] = []
    for key, value in use.input.items():
        text = text_of(value)
        if is_paging(use.name, key):
            continue
        if is_free(use.name, key):
            free.append(key)
        elif text is None or not _can_be_written(text):
            return None
        else:
            pinned[key] = [text]
    if len(pinned) + len(free) > MAX_TARGETS or not all(map(_is_key, (*pinned, *free))):
        return None
    return {"tool": use.name, **({"input": pinned} if pinned else {}), "free_input": free}


def _can_be_written(text: str) -> bool:
    """As a value of a rule: on one line, not too long to be read, and meaning itself."""
    return text.isprintable() and text.strip() == text and 0 < len(text) <= MAX_VALUE and not text.endswith("*")


def _is_key(key: str) -> bool:
    return key.isprintable() and 0 < len(key) <= 60 and key.strip() == key


def entry_of(scope: Scope) -> dict[str, Any]:
    """The entry of a rule file that says the same."""
    found: dict[str, Any] = jsontext.loads(scope.target.encode())
    return found


def entry_line(use: ToolUse) -> str:
    """The entry as a line that a person could write; "" where no rule can say it."""
    entry = _entry(use)
    return line_of(entry) if entry is not None else ""


def rule_of_tool(scope: Scope) -> Rule:
    """The rule that says the same."""
    entry = entry_of(scope)
    free = entry.get("free_input")
    return Rule(
        entry["tool"],
        tool=True,
        domains=tuple(entry.get("domains", ())),
        input=tuple((key, tuple(values)) for key, values in entry.get("input", {}).items()),
        free_input=None if free is None else tuple(free),
    )


def words_for(entry: dict[str, Any]) -> str:
    """The entry in words."""
    name = f"`{entry['tool']}`"
    if "domains" in entry:
        return f"{name} from {', '.join(entry['domains'])}, whatever the page"
    given = ", ".join(f"{key} = {' or '.join(values)}" for key, values in entry.get("input", {}).items())
    free = entry.get("free_input")
    if free is None:
        return f"{name} with {given} and any other input" if given else f"{name} with any input"
    loose = f"any {', '.join(free)}" if free else ""
    return f"{name} with {' and '.join(filter(None, (given, loose)))}" if given or loose else f"{name} without input"
