"""What may lead commands elsewhere: `cd` and its kin, functions, and what leaves a loop's body before its end."""

from __future__ import annotations


class Movement:
    __slots__ = ("functions", "leaves", "moves")

    def __init__(self) -> None:
        self.moves = False  # some command changes the directory
        self.leaves = False  # `break` or `continue`: a body may end anywhere
        self.functions: set[str] = set()  # names that may be functions

    def copy(self) -> Movement:
        other = Movement()
        other.moves, other.leaves, other.functions = self.moves, self.leaves, set(self.functions)
        return other
