"""The narrowest entry of a rule file that would allow a command, as the line a person would add."""

from __future__ import annotations

from askfirst.knowledge.programs import DANGEROUS, INTERPRETERS, SHELLS, WRAPPERS, family
from askfirst.model import Command, Kind

__all__ = ["entry", "is_plain_scalar", "line_of"]

_NO_RULE = (Kind.INLINE, Kind.WRAPPER, Kind.DESTRUCTIVE, Kind.INSTALL)


def entry(command: Command) -> str:
    """`- {name: npm, args: ["run build"]}`; "" where no entry could or should allow it."""
    name = command.name
    if _has_no_rule(command) or ("/" in name and not name.startswith("./")):
        return ""
    is_interpreter = family(name) in INTERPRETERS
    words = _script(command) if is_interpreter else " ".join(command.action.key[1:]) or _verb(command)
    if is_interpreter and not words:
        return ""
    if any(not c.isprintable() or c in '"\\' for c in name + words):
        return ""
    return line_of(name, words)


def _has_no_rule(command: Command) -> bool:
    action = command.action
    if family(command.name) in SHELLS or family(command.name) in WRAPPERS or command.name in DANGEROUS:
        return True
    return action.kind in _NO_RULE or bool(action.danger)


def _script(command: Command) -> str:
    """The file that an interpreter runs; "" when an option stands there."""
    script = next((w.value for w in command.argv[1:] if w.value is not None), "")
    return "" if script.startswith("-") else script


def _verb(command: Command) -> str:
    """The first word, where it looks like a sub-command."""
    first = (command.argv[1].value or "") if len(command.argv) > 1 else ""
    plain = first.replace("-", "").replace("_", "")
    return first if plain.isalnum() and first[0].isalpha() else ""


def line_of(name: str, args: str = "") -> str:
    """The entry as a line of a rule file."""
    return f"- {{name: {_scalar(name)}" + (f', args: ["{args}"]' if args else "") + "}"


def _scalar(text: str) -> str:
    return text if is_plain_scalar(text) else f'"{text}"'


def is_plain_scalar(text: str) -> bool:
    """Whether YAML reads it as this text without quotes."""
    plain = text.replace("-", "").replace("_", "").replace(".", "").replace("/", "")
    words = ("yes", "no", "on", "off", "true", "false", "null", "y", "n")
    return plain.isalnum() and plain[0].isalpha() and text.isascii() and text[0].isalpha() and text.lower() not in words
