"""Builtins that set the variables which their arguments name: `read x`, `declare -i x=1`, `printf -v x …`.

An argument that only data decide may name any variable, so nothing is certain about any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.shell.from_data import may_be_more
from askfirst.shell.numbers import is_integer
from askfirst.shell.survey.builtins import begins_with_name, is_braced, plain_text
from askfirst.shell.syntax import DECLARES, RawWord, literal_text

if TYPE_CHECKING:
    from askfirst.shell.survey import Survey
    from askfirst.shell.survey.variables import Variables

GLUED = {"read": "a", "wait": "p"}  # options that take the name of a variable
NAME_FOLLOWS = ("-v", "-p")  # of `printf` and `wait`


def look_at_names(survey: Survey, builtin: str, words: list[RawWord]) -> None:
    variables = survey.variables
    arrays = makes_arrays(builtin, words)
    before: str | None = ""
    for k, word in enumerate(words):
        text = plain_text(word)
        is_name, before = before in NAME_FOLLOWS, text
        if text is None and may_hide_name(builtin, word, first=k == 0, is_name=is_name):
            variables.anything_may_change = True
        if arrays:
            add_array(variables, text or "")
        if text is None:
            text = begins_with_name(word)
            if text is None:
                continue
            text += "?"
        look_at_argument(survey, builtin, text)
        given = word.text.partition("=")[2]
        if builtin not in DECLARES or may_be_more(given):  # `read x`, `declare x=$(cat list)`
            variables.from_data.add(text.removeprefix("-v").partition("=")[0].partition("[")[0].rstrip("+?"))


def makes_arrays(builtin: str, words: list[RawWord]) -> bool:
    if builtin in ("mapfile", "readarray"):
        return True
    options = [text for text in map(literal_text, words) if text and text[0] == "-"]
    return (builtin in DECLARES or builtin == "read") and any("a" in option.lower() for option in options)


def add_array(variables: Variables, text: str) -> None:
    name = text.partition("=")[0].removesuffix("+")
    if name[:1] not in ("", "-"):
        variables.arrays.add(name)


def may_hide_name(builtin: str, word: RawWord, *, first: bool, is_name: bool) -> bool:
    """Whether an argument that is not known may name a variable: `read {x,y}`, `printf -v "$y"`, `printf "-v$y"`."""
    if is_name:
        return True
    if is_braced(word):
        return builtin != "printf" or first
    if begins_with_name(word) is not None:
        return False
    return first if builtin == "printf" else builtin != "wait"


def look_at_argument(survey: Survey, builtin: str, text: str) -> None:
    declares = builtin in DECLARES
    text = text.removeprefix("-v")  # `printf -vx`
    if builtin == "readonly":
        survey.modes.locks = True
    if text.startswith(("-", "+")):
        look_at_option(survey, builtin, text)
        return
    name, _, value = text.partition("=")
    name = name.partition("[")[0].rstrip("+-*/%&|^<>")
    survey.variables.set(name, number=declares and is_integer(value), times=2, maybe_empty=not value)


def look_at_option(survey: Survey, builtin: str, option: str) -> None:
    if GLUED.get(builtin, " ") in option[1:-1]:
        survey.variables.anything_may_change = True  # `read -ay`: the name is a part of the option
    if builtin in DECLARES:
        if option[0] == "-" and "r" in option:
            survey.modes.locks = True
        if "n" in option or "i" in option:
            survey.variables.anything_may_change = True
