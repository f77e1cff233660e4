"""Variables that a command sets: which hold one value for certain, and which come from the script itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import Word
from askfirst.shell import environment
from askfirst.shell.evaluate import Values, evaluate
from askfirst.shell.syntax import DECLARES, Literal, Set

if TYPE_CHECKING:
    from askfirst.shell.call import Call
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State

# Builtins that set variables, and for some the options that take no word.
PLAIN_OPTIONS = {
    "read": ("-r", "-s", "-rs", "-sr", "-a", "-ra"),
    "mapfile": ("-t",),
    "readarray": ("-t",),
    "unset": ("-v",),
}
GIVES = DECLARES | {"printf", *PLAIN_OPTIONS}


def assign(walk: Walk, sets: list[Set], state: State) -> bool:
    """Assignments that are a command of their own. True when they certainly succeed."""
    variables = walk.survey.variables
    certain = True
    for one in sets:
        value = value_of(one, walk.values(state))
        why = environment.kept(one.name, value.value)
        walk.unknown_if(why, "environment", f"{one.name}={one.word.text}")
        if variables.is_constant(one.name) and not why:
            state.variables[one.name] = replace(value, many=False)
        if variables.is_one_number(one.name):
            state.numbers.add(one.name)
        if not one.append and not one.element:
            state.given.add(one.name)
        certain = certain and all(isinstance(p, Literal) for p in one.word.parts)
    return certain


def value_of(one: Set, values: Values) -> Word:
    return evaluate(one.word, values, assigned=True)[0] if one.array is None else Word(one.word.text, None)


def given_by(call: Call, *, in_function: bool) -> list[str]:
    """The variables that a builtin certainly sets."""
    words = [w.value if w.value is not None else w.prefix for w in call.words]
    if call.name == "printf":
        return words[2:3] if words[1:2] == ["-v"] else []
    if call.name in DECLARES:
        return declared_by(call.name, words[1:], in_function=in_function)
    out: list[str] = []
    plain = True  # no word is owed to an option
    for word in words[1:]:
        if plain:
            out.append(word)
        plain = word in PLAIN_OPTIONS[call.name] or (plain and word[:1] != "-")
    return out


def declared_by(builtin: str, words: list[str], *, in_function: bool) -> list[str]:
    """Without a value a name keeps what the environment holds, except behind `local`, an error outside a function."""
    if builtin == "local" and not in_function:
        return []
    return [w.partition("=")[0] for w in words if "=" in w or builtin == "local"]
