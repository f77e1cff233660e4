"""What is certain at one point of a script, and what of it stays certain where a branch may or may not have run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from askfirst.model import Word

if TYPE_CHECKING:
    from askfirst.shell.call import Stdin


class State:
    __slots__ = (
        "activated",
        "cwd",
        "entered",
        "functions",
        "given",
        "in_function",
        "numbers",
        "reached",
        "relied_on",
        "stdin",
        "variables",
    )

    def __init__(self, cwd: str | None, functions: set[str], stdin: Stdin, relied_on: set[str]) -> None:
        self.cwd = cwd  # the shell's directory; None when it may be one of several
        self.functions = functions  # defined for certain
        self.stdin = stdin
        self.relied_on = relied_on  # one for the whole analysis: directories that `cd` must find
        self.variables: dict[str, Word] = {}  # those whose only value is known
        self.numbers: set[str] = set()  # variables that are set, and always to a number
        self.given: set[str] = set()  # variables that the script itself has set, whatever to
        self.in_function = False
        self.activated = ""  # `bin` of the project's virtual environment, which the PATH begins with for certain
        self.entered = ""  # the directory that the last `cd` finds now
        self.reached: str | None = None  # where a `cd` has led if it succeeded, which only `&&` tells

    def copy(self) -> State:
        other = State(self.cwd, set(self.functions), self.stdin, self.relied_on)
        other.variables, other.numbers, other.given = dict(self.variables), set(self.numbers), set(self.given)
        other.in_function, other.entered = self.in_function, self.entered
        other.activated = self.activated
        return other

    def rely_on_directory(self) -> None:
        """From here on commands run in the directory although nothing has tested that `cd` succeeded."""
        if self.entered:
            self.relied_on.add(self.entered)

    def join(self, branch: State) -> None:
        """Keeps what is certain whether the branch has run or not."""
        if branch.cwd != self.cwd:
            self.cwd = None
        else:
            branch.rely_on_directory()
        if branch.activated != self.activated:
            self.activated = ""
        self.functions &= branch.functions
        self.numbers &= branch.numbers
        self.given &= branch.given
        self.variables = {n: v for n, v in self.variables.items() if branch.variables.get(n) == v}

    def join_all(self, branches: Iterable[State]) -> None:
        for branch in branches:
            self.join(branch)
