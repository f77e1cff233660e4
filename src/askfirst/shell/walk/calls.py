"""A program with its words: the command, what the models of tools find hidden in it, and what is certain behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import Action, Command, Unknown, Word
from askfirst.shell import common, tools, zsh
from askfirst.shell.call import Call, Outcome
from askfirst.shell.survey.builtins import MOVING
from askfirst.shell.syntax import GiveUp
from askfirst.shell.tools import REGISTRY
from askfirst.shell.tools.inputs import may_read
from askfirst.shell.walk.assignments import GIVES, given_by
from askfirst.shell.walk.detours import runs_once
from askfirst.shell.walk.directories import SAME_SHELL, move

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State

BUILTINS = frozenset(
    """
. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd
read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
unset wait
""".split()
)
# Text that comes from elsewhere in the script (`cat <<E | sh`) is searched for blocks as a whole.
RUNS_TEXT = frozenset(("hidden command", "eval"))


def run_call(walk: Walk, call: Call, state: State) -> bool:
    """A command of the script itself. True when it certainly succeeds."""
    walk.functions_here = state.functions
    walk.activated_here = "" if state.in_function else state.activated
    movement = walk.survey.movement
    if call.name in state.functions and not walk.survey.modes.unsets:
        read_script(walk, call)
        call_function(walk, call)
        if movement.moves:
            state.cwd = None
        return False
    if call.name in GIVES:
        note_given(walk, call, state)
    outcome = start_program(walk, call, builtin=call.name in BUILTINS)
    if call.name in ("source", ".", "deactivate"):
        state.activated = walk.source.activated_by(outcome.action)
    if call.name in movement.functions and movement.moves:
        state.cwd = None  # where the function may be defined
        return False
    reached = move(walk, call, outcome, state)
    if reached is not None:
        return reached
    return call.name in ("true", ":", "set") or (call.name == "echo" and not walk.survey.modes.closes)


def note_given(walk: Walk, call: Call, state: State) -> None:
    """The variables that a builtin sets; `… | while read -r f` gives one of the names that the pipe carries."""
    given = [name for name in given_by(call, in_function=state.in_function) if not name.startswith("-")]
    state.given.update(given)
    among = call.stdin.among if call.name == "read" and len(given) == 1 else ()
    if among and walk.survey.variables.is_read_once(given[0]):
        state.variables[given[0]] = Word(given[0], None, among=among)


def call_function(walk: Walk, call: Call) -> None:
    """A function of the script. What it does is already in the facts, from where it was defined."""
    action = Action((call.name,), rule="function", allowed=True, description="a function of this script")
    walk.facts.append(
        Command(call.name, call.words, call.text, call.cwd, None, call.assignments, call.via, action, builtin=True)
    )


_FED = frozenset(("text", "file", "pipe", "shared"))


def start_program(walk: Walk, call: Call, *, builtin: bool) -> Outcome:
    """The facts of one program, or builtin, and of what hides in its words."""
    read_script(walk, call)
    known = (call, walk.detours.noted)
    outcome = walk.outcomes.get(known) if call.name not in SAME_SHELL else None
    if walk.activated_here:
        outcome = outcome_of(walk, call)  # elsewhere the same words may mean another program
    elif outcome is None:
        outcome = walk.outcomes[known] = outcome_of(walk, call)
    program, foreign = (None, "") if builtin else program_of(walk, call)
    walk.facts.append(
        Command(
            call.name,
            call.words,
            call.text,
            call.cwd,
            program,
            call.assignments,
            call.via,
            outcome.action,
            builtin,
            foreign,
            fed=call.stdin.kind in _FED,
        )
    )
    if call.name in zsh.WORDS:
        walk.unknown("syntax", f"`{call.name}` is a reserved word or builtin of zsh", call.text)
    if walk.sh:
        walk.unknown_if(common.of_builtin(call, walk.context.dialect), "syntax", call.text)
    if call.name in MOVING and walk.detours.take_doubts():  # nothing is shown or written yet
        walk.detours.lost, outcome = True, replace(outcome, cwd=None)
        walk.outcomes[known] = outcome
    if "/" in call.name:
        walk.detours.check_program(call)
    walk.doubt_paths(call.text)
    walk.facts.extend(outcome.facts)
    walk.detours.after(call, outcome)
    if walk.detours.noted > known[1] and not runs_once(call.via):
        walk.detours.again = True
    return outcome


def program_of(walk: Walk, call: Call) -> tuple[str | None, str]:
    """The file that would run, and why it is not the one a rule means."""
    program, foreign = walk.source.program(call.name, call.cwd)
    if walk.activated_here and "/" not in call.name:
        program = walk.source.program_in(walk.activated_here, call.name) or program
    return program, foreign


def read_script(walk: Walk, call: Call) -> None:
    """A program that reads the same standard input as the shell takes a part of the script away."""
    if call.stdin.kind != "rest":
        return
    if may_read(call):
        why = f"`{call.name}` may read a part of the script that the shell reads"
        walk.unknown("hidden command", why, call.text)


def outcome_of(walk: Walk, call: Call) -> Outcome:
    """What the tables say about a call. A mistake in a table must never open the gate."""
    words = walk.source.words
    try:
        found = tools.model(call, walk.analyst)
    except GiveUp as error:
        return Outcome(Action((call.name,)), (Unknown(error.what, error.why, call.text, words),))
    except RecursionError:
        return Outcome(Action((call.name,)), (Unknown("too long", "too deeply nested", call.text, words),))
    except Exception as error:
        why = f"{call.name}: {type(error).__name__}: {error}"
        return Outcome(Action((call.name,)), (Unknown("internal", why, call.text, words),))
    return replace(
        found,
        facts=tuple(
            replace(f, words=words) if isinstance(f, Unknown) and f.what in RUNS_TEXT else f for f in found.facts
        ),
    )


def is_modelled(name: str) -> bool:
    return name in REGISTRY
