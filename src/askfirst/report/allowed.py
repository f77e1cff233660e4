"""What runs without asking, and whether asking is possible: for `askfirst allowed` and for the agent, over MCP."""

from __future__ import annotations

from importlib import import_module
from shutil import which
from typing import Any

from askfirst.approval.presence import approver_alive
from askfirst.knowledge.programs import INTERPRETERS, LISTABLE, LISTABLE_WRAPPERS, SHELLS, WRAPPERS, family
from askfirst.model import Decision, Kind
from askfirst.policy.blocks import NAMES, blocked_name
from askfirst.policy.match import counts, name_matches
from askfirst.policy.rules import Layers, Rule
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Tool

# What runs other programs or code is not "allowed" by its name: what it runs is judged.
_RUN_OTHERS = (SHELLS | INTERPRETERS | WRAPPERS) - LISTABLE - LISTABLE_WRAPPERS


def list_allowed_commands(layers: Layers) -> dict[str, Any]:
    """What an agent may know before it tries, in few words: the entries of the rule files; of the programs that are
    installed here, those that the built-in rules allow with some sub-commands, and the others by name; and whether
    somebody is there now who could be asked."""
    plain, with_words = ([], []) if layers.closed else _installed(layers)
    somebody_there = approver_alive()
    asking = layers.settings.approval_enabled and not layers.closed
    return {
        "commands": [*([] if layers.closed else _entries(layers)), *with_words],
        "also": " ".join(plain),
        "note": "of `subcommands` and `also` the uses that only look or build are allowed: check_command tells; "
        "`npm-package` is npx and its kin, `pypi-package` uvx",
        "blocked_count": len(NAMES) + len({r.name for r in layers.org_block}),
        "can_request_approval": asking and somebody_there,
        "somebody_there": somebody_there,
        "approval_timeout_minutes": layers.settings.approval_timeout_minutes,
    }


_CONDITIONS = "args action target deny_args paths env domains input deny_input free_input".split()


def conditions(rule: Rule) -> dict[str, Any]:
    """What a call must be like for the entry to count, in the file's words; {}: any call of its name."""
    found = {name: getattr(rule, name) for name in _CONDITIONS}
    given = {name: value for name, value in found.items() if value not in ((), "", None, "any")}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    return plain | {name: {k: list(v) for k, v in plain[name]} for name in ("input", "deny_input") if name in plain}


def _entries(layers: Layers) -> list[dict[str, Any]]:
    """The entries of the rule files that allow something, with all that they say of a call."""
    return [
        {"name": rule.name, **conditions(rule), "source": source}
        for rules, source in ((layers.org_allow, "org"), (layers.project_allow, "project"))
        for rule in rules
        if rule.decision == Decision.ALLOW and counts(rule, layers)
    ]


def _installed(layers: Layers) -> tuple[list[str], list[dict[str, Any]]]:
    """Of the built-in rules: programs by name alone, and those of which some sub-commands are allowed."""
    profiles = layers.settings.profiles
    blocked = [r.name for r in layers.org_block if not r.args]
    plain: list[str] = []
    with_words: list[dict[str, Any]] = []
    for name in builtin_programs(profiles):
        if which(name) is None or any(name_matches(b, name) for b in blocked):
            continue
        if family(name) != name and family(name) in REGISTRY and which(family(name)) is not None:
            continue  # `pip3.11` is told by `pip`
        tool: Tool = import_module(f"askfirst.shell.tools.{REGISTRY[name]}").TOOLS[name]
        words = sorted(word for word, inner in (tool.subcommands or {}).items() if _allows_something(inner, profiles))
        if words:
            with_words.append({"name": name, "subcommands": " ".join(words), "source": "global"})
        else:
            plain.append(name)
    return plain, with_words


def builtin_programs(profiles: tuple[str, ...] = ()) -> list[str]:
    """Programs for which the built-in tables allow something; `explain` says with which arguments."""
    return sorted(name for name, topic in REGISTRY.items() if _is_listed(name, topic, profiles))


def _is_listed(name: str, topic: str, profiles: tuple[str, ...]) -> bool:
    tool: Tool | None = import_module(f"askfirst.shell.tools.{topic}").TOOLS.get(name)
    if tool is None or name in _RUN_OTHERS or blocked_name(name) is not None:
        return False
    return _allows_something(tool, profiles)


def _allows_something(tool: Tool, profiles: tuple[str, ...]) -> bool:
    if tool.subcommands and any(_allows_something(inner, profiles) for inner in tool.subcommands.values()):
        return True
    if tool.kind in (Kind.WRAPPER, Kind.INLINE, Kind.CODE, Kind.DESTRUCTIVE) or tool.blocked:
        return False
    return any(p in profiles for p in tool.profile.split()) if tool.profile else tool.allowed
