"""Values as the YAML of a rule file, without a parser: short, and surely read back as the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["block", "flow", "line_of", "render", "scalar"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
_NOT_TEXT = frozenset("yes no on off true false null y n".split())


def scalar(text: str) -> str:
    """A string as YAML: plain where it is surely read back as the same string, else double-quoted."""
    plain = (
        text
        and set(text) <= _PLAIN
        and (text[0].isalpha() or text[0] == "_" or text.startswith("./"))
        and not text.endswith("-")
    )
    if plain and text.lower() not in _NOT_TEXT:
        return text
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    code = ord(char)
    if char.isprintable() and code < 0x10000:
        return char
    # Not as a pair of surrogates, which is what json.dumps makes of it: PyYAML does not join them.
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flow(value: Any) -> str:
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"


def block(entry: Mapping[str, Any], indent: int) -> list[str]:
    """`- name: npm` and the lines below it."""
    lines = [f"{key}: {flow(value)}" for key, value in entry.items()]
    return [" " * indent + ("- " if n == 0 else "  ") + line for n, line in enumerate(lines)]


def line_of(entry: Mapping[str, Any]) -> str:
    """The entry on one line: `- {name: npm, args: ["run build"]}`."""
    return "- " + flow(entry)


def render(entries: tuple[Mapping[str, Any], ...], *, indent: int = 0) -> str:
    """The exact text of the entries, as they would be appended."""
    return "\n".join(line for entry in entries for line in block(entry, indent))
