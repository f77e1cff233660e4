"""One simple command: its words are expanded, its files opened, and what is left is a call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.knowledge.programs import COUNTERS
from askfirst.model import NO_PROGRAM_NAME, Assignment, Fact, Read, Word, Write
from askfirst.shell import environment, zsh
from askfirst.shell.call import Call, Stdin
from askfirst.shell.evaluate import Values, evaluate, is_assignment
from askfirst.shell.output import PRINTERS, printed, stdout_target
from askfirst.shell.syntax import DECLARES, Simple
from askfirst.shell.walk import redirections
from askfirst.shell.walk.assignments import assign, value_of
from askfirst.shell.walk.calls import run_call
from askfirst.shell.walk.credentials import hand_on

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State

LOOKING = ("[", "test", ":", "true", "[[")  # neither prints its words nor hands them on


def simple(walk: Walk, node: Simple, state: State) -> bool:
    """True when the command certainly succeeds. Its own facts come first, then its files, then what hides in it."""
    first = len(walk.facts)
    expand(walk, node, state)
    hidden, walk.facts[first:] = walk.facts[first:], []
    stdin = redirections.open_all(walk, node.redirects, state)
    opened, walk.facts[first:] = walk.facts[first:], []
    if opened:
        opened = with_content(walk, node, opened, state, stdin)
    certain = call_or_assign(walk, node, state, stdin)
    if opened:
        opened = emptied_before(opened, walk.facts[first:])
    walk.facts.extend(opened)
    walk.facts.extend(hidden)
    return certain and not hidden and not opened


def expand(walk: Walk, node: Simple, state: State) -> None:
    """What runs while assignments and words are expanded."""
    for one in node.sets:
        if walk.zsh:
            walk.read_otherwise_by_zsh(zsh.value(one.word.parts))
        walk.visit(one.word.parts, state)
        for word in one.array or []:
            walk.visit(word.parts, state)
        walk.hazards(one.hazards)
    only_looks = bool(node.words) and node.words[0].text in LOOKING and not walk.source.traced
    for word in node.words:
        walk.visit(word.parts, state)
        if not only_looks:
            hand_on(walk, word.parts, state)


# -- what its files receive


def with_content(walk: Walk, node: Simple, opened: list[Fact], state: State, stdin: Stdin) -> list[Fact]:
    """What `cat > FILE <<EOF` and `echo … > FILE` write is in the text, so their facts carry it."""
    name = node.words[0].text if node.words else ":"
    if name in COUNTERS:  # `wc -l < FILE` shows nothing of the file
        return [replace(f, by=name) if isinstance(f, Read) else f for f in opened]
    if name not in PRINTERS or name in state.functions:
        return opened
    values = walk.values(state)
    text = printed([known for word in node.words for known in evaluate(word, values)], stdin)
    if text is None:
        return opened
    target = stdout_target(node.redirects)
    content = text.encode("utf-8", "surrogateescape")
    return [replace(f, content=content) if isinstance(f, Write) and f.text == target else f for f in opened]


def emptied_before(opened: list[Fact], facts: list[Fact]) -> list[Fact]:
    """`sort FILE > FILE`: the shell empties it before the program reads it."""
    read = {f.path for f in facts if isinstance(f, Read) and f.path}
    return [
        replace(f, content=b"") if isinstance(f, Write) and f.path in read and f.how == "overwrite" else f
        for f in opened
    ]


# -- the call


def call_or_assign(walk: Walk, node: Simple, state: State, stdin: Stdin) -> bool:
    if not node.words:
        return assign(walk, node.sets, state)
    if walk.zsh:
        walk.read_otherwise_by_zsh(zsh.command_name(node.words[0]))
    values = walk.values(state)
    words = expanded_words(node, values, assigns=not walk.sh)
    if walk.zsh:
        walk.read_otherwise_by_zsh(zsh.calculation([w.value for w in words], walk.text))
    sets = tuple(
        Assignment(s.name, value_of(s, values), s.append)
        for s in node.sets
        if s.array is None or s.word not in node.words
    )
    check_environment(walk, sets, words)
    if not words or words[0].value is None:
        walk.unknown("expansion", NO_PROGRAM_NAME, node.text)
        return False
    if any(zsh.is_program_path(word) for word in words):
        walk.unknown("syntax", "zsh expands `=name` to a program's path", node.text)
    call = Call(tuple(words), node.text, state.cwd, sets, stdin, walk.context.via)
    return run_call(walk, call, state)


def expanded_words(node: Simple, values: Values, *, assigns: bool) -> list[Word]:
    """`assigns`: behind `local` and its kin `x=$1` is an assignment, and nothing splits; older dash splits it."""
    words: list[Word] = []
    declares = assigns and node.words[0].text in DECLARES
    for word in node.words:
        if not word.parts:  # an array behind `declare`
            words.append(Word(word.text, None, prefix=word.text.partition("=")[0] + "="))
        else:
            words.extend(evaluate(word, values, assigned=declares and is_assignment(word)))
    return words


def check_environment(walk: Walk, sets: tuple[Assignment, ...], words: list[Word]) -> None:
    """`NAME=value PROGRAM`: whether the variable changes what the program does."""
    program = environment.runner([w.value for w in words[:3]])
    for one in sets:
        if one.name == "IFS" and words and words[0].value == "read":
            continue
        why = environment.passed_on(one.name, one.value.value, program)
        walk.unknown_if(why, "environment", f"{one.name}={one.value.text}")
