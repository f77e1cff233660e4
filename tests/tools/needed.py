"""Which rows no line of the corpora needs: `python -m tests.tools.needed`.

A line needs a row if the row says what a part of it does, wherever that part stands (in a pipeline, a substitution,
behind a wrapper, in a profile's own words), and if the line should pass, hides a block or belongs to an approval. What
only has to ask needs no row. Rows that are alike but for their name are one row: `gunzip` and `gzip`, `pip3.12 list`
and `pip list`; so are the names of one sub-command (knowledge/other_names.py).

Whatever is listed here is either named with its reason in tests/cases/beyond_the_corpora.yaml, or goes.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

import askfirst.shell.tools
from askfirst.knowledge.other_names import SUBCOMMANDS
from askfirst.shell import analyze
from askfirst.shell.tools import engine, options
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Tool
from tests.scorecard import Bench, cases
from tests.tools.manuals import may_pass
from tests.tools.rows import table

REASONS = Path(__file__).parents[1] / "cases" / "beyond_the_corpora.yaml"
_READERS = (engine.apply, engine.row, engine.finish, engine.facts_of, engine.action_of, options.parse)


def lines() -> Iterator[str]:
    """The commands of the corpora that need what they name."""
    for file in ("everyday", "attacks", "dippy", "nah"):
        for case in cases(file):
            if case.get("expect", case.get("expected")) not in ("ask", "ask_or_block"):
                yield case["command"]
    for case in cases("sequences"):
        yield from (text for key in ("approve", "then") if isinstance(text := case.get(key), str))
    for session in cases("sessions"):
        yield from (call["input"]["command"] for call in session["calls"] if call["tool"] == "Bash")


@contextmanager
def watched() -> Iterator[set[int]]:
    """The rows (by id) that are read meanwhile."""
    read: set[int] = set()

    def watching(reader: Callable[..., Any]) -> Callable[..., Any]:
        def watch(tool: Tool, *rest: Any, **more: Any) -> Any:
            read.add(id(tool))
            return reader(tool, *rest, **more)

        return watch

    names = [m.name for m in pkgutil.walk_packages(askfirst.shell.tools.__path__, "askfirst.shell.tools.")]
    with ExitStack() as patches:
        for module in (askfirst.shell.tools, *map(importlib.import_module, names)):
            for reader in _READERS:
                if vars(module).get(reader.__name__) is reader:
                    patches.enter_context(patch.object(module, reader.__name__, watching(reader)))
        yield read


def rows_that_may_pass(words: tuple[str, ...], tool: Tool) -> Iterator[tuple[tuple[str, ...], Tool]]:
    """The rows of a program that can pass and have nothing below them that can."""
    below = [(word, inner) for word, inner in tool.subcommands.items() if may_pass(inner)]
    for word, inner in below:
        yield from rows_that_may_pass((*words, word), inner)
    if not below and may_pass(tool):
        yield words, tool


def like(words: tuple[str, ...], tool: Tool) -> str:
    """The same text for rows that are one: a program's own with its twins', a sub-command's by its first name."""
    program = table(REGISTRY[words[0]]).TOOLS[words[0]]
    twin = replace(program, name="", examples=(), counter_examples=(), manual="", subcommands={}, target=None)
    verb = " ".join(words[1:])
    for programs, groups in SUBCOMMANDS.items():
        if words[0] in programs.split():
            names = [[name.strip() for name in group.split(",")] for group in groups.splitlines()]
            verb = next((group[0] for group in names if verb in group), verb)
    return f"{REGISTRY[words[0]]} {twin!r} {sorted(program.subcommands)} {verb}"


def not_needed() -> list[str]:
    """By the first of their names."""
    with tempfile.TemporaryDirectory() as folder, watched() as read:
        surroundings = Bench(Path(os.path.realpath(folder))).surroundings()
        for line in dict.fromkeys(lines()):
            analyze(line, surroundings)
    rows = [row for name in REGISTRY for row in rows_that_may_pass((name,), table(REGISTRY[name]).TOOLS[name])]
    twins: dict[str, list[tuple[tuple[str, ...], Tool]]] = {}
    for words, tool in rows:
        twins.setdefault(like(words, tool), []).append((words, tool))
    return [" ".join(one[0][0]) for one in twins.values() if not any(id(tool) in read for _, tool in one)]


def reasons() -> dict[str, str]:
    """row -> why it stays all the same. Entries are {why, rows}."""
    entries = yaml.safe_load(REASONS.read_text(encoding="utf-8"))
    return {row: entry["why"] for entry in entries for row in entry["rows"]}


def main() -> int:
    named = reasons()
    for row in not_needed():
        print(f"{row:40} {named.get(row, '')}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
