"""`askfirst allowed`: the rules in force, with their source. `--json` is what the agent gets through MCP."""

from __future__ import annotations

import argparse
import os
import time

from rich.console import Console
from rich.text import Text

from askfirst import jsontext
from askfirst.cli.printing import counted, plain_table
from askfirst.cli.where import directory
from askfirst.model import Decision
from askfirst.policy.match import counts
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import Layers, Rule
from askfirst.policy.yaml_writing import flow
from askfirst.report.allowed import builtin_programs, conditions, list_allowed_commands
from askfirst.store.layers import load_layers
from askfirst.text import console, one_line

EXAMPLES = """examples:
  askfirst allowed
  askfirst allowed --all          also the programs that the built-in rules know
  askfirst allowed --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="DIR", default=".", help="whose rules to show (default: this directory)")
    parser.add_argument("--all", action="store_true", help="also list the programs that the built-in rules know")
    parser.add_argument("--json", action="store_true", help="print one JSON object, as the agent gets it")


def run(args: argparse.Namespace) -> int:
    layers = load_layers(directory(args.project), now=time.time())
    if args.json:
        print(jsontext.dumps(list_allowed_commands(layers)))
    else:
        _show(layers, everything=args.all)
    return 0


def _show(layers: Layers, *, everything: bool) -> None:
    out = console()
    if layers.closed:
        out.print(Text(f"everything is denied: {layers.closed}", style="red"))
        return
    _show_entries(out, layers)
    out.print()
    _show_builtin(out, layers, everything=everything)
    minutes = counted(layers.settings.approval_timeout_minutes, "minute")
    asking = f"an unknown command waits for an answer for up to {minutes}"
    out.print(asking if layers.settings.approval_enabled else "unknown commands are denied: asking is switched off")
    for note in (*layers.notes, *((layers.untrusted_note,) if layers.untrusted_note else ())):
        out.print(Text(f"note: {one_line(note, 400)}", style="yellow"))


def _show_entries(out: Console, layers: Layers) -> None:
    table = plain_table("layer", "rule", "decision", "from", "what")
    for layer, rules in (
        ("organisation block", layers.org_block),
        ("organisation allow", layers.org_allow),
        ("project", layers.project_allow),
        ("dangerous", layers.dangerous),
    ):
        for rule in rules:
            source = f"{_short(rule.origin.source, layers)}:{rule.origin.line}"
            what = one_line(rule.description or rule.reason or rule.warning, 80)
            table.add_row(layer, _name(rule), _decision(rule, layers, layer), source, what)
    if table.row_count:
        out.print(table)
    else:
        out.print("no entries in the organisation's or the project's files: the built-in rules decide")


def _show_builtin(out: Console, layers: Layers, *, everything: bool) -> None:
    for name in layers.settings.profiles:
        own = next((p.description for p in layers.settings.own_profiles if p.name == name), "")
        out.print(f"profile {name}: {PROFILES[name].description if name in PROFILES else own or 'of the organisation'}")
    programs = builtin_programs(layers.settings.profiles)
    hint = "" if everything else " (`--all` lists them)"
    out.print(f"built-in rules allow {len(programs)} programs, depending on their arguments{hint}")
    if everything:
        out.print(", ".join(programs))


def _name(rule: Rule) -> str:
    """As it stands in the file, but for its patterns: `npm run build | run test*`, `ssh {action: ssh, target: web}`."""
    said = conditions(rule)
    patterns = f" {' | '.join(said.pop('args'))}" if rule.args else ""
    return one_line(f"{rule.name}{patterns}{f' {flow(said)}' if said else ''}", 120)


def _decision(rule: Rule, layers: Layers, layer: str) -> str:
    if layer == "dangerous":
        return "ask, with CONFIRM" if layers.settings.confirm_danger else "ask"
    if rule.decision == Decision.ALLOW and not counts(rule, layers):
        expired = "expired" if rule.expires and layers.now >= rule.expires else f"only for {', '.join(rule.roles)}"
        return f"does not count: {rule.void or expired}"
    return rule.decision.name.lower()


def _short(path: str, layers: Layers) -> str:
    return os.path.relpath(path, layers.project) if path.startswith(layers.project + "/") else path
