"""Brace expansion: the alternatives of `a{b,c}d` and `{1..3}` where every shell makes the same of them."""

from __future__ import annotations

from typing import TypeAlias

from askfirst.model import Word
from askfirst.shell.syntax import Literal, RawWord

Characters: TypeAlias = list[tuple[str, bool]]  # each with whether it was quoted

MAX_WORDS = 64
MAX_COUNTED = 256  # of a short word that is nothing but a sequence: `{1..254}`
SHORT = 20
MAX_GROUPS = 12


def brace_words(word: RawWord, *, certain: bool) -> list[Word] | None:
    """The words that braces make of one; None when it has none. Not `certain`: braces may be switched off."""
    unquoted = "".join(p.text if isinstance(p, Literal) and not p.quoted else "\0" for p in word.parts)
    if not may_have_braces(unquoted):
        return None
    try:
        return certain_words(word, unquoted, certain=certain)
    except ValueError:
        return [Word(word.text, None, prefix=literal_start(word), many=True, quoted=not word.plain)]


def certain_words(word: RawWord, unquoted: str, *, certain: bool) -> list[Word] | None:
    """ValueError where shells, or options, may make something else of the braces."""
    if not certain or unquoted.count("{") > MAX_GROUPS or not all(isinstance(p, Literal) for p in word.parts):
        raise ValueError
    if ".." in unquoted[unquoted.index("{") :] and not word.plain:
        raise ValueError  # a quote in a sequence, even an empty one, makes it none: `{4''..6}`
    characters = [(c, p.quoted) for p in word.parts if isinstance(p, Literal) for c in p.text]
    found = expand(characters)
    if len(found) == 1 and found[0] == characters:
        return None
    if not all(map(is_final, found)):
        raise ValueError
    return [Word(word.text, "".join(c for c, _ in one), quoted=not word.plain) for one in found]


def may_have_braces(unquoted: str) -> bool:
    start = unquoted.find("{")
    return start >= 0 and "}" in unquoted[start:] and ("," in unquoted[start:] or ".." in unquoted[start:])


def is_final(characters: Characters) -> bool:
    """Whether nothing in a word that braces made is expanded further: no pattern, no tilde, no brace, not empty."""
    return bool(characters) and not any(c in "*?[]~{}" for c, quoted in characters if not quoted)


def literal_start(word: RawWord) -> str:
    first = word.parts[0]
    if not isinstance(first, Literal) or first.text.startswith("~"):
        return ""
    return first.text if first.quoted else before_pattern(first.text.partition("{")[0])


def before_pattern(text: str) -> str:
    return text[: min((text.index(c) for c in "*?[" if c in text), default=len(text))]


def expand(text: Characters) -> list[Characters]:
    """All alternatives, without nesting; ValueError for what is not certain."""
    begin = position(text, "{", 0)
    end = position(text, "}", begin) if begin >= 0 else -1
    if end < 0:
        return [text]
    inner, behind = text[begin + 1 : end], text[end + 1 :]
    if ("{", False) in inner:
        raise ValueError
    if not inner:
        return joined([text[: end + 1]], expand(behind))
    alternatives = split_at_commas(inner)
    if len(alternatives) == 1:
        alternatives = sequence(inner)
        if len(alternatives) == 1 and (",", False) in behind and ("}", False) in behind:
            raise ValueError  # `{b},c}`: bash looks for a comma beyond this brace
    return joined([text[:begin] + a for a in alternatives], expand(behind))


def position(text: Characters, character: str, start: int) -> int:
    return next((i for i in range(start, len(text)) if text[i] == (character, False)), -1)


def split_at_commas(inner: Characters) -> list[Characters]:
    alternatives: list[Characters] = [[]]
    for character in inner:
        if character == (",", False):
            alternatives.append([])
        else:
            alternatives[-1].append(character)
    return alternatives


def joined(heads: list[Characters], tails: list[Characters]) -> list[Characters]:
    short = len(heads[0]) + len(tails[0]) < SHORT
    if len(heads) * len(tails) > (MAX_COUNTED if short else MAX_WORDS):
        raise ValueError
    return [head + tail for head in heads for tail in tails]


def is_plain_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0")) and len(text) < 9


def sequence(inner: Characters) -> list[Characters]:
    """`{1..3}`; what is neither a list nor a sequence keeps its braces."""
    text = "".join(c for c, _ in inner)
    if ".." not in text:
        return [[("{", False), *inner, ("}", False)]]
    first, _, last = text.partition("..")
    if any(q for _, q in inner) or not is_plain_number(first) or not is_plain_number(last):
        raise ValueError
    if abs(int(first) - int(last)) >= MAX_COUNTED:
        raise ValueError
    step = 1 if int(first) <= int(last) else -1
    return [[(c, False) for c in str(n)] for n in range(int(first), int(last) + step, step)]
