"""How the commands print: plain tables and counted things."""

from __future__ import annotations

from collections.abc import Container

from rich.table import Table


def plain_table(*columns: str, unbroken: Container[str] = ()) -> Table:
    """A table without lines. Cells are folded, but for those of the `unbroken` columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold", no_wrap=name in unbroken)
    return table


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 prompt`, `2 prompts`."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"
