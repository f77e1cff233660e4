"""`askfirst allowed`: the rules in force, with their source. `--json` is what the agent gets through MCP."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from askfirst import jsontext
from askfirst.cli.where import directory
from askfirst.knowledge.programs import INTERPRETERS, LISTABLE, LISTABLE_WRAPPERS, SHELLS, WRAPPERS
from askfirst.model import Decision, Kind
from askfirst.policy.blocks import NAMES, blocked_name
from askfirst.policy.match import counts, name_matches
from askfirst.policy.rules import Layers, Rule
from askfirst.shell.tools.table import Tool
from askfirst.store.layers import load_layers
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst allowed
  askfirst allowed --json
  askfirst allowed --all          also what the built-in tables know, program by program
"""


# What runs other programs or code is not "allowed" by its name: what it runs is judged.
_RUN_OTHERS = (SHELLS | INTERPRETERS | WRAPPERS) - LISTABLE - LISTABLE_WRAPPERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="DIR", default=".", help="whose rules to show (default: this directory)")
    parser.add_argument("--json", action="store_true", help="commands with their source, as the agent sees them")
    parser.add_argument("--all", action="store_true", help="also list the programs that the built-in tables know")


def run(args: argparse.Namespace) -> int:
    layers = load_layers(directory(args.project), now=time.time())
    if args.json:
        print(jsontext.dumps(list_allowed_commands(layers)))
    else:
        _show(layers, everything=args.all)
    return 0


def list_allowed_commands(layers: Layers) -> dict[str, Any]:
    """What an agent may know before it tries: names and sources, how many are blocked, and whether asking is possible."""
    found: dict[str, str] = {}
    if not layers.closed:
        for rules, source in ((layers.org_allow, "org"), (layers.project_allow, "project")):
            for rule in rules:
                if rule.decision == Decision.ALLOW and counts(rule, layers):
                    found.setdefault(rule.name, source)
        blocked_names = [r.name for r in layers.org_block if not r.args]
        for name in builtin_programs(layers.settings.profiles):
            if not any(name_matches(b, name) for b in blocked_names):
                found.setdefault(name, "global")
    blocked = len(NAMES) + len({r.name for r in layers.org_block})
    return {
        "commands": [{"name": name, "source": source} for name, source in found.items()],
        "blocked_count": blocked,
        "can_request_approval": layers.settings.approval_enabled and not layers.closed,
        "approval_timeout_minutes": layers.settings.approval_timeout_minutes,
    }


def builtin_programs(profiles: tuple[str, ...] = ()) -> list[str]:
    """Programs of which the built-in tables allow something; with which arguments, `explain` says."""
    from importlib import import_module

    from askfirst.shell.tools.registry import REGISTRY

    found = []
    for name, topic in REGISTRY.items():
        tool = import_module(f"askfirst.shell.tools.{topic}").TOOLS.get(name)
        if (
            tool is not None
            and name not in _RUN_OTHERS
            and blocked_name(name) is None
            and _allows_something(tool, profiles)
        ):
            found.append(name)
    return sorted(found)


def _allows_something(tool: Tool, profiles: tuple[str, ...]) -> bool:
    if tool.subcommands and any(_allows_something(inner, profiles) for inner in tool.subcommands.values()):
        return True
    if tool.kind in (Kind.WRAPPER, Kind.INLINE, Kind.CODE, Kind.DESTRUCTIVE) or tool.blocked:
        return False
    return any(p in profiles for p in tool.profile.split()) if tool.profile else tool.allowed


def _show(layers: Layers, *, everything: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if layers.closed:
        out.print(Text(f"the gate is closed: {layers.closed}", style="red"))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("layer", "rule", "decision", "from", "what"):
        table.add_column(column, overflow="fold")
    for layer, rules in (
        ("organisation block", layers.org_block),
        ("organisation", layers.org_allow),
        ("project", layers.project_allow),
        ("dangerous", layers.dangerous),
    ):
        for rule in rules:
            table.add_row(
                layer,
                _name(rule),
                _decision(rule, layers, layer),
                f"{_short(rule.origin.source, layers)}:{rule.origin.line}",
                one_line(rule.description or rule.reason or rule.warning, 80),
            )
    if table.row_count:
        out.print(table)
    else:
        out.print("no entries in the organisation's or the project's files: the built-in rules decide")
    _profiles_and_more(out, layers, everything)


def _name(rule: Rule) -> str:
    return one_line(rule.name + (f" {' | '.join(rule.args)}" if rule.args else ""), 80)


def _decision(rule: Rule, layers: Layers, layer: str) -> str:
    if layer == "dangerous":
        return "asks with CONFIRM" if layers.settings.confirm_danger else "asks"
    if rule.decision == Decision.ALLOW and not counts(rule, layers):
        expired = "expired" if rule.expires and layers.now >= rule.expires else f"only for {', '.join(rule.roles)}"
        return f"does not count: {rule.void or expired}"
    return rule.decision.name.lower()


def _short(path: str, layers: Layers) -> str:
    return os.path.relpath(path, layers.project) if path.startswith(layers.project + "/") else path


def _profiles_and_more(out: Any, layers: Layers, everything: bool) -> None:
    from rich.text import Text

    from askfirst.policy.profiles import PROFILES

    out.print()
    for name in layers.settings.profiles:
        out.print(f"profile {name}: {PROFILES[name].description}")
    programs = builtin_programs(layers.settings.profiles)
    out.print(
        f"built-in rules allow {len(programs)} programs by their arguments"
        + ("" if everything else " (`--all` lists them)")
    )
    if everything:
        out.print(", ".join(programs))
    asking = f"unknown commands are asked for, for {layers.settings.approval_timeout_minutes} minutes"
    out.print(asking if layers.settings.approval_enabled else "unknown commands are denied: asking is switched off")
    for note in (*layers.notes, *((layers.untrusted_note,) if layers.untrusted_note else ())):
        out.print(Text(f"note: {one_line(note, 400)}", style="yellow"))
