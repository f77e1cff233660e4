"""What one simple command may change for the whole script: its assignments, and what its name says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askfirst.shell.numbers import is_integer, is_number_word
from askfirst.shell.reading import tree_of
from askfirst.shell.survey.builtins import (
    ANYTHING,
    MOVING,
    NAMING,
    changes_expansion,
    is_braced,
    is_ordinary,
    may_be_empty,
    only_looks_up,
    plain_text,
    variable_alone,
    variables_in,
)
from askfirst.shell.survey.naming import look_at_names
from askfirst.shell.syntax import GiveUp, RawWord, Script, Set, Simple, literal_text

if TYPE_CHECKING:
    from askfirst.shell.survey import Survey
    from askfirst.shell.survey.variables import Variables

# Not DEBUG, ERR and RETURN, which run between any two commands.
SIGNALS = frozenset("EXIT INT TERM HUP QUIT SIGINT SIGTERM SIGHUP SIGQUIT 0 1 2 3 15".split())
AT_END = frozenset(("EXIT", "0"))
_SETTING = re.compile(r"--|[-+][a-zA-Z]+")  # `set -eu`


def look_at_command(survey: Survey, node: Simple) -> None:
    for one in node.sets:
        look_at_assignment(survey, one, before_command=bool(node.words))
    survey.words(node.words)
    if not node.words:
        return
    name = literal_text(node.words[0])
    if is_braced(node.words[0]) and not is_ordinary(node.words[0]):
        name = None  # `{cd,d1}`
    if name in {"set", *survey.movement.functions}:
        given = [word for word in node.words[1:] if name != "set" or not _SETTING.fullmatch(word.text)]
        survey.variables.note_positional([w.text for w in given], {v for w in given for v in variables_in(w.parts)})
    variable = variable_alone(node.words[0]) if name is None else ""
    if variable:
        survey.variables.called.append(variable)
    elif name is None:
        survey.anything_may_happen()
    else:
        look_at_builtin(survey, name, node.words)


def look_at_assignment(survey: Survey, one: Set, *, before_command: bool) -> None:
    variables = survey.variables
    value = literal_text(one.word)
    array = one.element or one.array is not None
    survey.parts(one.word.parts)
    if one.array is not None:
        survey.words(one.array)
        number = all(is_integer(w.text) for w in one.array)
    else:
        number = not one.append and is_number_word(one.word)
        if value is not None:
            variables.constants[one.name] = value
    if array:
        variables.arrays.add(one.name)
    variables.set(
        one.name,
        number=number,
        times=2 if before_command or one.append or array else 1,
        maybe_empty=not value if value is not None else one.element or may_be_empty(one.word),
    )
    note_sources(variables, one)


def note_sources(variables: Variables, one: Set) -> None:
    """What the name is made of."""
    made_of = variables.sources.setdefault(one.name, set())
    for word in (one.word, *(one.array or ())):
        made_of.update(variables_in(word.parts))
        if word is not one.word or one.array is None:
            variables.note_data(one.name, word.text)


def look_at_builtin(survey: Survey, name: str, words: list[RawWord]) -> None:
    if name in MOVING:
        survey.movement.moves = True
    elif name in ("break", "continue"):
        survey.movement.leaves = True
    elif name == "ulimit" and len(words) > 1:
        survey.modes.closes = True  # no descriptor may be left for a redirection
    elif name == "shopt" or (name == "set" and any(changes_expansion(w) for w in words[1:])):
        survey.modes.expansion_changes = True
    elif name == "trap":
        look_at_trap(survey, [plain_text(word) for word in words[1:]])
    elif name in ANYTHING:
        if not only_looks_up(words):
            survey.anything_may_happen(expansion_changes=name != "exec")
    elif name in NAMING:
        if name == "unset":
            survey.modes.unsets = True
        look_at_names(survey, name, words[1:])


def look_at_trap(survey: Survey, given: list[str | None]) -> None:
    handler, *signals = [text for text in given if text is not None and text != "--"] or [""]
    known = None not in given and SIGNALS.issuperset(signals) and not is_option(handler)
    if known and is_nothing(handler, signals):
        return
    at_end = None not in given and AT_END.issuperset(signals)
    script = script_of(handler)
    if script is not None and not at_end:
        look_at_handler(survey, script)
    if script is not None and known:
        survey.script(script)
    else:
        survey.anything_may_happen()


def look_at_handler(survey: Survey, script: Script) -> None:
    """What a signal runs between any two commands."""
    survey.modes.handles_signals = True
    if survey.alone([script]).movement.leads_elsewhere():
        survey.movement.at_any_time = True


def is_option(text: str) -> bool:
    return len(text) > 1 and text[0] == "-"


def is_nothing(handler: str, signals: list[str]) -> bool:
    """`trap` alone prints the handlers, `trap '' INT` ignores a signal, `trap - INT` forgets its handler."""
    return not signals or handler in ("", "-")


def script_of(text: str) -> Script | None:
    """A text that the shell runs later; None where it is not certain what it does."""
    try:
        return tree_of(text).script
    except GiveUp:
        return None
