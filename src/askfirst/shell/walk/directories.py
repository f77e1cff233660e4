"""Where commands run: what `cd` leads to, what may lead elsewhere, and which directories must be found."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askfirst.model import Command, Write

if TYPE_CHECKING:
    from askfirst.shell.call import Call, Outcome
    from askfirst.shell.surroundings import Surroundings
    from askfirst.shell.syntax import Script
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State

# Run their text in this very shell: a `cd` in it moves the commands that follow.
SAME_SHELL = frozenset(("eval", "source", ".", "command", "builtin", "trap", "exec"))
# Writes after which a directory may be gone, or another one.
DISPLACES = frozenset(("delete", "move", "link", "mode"))
DISPLACERS = frozenset(("mv", "ln", "git mv", "rsync"))


def may_move(walk: Walk, bodies: list[Script]) -> bool:
    """Whether something in these bodies may change the shell's directory."""
    movement = walk.survey.movement
    if not movement.moves:
        return False
    return bool(movement.functions) or walk.survey.alone(bodies).movement.moves


def move(walk: Walk, call: Call, outcome: Outcome, state: State) -> bool | None:
    """Follows a command that leads elsewhere: whether it certainly does. None when the directory stays."""
    moved = any(isinstance(f, Command) and f.name in ("cd", "pushd", "popd") for f in outcome.facts)
    if (call.name in SAME_SHELL and moved) or outcome.cwd is None or walk.survey.movement.at_any_time:
        state.cwd = None
    elif outcome.cwd:
        logical = logical_directory(call, outcome.cwd, state.cwd, walk.surroundings)
        certain = logical is not None and walk.surroundings.is_directory(outcome.cwd)
        state.reached, state.cwd = logical, logical if certain else None
        state.entered = outcome.cwd if certain else ""
        return certain
    return None


def logical_directory(call: Call, resolved: str, cwd: str | None, surroundings: Surroundings) -> str | None:
    """Where `cd` leads, as bash keeps it (`cd link; cd ..` comes back); None when it may be read in two ways."""
    target, physical = target_of(call, surroundings.home)
    if not target.startswith("/"):
        if cwd is None:
            return None
        target = cwd + "/" + target
    if surroundings.is_directory(resolved) and not surroundings.is_directory(target):
        return None  # `cd missing/..` fails
    logical = resolved if physical else os.path.normpath(target)
    return logical if surroundings.real_path(logical, None) == resolved else None


def target_of(call: Call, home: str) -> tuple[str, bool]:
    """The operand of `cd`, and whether links in it are resolved (`-P`)."""
    operands = list(call.words[1:])
    physical = False
    while operands and operands[0].value in ("-L", "-P", "-e", "-@"):
        option = operands.pop(0).value
        physical = option == "-P" or (physical and option != "-L")
    if operands and operands[0].value == "--":
        del operands[0]
    return (operands[0].value if operands else home) or "", physical


def check_relied_on(walk: Walk) -> None:
    """`mv src s2; cd src; echo x >> ../f`: the `cd` fails, and what follows runs one directory higher."""
    relied_on = sorted(walk.context.relied_on)
    for fact in walk.facts:
        if not isinstance(fact, Write) or (fact.how not in DISPLACES and fact.by not in DISPLACERS):
            continue
        for directory in relied_on:
            if fact.path in (None, "/", directory) or directory.startswith(f"{fact.path}/"):
                why = f"`cd` may not find {directory} where `{fact.text}` is moved, deleted or replaced"
                walk.unknown("directory", why, fact.text)
                return
