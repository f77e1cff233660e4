"""Options in canonical form: what the words behind a program name are to that program.

Promises: a word that could be an option and is not known to be a listed one is reported in `unsure`, never passed over.
Refuses to know: what an option means. That is the table's business, and engine.py's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from askfirst.model import Word
from askfirst.shell.tools.table import Effect, Tool

# How many words an option takes: none, one, one that is glued on or none, or whatever follows (an option that asks
# anyway).
FLAG, VALUE, GLUED, ANYTHING = 0, 1, 2, 3

_MEANINGS = {
    "flag": (FLAG, Effect.INERT),
    "value": (VALUE, Effect.INERT),
    "maybe": (GLUED, Effect.INERT),
    "reads": (VALUE, Effect.READS),
    "writes": (VALUE, Effect.WRITES),
    "appends": (VALUE, Effect.APPENDS),
    "below": (VALUE, Effect.BELOW),
    "empties": (VALUE, Effect.EMPTIES),
    "deletes": (VALUE, Effect.DELETES),
    "runs": (VALUE, Effect.RUNS),
    "code": (VALUE, Effect.CODE),
    "script": (VALUE, Effect.SCRIPT),
    "sends": (VALUE, Effect.SENDS),
    "directory": (VALUE, Effect.DIRECTORY),
    "asks": (ANYTHING, Effect.ASKS),
    "asks-value": (VALUE, Effect.ASKS),
}


@dataclass(frozen=True)
class Option:
    """One option of a row: its spellings, whether it takes a value, what the value does."""

    spellings: tuple[str, ...]
    takes: int
    effect: Effect = Effect.INERT
    why: str = ""  # for Effect.ASKS: the reason

    @property
    def name(self) -> str:
        return self.spellings[0]

    def is_one_of(self, names: Collection[str]) -> bool:
        return any(spelling in names for spelling in self.spellings)


@dataclass(frozen=True)
class Given:
    """One option as it was given in a call."""

    option: Option
    value: Word | None = None  # None: no value

    @property
    def name(self) -> str:
        return self.option.name


@dataclass(frozen=True)
class Doubt:
    """A word about which the table proves nothing."""

    what: str  # "option" or "expansion"
    why: str
    text: str


@dataclass(frozen=True)
class Parsed:
    """The words of a call, sorted."""

    given: tuple[Given, ...] = ()
    operands: tuple[Word, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    stopped_at: int = -1  # index of the first operand, when parsing was told to stop there; -1 when there is none
    dashes: bool = False  # a `--` was seen

    def has(self, *names: str) -> bool:
        """Whether one of these options was given, in any of its spellings."""
        return any(g.option.is_one_of(names) for g in self.given)

    def values(self, *names: str) -> tuple[Word, ...]:
        """The values of these options, in any of their spellings."""
        return tuple(g.value for g in self.given if g.value is not None and g.option.is_one_of(names))


# Every program in the tables prints its help or its version for these and does nothing else.
_EVERYWHERE = {spelling: Option((spelling,), FLAG) for spelling in ("--help", "--version")}
_known: dict[str, dict[str, Option]] = {}  # by the text: only the rows that are used are read, each once


def options_of(tool: Tool) -> dict[str, Option]:
    """Every spelling of every listed option."""
    table = _known.get(tool.options)
    if table is None:
        table = _known[tool.options] = _read_options(tool.options)
    return table


def _read_options(text: str) -> dict[str, Option]:
    table = dict(_EVERYWHERE)
    for line in text.split("\n"):
        meaning, _, listed = line.strip().partition(" ")
        if not meaning:
            continue
        if meaning not in _MEANINGS:
            raise ValueError(f"options: `{line.strip()}`: no line begins with `{meaning}`")
        takes, effect = _MEANINGS[meaning]
        why = ""
        if effect == Effect.ASKS:
            listed, _, why = listed.partition(": ")
            if not why:
                raise ValueError(f"options: `{line.strip()}`: `: REASON` is missing")
        if not listed.strip():
            raise ValueError(f"options: `{line.strip()}`: lists no option")
        for joined in listed.split():
            option = Option(tuple(joined.split(",")), takes, effect, why)
            for spelling in option.spellings:
                if spelling[:1] not in ("-", "+"):
                    raise ValueError(f"options: `{line.strip()}`: `{spelling}` is not an option")
                table[spelling] = option
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
        self.reading = tool.reading
        self.table = options_of(tool)
        self.given: list[Given] = []
        self.operands: list[Word] = []
        self.doubts: list[Doubt] = []
        self.at = 0

    def run(self) -> Parsed:
        dashes = False
        if self.reading.response_files:
            for word in self.words:
                if (word.value or word.prefix).startswith("@"):
                    why = f"`{word.text}` stands for the words in a file"
                    self.doubts.append(Doubt("option", why, word.text))
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.value == "--" and not self.reading.single_dash_long:
                self.at += 1
                dashes = True
                if not self.stop:
                    self.operands.extend(self.words[self.at :])
                    self.at = len(self.words)
                break
            if not may_be_option(word, plus=self.reading.plus):
                if self.stop:
                    break
                self.operands.append(word)
                self.at += 1
                if self.reading.stops_at_operand:
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
            not known.startswith(("-", "+") if self.reading.plus else "-") or (word.many and not word.glob)
        ):
            if not self.is_loose(word, known) or self.begins_listed(known):
                self.doubts.append(
                    Doubt("option", f"`{word.text}` may become an option of `{self.tool.name}`", word.text)
                )
            self.operands.append(word)
        elif self.reading.single_dash_long:
            self.whole_word(word, known)
        elif known.startswith("--"):
            self.long(word, known)
        else:
            self.cluster(word, known)

    def is_loose(self, word: Word, known: str) -> bool:
        """Whether it does not matter which option, or how many words, it becomes."""
        if self.reading.any_options and (word.data or not self.reading.harmless_options):
            return not self.may_be_listed(word) and not self.is_open(known)
        return self.reading.harmless_options

    def may_be_listed(self, word: Word) -> bool:
        """`cat list | xargs file`, of which data make `-f.env`: what is listed of a program that may be given any
        option is what matters of it. The names of files that something lists are no options."""
        from_data = not word.glob and not word.among and (word.data or "…" in word.text)
        return from_data and self.has_effects()

    def is_open(self, known: str) -> bool:
        """`-$x`, `--$x`, `-b$x`: the rest may be any option, also one that matters."""
        flags = (self.table.get(f"-{letter}") for letter in known.lstrip("-"))
        return known[:1] == "-" and self.has_effects() and all(o is not None and o.takes == FLAG for o in flags)

    def has_effects(self) -> bool:
        return any(o.effect != Effect.INERT for o in self.table.values())

    def begins_listed(self, known: str) -> bool:
        """`--files0-from=$x`: the part that is written is one of the options that matter, whatever follows."""
        name, equals, _ = known.partition("=")
        if known.startswith("--"):
            spellings = [s for s in self.table if s == name or (not equals and s.startswith(name))]
        else:
            first = next((at for at, c in enumerate(known[1:], 2) if self.takes_rest(f"-{c}")), len(known))
            spellings = [f"-{c}" for c in known[1:first]]
        return any(s in self.table and self.table[s].effect != Effect.INERT for s in spellings)

    def takes_rest(self, spelling: str) -> bool:
        return spelling in self.table and self.table[spelling].takes != FLAG

    def whole_word(self, word: Word, known: str) -> None:
        name, equals, _ = known.partition("=")
        spelling = name if name in self.table or not name.startswith("--") else name[1:]
        option = self.table.get(spelling)
        if option is None and known in self.table and word.value is not None:
            option, equals = self.table[known], ""
        if option is None:
            if not self.glued_number(word, known) and not self.is_shortened(word, name, glued=bool(equals)):
                self.unlisted(word)
        elif word.value is None and not equals:
            self.unlisted(word)
        else:
            self.take(option, word, _rest(word, len(name) + 1) if equals else None)

    def glued_number(self, word: Word, known: str) -> bool:
        """`xxd -l32`, in a program whose options are whole words."""
        option = self.table.get(known[:2])
        if option is None or option.takes != VALUE or not known[2:].isdigit() or word.value is None:
            return False
        self.take(option, word, _rest(word, 2))
        return True

    def long(self, word: Word, known: str) -> None:
        name, equals, _ = known.partition("=")
        if word.value is None and not equals:
            self.unlisted(word)  # `--$x`, `--out$x`
            return
        option = self.table.get(name)
        if option is None and self.is_shortened(word, name, glued=bool(equals)):
            return
        if option is None or (equals and option.takes == FLAG):
            self.unlisted(word)
        else:
            self.take(option, word, _rest(word, len(name) + 1) if equals else None)

    def is_shortened(self, word: Word, name: str, *, glued: bool) -> bool:
        """Many programs take any beginning of a long option: `--comp` is `--compress-program`.

        Which one it is, only the program knows: it may have one that the row does not list, of this very name, and some
        take the first of several. So it always asks, and what it may stand for counts as given, for the blocks.
        """
        options = self.beginning_with(name)
        if not options:
            return False
        why = f"`{word.text}` is the beginning of an option of `{self.tool.name}`, which must be written out"
        self.doubts.append(Doubt("option", why, word.text))
        value = _rest(word, len(name) + 1) if glued else next(iter(self.words[self.at :]), None)
        self.given += [Given(o, value if glued or o.takes == VALUE else None) for o in options]
        if not glued and all(o.takes == VALUE for o in options) and self.at < len(self.words):
            self.at += 1
        return True

    def beginning_with(self, name: str) -> tuple[Option, ...]:
        begins = name.lstrip("-")
        if len(name) < 3 or not begins:
            return ()
        dashes = ("-", "--") if self.reading.single_dash_long else ("--",)  # to some, one dash or two are the same
        wanted = tuple(d + begins for d in dashes)
        return tuple({o.name: o for s, o in self.table.items() if s.startswith(wanted)}.values())

    def cluster(self, word: Word, known: str) -> None:
        """`-rn5`: letters that take nothing, then at most one that takes the rest of the word or the next word."""
        sign, letters = known[0], known[1:]
        if word.value is not None and known in self.table and len(letters) > 1:
            self.take(self.table[known], word, None)
            return
        if self.is_count(word, letters):
            return
        for index in range(len(letters)):
            option, width = self.option_at(sign, letters, index)
            if option is None:
                if not self.is_count(word, letters[index:]):
                    self.harmful(word, sign, index)
                    self.unlisted(word)
                return
            if option.takes != FLAG:
                end = index + width
                glued = end < len(letters) or word.value is None
                if glued and self.reading.unglued:
                    self.unlisted(word)
                self.take(option, word, _rest(word, end + 1) if glued else None)
                return
            self.given.append(Given(option))
        if word.value is None:
            self.unlisted(word)  # `-l$x`: more letters may follow

    def is_count(self, word: Word, letters: str) -> bool:
        """`-5` and the end of `-n5`, where the program takes a number."""
        return self.reading.numbers and word.value is not None and letters.isdigit()

    def option_at(self, sign: str, letters: str, index: int) -> tuple[Option | None, int]:
        """The option that begins at a letter of a cluster, and how many letters it has (`zip -qTT PROGRAM`)."""
        two = letters[index : index + 2]
        pair = self.table.get(sign + two) if len(two) == 2 else None
        if pair is not None and pair.takes != FLAG:
            return pair, 2
        return self.table.get(sign + letters[index]), 1

    def harmful(self, word: Word, sign: str, index: int) -> None:
        """Behind a letter that is not listed, and need not be: `lsof -tDb` still has the `-D` that asks."""
        if not self.reading.any_options:
            return
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
                if not (self.reading.any_options or self.reading.harmless_options):
                    self.doubts.append(Doubt("option", f"`{option.name}` lacks its value", word.text))
                return
            value = self.words[self.at]
            self.at += 1
            strict = value.data or not (self.reading.any_options or self.reading.harmless_options)
            if value.value is None and value.many and strict:
                self.doubts.append(Doubt("option", f"`{value.text}` may become several words", value.text))
            self.doubt_value(option, value)
        self.given.append(Given(option, value))

    def doubt_value(self, option: Option, value: Word) -> None:
        """`pip-audit --desc --fix`: many programs take no option for a value, and some values may be left out."""
        known = value.value if value.value is not None else value.prefix
        name = known.partition("=")[0]
        other = self.table.get(name) or (None if name.startswith("--") else self.table.get(name[:2]))
        if other is not None and other.effect != Effect.INERT:
            why = f"`{value.text}` may be an option of `{self.tool.name}` instead of the value of `{option.name}`"
            self.doubts.append(Doubt("option", why, value.text))

    def unlisted(self, word: Word) -> None:
        if self.reading.any_options and (word.value is not None or not self.is_open(word.prefix)):
            return
        if self.reading.harmless_options and word.value is None:
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
    glued = word.text[:start] == word.prefix[:start]  # written without quotes up to there: what follows is the value
    text = word.text[start:] if word.glob and glued else word.text
    prefix = word.prefix[start:]
    return Word(text, None, prefix=prefix, many=word.many, glob=word.glob, quoted=word.quoted, data=word.data)
