"""An option that runs, writes, loads or shows something is not allowed in any spelling that a program may take: apart,
glued, in a cluster, abbreviated, before and behind the operands."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from askfirst.model import Decision
from askfirst.shell.tools.options import Option, options_of
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Effect, Tool
from tests.scorecard import Bench

MODULES = sorted(set(REGISTRY.values()))
HERE = (".mcp.json", ".git/hooks/pre-commit")
# What each effect must not be let do; `~` is spelled out, because a shell does not expand it inside a word.
VALUES = {
    Effect.WRITES: ("HOME/.bashrc", *HERE),
    Effect.APPENDS: ("HOME/.bashrc", *HERE),
    Effect.DELETES: ("HOME/.bashrc",),
    Effect.BELOW: ("HOME/.config", ".git/hooks", ".claude"),
    Effect.READS: (".env", "HOME/.ssh/id_rsa"),
    Effect.RUNS: ("./x.sh",),
    Effect.SCRIPT: ("./x.sh",),
    Effect.CODE: ("x()",),
    Effect.ASKS: ("./x.sh",),
}
# Behind their first operand stand no options of theirs.
ENDS_AT_OPERAND = frozenset("awk gawk mawk nawk".split())
# `find -fprint x` writes a file of the project; -j is BSD's `date`, where -f is no file.
FINE = ("find ", "date -jf", "date README.md -jf")


def _rows(tool: Tool, words: str) -> Iterator[tuple[str, Tool]]:
    yield words, tool
    for word, row in tool.subcommands.items():
        yield from _rows(row, f"{words} {word}")


def _spellings(option: str, value: str, row: Tool) -> Iterator[str]:
    table = options_of(row)
    yield f"{option} {value}"
    if option.startswith("--"):
        for end in range(5, len(option) + 1):
            if end == len(option) or option[:end] not in table:
                yield f"{option[:end]}={value}"
                yield f"{option[:end]} {value}"
    elif len(option) == 2:
        yield f"{option}{value}"
        if not row.reading.single_dash_long:
            flags = [o for o, known in table.items() if len(o) == 2 and not known.takes and not known.effect]
            for flag in [f for f in flags if f not in ("-h", "-V")][:6]:
                yield f"{flag}{option[1]} {value}"
                yield f"{flag}{option[1]}{value}"


def _commands(home: str, modules: list[str]) -> Iterator[str]:
    for module in modules:
        tools: dict[str, Tool] = importlib.import_module(f"askfirst.shell.tools.{module}").TOOLS
        for name, tool in tools.items():
            for words, row in _rows(tool, name):
                if not row.allowed or row.blocked:
                    continue
                for option, known in options_of(row).items():
                    yield from _calls(words, row, option, known, home)


def _calls(words: str, row: Tool, option: str, known: Option, home: str) -> Iterator[str]:
    stops = row.reading.stops_at_operand or words in ENDS_AT_OPERAND
    for value in VALUES.get(known.effect, ()):
        for given in _spellings(option, value.replace("HOME", home), row):
            yield f"{words} {given}"
            yield f"{words} {given} README.md"
            if not stops:
                yield f"{words} README.md {given}"


def _allowed(base: Path, modules: list[str], *, step: int = 1) -> list[str]:
    bench = Bench(base)
    commands = islice(_commands(str(bench.home), modules), 0, None, step)
    return [c for c in commands if not c.startswith(FINE) and bench.judge(c).decision == Decision.ALLOW]


def test_no_spelling_of_an_option_is_milder(tmp_path: Path) -> None:
    assert _allowed(tmp_path, MODULES, step=151) == []


@pytest.mark.soak
@pytest.mark.parametrize("module", MODULES)
def test_no_spelling_at_all(module: str, tmp_path: Path) -> None:
    assert _allowed(tmp_path, [module]) == []
