"""The narrowest entry of a rule file that would allow a command, as the line a person would add."""

from __future__ import annotations

from askfirst.knowledge.programs import DANGEROUS, INTERPRETERS, SHELLS, WRAPPERS, family
from askfirst.model import Command, Kind

__all__ = ["entry", "line_of"]

_NO_RULE = (Kind.INLINE, Kind.WRAPPER, Kind.DESTRUCTIVE, Kind.INSTALL)


def entry(command: Command) -> str:
    """`- {name: npm, args: ["run build"]}`; "" where no entry could or should allow it."""
    name, action = command.name, command.action
    if (
        family(name) in SHELLS
        or family(name) in WRAPPERS
        or action.kind in _NO_RULE
        or action.danger
        or name in DANGEROUS
    ):
        return ""
    if "/" in name and not name.startswith("./"):
        return ""
    words = " ".join(action.key[1:])
    if family(name) in INTERPRETERS:
        script = next((w.value for w in command.argv[1:] if w.value is not None), "")
        if not script or script.startswith("-"):
            return ""
        words = script
    elif not words:
        first = command.argv[1].value if len(command.argv) > 1 else None
        words = (
            first
            if first is not None and first.replace("-", "").replace("_", "").isalnum() and first[0].isalpha()
            else ""
        )
    if any(not c.isprintable() or c in '"\\' for c in name + words):
        return ""
    return line_of(name, words)


def line_of(name: str, args: str = "") -> str:
    """The entry as a line of a rule file."""
    return f"- {{name: {_scalar(name)}" + (f', args: ["{args}"]' if args else "") + "}"


def _scalar(text: str) -> str:
    """Quoted where YAML would read it as something else than a text."""
    plain = text.replace("-", "").replace("_", "").replace(".", "").replace("/", "")
    words = ("yes", "no", "on", "off", "true", "false", "null", "y", "n")
    return text if plain.isalnum() and plain[0].isalpha() and text.lower() not in words else f'"{text}"'
