"""What runs without asking, and whether asking is possible: for `askfirst allowed` and for the agent, over MCP."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from askfirst.knowledge.programs import INTERPRETERS, LISTABLE, LISTABLE_WRAPPERS, SHELLS, WRAPPERS
from askfirst.model import Decision, Kind
from askfirst.policy.blocks import NAMES, blocked_name
from askfirst.policy.match import counts, name_matches
from askfirst.policy.rules import Layers
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Tool

# What runs other programs or code is not "allowed" by its name: what it runs is judged.
_RUN_OTHERS = (SHELLS | INTERPRETERS | WRAPPERS) - LISTABLE - LISTABLE_WRAPPERS


def list_allowed_commands(layers: Layers) -> dict[str, Any]:
    """What an agent may know before it tries: names with their sources, how many are blocked, whether it can ask."""
    found = {} if layers.closed else _sources_by_name(layers)
    return {
        "commands": [{"name": name, "source": source} for name, source in found.items()],
        "blocked_count": len(NAMES) + len({r.name for r in layers.org_block}),
        "can_request_approval": layers.settings.approval_enabled and not layers.closed,
        "approval_timeout_minutes": layers.settings.approval_timeout_minutes,
    }


def _sources_by_name(layers: Layers) -> dict[str, str]:
    found: dict[str, str] = {}
    for rules, source in ((layers.org_allow, "org"), (layers.project_allow, "project")):
        for rule in rules:
            if rule.decision == Decision.ALLOW and counts(rule, layers):
                found.setdefault(rule.name, source)
    blocked = [r.name for r in layers.org_block if not r.args]
    for name in builtin_programs(layers.settings.profiles):
        if not any(name_matches(b, name) for b in blocked):
            found.setdefault(name, "global")
    return found


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
