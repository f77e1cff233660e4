"""What variables may hold: which names a script sets, how often, and whether one can only ever hold a number.

Bash evaluates the *content* of a variable in arithmetic (`x='a[$(cmd)]'; echo $((x))` runs cmd). So a name is harmless
there only when every place that could set it sets a number, or when nothing in the script sets it at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from askfirst.shell.from_data import POSITIONAL, may_be_more
from askfirst.shell.survey.builtins import ANYTHING, MOVING, NAMING

# Variables whose content comes from elsewhere, although nothing in the script sets them.
FILLED = frozenset(
    """
_ REPLY OPTARG OPTIND MAPFILE COPROC COPROC_PID DIRSTACK FUNCNAME PWD OLDPWD PIPESTATUS COMP_LINE COMPREPLY HISTCMD
EPOCHSECONDS LINES COLUMNS EPOCHREALTIME RANDOM SRANDOM SECONDS LINENO BASHPID PPID UID EUID GROUPS SHLVL SHELLOPTS
BASHOPTS MATCH match MBEGIN mbegin MEND mend argv reply status pipestatus
""".split()
)
# Those of them that hold words of somebody's choice.
_TEXTS = frozenset(
    "_ REPLY OPTARG MAPFILE COMP_LINE COMPREPLY MATCH match argv reply BASH_REMATCH BASH_COMMAND".split()
)


class Variables:
    def __init__(self) -> None:
        self.times: dict[str, int] = {}  # how often a name is set; 2 for "not once, and not plainly"
        self.not_numbers: set[str] = set()  # names that may hold something else than a number
        self.maybe_empty: set[str] = set()  # names that may hold nothing at all
        self.arrays: set[str] = set()  # names that may be arrays
        self.sources: dict[str, set[str]] = {}  # `x=$y`: what x is made of
        # Names set to what a program prints, to what is read, or to a text that is more than a word.
        self.from_data: set[str] = set()
        self._reached: tuple[tuple[int, int], frozenset[str]] = ((0, 0), frozenset())
        self.constants: dict[str, str] = {}  # what names set to a literal text hold
        self.called: list[str] = []  # names that stand in place of a program's name
        self.anything_may_change = False  # text that is not known may set any of them

    def copy(self) -> Variables:
        """For a text inside the text. What is called, or constant, there is looked up anew."""
        other = Variables()
        other.times = dict(self.times)
        other.not_numbers, other.maybe_empty, other.arrays = (
            set(self.not_numbers),
            set(self.maybe_empty),
            set(self.arrays),
        )
        other.from_data = set(self.from_data)
        other.sources = {name: set(made_of) for name, made_of in self.sources.items()}
        other.anything_may_change = self.anything_may_change
        return other

    def set(self, name: str, *, number: bool, times: int = 1, maybe_empty: bool = False) -> None:
        self.times[name] = self.times.get(name, 0) + times
        if not number:
            self.not_numbers.add(name)
        if maybe_empty:
            self.maybe_empty.add(name)

    def note_data(self, name: str, text: str) -> None:
        """The name is set to what this text means."""
        if may_be_more(text):
            self.from_data.add(name)

    def holds_data(self, name: str) -> bool:
        """Whether data may stand in the name, also by way of another one."""
        if name in _TEXTS:
            return True
        size = (len(self.from_data), sum(map(len, self.sources.values())))
        if self._reached[0] != size:
            self._reached = (size, self._reached_by_data())
        return name in self._reached[1]

    def _reached_by_data(self) -> frozenset[str]:
        goes_to: dict[str, list[str]] = {}
        for name, made_of in self.sources.items():
            for source in made_of:
                goes_to.setdefault(source, []).append(name)
        found, todo = set(self.from_data), list(self.from_data)
        while todo:
            new = [name for name in goes_to.get(todo.pop(), ()) if name not in found]
            found.update(new)
            todo += new
        return frozenset(found)

    def note_positional(self, texts: Iterable[str], made_of: Iterable[str]) -> None:
        """A function is called, or `set`, with words of these texts, which take their values from these names."""
        if any(map(may_be_more, texts)):
            self.from_data |= POSITIONAL
        sources = frozenset(made_of)
        for name in POSITIONAL if sources else ():
            self.sources.setdefault(name, set()).update(sources)

    def is_number(self, name: str) -> bool:
        """Whether the name holds a number, or nothing that the script put there."""
        if name in self.not_numbers or self.anything_may_change:
            return False
        return name not in FILLED and not name.startswith(("BASH_", "COMP_"))

    def is_one_number(self, name: str) -> bool:
        """Whether the name, once set, is a number for ever: one word without quotes, too."""
        return name not in self.maybe_empty and self.is_number(name)

    def is_constant(self, name: str) -> bool:
        """Whether one plain assignment is all that ever sets the name."""
        return self.times.get(name) == 1 and not self.anything_may_change and name not in FILLED

    def is_read_once(self, name: str) -> bool:
        """Whether one builtin (`read`) is all that ever sets the name."""
        return self.times.get(name) == 2 and not self.anything_may_change and name not in FILLED

    def is_array(self, name: str) -> bool:
        return name in self.arrays or self.anything_may_change

    def name_only_programs(self) -> bool:
        """Whether variables in place of a program's name can only hold names that are harmless to the others."""
        for name in self.called:
            value = self.constants.get(name, "").split()
            if self.times.get(name) != 1 or not value or value[0] in ANYTHING | NAMING | MOVING:
                return False
        return True
