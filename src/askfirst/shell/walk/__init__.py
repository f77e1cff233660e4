"""The walk over a script: turns syntax into facts, in the order in which bash would meet it.

It follows directories, knows variables that can only have one value, and asks the models of tools (shell/tools) what
each call does. Whatever bash would expand, execute or write on the way becomes a fact; whatever depends on data that
are not in the text is Unknown. One subject a module, as functions over the walk:

    lists          `;` `&&` `||` `&` `|`, and the lines of a text        state          what is certain at one point
    control        groups, branches, loops, functions                    directories    where `cd` leads
    simple         one simple command, from its words to its call        assignments    variables that a command sets
    redirections   files that the shell opens                            credentials    variables nobody may be shown
    expansions     what runs while a word is expanded
    calls          what a program with its words does                    analyst        what the models may ask
    detours        what earlier commands have made of paths
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import Fact, Unknown, Word
from askfirst.shell import common, zsh
from askfirst.shell.evaluate import Values
from askfirst.shell.syntax import GiveUp, Hazard, Node, Part, Script
from askfirst.shell.walk import control, directories, expansions, lists
from askfirst.shell.walk.analyst import ScriptAnalyst
from askfirst.shell.walk.detours import runs_later
from askfirst.shell.walk.source import Source
from askfirst.shell.walk.state import State

if TYPE_CHECKING:
    from askfirst.shell.call import Call, Outcome
    from askfirst.shell.context import Context
    from askfirst.shell.reading import Tree
    from askfirst.shell.reading.ledger import Ledger
    from askfirst.shell.survey import Survey

__all__ = ["Walk"]


class Walk:
    """What is known while one text is walked, the facts so far, and the three ways in: a list, a command, a word."""

    def __init__(
        self, text: str, tree: Tree, survey: Survey, context: Context, *, source: Source | None = None
    ) -> None:
        """`source`: of another walk over the same text."""
        self.text, self.tree, self.survey, self.context = text, tree, survey, context
        self.source = source or Source(text, survey.variables, context.surroundings)
        self.surroundings, self.detours = context.surroundings, context.detours
        self.zsh, self.sh = context.dialect.zsh, context.dialect.sh
        self.facts: list[Fact] = []
        self.functions_here: set[str] = set()  # defined for certain where the present call stands
        self.activated_here = ""  # as State.activated
        self.turns = 0  # how often bodies of loops were walked
        self.outcomes: dict[tuple[Call, tuple[int, int]], Outcome] = {}
        self.analyst = ScriptAnalyst(self)

    def inside(self, via: str, call: Call) -> Walk:
        """A walk for a program inside a call (`env PROGRAM`): the same text, facts of its own."""
        context = replace(self.context, via=(*call.via, via), level=self.context.level + 1)
        return Walk(self.text, self.tree, self.survey, context, source=self.source)

    # -- the ways in

    def whole_text(self) -> None:
        context = self.context
        cwd = None if self.survey.movement.at_any_time else context.cwd
        state = State(cwd, set(context.functions), context.stdin, context.relied_on)
        changed = self.detours.noted
        lists.lines(self, self.tree.script, state)
        if self.detours.noted > changed and runs_later(self.text, functions=bool(self.survey.movement.functions)):
            self.detours.again = True
        if self.ledger is not None and self.ledger.missed():
            raise GiveUp("a substitution that was not visited")
        if self.zsh and self.ledger is not None:
            self.read_otherwise_by_zsh(self.ledger.differs.get("zsh", ""))
        if self.sh:
            self.unknown_if(common.difference(self.tree, self.text, context.dialect), "syntax", self.text)
        if context.outer is None and context.relied_on:
            directories.check_relied_on(self)

    def run(self, script: Script, state: State) -> None:
        for item, separator in script.items:
            lists.item(self, item, separator, state)

    def node(self, node: Node, state: State, connected: str = "") -> bool:
        """One command. True when it certainly succeeds. `connected`: descriptors that are a pipe of its pipeline."""
        return control.node(self, node, state, connected)

    def visit(self, parts: list[Part], state: State) -> None:
        """Everything that runs when these parts are expanded."""
        if self.zsh:
            self.read_otherwise_by_zsh(zsh.expansion(parts))
        expansions.visit(self, parts, state)

    # -- what is known

    @property
    def ledger(self) -> Ledger | None:
        return self.tree.ledger

    def values(self, state: State) -> Values:
        variables, outside = self.survey.variables, self.surroundings
        held = dict(state.variables)
        if not variables.anything_may_change:
            for name, value in outside.variables.items():
                moved = name == "PWD" or (name == "OLDPWD" and self.survey.movement.moves)
                if name not in variables.times and not moved:
                    held.setdefault(name, Word(name, value))
        if state.cwd is not None and "PWD" not in variables.times:
            held["PWD"] = Word("PWD", state.cwd)
        home = None if "HOME" in variables.times or variables.anything_may_change else outside.home
        braces = not self.survey.modes.expansion_changes and not self.sh
        return Values(
            held,
            home,
            state.cwd,
            braces=braces,
            splits=not self.zsh,
            sh=self.sh,
            numbers=state.numbers,
            listed=lambda script: lists.listed(self, script, state),
            constant=lambda script: lists.constant(self, script, state),
            holds_data=variables.holds_data,
        )

    # -- facts

    def unknown(self, what: str, why: str, text: str = "") -> None:
        self.facts.append(Unknown(what, why, text, self.source.words))

    def unknown_if(self, why: str, what: str, text: str = "") -> None:
        """A reason is a text; "" is none."""
        if why:
            self.unknown(what, why, text)

    def read_otherwise_by_zsh(self, why: str) -> None:
        self.unknown_if(why, "syntax")

    def path(self, text: str, cwd: str | None, shown: str) -> str | None:
        found = self.detours.path(text, cwd)
        self.doubt_paths(shown)
        return found

    def doubt_paths(self, text: str) -> None:
        """Paths that were asked for, and that the script itself may have changed."""
        doubts = self.detours.take_doubts()
        if doubts:
            self.unknown("path", f"this same command may have changed what `{doubts[0]}` is before it gets there", text)

    def hazards(self, hazards: list[Hazard]) -> None:
        for hazard in hazards:
            if not (hazard.name and self.survey.variables.is_number(hazard.name)):
                self.unknown(hazard.what, hazard.why, hazard.text)
