"""The form in which knowledge about a tool is written down: rows, not code.

A `Tool` lists every option that its model knows; an option that is not listed asks. Options are compared in canonical form (quotes
removed, `--opt=v` and `--opt v`, glued short values, clusters, unique abbreviations of long options); shell/tools/engine.py does that.

    Tool("sort", kind=Kind.READ, description="sorts lines",
         flags="-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --reverse …",
         values="-k --key -t --field-separator -S --buffer-size --parallel --sort",
         effects={"-o --output": WRITES, "--compress-program": RUNS, "-T --temporary-directory": WRITES_BELOW, "--files0-from": READS},
         operands=READS)
"""

from __future__ import annotations

from askfirst._record import OrderedEnum, Record
from askfirst.model import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askfirst.model import Word
    from askfirst.shell.call import Analyst, Call, Outcome


class Effect(OrderedEnum):
    """What the value of an option, or an operand, is used for."""

    INERT = 0  # nothing: a pattern, a number, a format
    READS = 1  # a file that is read
    WRITES = 2  # a file that is written
    APPENDS = 3  # a file that is appended to
    WRITES_BELOW = 4  # a directory below which files are written
    DELETES = 5  # a file that is deleted
    RUNS = 6  # a program name or a command text that is run by a shell
    CODE = 7  # code in a language this tool does not read: Unknown
    DIRECTORY = 8  # the directory the rest happens in (`git -C`, `make -C`)
    ASKS = 9  # known, and never allowed without asking: Unknown with the reason in `why`
    URL = 10  # an address on the network
    SCRIPT = 11  # a file that is run as code
    NONE = 12  # there may be none: any operand asks


class Tool(Record):
    """One program, or one sub-command of a program."""

    name: str  # "sort", or for a sub-command "git log"
    kind: Kind = Kind.READ
    description: str = ""
    allowed: bool = True  # built-in rules allow it within the model
    profile: str = ""  # allowed only with this profile
    flags: str = (
        ""  # options without a value, separated by blanks: "-a -l --all"; `-r|--recursive` are spellings of one
    )
    values: str = ""  # options whose value is inert
    optional: str = ""  # options with an optional glued value (`--color[=WHEN]`, `-U[N]`), inert
    effects: Mapping[str, Effect] = {}  # options whose value does something: {"-o --output": WRITES}
    asks: Mapping[
        str, str
    ] = {}  # options (with or without value) that ask, with the reason: {"--checkpoint-action": "runs a program"}
    operands: Effect = Effect.READS
    first: Effect | None = None  # the first operand, when it is used otherwise (`grep PATTERN FILE…`)
    last: Effect | None = None  # the last operand, when it is used otherwise (`cp FROM… TO`)
    most: int = -1  # more operands than this ask; -1 any number
    least: int = 0
    subcommands: Mapping[str, Tool] = {}  # keyed by the word: {"status": Tool("git status", …)}
    any_options: bool = (
        False  # no option of this program can run, write or reveal anything: unknown ones are fine (`echo`, `true`)
    )
    harmless_options: bool = (
        False  # no option can run, write or reveal: an unresolved word may be one; options not listed still ask
    )
    plus: bool = False  # options may also begin with `+`
    interspersed: bool = True  # options may stand behind operands
    single_dash_long: bool = False  # `-name value` style options (find, java, go)
    numbers: bool = False  # `-5` is a count (head, git log)
    danger: str = ""  # consequences: the command asks with CONFIRM
    advice: str = ""
    key_words: int = 1  # how many words name the action
    special: Callable[[Tool, Call, Analyst], Outcome] | None = None  # a model in code, where a row cannot say it
    blocked: str = ""  # hardcoded block with this reason (rule `name`)
    target: Callable[[tuple[Word, ...]], str] | None = None  # what a grant pins besides the key
    examples: tuple[str, ...] = ()  # allowed, checked by a test
    counter_examples: tuple[str, ...] = ()  # not allowed, checked by a test
