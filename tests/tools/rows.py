"""Every row of the tables of tools, for the tests that hold each against its own examples."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from askfirst.shell.tools.table import Tool


def rows_of(modules: tuple[str, ...]) -> Iterator[Tool]:
    """The tools of these modules with their subcommands, each once: an alias is the same row."""
    seen: set[int] = set()

    def walk(tool: Tool) -> Iterator[Tool]:
        if id(tool) in seen:
            return
        seen.add(id(tool))
        yield tool
        for inner in tool.subcommands.values():
            yield from walk(inner)

    for module in modules:
        for tool in import_module(f"askfirst.shell.tools.{module}").TOOLS.values():
            yield from walk(tool)
