"""What the reader found against what the walk visited: no expansion may be overlooked between them."""

from __future__ import annotations

from typing import TypeVar

from askfirst.shell.syntax import GiveUp

T = TypeVar("T")

MAX_NODES = 6000
MAX_COMMANDS = 4000


class Ledger:
    """Counts what was found and what the walk has visited, over all texts of one analysis."""

    def __init__(self) -> None:
        self.nodes: list[object] = []
        self.visited: set[int] = set()
        self.commands = 0
        self.differs: dict[str, str] = {}  # "zsh", "sh": why that shell would read something else

    def created(self, node: T) -> T:
        self.nodes.append(node)
        if len(self.nodes) > MAX_NODES:
            raise GiveUp("too many expansions", what="too long")
        return node

    def differ(self, why: str, *shells: str) -> None:
        """What the tree does not show, and these shells read otherwise."""
        for shell in shells:
            self.differs.setdefault(shell, why)

    def count_command(self) -> None:
        self.commands += 1
        if self.commands > MAX_COMMANDS:
            raise GiveUp(f"more than {MAX_COMMANDS:,} commands", what="too long")

    def visit(self, node: object) -> None:
        self.visited.add(id(node))

    def missed(self) -> bool:
        return any(id(node) not in self.visited for node in self.nodes)
