"""Every row of the tables of tools, for the tests that hold each against its own examples."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Tool

MODULES = tuple(sorted(set(REGISTRY.values())))


class Row(NamedTuple):
    """A row where it stands."""

    module: str  # "unix.basics"
    words: tuple[str, ...]  # how it is called: ("git", "stash", "list")
    tool: Tool
    manual: str  # its own, or that of the program it belongs to


def table(module: str) -> ModuleType:
    return import_module(f"askfirst.shell.tools.{module}")


def rows_of(module: str) -> Iterator[Row]:
    """The rows of a module with their sub-commands, each once: an alias is the same row."""
    seen: set[int] = set()

    def walk(words: tuple[str, ...], tool: Tool, manual: str) -> Iterator[Row]:
        if id(tool) in seen:
            return
        seen.add(id(tool))
        manual = tool.manual or manual
        yield Row(module, words, tool, manual)
        for word, inner in tool.subcommands.items():
            yield from walk((*words, word), inner, manual)

    for name, tool in table(module).TOOLS.items():
        yield from walk((name,), tool, "")


def every_row() -> Iterator[Row]:
    for module in MODULES:
        yield from rows_of(module)
