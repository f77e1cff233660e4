"""What bash makes of a word, as far as the text shows it: tilde, known variables, patterns. Braces are in braces.py.

A `RawWord` becomes one `Word` or several. A part that only data decide leaves its value None, with the literal
beginning that is certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from askfirst.model import Word
from askfirst.shell.braces import before_pattern, brace_words
from askfirst.shell.from_data import brings_data, may_be_more
from askfirst.shell.syntax import Arithmetic, Literal, Named, Opaque, Parameter, Part, RawWord, Script, Substitution

ALWAYS_A_NUMBER = ("?", "#", "$")


class Values:
    """Where words get their values: variables known for certain, the home, the directory, what commands list."""

    def __init__(
        self,
        variables: Mapping[str, Word],
        home: str | None,
        cwd: str | None,
        *,
        braces: bool,
        splits: bool,
        sh: bool = False,
        numbers: AbstractSet[str],
        listed: Callable[[Script], tuple[Word, ...]],
        constant: Callable[[Script], str | None] = lambda _: None,
        holds_data: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.holds_data = holds_data  # variables
        self.variables, self.home, self.cwd, self.numbers = variables, home, cwd, numbers
        self.listed = listed  # the names that a substitution prints
        self.constant = constant  # all that it prints, where the text itself says so
        self.splits = splits  # False for zsh, which splits a variable at blanks only when an option says so
        self.sh = sh  # not every shell knows `~+` or `name=~/…` as an argument, and ksh finds braces in values
        self.braces = braces  # False where `set +B` may have switched them off


class Unexpanded:
    """A part whose value only data decide."""

    __slots__ = ("among", "dated", "each", "glob", "many", "prefix")

    def __init__(
        self,
        *,
        prefix: str = "",
        many: bool = False,
        glob: bool = False,
        among: tuple[Word, ...] = (),
        each: bool = False,
        dated: bool = False,
    ) -> None:
        self.dated = dated  # see Word
        self.prefix = prefix  # the literal beginning that is certain
        self.many = many  # may become no word or several
        self.glob = glob  # a file name pattern
        self.among, self.each = among, each  # see Word


def evaluate(word: RawWord, values: Values, *, assigned: bool = False) -> list[Word]:
    """The words that bash makes of one. `assigned`: it stands behind `=`, so nothing splits, no pattern matches."""
    if word.plain and not assigned:
        part = word.parts[0]
        assert isinstance(part, Literal)
        if part.text.isalnum():
            return [Word(word.text, part.text)]
    if not assigned:
        several = whole_variable(word, values)
        if several is None:
            several = brace_words(word, certain=values.braces)
        if several is not None:
            return several
    return [one_word(word, values, assigned)]


def whole_variable(word: RawWord, values: Values) -> list[Word] | None:
    """`$x` alone, unquoted, with a known value that bash splits at blanks."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Parameter) or part.quoted or part.operator or part.name not in values.variables:
        return None
    value = values.variables[part.name].value
    special = "*?[]\\" + ("" if values.splits else " \t\n") + ("{" if values.sh else "")
    if value is None or any(c in value for c in special):
        return None
    # Not split(): it would split at other blanks, too.
    return [Word(word.text, piece) for piece in value.replace("\t", " ").replace("\n", " ").split(" ") if piece]


def one_word(word: RawWord, values: Values, assigned: bool) -> Word:
    start: list[str] = []  # what is certain before the first part that is not
    end: list[str] = []  # and behind it
    known, many, glob, quoted = True, False, True, False
    unexpanded: list[Unexpanded] = []
    for k, part in enumerate(word.parts):
        quoted = quoted or getattr(part, "quoted", False)
        if isinstance(part, Literal):
            found = part.text if part.quoted else unquoted(word, k, part.text, values, assigned)
        else:
            found = expanded(part, values, assigned)
        if isinstance(found, str):
            (start if known else end).append(found)
            continue
        if known:
            start.append(found.prefix)
        unexpanded.append(found)
        known, many, glob = False, many or found.many, glob and found.glob
    if known:
        return Word(word.text, "".join(start), quoted=quoted)
    only = unexpanded[0] if len(unexpanded) == 1 else Unexpanded()
    among = one_among(only, "".join(start), "".join(end), word)
    dated = with_variables(word, values) if all(part.dated for part in unexpanded) else ""
    data = not among and holds_data(word, values)
    return Word(word.text, None, "".join(start), many, glob, quoted, among, only.each, data, dated)


def holds_data(word: RawWord, values: Values) -> bool:
    """Whether data decide what a word is, and not a number or what a lister gives."""
    names = {part.name for part in word.parts if isinstance(part, Parameter)} - values.numbers
    listed = {name for name in names if name in values.variables and values.variables[name].among}
    return brings_data(word.text) or any(map(values.holds_data, names - listed)) or any(map(_is_changed, word.parts))


def _is_changed(part: Part) -> bool:
    """`${x#a}`, `${x:--f}`: what comes of it may begin otherwise than what x holds."""
    if not isinstance(part, Parameter) or part.operator.startswith(("[", "#length")) or not part.operator:
        return False
    return part.operator.lstrip(":") not in ("-", "=", "+", "?") or any(may_be_more(w.text) for w in part.words)


def with_variables(word: RawWord, values: Values) -> str:
    """The text of a word with what its variables hold; "" where one of them is not known."""
    text = word.text
    for name in {part.name for part in word.parts if isinstance(part, Parameter)}:
        held = values.variables.get(name)
        given = (held.dated.strip('"') or held.value) if held is not None else None
        if given is None:
            return ""
        text = re.sub(rf"\$(?:{name}(?!\w)|\{{{name}\}})", given.replace("\\", r"\\"), text)
    return text


def one_among(part: Unexpanded, start: str, end: str, word: RawWord) -> tuple[Word, ...]:
    """What a word of one such part is among: the part's own names, behind a directory that stands before it."""
    if part.each:
        return tuple(Word(text, text) for one in part.among for text in (f"{start}{one.value}{end}",))
    literals = [p.text for p in word.parts if isinstance(p, Literal)]
    before = start.removesuffix(part.prefix)
    if not part.among or "".join(literals) != before or (before and not before.endswith("/")):
        return ()
    if not before:
        return part.among
    return tuple(
        replace(one, text=before + one.text, value=None if one.value is None else before + one.value, prefix=before)
        if not (one.value or one.prefix).startswith("/")
        else one
        for one in part.among
    )


def unquoted(word: RawWord, index: int, text: str, values: Values, assigned: bool) -> str | Unexpanded:
    """Literal text without quotes: a tilde is replaced, a pattern becomes names of files."""
    found = tilde(word, index, text, values, assigned)
    before = text.partition("~")[0] if found is None else found
    if not assigned and has_pattern(text, word, index):
        return Unexpanded(prefix=before_pattern(before), many=True, glob=True)
    return Unexpanded(prefix=before) if found is None else found


# -- expansions


def expanded(part: Part, values: Values, assigned: bool) -> str | Unexpanded:
    if isinstance(part, Parameter):
        return parameter(part, values, splits=not part.quoted and not assigned)
    if isinstance(part, Substitution):
        many = not part.quoted and not assigned and part.kind in ("$(", "`")
        if part.kind == "$(" and not many and (text := values.constant(part.script)) is not None:
            return text
        among = values.listed(part.script) if part.kind in ("$(", "`") else ()
        return Unexpanded(many=many, among=among, dated=part.kind == "$(" and not among)
    if isinstance(part, Named):
        both = tuple(Word(text, text) for text in (part.text, f"({part.text})"))
        return Unexpanded(many=True, glob=True, among=both, each=True)
    return Unexpanded(many=not isinstance(part, Arithmetic | Opaque))


def parameter(part: Parameter, values: Values, *, splits: bool) -> str | Unexpanded:
    held = values.variables.get(part.name) if not part.operator else None
    value = held.value if held is not None else None
    if value is not None and (not splits or stays_one_word(value, values)):
        return value
    number = part.operator == "" and (part.name in ALWAYS_A_NUMBER or part.name in values.numbers)
    many = (splits and not number) or part.every
    if held is None:
        return Unexpanded(many=many)
    if held.each:
        return each_of(held, values, splits=splits)
    among = held.among or ((replace(held, many=False),) if held.glob else ())
    return Unexpanded(
        prefix=held.prefix,
        many=many,
        glob=held.glob,
        among=among,
        dated="$(date " in held.dated,
    )


def each_of(held: Word, values: Values, *, splits: bool) -> Unexpanded:
    """A variable that a loop gives one word after the other."""
    whole = not splits or all(stays_one_word(one.value or "", values) for one in held.among)
    return Unexpanded(among=held.among, each=True) if whole else Unexpanded(many=True)


def stays_one_word(value: str, values: Values) -> bool:
    return bool(value) and not any(c in value for c in (" \t\n*?[]\\~{" if values.sh else " \t\n*?[]\\~"))


def has_pattern(text: str, word: RawWord, index: int) -> bool:
    if "*" in text or "?" in text:
        return True
    if "[" not in text:
        return False
    rest = text[text.index("[") + 1 :]
    return "]" in rest or any(not isinstance(p, Literal) or "]" in p.text for p in word.parts[index + 1 :])


# -- tildes


def tilde(word: RawWord, index: int, text: str, values: Values, assigned: bool) -> str | None:
    """Text with its tilde replaced; None when that is not known. Behind `name=` bash replaces it in arguments, too."""
    if "~" not in text:
        return text
    if index == 0 and text.startswith("~"):
        return leading_tilde(text, values, alone=len(word.parts) == 1, assigned=assigned)
    if ":~" not in text and "=~" not in text:
        return text
    if index == 0 and not assigned and values.home is not None and not values.sh:
        name, _, rest = text.partition("=")
        if is_name(name.rstrip("+")) and is_below_home(rest):
            return name + "=" + values.home + rest[1:]  # `name=~/…` as an argument
    return None if assigned or "=" in text or is_assignment(word) else text


def leading_tilde(text: str, values: Values, *, alone: bool, assigned: bool) -> str | None:
    head, slash, rest = text.partition("/")
    if not slash and not alone:
        return None
    home = {"~": values.home, "~+": None if values.sh else values.cwd}.get(head)
    if home is None or (assigned and ":~" in rest):
        return None
    return home + slash + rest


def is_below_home(text: str) -> bool:
    return text.startswith("~/") and ":~" not in text


def is_name(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def is_assignment(word: RawWord) -> bool:
    """`x=a"b":~` as an argument: bash replaces a tilde behind every colon in it, however its parts are quoted."""
    name, equals, _ = word.text.partition("=")
    return bool(equals) and is_name(name.removesuffix("+"))
