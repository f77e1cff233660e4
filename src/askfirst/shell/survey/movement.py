"""What may lead commands elsewhere: `cd` and its kin, functions, and what leaves a loop's body before its end."""

from __future__ import annotations


class Movement:
    __slots__ = ("at_any_time", "functions", "leaves", "moves")

    def __init__(self) -> None:
        self.moves = False  # some command changes the directory
        self.at_any_time = False  # a signal may run what changes it
        self.leaves = False  # `break` or `continue`: a body may end anywhere
        self.functions: set[str] = set()  # names that may be functions

    def leads_elsewhere(self) -> bool:
        return self.moves or bool(self.functions)

    def copy(self) -> Movement:
        other = Movement()
        other.moves, other.leaves, other.at_any_time = self.moves, self.leaves, self.at_any_time
        other.functions = set(self.functions)
        return other
