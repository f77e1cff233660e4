"""The block on askfirst's own page: on it a person answers, so no command, fetch or tool of an agent may talk to it.

The page also wants a token, which no agent has. This is about the address: its port, and any way to write this machine.
What computes its address is not understood, and asks like everything of that kind.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from askfirst.model import Command, Fact, Read, ToolUse, Unknown, Write
from askfirst.policy.blocks import Block

__all__ = ["block_own_page"]

OWN_PAGE = Block(
    "own-page",
    "talks to askfirst's own page, on which a person answers: an agent must not approve itself",
    "ask the person at the keyboard; if this is about another server, let it listen on another port",
)
_NAMES = frozenset("localhost localhost.localdomain ip6-localhost ip6-loopback host.docker.internal".split())
_ENDINGS = (".localhost", ".localtest.me", ".lvh.me", ".nip.io", ".sslip.io")
_WORDS = re.compile(r"[^\s/@=,;|<>\"'`()]+")
_BRACKETS = re.compile(r"\[([0-9a-fA-F:.%]+)\]")
_NUMBER = re.compile(r"\d+")
_RANGE = re.compile(r"(\d{1,5})\s*(?:-|\.\.)\s*(\d{1,5})")
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_MAX_PORT_DIGITS = 9  # some clients read `0080` as 80


def block_own_page(fact: Fact, ports: tuple[int, ...]) -> Block | None:
    texts = [_plain(text) for text in _texts(fact)]
    if not any(_names_port(text, ports) for text in texts):
        return None
    computed = isinstance(fact, Unknown) and fact.what == "inline code"
    return OWN_PAGE if computed or any(_names_this_machine(text, ports) for text in texts) else None


def _texts(fact: Fact) -> Iterator[str]:
    if isinstance(fact, Command):
        yield from (w.value if w.value is not None else w.text for w in fact.argv[1:])
        yield from (a.value.value or a.value.text for a in fact.assignments)
    elif isinstance(fact, (Write, Read)):
        yield fact.path or ""
        yield fact.text
    elif isinstance(fact, ToolUse):
        yield from _strings(fact.input)
    else:
        yield fact.text
        yield from fact.words


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)):
        yield str(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner)


def _plain(text: str) -> str:
    """As a client reads it: `local%68ost` is localhost, and so is one in full-width letters."""
    text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("。", ".")
    return text.lower()


def _names_port(text: str, ports: tuple[int, ...]) -> bool:
    numbers = {int(n) for n in _NUMBER.findall(text) if len(n) <= _MAX_PORT_DIGITS}
    if not numbers.isdisjoint(ports):
        return True
    ranges = [(int(low), int(high)) for low, high in _RANGE.findall(text)]
    return any(low <= port <= high for low, high in ranges for port in ports)


def _names_this_machine(text: str, ports: tuple[int, ...]) -> bool:
    if any(_is_this_machine(inner) for inner in _BRACKETS.findall(text)):
        return True
    for word in _WORDS.findall(text):
        if _is_this_machine(word) or (word[:1] == ":" and word.strip(":") in map(str, ports)):
            return True
        if any(_is_this_machine(part) for part in word.split(":") if part):
            return True
    return False


def _is_this_machine(host: str) -> bool:
    host = host.rstrip(".")
    if host in _NAMES or host.endswith(_ENDINGS) or host in ("localtest.me", "lvh.me"):
        return True
    if ":" in host:
        return _is_v6_loopback(host)
    value = _v4(host)
    return value == 0 or (value is not None and value >> 24 == 127)


def _v4(host: str) -> int | None:
    """An IPv4 address as C's `inet_aton` reads it: one to four parts, each decimal, octal or hexadecimal."""
    parts = host.split(".")
    numbers = [_number(part) for part in parts]
    if len(parts) > 4 or any(n is None for n in numbers):
        return None
    *first, last = [n for n in numbers if n is not None]
    if any(n > 255 for n in first) or last >= 256 ** (5 - len(parts)):
        return None
    value = last
    for at, number in enumerate(first):
        value += number << (24 - 8 * at)
    return value


def _number(part: str) -> int | None:
    if not part.isascii() or not part or len(part) > 20:
        return None
    try:
        if part.startswith("0x"):
            return int(part[2:] or "0", 16)
        return int(part, 8) if part[0] == "0" and part != "0" else int(part, 10) if part.isdigit() else None
    except ValueError:
        return None


def _is_v6_loopback(host: str) -> bool:
    """`::1`, `::`, and this machine's IPv4 addresses written in IPv6, with any zeros."""
    host = host.partition("%")[0]
    groups, _, v4 = host.rpartition(":")
    if "." in v4:
        value = _v4(v4)
        return value is not None and value >> 24 in (0, 127) and set(groups) <= set("0:f")
    last = [g for g in host.split(":") if g]
    if set("".join(last)) <= {"0"}:
        return True
    if last and set("".join(last[:-1])) <= {"0"} and last[-1].lstrip("0") == "1":
        return True
    return len(last) >= 2 and last[-2].startswith("7f") and set("".join(last[:-2])) <= set("0f")
