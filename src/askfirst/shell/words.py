"""What bash makes of a word, as far as the text shows it: braces, tilde, known variables, patterns."""

from __future__ import annotations

from askfirst.model import Word as Known
from askfirst.shell.syntax import Arithmetic, Literal, Opaque, Parameter, Substitution, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from askfirst.shell.syntax import Part

MAX_BRACES = 64
MAX_GROUPS = 12
ALWAYS_A_NUMBER = ("?", "#", "$")


class Values:
    """Where words get their values: variables known for certain, the home, the directory."""

    def __init__(
        self,
        variables: Mapping[str, Known],
        home: str | None,
        cwd: str | None,
        *,
        braces: bool,
        splits: bool,
        numbers: AbstractSet[str],
    ) -> None:
        self.variables, self.home, self.cwd, self.numbers = variables, home, cwd, numbers
        self.splits = splits  # False for zsh, which splits a variable at blanks only when an option says so
        self.braces = braces  # False where `set +B` may have switched them off


def evaluate(word: Word, values: Values, *, assigned: bool = False) -> list[Known]:
    """The words that bash makes of one word. `assigned`: it stands behind `=`, so nothing splits and no pattern matches."""
    if word.plain and not assigned:
        part = word.parts[0]
        assert isinstance(part, Literal)
        if part.text.isalnum():
            return [Known(word.text, part.text)]
    if not assigned:
        several = whole_variable(word, values)
        if several is None:
            several = braces(word, certain=values.braces)
        if several is not None:
            return several
    return [one_word(word, values, assigned)]


def whole_variable(word: Word, values: Values) -> list[Known] | None:
    """`$x` alone, unquoted, with a known value that bash splits at blanks."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Parameter) or part.quoted or part.operator or part.name not in values.variables:
        return None
    value = values.variables[part.name].value
    if value is None or any(c in value for c in "*?[]\\") or (not values.splits and any(c in value for c in " \t\n")):
        return None
    # Not split(): it would split at other blanks, too.
    return [Known(word.text, piece) for piece in value.replace("\t", " ").replace("\n", " ").split(" ") if piece]


def one_word(word: Word, values: Values, assigned: bool) -> Known:
    out: list[str] = []
    known, many, glob, quoted = True, False, False, False
    other = False  # something unknown that is not a file name pattern
    prefix: list[str] = []
    for k, part in enumerate(word.parts):
        if isinstance(part, Literal):
            text: str | None = part.text
            quoted = quoted or part.quoted
            if not part.quoted:
                text = tilde(word, k, part.text, values, assigned)
                if not assigned and (has_pattern(part.text, word, k)):
                    if known:
                        prefix.append(before_pattern(text or ""))
                    known, many, glob = False, True, True
                    continue
                if text is None:
                    known, other = False, True
                    continue
        else:
            text, part_many = part_value(part, values, assigned)
            quoted = quoted or getattr(part, "quoted", False)
            if text is None:
                inherited = variable_of(part, values)
                if known and inherited is not None:
                    prefix.append(inherited.prefix)
                glob = glob or bool(inherited and inherited.glob)
                other = other or not (inherited and inherited.glob)
                known, many = False, many or part_many
                continue
        if known:
            out.append(text or "")
    if known:
        return Known(word.text, "".join(out), quoted=quoted)
    return Known(
        word.text, None, prefix="".join(out) + "".join(prefix), many=many, glob=glob and not other, quoted=quoted
    )


def variable_of(part: Part, values: Values) -> Known | None:
    if isinstance(part, Parameter) and not part.operator:
        return values.variables.get(part.name)
    return None


def part_value(part: Part, values: Values, assigned: bool) -> tuple[str | None, bool]:
    """The value of an expansion, and whether it may become no word or several."""
    if isinstance(part, Parameter):
        splits = not part.quoted and not assigned
        found = values.variables.get(part.name) if not part.operator else None
        if found is not None and found.value is not None:
            if not splits:
                return found.value, False
            if found.value and not any(c in found.value for c in " \t\n*?[]\\~"):
                return found.value, False
        number = part.operator == "" and (part.name in ALWAYS_A_NUMBER or part.name in values.numbers)
        return None, (splits and not number) or part.every
    if isinstance(part, Substitution):
        return None, not part.quoted and not assigned and part.kind in ("$(", "`")
    if isinstance(part, Arithmetic | Opaque):
        return None, False
    return None, True


def has_pattern(text: str, word: Word, index: int) -> bool:
    if "*" in text or "?" in text:
        return True
    if "[" not in text:
        return False
    rest = text[text.index("[") + 1 :]
    return "]" in rest or any(not isinstance(p, Literal) or "]" in p.text for p in word.parts[index + 1 :])


def before_pattern(text: str) -> str:
    return text[: min((text.index(c) for c in "*?[" if c in text), default=len(text))]


def tilde(word: Word, index: int, text: str, values: Values, assigned: bool) -> str | None:
    """Text with its tilde replaced; None when that is not known. Behind `name=` bash expands it too, also in arguments."""
    if "~" not in text:
        return text
    if index == 0 and text.startswith("~"):
        head, slash, rest = text.partition("/")
        if not slash and len(word.parts) > 1:
            return None
        home = {"~": values.home, "~+": values.cwd}.get(head)
        if home is None or (assigned and ":~" in rest):
            return None
        return home + slash + rest
    name, equals, rest = text.partition("=")
    is_name = name.isascii() and name.rstrip("+").isidentifier()
    if index == 0 and equals and not assigned and is_name and (rest.startswith("~") or ":~" in rest):
        if rest.startswith("~/") and ":~" not in rest and values.home is not None:
            return name + "=" + values.home + rest[1:]
        return None
    if ":~" in text or "=~" in text:
        return None if assigned or equals or is_assignment(word) else text
    return text


def is_assignment(word: Word) -> bool:
    """`x=a"b":~` as an argument: bash expands a tilde behind every colon in it, however its parts are quoted."""
    name, equals, _ = word.text.partition("=")
    return bool(equals) and name.isascii() and name.removesuffix("+").isidentifier()


# -- braces


def braces(word: Word, *, certain: bool) -> list[Known] | None:
    """Brace expansion; None when the word has none."""
    unquoted = "".join(p.text if isinstance(p, Literal) and not p.quoted else "\0" for p in word.parts)
    start = unquoted.find("{")
    if start < 0 or "}" not in unquoted[start:] or not ("," in unquoted[start:] or ".." in unquoted[start:]):
        return None
    unknown = [Known(word.text, None, prefix=literal_start(word), many=True, quoted=not word.plain)]
    if not certain or unquoted.count("{") > MAX_GROUPS or not all(isinstance(p, Literal) for p in word.parts):
        return unknown
    if ".." in unquoted[start:] and not word.plain:
        return unknown  # a quote in a sequence, even an empty one, makes it none: `{4''..6}`
    characters = [(c, p.quoted) for p in word.parts if isinstance(p, Literal) for c in p.text]
    try:
        found = expand(characters)
    except ValueError:
        return unknown
    if len(found) == 1 and found[0] == characters:
        return None
    out: list[Known] = []
    for one in found:
        plain = "".join(c for c, is_quoted in one if not is_quoted)
        if any(c in plain for c in "*?[]~{}") or not one:
            return unknown
        out.append(Known(word.text, "".join(c for c, _ in one), quoted=not word.plain))
    return out


def literal_start(word: Word) -> str:
    first = word.parts[0]
    if not isinstance(first, Literal) or first.text.startswith("~"):
        return ""
    return first.text if first.quoted else before_pattern(first.text.partition("{")[0])


def expand(text: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    """The alternatives of `a{b,c}d` and `{1..3}`, without nesting; ValueError for what is not certain."""
    begin = next((i for i, c in enumerate(text) if c == ("{", False)), -1)
    if begin < 0:
        return [text]
    end = next((i for i in range(begin, len(text)) if text[i] == ("}", False)), -1)
    if end < 0:
        return [text]
    inner = text[begin + 1 : end]
    if ("{", False) in inner:
        raise ValueError
    if not inner:
        return joined([text[: end + 1]], expand(text[end + 1 :]))
    alternatives: list[list[tuple[str, bool]]] = [[]]
    for character in inner:
        if character == (",", False):
            alternatives.append([])
        else:
            alternatives[-1].append(character)
    if len(alternatives) == 1:
        alternatives = sequence(inner)
        if len(alternatives) == 1 and (",", False) in text[end:] and ("}", False) in text[end + 1 :]:
            raise ValueError  # `{b},c}`: bash looks for a comma beyond this brace
    return joined([text[:begin] + a for a in alternatives], expand(text[end + 1 :]))


def joined(heads: list[list[tuple[str, bool]]], tails: list[list[tuple[str, bool]]]) -> list[list[tuple[str, bool]]]:
    if len(heads) * len(tails) > MAX_BRACES:
        raise ValueError
    return [head + tail for head in heads for tail in tails]


def is_plain_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0")) and len(text) < 9


def sequence(inner: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    text = "".join(c for c, _ in inner)
    if ".." not in text:
        return [[("{", False), *inner, ("}", False)]]
    first, _, last = text.partition("..")
    if (
        any(q for _, q in inner)
        or not is_plain_number(first)
        or not is_plain_number(last)
        or abs(int(first) - int(last)) >= MAX_BRACES
    ):
        raise ValueError
    step = 1 if int(first) <= int(last) else -1
    return [[(c, False) for c in str(n)] for n in range(int(first), int(last) + step, step)]
