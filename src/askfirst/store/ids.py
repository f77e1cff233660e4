"""Ids of requests and grants: 128 bits and more on disk, a few characters for people.

The alphabet has no look-alikes (no i, l, o, u); what people type instead of a digit is read as that digit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from askfirst.errors import AskfirstError

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26
MIN_LENGTH = 4
_TYPED = str.maketrans({"o": "0", "i": "1", "l": "1"})


class UnknownId(AskfirstError):
    """No such id."""


class AmbiguousId(AskfirstError):
    """Several ids begin with what was typed."""

    def __init__(self, typed: str, matches: tuple[str, ...]) -> None:
        self.matches = matches
        found = ", ".join(shown(m, matches) for m in matches)
        super().__init__(f"`{typed}` matches {len(matches)} ids: {found}; type more characters")


def new_id() -> str:
    bits = int.from_bytes(os.urandom(17), "big")
    return "".join(ALPHABET[bits >> (5 * place) & 31] for place in range(LENGTH))


def is_id(name: str) -> bool:
    return len(name) == LENGTH and all(c in ALPHABET for c in name)


def normal(typed: str) -> str:
    return typed.strip().lower().translate(_TYPED)


def matching(typed: str, ids: Iterable[str]) -> tuple[str, ...]:
    prefix = normal(typed)
    return tuple(sorted(i for i in set(ids) if i.startswith(prefix)))


def resolve(typed: str, ids: Iterable[str], *, what: str = "request", see: str = "askfirst pending") -> str:
    """The one id that begins with what was typed."""
    prefix = normal(typed)
    if len(prefix) < MIN_LENGTH or len(prefix) > LENGTH or any(c not in ALPHABET for c in prefix):
        raise UnknownId(f"`{typed}` is not an id: type at least its first {MIN_LENGTH} characters; see `{see}`")
    found = matching(typed, ids)
    if not found:
        raise UnknownId(f"no {what} with id `{typed}`; see `{see}`")
    if len(found) > 1:
        raise AmbiguousId(typed, found)
    return found[0]


def shown(id: str, ids: Iterable[str]) -> str:
    """The shortest prefix that is unique among `ids`."""
    others = [i for i in ids if i != id]
    for length in range(MIN_LENGTH, LENGTH):
        if not any(i.startswith(id[:length]) for i in others):
            return id[:length]
    return id
