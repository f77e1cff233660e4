"""Variables that reach a command from further out: `export STAGE=prod; deploy`, `STAGE=prod nohup deploy`. An answer
that names none of them was none for these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from askfirst.knowledge.programs import SHELLS, WRAPPERS, base_name
from askfirst.knowledge.variables import SAYS_WHERE
from askfirst.model import Assignment, Command, Fact, Kind, Word
from askfirst.shell.syntax import DECLARES

__all__ = ["with_handed_on"]

_SAME_SHELL = frozenset("eval source . command exec builtin".split())


def with_handed_on(facts: tuple[Fact, ...], text: str, exported: frozenset[str]) -> tuple[Fact, ...]:
    """The facts, with each variable that says where a program acts at every command that it may reach."""
    if not any(name in text for name in SAYS_WHERE):
        return facts
    found = tuple(
        dict.fromkeys(
            one for one in (*_set_further_out(facts), *_kept_exported(text, exported)) if one.name in SAYS_WHERE
        )
    )
    return tuple(_reached(f, found) if isinstance(f, Command) and not f.builtin else f for f in facts)


def _reached(command: Command, found: tuple[Assignment, ...]) -> Command:
    own = {one.name for one in command.assignments}
    more = tuple(one for one in found if one.name not in own)
    return replace(command, assignments=(*command.assignments, *more)) if more else command


def _set_further_out(facts: Iterable[Fact]) -> Iterable[Assignment]:
    for fact in facts:
        if not isinstance(fact, Command):
            continue
        if fact.builtin and fact.name in DECLARES:
            yield from map(_declared, fact.argv[1:])
        elif fact.assignments and _hands_on(fact):
            yield from fact.assignments


def _hands_on(command: Command) -> bool:
    name = base_name(command.name)
    is_function = command.builtin and command.action.rule == "function"
    return is_function or command.action.kind == Kind.WRAPPER or name in WRAPPERS | SHELLS | _SAME_SHELL


def _declared(word: Word) -> Assignment:
    name, equals, value = (word.value if word.value is not None else word.prefix).partition("=")
    known = bool(equals) and word.value is not None
    return Assignment(name.removesuffix("+"), Word(value, value if known else None), name.endswith("+"))


def _kept_exported(text: str, exported: frozenset[str]) -> Iterable[Assignment]:
    """`STAGE=prod; deploy`, `read STAGE`: what the environment already has is exported whatever sets it."""
    return (Assignment(name, Word(name, None)) for name in exported if _may_be_set(name, text))


def _may_be_set(name: str, text: str) -> bool:
    """Whether it is there in another way than `$NAME` and `${NAME}`. (An export of it says with which value.)"""
    rest = text.replace(f"${{{name}}}", "")
    before = ("".join(part[-8:].split()) for part in rest.split(name)[:-1])
    return any(not part.endswith(("$", "export", "-x")) for part in before)
