"""Which names an entry of a rule file may have. A refusal says what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.knowledge.programs import (
    INTERPRETERS,
    LISTABLE,
    LISTABLE_WRAPPERS,
    PACKAGES,
    SHELLS,
    WRAPPERS,
    base_name,
    family,
)
from askfirst.knowledge.variables import loads_code
from askfirst.model import Decision
from askfirst.policy.blocks import NAMES, blocked_name

if TYPE_CHECKING:
    from askfirst.policy.rules import Rule

__all__ = ["chooses_code", "problem_of"]

_SHELL_CHARACTERS = ";|&<>`$(){}[]\"'\\!#^,%=?"
_MIN_LITERAL = 3
# Options behind which code stands: an entry that ends there allows any.
_CODE_OPTIONS = ("", "-", "-c", "-e", "--eval", "-p", "--print", "-m", "-ic", "-lc", "-S")


def problem_of(rule: Rule, section: str) -> tuple[str, str] | None:
    """(problem, hint) when an entry of this section may not have this name; None when it may."""
    return _form(rule, section) or (_power(rule, section) if rule.decision == Decision.ALLOW else None)


def _form(rule: Rule, section: str) -> tuple[str, str] | None:
    name = rule.name
    if name in PACKAGES:
        return _package(rule)
    if len(name.split()) > 1 and not any(c in name for c in _SHELL_CHARACTERS):
        first, _, rest = name.partition(" ")
        if first == "name":
            return f"`{name}`: a `:` is missing after `name`", f"write `name: {rest.strip()}`"
        return f"`{name}`: a name is one word", f'write `{{name: {first}, args: ["{rest.strip()}"]}}`'
    if name.startswith("-"):
        return f"`{name}` is an option, not a program", "write the program as `name` and the option in `args`"
    if name.startswith("~"):
        hint = "name a script of the project as `./path`" if section == "commands" else "write the whole path"
        return f"`{name}`: `~` is not expanded here", hint
    for char in _SHELL_CHARACTERS:
        if char in name:
            return f"`{name}` contains `{char}`, which cannot be part of a program's name", "write the name alone"
    if "*" in name:
        return _wildcard(name, section)
    return _path(name, section) if "/" in name else None


def _package(rule: Rule) -> tuple[str, str] | None:
    """A package by whichever runner: only an entry that allows one, since a runner may be told its package in ways that
    nobody reads."""
    if rule.decision != Decision.ALLOW:
        return f"`{rule.name}` only says what may run", f"name the runners: {', '.join(PACKAGES[rule.name])}"
    if not rule.action:
        hint = f"write `{{name: {rule.name}, action: PACKAGE}}`"
        return f"`{rule.name}` alone means every package: allowing it allows everything", hint
    return None


def _wildcard(name: str, section: str) -> tuple[str, str] | None:
    least = 1 if section == "blocked_commands" else _MIN_LITERAL
    if name.strip("*") == "":
        return "a bare `*` matches every program", "name the programs one by one"
    if name.count("*") > 1 or not name.endswith("*"):
        return (
            f"`{name}`: only one `*` is allowed, at the end",
            f"write `{name.replace('*', '')}*` or name each program",
        )
    if "/" in name:
        return f"`{name}`: a wildcard does not cross `/`", "name each script"
    if len(name) - 1 < least:
        return f"`{name}`: at least {least} characters must come before the `*`", "name the programs one by one"
    return None


def _path(name: str, section: str) -> tuple[str, str] | None:
    if ".." in name.split("/"):
        return f"`{name}` points out of its directory", "name the script inside the project"
    if section == "commands":
        if name.startswith("/"):
            return (
                f"`{name}`: a project's file names scripts of the project",
                "write `./path/to/script`, or use the organisation's file",
            )
        if not name.startswith("./"):
            return f"`{name}`: a script is named from the project's root", f"write `./{name}`"
    elif not name.startswith("/"):
        return f"`{name}`: the organisation's file names programs by name or by whole path", "write the whole path"
    return None


def _power(rule: Rule, section: str) -> tuple[str, str] | None:
    """What no allowing entry may name."""
    name = rule.name
    if name.endswith("*"):
        return _matches_power(name)
    block = blocked_name(name)
    if block is not None:
        return f"`{name}` is always blocked: it {block.reason}", "remove the entry; no file can lift this"
    if base_name(name) == "askfirst":
        return "`askfirst` itself cannot be allowed: an agent must not approve itself", "remove the entry"
    kind = _kind(name)
    if kind and not rule.args and not rule.action:
        return f"`{name}` is {kind}: allowing it allows everything", _narrower(name, kind, section)
    if kind and "/" not in name:
        loose = next(
            (a for a in rule.args if _begins(a).rstrip("*") in _CODE_OPTIONS and set(a.split()[1:]) <= {"*", "..."}), ""
        )
        if loose:
            return f"`{name} {loose}` allows any code", _narrower(name, kind, section)
    return None


def _begins(pattern: str) -> str:
    return "" if pattern == "..." else next(iter(pattern.split()), "")


def _kind(name: str) -> str:
    short, lower = family(name), base_name(name).lower()
    if short in SHELLS or lower in SHELLS:
        return "a shell"
    if (short in INTERPRETERS or lower in INTERPRETERS) and short not in LISTABLE:
        return "an interpreter"
    if (short in WRAPPERS or lower in WRAPPERS) and short not in LISTABLE_WRAPPERS:
        return "a wrapper that runs other programs"
    return ""


def _narrower(name: str, kind: str, section: str) -> str:
    if kind == "an interpreter":
        ending = (
            "py" if name.startswith(("python", "pypy")) else "js" if name.startswith(("node", "deno", "bun")) else "x"
        )
        return f'write what it runs: `{{name: {name}, args: ["scripts/build.{ending}"]}}`'
    if kind == "a shell":
        script = "./scripts/build.sh" if section == "commands" else "/opt/tools/build.sh"
        return f"name the script itself: `{{name: {script}}}`"
    return "name the program that it runs instead"


def _matches_power(name: str) -> tuple[str, str] | None:
    start = name[:-1].lower()
    for blocked in sorted(NAMES):
        if blocked.startswith(start):
            return f"`{name}` would also match `{blocked}`, which is always blocked", "name the programs one by one"
    if "mkfs".startswith(start) or start.startswith("mkfs"):
        return f"`{name}` would also match `mkfs`, which is always blocked", "name the programs one by one"
    for known in sorted((SHELLS | INTERPRETERS | WRAPPERS) - LISTABLE - LISTABLE_WRAPPERS):
        if known.lower().startswith(start) or (
            known in ("python", "ruby", "perl", "php", "lua", "node") and start.startswith(known)
        ):
            return (
                f"`{name}` would also match `{known}`, which runs other programs or code",
                "name the programs one by one",
            )
    if "askfirst".startswith(start):
        return f"`{name}` would also match `askfirst`", "name the programs one by one"
    return None


def chooses_code(variable: str) -> bool:
    """Whether a variable of this name chooses programs or code for some program."""
    return loads_code(variable) or loads_code(variable.upper())
