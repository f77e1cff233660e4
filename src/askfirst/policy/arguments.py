"""The patterns of a rule's `args`: what each says of the whole list of a program's arguments.

    run build           exactly these two words
    run build ...       these two, and whatever follows
    run test*           the second word begins with `test`; `*` never crosses a word,
                        nor goes up: `scripts/*` is not `scripts/../x`
    env rm *            any third word that is no option
    commit -m 'a b'     quotes keep blanks, `*` and `...` as they are
    ''                  the word that is empty; a pattern of no word at all means: no arguments

A word that may hold a secret stands in a grant as its fingerprint (`{…}`), so that the grant holds no secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from askfirst.digest import sha256_hex

__all__ = ["REST", "Match", "Pattern", "PatternError", "Token", "fingerprint", "parse", "quoted", "unquoted"]

REST = "..."
_FINGERPRINT = 20
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-:=@+,%^~")


class Match(IntEnum):
    NO = 0
    MAYBE = 1  # a word that is not known could make it a yes
    YES = 2


class PatternError(ValueError):
    """A pattern that says nothing clear; the message says what is wrong with it."""


@dataclass(frozen=True)
class Token:
    """One word of a pattern."""

    text: str
    kind: str = "is"  # is, begins, fingerprint

    def takes(self, word: str, *, leads_out: bool = False) -> bool:
        """`leads_out`: as a block means it, also a word that begins so and goes up (`build/../src` for `build*`)."""
        if self.kind == "begins" and not self.text and word[:1] in ("-", "+") and not leads_out:
            return False  # an option may change what all the other words mean
        if self.kind == "begins":
            return word.startswith(self.text) and (leads_out or _ups(word) == _ups(self.text))
        return (fingerprint(word) if self.kind == "fingerprint" else word) == self.text


def _ups(text: str) -> int:
    return text.split("/").count("..")


@dataclass(frozen=True)
class Pattern:
    tokens: tuple[Token, ...]
    rest: bool = False  # any words may follow

    def match(self, words: list[str | None], *, rest: bool = False) -> Match:
        """Whether the list of words is as the pattern says. `rest`: whatever follows it, as a block means it."""
        for index, token in enumerate(self.tokens):
            if index >= len(words):
                return Match.NO
            word = words[index]
            if word is None:
                return Match.MAYBE  # it may become this word, several, or none
            if not token.takes(word, leads_out=rest):
                return Match.NO
        more = words[len(self.tokens) :]
        if rest or self.rest or not more:
            return Match.YES
        return Match.MAYBE if all(word is None for word in more) else Match.NO


@lru_cache(maxsize=4096)
def parse(text: str) -> Pattern:
    """Raises PatternError."""
    words = _split(text)
    rest = bool(words) and words[-1] == (REST, False, False)
    tokens = [_token(*word) for word in (words[:-1] if rest else words)]
    return Pattern(tuple(tokens), rest)


def _token(word: str, any_quoted: bool, ends_quoted: bool) -> Token:
    if not any_quoted and word == REST:
        raise PatternError(f"`{REST}` stands at the end only: whatever follows")
    if not any_quoted and len(word) == _FINGERPRINT + 2 and word[0] + word[-1] == "{}":
        return Token(word[1:-1], "fingerprint")
    if word.endswith("*") and not ends_quoted:
        if word == "*":
            return Token("", "begins")
        return Token(word[:-1], "begins")
    return Token(word)


def _split(text: str) -> list[tuple[str, bool, bool]]:
    """The words, as a shell splits them: (word, whether a part of it is quoted, whether its last character is)."""
    words: list[tuple[str, bool, bool]] = []
    word, quote, begun, any_quoted, ends_quoted = "", "", False, False, False
    for char in text:
        if quote:
            if char == quote:
                quote = ""
            else:
                word, ends_quoted = word + char, True
        elif char in "'\"":
            quote, begun, any_quoted, ends_quoted = char, True, True, True
        elif char == " ":
            if begun:
                words.append((word, any_quoted, ends_quoted))
            word, begun, any_quoted, ends_quoted = "", False, False, False
        else:
            word, begun, ends_quoted = word + char, True, False
    if quote:
        raise PatternError(f"a quote `{quote}` is not closed")
    if begun:
        words.append((word, any_quoted, ends_quoted))
    return words


def unquoted(text: str) -> str:
    """The pattern without what stands in quotes: where `*` and the shell's characters mean something."""
    kept, quote = "", ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            kept += char
    return kept


def quoted(word: str) -> str:
    """A word as it stands in a pattern that means exactly this word."""
    if word and set(word) <= _PLAIN and word != REST:
        return word
    if "'" not in word:
        return f"'{word}'"
    return f'"{word}"' if '"' not in word else "'" + word.replace("'", "'\"'\"'") + "'"


def fingerprint(word: str) -> str:
    return sha256_hex("askfirst-word-1\n" + word)[:_FINGERPRINT]
