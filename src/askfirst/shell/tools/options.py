"""Options in canonical form: what the words behind a program name are to that program.

Promises: a word that could be an option and is not known to be a listed one is reported in `unsure`, never passed over.
Refuses to know: what an option means. That is the table's business, and engine.py's.
"""

from __future__ import annotations

from askfirst._record import Record
from askfirst.model import Word
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FLAG, VALUE, OPTIONAL, MAYBE = 0, 1, 2, 3  # how many words an option takes; MAYBE: an option that asks whatever follows


class Option(Record):
    """One option of a table: the names it has, whether it takes a value, what the value does."""

    name: str
    takes: int
    effect: Effect = Effect.INERT
    why: str = ""


class Given(Record):
    """One option as it was given in a call."""

    option: Option
    value: Word | None = None  # None: no value

    @property
    def name(self) -> str:
        return self.option.name


class Doubt(Record):
    """A word about which the table proves nothing."""

    what: str  # "option" or "expansion"
    why: str
    text: str


class Parsed(Record):
    """The words of a call, sorted."""

    given: tuple[Given, ...] = ()
    operands: tuple[Word, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    stopped_at: int = -1  # index of the first operand, when parsing was told to stop there; -1 when there is none
    dashes: bool = False  # a `--` was seen

    def has(self, *names: str) -> bool:
        return any(g.option.name in names for g in self.given)

    def values(self, *names: str) -> tuple[Word, ...]:
        return tuple(g.value for g in self.given if g.option.name in names and g.value is not None)


_tables: dict[int, tuple[Tool, dict[str, Option]]] = {}


def options_of(tool: Tool) -> dict[str, Option]:
    """Every spelling of every listed option. Spellings in one key of `effects` or `asks`, and spellings joined by `|` in the
    other lists (`-r|--recursive`), share the first as their name."""
    known = _tables.get(id(tool))
    if known is not None:
        return known[1]
    # Every program in the tables prints its help or its version for these and does nothing else.
    table: dict[str, Option] = {spelling: Option(spelling, FLAG) for spelling in ("--help", "--version")}
    for listed, takes in ((tool.flags, FLAG), (tool.values, VALUE), (tool.optional, OPTIONAL)):
        for group in listed.split():
            spelled = group.split("|")
            for spelling in spelled:
                table[spelling] = Option(spelled[0], takes)
    for spellings, effect in tool.effects.items():
        first = spellings.split()[0]
        for spelling in spellings.split():
            table[spelling] = Option(first, VALUE, effect)
    for spellings, why in tool.asks.items():
        first = spellings.split()[0]
        for spelling in spellings.split():
            table[spelling] = Option(first, MAYBE, Effect.ASKS, why)
    _tables[id(tool)] = (tool, table)
    return table


def may_be_option(word: Word, *, plus: bool = False) -> bool:
    """Whether a word may reach the program as one that begins with a dash."""
    marks = ("-", "+") if plus else ("-",)
    if word.value is not None:
        return word.value.startswith(marks) and len(word.value) > 1
    if word.text.startswith(("<(", ">(")) and not word.many and not word.prefix:
        return False  # a path such as /dev/fd/63
    if word.many and not word.glob:
        return True  # `a/$x` with x="b -o c" is two words
    return not word.prefix or word.prefix.startswith(marks)


def parse(tool: Tool, words: Sequence[Word], *, stop_at_operand: bool = False) -> Parsed:
    """Sorts `words` (without the program's name) into options, operands and doubts."""
    return _Parser(tool, words, stop_at_operand).run()


class _Parser:
    def __init__(self, tool: Tool, words: Sequence[Word], stop_at_operand: bool) -> None:
        self.tool, self.words, self.stop = tool, words, stop_at_operand
        self.table = options_of(tool)
        self.given: list[Given] = []
        self.operands: list[Word] = []
        self.doubts: list[Doubt] = []
        self.at = 0

    def run(self) -> Parsed:
        dashes = False
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.value == "--" and not self.tool.single_dash_long:
                self.at += 1
                dashes = True
                if not self.stop:
                    self.operands.extend(self.words[self.at :])
                    self.at = len(self.words)
                break
            if not may_be_option(word, plus=self.tool.plus):
                if self.stop:
                    break
                self.operands.append(word)
                self.at += 1
                if not self.tool.interspersed:
                    self.operands.extend(self.words[self.at :])
                    break
                continue
            self.at += 1
            self.option(word)
        stopped_at = self.at if self.stop and self.at < len(self.words) else -1
        return Parsed(tuple(self.given), tuple(self.operands), tuple(self.doubts), stopped_at, dashes)

    def option(self, word: Word) -> None:
        known = word.value if word.value is not None else word.prefix
        if word.value is None and (
            not known.startswith(("-", "+") if self.tool.plus else "-") or (word.many and not word.glob)
        ):
            if not (self.tool.any_options or self.tool.harmless_options):
                self.doubts.append(
                    Doubt("option", f"`{word.text}` may become an option of `{self.tool.name}`", word.text)
                )
            self.operands.append(word)
        elif self.tool.single_dash_long:
            self.whole_word(word, known)
        elif known.startswith("--"):
            self.long(word, known)
        else:
            self.cluster(word, known)

    def whole_word(self, word: Word, known: str) -> None:
        name, equals, _ = known.partition("=")
        spelling = name if name in self.table or not name.startswith("--") else name[1:]
        option = self.table.get(spelling)
        if option is None and known in self.table and word.value is not None:
            option, equals = self.table[known], ""
        glued = self.table.get(known[:2])
        if (
            option is None
            and glued is not None
            and glued.takes == VALUE
            and known[2:].isdigit()
            and word.value is not None
        ):
            self.take(glued, word, _rest(word, 2))  # `xxd -l32`
        elif option is None or (word.value is None and not equals):
            self.unlisted(word)
        else:
            self.take(option, word, _rest(word, len(name) + 1) if equals else None)

    def long(self, word: Word, known: str) -> None:
        name, equals, _ = known.partition("=")
        if word.value is None and not equals:
            self.unlisted(word)  # `--$x`, `--out$x`
            return
        option = self.table.get(name) or self.abbreviated(name)
        if option is None or (equals and option.takes == FLAG):
            self.unlisted(word)
        else:
            self.take(option, word, _rest(word, len(name) + 1) if equals else None)

    def abbreviated(self, name: str) -> Option | None:
        """GNU getopt takes any unique beginning: `--comp` is `--compress-program`."""
        if len(name) < 3:
            return None
        found = {o.name: o for spelling, o in self.table.items() if spelling.startswith(name)}
        return next(iter(found.values())) if len(found) == 1 else None

    def cluster(self, word: Word, known: str) -> None:
        sign, letters = known[0], known[1:]
        if word.value is not None:
            if known in self.table and len(letters) > 1:
                self.take(self.table[known], word, None)
                return
            if self.tool.numbers and letters.isdigit():
                return
        for index, letter in enumerate(letters):
            pair = self.table.get(sign + letters[index : index + 2]) if index + 1 < len(letters) else None
            if pair is not None and pair.takes != FLAG and len(letters[index : index + 2]) == 2:
                self.take(
                    pair, word, _rest(word, index + 3) if index + 2 < len(letters) or word.value is None else None
                )  # `zip -qTT PROGRAM`
                return
            option = self.table.get(sign + letter)
            if option is None:
                if self.tool.numbers and letters[index:].isdigit() and word.value is not None:
                    return
                if self.tool.any_options:
                    self.harmful(word, sign, index)
                self.unlisted(word)
                return
            if option.takes == FLAG:
                self.given.append(Given(option))
                continue
            glued = index + 1 < len(letters) or word.value is None
            self.take(option, word, _rest(word, index + 2) if glued else None)
            return
        if word.value is None:
            self.unlisted(word)  # `-l$x`: more letters may follow

    def harmful(self, word: Word, sign: str, index: int) -> None:
        """Behind a letter that is not listed, and need not be: `lsof -tDb` still has the `-D` that asks."""
        letters = (word.value if word.value is not None else word.prefix)[1:]
        for at in range(index + 1, len(letters)):
            option = self.table.get(sign + letters[at])
            if option is not None and option.effect != Effect.INERT:
                glued = at + 1 < len(letters) or word.value is None
                self.take(option, word, _rest(word, at + 2) if glued else None)
                return

    def take(self, option: Option, word: Word, value: Word | None) -> None:
        """`value` is what is glued to the option; otherwise the next word may be its value."""
        if option.takes == VALUE and value is None:
            if self.at >= len(self.words):
                if not (self.tool.any_options or self.tool.harmless_options):
                    self.doubts.append(Doubt("option", f"`{option.name}` lacks its value", word.text))
                return
            value = self.words[self.at]
            self.at += 1
            if value.value is None and value.many and not (self.tool.any_options or self.tool.harmless_options):
                self.doubts.append(Doubt("option", f"`{value.text}` may become several words", value.text))
        self.given.append(Given(option, value))

    def unlisted(self, word: Word) -> None:
        if self.tool.any_options:
            return
        if self.tool.harmless_options and word.value is None:
            return
        self.doubts.append(
            Doubt(
                "option",
                f"`{word.text}` is not an option of `{self.tool.name}` that the built-in rules know",
                word.text,
            )
        )


def _rest(word: Word, start: int) -> Word:
    """The part of a word behind its first `start` characters, as a word."""
    if word.value is not None:
        return Word(word.value[start:], word.value[start:], quoted=word.quoted)
    return Word(word.text, None, prefix=word.prefix[start:], many=word.many, glob=word.glob, quoted=word.quoted)
