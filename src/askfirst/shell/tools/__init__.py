"""Models of tools: what a call of a known program does, from rows (a family a folder, found through registry.py)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.knowledge.programs import RUNS_ALL_THE_SAME
from askfirst.model import Action, Kind, Unknown
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after
from askfirst.shell.tools.package_runners import danger_in, program_of
from askfirst.shell.tools.registry import GNU_NAMES, REGISTRY
from askfirst.shell.tools.sending import files_behind, with_sending
from askfirst.shell.tools.showing import with_shown
from askfirst.shell.tools.substituted import substituted

if TYPE_CHECKING:
    from askfirst.shell.tools.table import Tool

__all__ = ["REGISTRY", "model", "tool_for"]


def model(call: Call, analyst: Analyst) -> Outcome:
    """What a call does. A program that no table knows is `Kind.OTHER`, and no built-in rule allows it."""
    name = call.name.rsplit("/", 1)[-1]
    tool = tool_for(name)
    if tool is None:
        return Outcome(Action((name,), Kind.OTHER))
    asked = call.words[1].value if len(call.words) == 2 else None
    prints = tool.kind not in (Kind.BUILD, Kind.CODE) and not tool.blocked and name not in RUNS_ALL_THE_SAME
    if asked in ("--help", "--version") and prints:
        # Build and test runners load the project's own code even for their help (`pytest --help` imports conftest.py).
        return Outcome(
            Action((name, asked), Kind.READ, f"{name} {asked}", allowed=True, description="prints its help or version")
        )
    if any(w.value is None and (w.dated or "$(" in w.text or "`" in w.text) for w in call.words):
        call = substituted(call, analyst)
    outcome = with_shown(with_sending(_applied(tool, call, analyst), call), call, analyst)
    if outcome.action.package:
        outcome = _with_its_danger(outcome, call, analyst)
    return replace(outcome, facts=(*outcome.facts, *files_behind(call, analyst))) if "@" in call.text else outcome


def _with_its_danger(outcome: Outcome, call: Call, analyst: Analyst) -> Outcome:
    """No yes to a package covers what its program would want CONFIRM for."""
    package = outcome.action.package.partition(" ")[2]
    at = next((n for n, w in enumerate(call.words) if w.value == package), len(call.words))
    words, tool = call.words[at + 1 :], tool_for(program_of(package))
    told = apply(tool, call_after(call, words), analyst).action if tool is not None else None
    danger = danger_in(package, words, told)
    if not danger:
        return outcome
    return replace(outcome, action=replace(outcome.action, danger=danger, free=False, package=""))


def _applied(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What its row says, where patterns and lists of names can be seen as the names that they stand for."""
    if any(w.glob and w.value is None for w in call.words[1:]):
        from askfirst.shell.tools.patterns import with_names

        call = with_names(call, analyst)
    outcome = apply(tool, call, analyst)
    if not any(isinstance(f, Unknown) for f in outcome.facts) or not any(w.among for w in call.words):
        return outcome
    from askfirst.shell.tools.listed import with_listed

    listed = with_listed(call, analyst)
    return apply(tool, listed, analyst) if listed is not None else outcome


def tool_for(name: str) -> Tool | None:
    """The row for a program name, from the one module that holds it."""
    if name not in REGISTRY and name[:1] == "g" and name[1:] in GNU_NAMES:
        name = name[1:]
    if name not in REGISTRY:
        return None
    module = __import__(f"askfirst.shell.tools.{REGISTRY[name]}", fromlist=["TOOLS"])
    tools: dict[str, Tool] = module.TOOLS
    return tools.get(name)
