'''The form in which knowledge about programs is written down: rows, not code.

A row says what the program's own manual says, in the manual's groups, so that the two can be read side by side:

    Tool(
        "sort",
        Kind.READ,
        "sorts lines",
        options="""
            flag    -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -r,--reverse
            flag    -c -C -m,--merge -u,--unique -z,--zero-terminated
            value   -k,--key -t,--field-separator -S,--buffer-size
            maybe   --check
            writes  -o,--output
            reads   --files0-from --random-source
            runs    --compress-program
        """,
        operands=(READS, ...),
        manual="GNU coreutils 9.1",
        examples=("sort -t, -k2,2n data.csv",),
        counter_examples=("sort -o ~/.bashrc a.txt",),
    )

# Options

Each line is one meaning and the options that have it. Spellings of one option are joined by commas, without blanks; the
first is its name in messages. Several lines may have the same meaning: follow the groups of the manual. A later line
wins over an earlier one, so that a row may add to a text which it shares with others (`options=_GLOBAL + """…"""`).

    flag        takes no value
    value       takes a value that does nothing by itself: a number, a pattern, a format
    maybe       takes such a value only when it is glued on: `--color[=WHEN]`, `-U[N]`
    reads       takes a file that is read
    writes      takes a file that is overwritten; `appends` and `deletes` likewise
    below       takes a directory in which files are written
    empties     takes a directory in which files are written, and all that was there is deleted first
    runs        takes a command, which is analysed like any other
    script      takes a file that is run as code
    code        takes code in a language that is not analysed
    sends       takes a text that leaves this machine: an address, a name that is looked up
    directory   takes the directory in which everything else happens (`git -C`)
    asks        is known and never allowed without asking, with or without a value; `: ` and the reason end the line:
                    asks    --checkpoint-action -F,--info-script: runs a program
    asks-value  the same, and the next word is its value, where that matters (`env -a NAME PROGRAM`)

An option that is not listed asks. Ask of every option that you list: does it run, write, load or send something? Mind
`flag` and `value`: an option that takes no value but is listed as if it did swallows the file behind it. `--help` and
`--version` are in every row. Options are compared in canonical form: quotes removed, `--opt=v` and `--opt v`, glued
short values, clusters (`-rn`). A beginning of a long option (`--comp`) asks: which option it is, only the program
knows.

# Operands

A tuple with an effect for each, in order; `...` repeats the one before it:

    ()                      none: any operand asks
    (READS,)                at most one file
    (READS, ...)            any number of files (what a row has when it says nothing)
    (INERT, READS, ...)     a pattern, then files
    (READS, ..., WRITES)    the last one is written (`cp FROM… TO`)

`least` says how many there must be. Operands and options may stand in any order, `--` ends the options, and one dash
begins a cluster of letters; `reading` says where a program does otherwise.

# Adding a program

1. Find the family (`unix`, `git`, `node` …), the module with its kin, and the program's manual.
2. Write the row: name, kind and description first, then the fields of `Tool` in their order below. Name the manual and
   its version in `manual`, and add the program to registry.py.
   A program that talks to other machines goes into sending.py as well.
3. Give it an example that is allowed and a counter-example that is not; the tests judge both as the gate would.
4. Where a row cannot say it, `special` is a function that does: it starts from `parse` and ends in `finish`
   (engine.py). Prefer rows.
5. `python -m pytest tests/tools`, and add everyday uses and attacks to `tests/cases/tools_*.yaml`.
'''

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from askfirst.model import Kind, Word

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call, Outcome


class Effect(IntEnum):
    """What the value of an option, or an operand, is used for."""

    INERT = 0  # nothing: a pattern, a number, a format
    READS = 1  # a file that is read
    WRITES = 2  # a file that is written
    APPENDS = 3  # a file that is appended to
    BELOW = 4  # a directory below which files are written
    DELETES = 5  # a file that is deleted
    RUNS = 6  # a program name or a command text that is run by a shell
    CODE = 7  # code in a language this package does not read: Unknown
    DIRECTORY = 8  # the directory the rest happens in (`git -C`, `make -C`)
    ASKS = 9  # known, and never allowed without asking: Unknown with the reason in `why`
    SENDS = 10  # a text that leaves this machine
    SCRIPT = 11  # a file that is run as code
    MOVES = 12  # a file that goes elsewhere, whole
    EMPTIES = 13  # a directory that is emptied, and below which files are written


INERT, READS, WRITES, APPENDS, BELOW = Effect.INERT, Effect.READS, Effect.WRITES, Effect.APPENDS, Effect.BELOW
DELETES, RUNS, CODE, DIRECTORY, SCRIPT = Effect.DELETES, Effect.RUNS, Effect.CODE, Effect.DIRECTORY, Effect.SCRIPT
SENDS, MOVES = Effect.SENDS, Effect.MOVES


@dataclass(frozen=True)
class Reading:
    """How a program reads its words, where that is not the usual way of GNU programs."""

    stops_at_operand: bool = False  # everything behind the first operand is an operand (`env A=1 PROGRAM -x`)
    single_dash_long: bool = False  # `-name value` style options (find, java, go)
    plus: bool = False  # options may also begin with `+`
    unglued: bool = False  # a value is always the next word: `-oi FILE` is `-o FILE -i` (tree)
    numbers: bool = False  # `-5` is a count (head, git log)
    response_files: bool = False  # `@FILE` stands for the words in FILE, options too (binutils, gcc, javac)
    # No option of this program can run, write or reveal anything: options that are not listed are fine (`echo`,
    # `true`).
    any_options: bool = False
    # The same claim for the listed ones: a word that is only known at run time may be one; others still ask.
    harmless_options: bool = False


ANY_OPTIONS = Reading(any_options=True)


@dataclass(frozen=True)
class Tool:
    """One program, or one sub-command of a program."""

    # Identity
    name: str  # "sort", or for a sub-command "git log"
    kind: Kind = Kind.READ
    description: str = ""

    # Standing
    allowed: bool = True  # built-in rules allow what the row can prove harmless
    profile: str = ""  # allowed only with this profile
    danger: str = ""  # consequences: the command asks with CONFIRM
    advice: str = ""
    blocked: str = ""  # hardcoded block with this reason (rule `name`)

    # Syntax
    options: str = ""
    operands: tuple[Effect | EllipsisType, ...] = (READS, ...)
    least: int = 0  # fewer operands than this ask
    searches: bool = False  # without an operand it shows what is in the files below its directory (`rg PATTERN`)
    reading: Reading = Reading()

    # What an approval remembers
    key_words: int = 1  # how many words name the action: 2 for `npm run build` remembers `npm run`
    target: Callable[[tuple[Word, ...]], str] | None = None  # what a grant pins besides the key

    # Proof
    manual: str = ""  # the manual and version that the row was held against; sub-commands inherit it
    examples: tuple[str, ...] = ()  # allowed
    counter_examples: tuple[str, ...] = ()  # not allowed

    subcommands: Mapping[str, Tool] = field(
        default_factory=dict
    )  # keyed by the word: {"status": Tool("git status", …)}
    alone: str = ""  # what it does without a sub-command, where that is more than to show its help: `bundle` installs
    special: Callable[[Tool, Call, Analyst], Outcome] | None = None  # a model in code, where a row cannot say it


def as_shown(words: tuple[Word, ...]) -> str:
    """The target of a grant that holds for just these words."""
    return " ".join(word.shown for word in words)


def looking(name: str, description: str, **more: Any) -> Tool:
    """The row of a sub-command that shows something, whatever words it is given."""
    more.setdefault("operands", (INERT, ...))
    return Tool(name, Kind.READ, description, key_words=len(name.split()), **more)


def asking(name: str, description: str, kind: Kind = Kind.OTHER, **more: Any) -> Tool:
    """The row of a program that asks whatever it is given."""
    more.setdefault("operands", (INERT, ...))
    return Tool(name, kind, description, allowed=False, reading=ANY_OPTIONS, **more)


def asked(name: str, description: str, kind: Kind = Kind.INSTALL, **more: Any) -> Tool:
    """The row of a sub-command that asks whatever it is given, and is remembered with all its words."""
    more.setdefault("key_words", len(name.split()))
    return asking(name, description, kind, target=as_shown, **more)
