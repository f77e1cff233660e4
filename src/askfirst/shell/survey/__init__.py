"""What is true of a script as a whole: looked up over its whole tree, before the walk goes through it in order.

A walk that follows the text cannot know what a later line, a loop's next turn or a signal will set. The survey can: it
says which variables can only hold numbers or one value (variables.py), whether anything changes how the shell reads
what follows (modes.py), and whether anything may lead elsewhere (movement.py). It never says what happens where, and
whatever it cannot look into makes everything uncertain (`anything_may_happen`).
"""

from __future__ import annotations

from askfirst.shell.from_data import POSITIONAL, may_be_more
from askfirst.shell.numbers import are_numbers
from askfirst.shell.survey.builtins import variables_in
from askfirst.shell.survey.commands import look_at_command
from askfirst.shell.survey.modes import Modes
from askfirst.shell.survey.movement import Movement
from askfirst.shell.survey.variables import Variables
from askfirst.shell.syntax import (
    Arithmetic,
    Branches,
    Coproc,
    Evaluate,
    For,
    Function,
    Group,
    Node,
    Parameter,
    Part,
    RawWord,
    Redirect,
    Script,
    Simple,
    Substitution,
)

__all__ = ["Survey"]


class Survey:
    def __init__(self, outer: Survey | None = None) -> None:
        """`outer`: the survey of the text around this one, whose variables and functions exist here, too."""
        self.variables: Variables = Variables() if outer is None else outer.variables.copy()
        self.modes: Modes = Modes() if outer is None else outer.modes.copy()
        self.movement: Movement = Movement() if outer is None else outer.movement.copy()

    @staticmethod
    def of(script: Script, outer: Survey | None = None, *, given_data: bool = False) -> Survey:
        """The survey of a whole text. `given_data`: see Context."""
        found = Survey(outer)
        if given_data:
            found.variables.from_data |= POSITIONAL
        found.script(script)
        found.conclude()
        return found

    def alone(self, scripts: list[Script]) -> Survey:
        """The survey of a part, without what stands around it."""
        found = Survey()
        for script in scripts:
            found.script(script)
        return found

    def anything_may_happen(self, *, expansion_changes: bool = True) -> None:
        """Text that is not known runs in this shell, or a name may mean something else."""
        self.variables.anything_may_change = True
        self.movement.moves = self.movement.leaves = True
        self.modes.unsets = True
        self.modes.expansion_changes = self.modes.expansion_changes or expansion_changes

    def conclude(self) -> None:
        """Behind the whole tree: what could not be said while variables were still being found."""
        if not self.variables.name_only_programs():
            self.anything_may_happen()
        if self.modes.handles_signals and self.movement.moves:
            self.variables.anything_may_change = True
            # `f() { cd d1; }; trap f INT`: a function that a signal runs.
            self.movement.at_any_time = self.movement.at_any_time or bool(self.movement.functions)

    # -- the tree

    def script(self, script: Script) -> None:
        for item, _ in script.items:
            for pipeline in item.pipelines:
                for node in pipeline.commands:
                    self.node(node)

    def node(self, node: Node) -> None:
        self.redirects(node.redirects)
        if isinstance(node, Simple):
            look_at_command(self, node)
        elif isinstance(node, Group):
            self.script(node.body)
        elif isinstance(node, Branches):
            self.words(node.words)
            for body in node.bodies:
                self.script(body)
        elif isinstance(node, For):
            self.loop(node)
        elif isinstance(node, Evaluate):
            self.words(node.words)
            self.parts(list(node.arithmetic))
            if node.body:
                self.script(node.body)
        elif isinstance(node, Function):
            self.movement.functions.add(node.name)
            self.node(node.body)
        elif isinstance(node, Coproc):
            self.variables.set(node.name, number=False, times=2)
            self.variables.arrays.add(node.name)
            self.node(node.body)

    def loop(self, node: For) -> None:
        words = node.words or []
        numbers = node.words is not None and not node.select and all(map(are_numbers, words))
        self.variables.set(node.name, number=numbers)
        if not numbers and any(may_be_more(word.text) for word in words):
            self.variables.from_data.add(node.name)
        made_of = {"@"} if node.words is None else {name for word in words for name in variables_in(word.parts)}
        self.variables.sources.setdefault(node.name, set()).update(made_of)
        self.words(words)
        self.script(node.body)

    def words(self, words: list[RawWord]) -> None:
        for word in words:
            self.parts(word.parts)

    def parts(self, parts: list[Part]) -> None:
        for part in parts:
            if isinstance(part, Substitution):
                self.script(part.script)
            elif isinstance(part, Parameter):
                if part.operator in ("=", ":="):
                    self.variables.set(part.name, number=False, times=2)
                    self.variables.note_data(part.name, "".join(word.text for word in part.words))
                self.words(part.words)
            elif isinstance(part, Arithmetic):
                for name in part.sets:
                    self.variables.set(name, number=True, times=2)
                self.parts(part.parts)

    def redirects(self, redirects: list[Redirect]) -> None:
        for redirect in redirects:
            if redirect.fd.startswith("{"):
                self.variables.set(redirect.fd[1:-1], number=True, times=2)
            if redirect.operator in ("<&", ">&") and not redirect.target.text.isdigit():
                self.modes.closes = True
            self.parts(redirect.target.parts)
            if redirect.body:
                self.parts(redirect.body.parts)
