"""Holds the rows against the manuals of the programs that are installed here.

    python -m tests.tools.manuals [--write] [--brief] [PROGRAM | FAMILY. | FAMILY.MODULE …]

For every program of which some row may pass without asking, the options of its `--help` and its manual page are
compared with those of the row, and those of a sub-command with the sub-command's. The report shows:

    swallows    the row takes a value where the manual takes none: the word behind it, perhaps a file, is not looked at
    misses      the row takes no value where the manual takes one: that value is taken for an operand. So may be one
                that can be left out (`--no-provision [FILE]`)
    effects     the row says that it does nothing, and the manual sounds as if it wrote, ran, loaded or sent something
    unlisted    an option that passes because the row lets every option pass; `!` if it sounds as above
    passes      an option of which the row's code, not its list, decides that it passes (`=`: with any value); `!` again
    asks        an option that the row does not know: it asks
    unknown     the row lists it and this manual does not: another version, another system, or a mistake
    habits      how the program reads its words, by trying it, where the row says otherwise:
                order (does it stop reading options at its first operand?), response files (`@FILE`), numbers (`-5`)
    shortens    whether it takes beginnings of long options: to the engine these are options that are not known

A manual counts as held only if the two could be compared: the manual knows a third of the row's options or more (rows
list those of other systems and versions too), the row knows all of the manual's, or the row lets every option pass.
Where a row has code of its own, calls with each option of the manual are judged as the gate judges them (judged.py):
its `effects` are then those that pass. A program with sub-commands is held if most of them are; the table names the
others (`not_compared`). An agreement about values is not yet one about effects: whether an option writes or runs is for
whoever reads the report and the manual.
`--brief` leaves out `asks` and `unknown`.

`--write` notes the manual in the rows (in the call that makes the row, or, for rows that a loop makes, in the module's
`_MANUALS`), and in tests/cases/manuals.yaml the date and what the report said: what a later run finds
beyond that is new. Programs are started as installed.py says.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from askfirst.shell.tools.options import FLAG, VALUE, Option, options_of
from askfirst.shell.tools.registry import REGISTRY
from askfirst.shell.tools.table import Effect, Tool
from tests.tools.installed import Described, Habits, Manual, habits_of, manual_of, manual_of_builtin
from tests.tools.judged import named_in_examples, passing
from tests.tools.rows import table

TABLE = Path(__file__).parents[1] / "cases" / "manuals.yaml"
EVERYWHERE = {"--help", "--version", "-h", "-V"}
READ = ("swallows", "misses", "effects", "unlisted", "passes", "habits")  # what is to be read before a manual is noted

# -- which programs


def may_pass(tool: Tool) -> bool:
    """Whether some call of the program can pass without asking."""
    return (tool.allowed and not tool.blocked) or any(may_pass(inner) for inner in tool.subcommands.values())


def allowed_programs() -> dict[str, Tool]:
    rows = {name: table(module).TOOLS[name] for name, module in REGISTRY.items()}
    return {name: tool for name, tool in sorted(rows.items()) if may_pass(tool)}


def can_be_compared(tool: Tool) -> bool:
    """What code or sub-commands decide is not in the row's options."""
    return not tool.subcommands or bool(set(options_of(tool)) - EVERYWHERE)


# -- the comparison


_SUSPECT = re.compile(
    r"(?i)\b(?:writ\w+|overwrit\w+|exec\w*|run|runs|invoke\w*|delet\w+|remov\w+|sav(?:e|es|ing)|creat\w+|edit\w*|kill\w*"
    r"|plugins?|load\w*|programs?|commands?|send\w*|clear|reset|flush|rotate|vacuum|dump|pager|set the|sets|append\w*"
    r"|stor(?:e|es|ing)|in.?place|to (?:the )?(?:given |specified )?file|output (?:to|file)|log.?file|shutdown|signal"
    r"|config\w*|modules?|librar\w+|scripts?|eval\w*|shell|from (?:a |the )?file|url|upload\w*|connect\w*|fetch\w*"
    r"|download\w*|servers?|environment|install\w*|updat\w+|renam\w+|replac\w+|socket|daemon)\b"
)
# A value that is a file or a directory, by its name in the manual.
_IS_FILE = re.compile(r"(?i)[ =<\[]+(?:\w*[-_])?(?:file|path|dir|directory|folder|filename|dest)\w*\b")
_FIRST = 220  # characters of a description in which it says what an option does


class Comparison(NamedTuple):
    """A row beside its manual; the lists are what the table of the module's docstring shows."""

    words: tuple[str, ...]
    manual: str = ""
    swallows: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    habits: tuple[str, ...] = ()
    shortens: bool | None = None
    held: bool = False


def compare(words: tuple[str, ...], tool: Tool, manual: Manual, habits: Habits) -> Comparison:
    row = {s: o for s, o in options_of(tool).items() if s not in EVERYWHERE}
    said = manual.options
    if tool.reading.single_dash_long:  # one dash or two, to such a program
        said = {s[1:] if s[1:] in row else s: described for s, described in said.items()}
    both = sorted(set(row) & set(said))
    beside = sorted(set(said) - set(row) - EVERYWHERE)
    judged = passing(words, beside) if tool.special is not None else None

    def sounds(spelling: str) -> bool:
        described = said[spelling.removesuffix("=")]
        return bool(_SUSPECT.search(described.text[:_FIRST]) or _IS_FILE.search(described.form))

    effects = tuple(s for s in both if row[s].effect == Effect.INERT and sounds(s))
    if judged is not None:
        effects = tuple(s.removesuffix("=") for s in passing(words, effects) or ())
    return Comparison(
        words,
        manual.version,
        swallows=tuple(
            s for s in both if row[s].takes == VALUE and row[s].effect != Effect.ASKS and said[s].takes != VALUE
        ),
        misses=tuple(s for s in both if row[s].effect != Effect.ASKS and _may_take_next(s, row[s], said[s])),
        effects=effects,
        unlisted=tuple(f"{'!' * sounds(s)}{s}" for s in beside) if tool.reading.any_options else (),
        passes=tuple(f"{'!' * sounds(s)}{s}" for s in judged or ()),
        asks=() if tool.reading.any_options else tuple(s for s in beside if not {s, f"{s}="} & set(judged or ())),
        unknown=tuple(sorted(set(row) - set(said))),
        habits=tuple(differences(tool, habits)) if len(words) == 1 else (),
        shortens=habits.abbreviates,
        # Fewer in common is another program of the same name.
        held=judged is not None
        or (
            bool(row or not tool.special or tool.reading.any_options)
            and (3 * len(both) >= len(row) or bool(both and not beside) or tool.reading.any_options)
        ),
    )


def _may_take_next(spelling: str, option: Option, said: Described) -> bool:
    """Whether the program, by its manual, takes a word for the option's value that the row takes for an operand."""
    if option.takes == FLAG and said.takes == VALUE:
        return True
    return option.takes != VALUE and re.search(rf"{re.escape(spelling)} +\[(?!=)", said.form) is not None


def differences(tool: Tool, habits: Habits) -> Iterator[str]:
    """Where the row says otherwise than the program does."""
    stops = habits.stops_at_operand
    if stops is not None and stops != tool.reading.stops_at_operand and not tool.subcommands:
        yield "stops at its first operand" if stops else "reads options behind operands"
    if habits.response_files and not tool.reading.response_files:
        yield "takes response files"
    if habits.numbers is False and tool.reading.numbers:
        yield "takes no numbers"


def rows_below(words: tuple[str, ...], tool: Tool) -> Iterator[tuple[tuple[str, ...], Tool]]:
    """The rows of a program that may pass and list options."""
    if tool.allowed and not tool.blocked and can_be_compared(tool):
        yield words, tool
    for word, inner in tool.subcommands.items():
        yield from rows_below((*words, word), inner)


def comparisons(name: str, tool: Tool) -> Iterator[Comparison]:
    habits = Habits() if is_builtin(name) else habits_of(name)
    below = dict(rows_below((name,), tool))
    below |= {words: tool for words in named_in_examples(name, tool) if words not in below and has_its_own(words)}
    for words, row in below.items():
        manual = described_in(words)
        yield Comparison(words) if manual is None else compare(words, row, manual, habits)


def is_builtin(name: str) -> bool:
    return REGISTRY[name] == "shells.builtins"


def described_in(words: tuple[str, ...]) -> Manual | None:
    """`git stash list` is described by git-stash, and `apt list` by apt."""
    if is_builtin(words[0]):  # the program of that name, where there is one, is another
        return manual_of_builtin(words[0])
    return next((found for end in range(len(words), 0, -1) if (found := manual_of(words[:end]))), None)


def has_its_own(words: tuple[str, ...]) -> bool:
    """Whether a manual describes these words, and more than the words before them (`docker ps`, not `ag pattern`)."""
    own = manual_of(words)
    before = (manual_of(words[:count]) for count in range(1, len(words)))
    return own is not None and all(one is None or not set(own.options) <= set(one.options) for one in before)


def held_manual(found: list[Comparison]) -> str:
    """The manual that most rows of a program were held against."""
    held = [one.manual for one in found if one.held]
    return held[0] if 2 * len(held) > len(found) else ""


def show(found: list[Comparison], *, brief: bool) -> None:
    for one in found:
        said = f"{one.manual or 'no manual':28} {'held' if one.held else 'not held'}"
        print(f"{' '.join(one.words):24} {said}{'  shortens' * bool(one.shortens)}")
        for what in (*READ, *(() if brief else ("asks", "unknown"))):
            listed = getattr(one, what)
            if listed and what in ("effects", "unlisted", "passes"):
                print(f"    {what:9} {' '.join(s for s in listed if what != 'effects' and not s.startswith('!'))}")
                show_described(one, [s.strip("!=") for s in listed if what == "effects" or s.startswith("!")])
            elif listed:
                print(f"    {what:9} {(' ' if what != 'habits' else '; ').join(listed)}")


def show_described(one: Comparison, spellings: list[str]) -> None:
    """What the manual says of these options, each once."""
    manual = described_in(one.words)
    said = manual.options if manual is not None else {}
    for text in dict.fromkeys((said.get(s) or said[f"-{s}"]).text for s in spellings):
        print(f"        {text[:170]}")


# -- the rows and the table


def with_manual(source: str, name: str, manual: str) -> str:
    """The module with `manual` in the row of one program: in the call with its name, or else in `_MANUALS`."""
    said = f'manual="{manual}"'.encode()
    tree = ast.parse(source)
    # The module's own functions that make rows and cannot be told of a manual.
    closed = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and not node.args.kwarg
        and "manual" not in {a.arg for a in (*node.args.args, *node.args.kwonlyargs)}
    }
    rows = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id not in closed
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == name
    ]
    text = source.encode()
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines))]

    def at(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    if len(rows) != 1:
        return _with_entry(text, tree, at, name, manual)
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


def _with_entry(
    text: bytes, tree: ast.Module, at: Callable[[int | None, int | None], int], name: str, said: str
) -> str:
    """With an entry in the module's `_MANUALS`, which its loops hand to their rows."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "_MANUALS" and node.value is not None:
            entries = {**ast.literal_eval(node.value), name: said}
            body = ", ".join(f'"{n}": "{m}"' for n, m in sorted(entries.items()))
            begin, end = (
                at(node.value.lineno, node.value.col_offset),
                at(node.value.end_lineno, node.value.end_col_offset),
            )
            return (text[:begin] + f"{{{body},}}".encode() + text[end:]).decode()
    return text.decode()


def formatted(source: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "-q", "--line-length", "120", "-"]
    return subprocess.run(command, check=True, input=source, stdout=subprocess.PIPE, text=True).stdout


def put(path: Path, text: str) -> None:
    """All of it or nothing: a run that is killed leaves no half module."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def write_rows(manuals: dict[str, str]) -> None:
    for name, manual in manuals.items():
        path = Path(str(table(REGISTRY[name]).__file__))
        source = path.read_text(encoding="utf-8")
        changed = with_manual(source, name, manual)
        if changed != source:
            put(path, formatted(changed))
        elif f'"{manual}"' not in source:
            print(f"{name}: no row or `_MANUALS` in {path.name} where `{manual}` could be noted")


def read_table() -> dict[str, Any]:
    said: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return said


def noted(found: list[Comparison]) -> dict[str, Any]:
    """What is to be kept of a report: the things that somebody has to have read."""
    habits = found[0]
    read = {" ".join(one.words): sorted({s for what in READ[:-1] for s in getattr(one, what)}) for one in found}
    return {
        "manual": held_manual(found),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        **({"shortens": True} if habits.shortens else {}),
        **({"differs": list(habits.habits)} if habits.habits else {}),
        **({"not_compared": others} if (others := [" ".join(one.words) for one in found if not one.held]) else {}),
        **({"reported": said} if (said := {row: " ".join(listed) for row, listed in read.items() if listed}) else {}),
    }


def write_table(reports: dict[str, dict[str, Any]]) -> None:
    """From the rows as they are now; what was noted of the others stays."""
    before = read_table()
    programs = allowed_programs()
    notes = before["held"] | reports
    # A manual that was noted by hand, because its help is no list of options.
    new = {"date": datetime.datetime.now(datetime.UTC).date().isoformat()}
    held = {name: notes.get(name, new) | {"manual": tool.manual} for name, tool in programs.items() if tool.manual}
    head = TABLE.read_text(encoding="utf-8").partition("held:")[0]
    put(TABLE, head + yaml.safe_dump({"held": held}, sort_keys=False, width=120))


def is_asked_for(name: str, given: list[str]) -> bool:
    module = REGISTRY[name]
    return not given or name in given or module in given or module.split(".")[0] + "." in given


def main() -> None:
    parser = argparse.ArgumentParser(description="holds the rows against the manuals of installed programs")
    parser.add_argument("--write", action="store_true", help="note the manuals in the rows and in the table")
    parser.add_argument("--brief", action="store_true", help="leave out options that ask and those of other versions")
    parser.add_argument("--table", action="store_true", help="only write the table, from the rows")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    given = parser.parse_args()
    if given.table:
        write_table(yaml.safe_load(sys.stdin.read()) or {})
        return
    reports = {}
    for name, tool in allowed_programs().items():
        if not is_asked_for(name, given.programs):
            continue
        found = list(comparisons(name, tool))
        show(found, brief=given.brief)
        if held_manual(found):
            reports[name] = noted(found)
    print(f"{len(reports)} programs held")
    if given.write:
        write_rows({name: report["manual"] for name, report in reports.items()})
        # A new process: this one has read the rows as they were.
        again = [sys.executable, "-m", "tests.tools.manuals", "--table"]
        subprocess.run(again, check=True, input=yaml.safe_dump(reports), text=True)


if __name__ == "__main__":
    main()
