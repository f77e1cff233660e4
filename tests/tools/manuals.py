"""Holds the rows against the manuals of the programs that are installed here.

    python -m tests.tools.manuals [--write] [PROGRAM…]

For every program of which some row may pass without asking, the options of its `--help` and its manual page are
compared with those of the row, and those of a sub-command's page with the sub-command's. The table shows:

    swallows    the row takes a value where the manual takes none: the word behind it, perhaps a file, is not looked at
    misses      the row takes no value where the manual takes one: that value is taken for an operand
    effects     the row says that it does nothing, and the manual sounds as if it wrote or ran something
    unlisted    the same, for an option that passes because the row lets every option pass
    unknown     the row lists it and this manual does not: another version, another system, or a mistake

A manual counts as held only if the two could be compared: the manual knows half of the row's options or more, or the
row lets every option pass and the manual lists them. A program with sub-commands is held if all of them are. Rows that
are code (`special`) and list no options are not held. An agreement about values is not yet one about effects: whether
an option writes or runs is for whoever reads the table and the manual.

`--write` notes the manual in the rows and the outcome in tests/cases/manuals.yaml. Only `--help`, `--version` and `man`
are run, in an empty directory that is also the home, without the environment's other variables.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from askfirst.shell.tools.options import FLAG, GLUED, VALUE, options_of
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Effect, Tool
from tests.tools.rows import table

TABLE = Path(__file__).parents[1] / "cases" / "manuals.yaml"
SECONDS = 5
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
EVERYWHERE = {"--help", "--version", "-h", "-V"}

# -- which programs


def may_pass(tool: Tool) -> bool:
    """Whether some call of the program can pass without asking."""
    return (tool.allowed and not tool.blocked) or any(may_pass(inner) for inner in tool.subcommands.values())


def allowed_programs() -> dict[str, Tool]:
    rows = {name: table(module).TOOLS[name] for name, module in REGISTRY.items()}
    return {name: tool for name, tool in sorted(rows.items()) if may_pass(tool)}


def can_be_compared(tool: Tool) -> bool:
    """What code or sub-commands decide is not in the row's options."""
    listed = bool(set(options_of(tool)) - EVERYWHERE)
    return listed or (tool.reading.any_options and tool.special is None and not tool.subcommands)


# -- what the manual says


@cache
def output_of(*command: str) -> str:
    """What a program prints about itself; nothing if it fails to start or to end."""
    with tempfile.TemporaryDirectory() as scratch:
        quiet = {"PATH": PATH, "HOME": scratch, "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAGER": "cat", "MANPAGER": "cat"}
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                cwd=scratch,
                env=quiet | {"MANWIDTH": "200", "COLUMNS": "200"},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
    return re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout.decode("utf-8", "replace"))


_NUMBER = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+\w*|\d{3})\b")
_FAILED = re.compile(r"(?i)command not found|no such|invalid option|unrecognized|unknown option|usage:")
_NOISE = re.compile(
    r"(?i)\bversion\b:?|\bfor Debian\b|\bDebian\b|\bThis is\b|\(64-bit\)|[()]|[,:*]+(?=\s|$)|(?<=\s)-\s"
)


def version_in(name: str, text: str) -> str:
    """`sort (GNU coreutils) 9.1` -> `GNU coreutils 9.1`; empty if the text names no version."""
    if _FAILED.search(text):
        return ""
    for line in text.strip().splitlines()[:3]:
        line = re.sub(r"(?<=[a-z])-(?=\d)", " ", line)  # `jq-1.6`
        number = _NUMBER.search(line)
        if number is None:
            continue
        if not number.group(1).strip("0."):  # `0.0.0`: built without one
            return ""
        before = line[: number.start()]
        package = re.search(r"\(([A-Za-z][^()]*)\)", before) or re.search(r"\(Debian (\w+) ", before)
        package = package or re.search(r"\bfrom (\S+)", before)
        said = " ".join(_NOISE.sub(" ", package.group(1) if package else before).split())
        # A sentence about itself is no name.
        return f"{said if 0 < len(said.split()) < 3 else name} {number.group(1)}"
    return ""


class Described(NamedTuple):
    """An option as a manual describes it."""

    takes: int  # as in options.py
    text: str  # the line it stands on, and the next


_SPELLING = re.compile(r"(--?(?:\[no-\])?[A-Za-z0-9?@#][\w.-]*)(\[?=?[^\s,|]*)((?: (?!-|or\b)[^\s,|]+)?)(?=(.?))")


def options_in(text: str) -> dict[str, Described]:
    """Every option that begins a line."""
    found: dict[str, Described] = {}
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        begins = re.match(r"(?:\s{0,8}|\t)(?=-)(\S.*)", line)
        if begins is None:
            continue
        listed = re.split(r"\s{2,}|\t| : ", re.sub(r"(?<=,)\s+(?=-)", " ", begins.group(1)))[0]
        group: dict[str, int] = {}
        for spelling, glued, apart, behind in _SPELLING.findall(listed):
            takes = FLAG
            if glued.startswith("[") or apart.startswith(" ["):
                takes = GLUED
            elif glued.startswith(("=", "<")) or apart.startswith(" <") or (apart and behind in ("", ",", "|")):
                takes = VALUE
            for each in {spelling.replace("[no-]", ""), spelling.replace("[no-]", "no-")}:
                group[each] = takes
        # `-k, --key=KEYDEF`: the value is named once for all spellings.
        shared = max(group.values(), default=FLAG)
        for spelling, takes in group.items():
            found.setdefault(spelling, Described(takes or shared, f"{line.strip()} {following.strip()}"))
    return found


class Manual(NamedTuple):
    """What an installed program says about itself."""

    version: str
    options: dict[str, Described]


@cache
def manual_of(words: tuple[str, ...]) -> Manual | None:
    """Of a program, or of a sub-command that has a page of its own. None: it says too little to be compared."""
    if shutil.which(words[0], path=PATH) is None:
        return None
    page = options_in(output_of("man", "-".join(words)))
    options = page if len(words) > 1 else page | options_in(output_of(words[0], "--help"))
    version = version_in(words[0], output_of(words[0], "--version")) if options else ""
    return Manual(version, options) if version else None


# -- the comparison


_SUSPECT = re.compile(
    r"(?i)\b(?:writ\w+|overwrit\w+|exec\w*|run|runs|invoke|delet\w+|remov\w+|sav(?:e|es|ing)|creat\w+|edit\w*|kill\w*|plugin"
    r"|load|program|command|send|clear|reset|flush|rotate|vacuum|dump|pager|set the|sets|append|store|in.?place"
    r"|to (?:the )?(?:given |specified )?file|output file|log.?file|shutdown|signal)\b"
)


class Comparison(NamedTuple):
    """A row beside its manual; the lists are what the table of the module's docstring shows."""

    words: tuple[str, ...]
    manual: str
    swallows: list[str]
    misses: list[str]
    effects: list[str]
    unlisted: list[str]
    unknown: list[str]
    held: bool


def compare(words: tuple[str, ...], tool: Tool, manual: Manual) -> Comparison:
    row = {s: o for s, o in options_of(tool).items() if s not in EVERYWHERE}
    said = manual.options
    both = sorted(set(row) & set(said))
    beside = sorted(set(said) - set(row) - EVERYWHERE) if tool.reading.any_options else []

    def suspects(spellings: list[str]) -> list[str]:
        return [f"{s} ({said[s].text[:110]})" for s in spellings if _SUSPECT.search(said[s].text)]

    return Comparison(
        words,
        manual.version,
        swallows=[s for s in both if row[s].takes == VALUE and row[s].effect != Effect.ASKS and said[s].takes != VALUE],
        misses=[s for s in both if row[s].takes == FLAG and said[s].takes == VALUE],
        effects=suspects([s for s in both if row[s].effect == Effect.INERT]),
        unlisted=suspects(beside),
        unknown=sorted(set(row) - set(said)),
        # Fewer in common is another program of the same name.
        held=2 * len(both) >= len(row) if row else tool.reading.any_options,
    )


def rows_below(words: tuple[str, ...], tool: Tool) -> Iterator[tuple[tuple[str, ...], Tool]]:
    """The rows of a program that may pass and list options."""
    if tool.allowed and not tool.blocked and can_be_compared(tool):
        yield words, tool
    for word, inner in tool.subcommands.items():
        yield from rows_below((*words, word), inner)


def comparisons(name: str, tool: Tool) -> Iterator[Comparison]:
    for words, row in rows_below((name,), tool):
        # `git stash list` is described by git-stash.
        manual = manual_of(words) or (manual_of(words[:2]) if len(words) > 2 else None)
        if manual is None:
            yield Comparison(words, "", [], [], [], [], [], False)
        else:
            yield compare(words, row, manual)


def held_manual(found: list[Comparison]) -> str:
    """The manual that all rows of a program were held against."""
    return found[0].manual if found and all(one.held for one in found) else ""


def show(found: list[Comparison]) -> None:
    for one in found:
        print(f"{' '.join(one.words):24} {one.manual or 'no manual':28} {'held' if one.held else 'not held'}")
        for what in ("swallows", "misses", "effects", "unlisted", "unknown"):
            if listed := getattr(one, what):
                print(f"    {what:9} {' '.join(listed)}")


# -- the rows and the table


def with_manual(source: str, name: str, manual: str) -> str:
    """The module with `manual` in the row of one program, if that row is a call with the name written out."""
    rows = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.lower().lstrip("_") in ("tool", "looks")
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == name
    ]
    if len(rows) != 1:
        return source
    lines = source.encode().splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines))]
    text = source.encode()

    def at(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    said = f'manual="{manual}"'.encode()
    for keyword in rows[0].keywords:
        if keyword.arg == "manual":
            begin, end = at(keyword.lineno, keyword.col_offset), at(keyword.end_lineno, keyword.end_col_offset)
            return (text[:begin] + said + text[end:]).decode()
    for keyword in rows[0].keywords:  # the order of the fields of `Tool`
        if keyword.arg in ("examples", "counter_examples", "subcommands", "special"):
            begin = at(keyword.lineno, keyword.col_offset)
            return (text[:begin] + said + b", " + text[begin:]).decode()
    last = max((*rows[0].args, *(k.value for k in rows[0].keywords)), key=lambda n: at(n.end_lineno, n.end_col_offset))
    end = at(last.end_lineno, last.end_col_offset)
    return (text[:end] + b", " + said + text[end:]).decode()


def write_rows(manuals: dict[str, str]) -> None:
    for name, manual in manuals.items():
        path = Path(str(table(REGISTRY[name]).__file__))
        source = path.read_text(encoding="utf-8")
        changed = with_manual(source, name, manual)
        if changed != source:
            path.write_text(changed, encoding="utf-8")
            subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(path)], check=True)


def write_table() -> None:
    """From the rows as they are now: what they say is what counts."""
    programs = allowed_programs()
    said = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "held": {name: tool.manual for name, tool in programs.items() if tool.manual},
        "not_held": [name for name, tool in programs.items() if not tool.manual],
    }
    head = "# Which manual each allowed program's row was held against: python -m tests.tools.manuals --write\n"
    TABLE.write_text(head + yaml.safe_dump(said, sort_keys=False, width=120), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="holds the rows against the manuals of installed programs")
    parser.add_argument("--write", action="store_true", help="note the manuals in the rows and in the table")
    parser.add_argument("--table", action="store_true", help="only write the table, from the rows")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    given = parser.parse_args()
    if given.table:
        write_table()
        return
    manuals = {}
    for name, tool in allowed_programs().items():
        # A builtin has no `--help` of its own: the program of that name is another one.
        if REGISTRY[name] == "shells.builtins" or (given.programs and name not in given.programs):
            continue
        found = list(comparisons(name, tool))
        show(found)
        if manual := held_manual(found):
            manuals[name] = manual
    print(f"{len(manuals)} programs held")
    if given.write:
        write_rows(manuals)
        # A new process: this one has read the rows as they were.
        subprocess.run([sys.executable, "-m", "tests.tools.manuals", "--table"], check=True)


if __name__ == "__main__":
    main()
