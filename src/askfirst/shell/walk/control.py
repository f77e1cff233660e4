"""Commands of every kind: groups, branches, loops, functions; which of their parts may or may not have run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import Command, Word
from askfirst.shell import environment, zsh
from askfirst.shell.call import Stdin
from askfirst.shell.evaluate import evaluate
from askfirst.shell.numbers import MAX_COUNTED, counted
from askfirst.shell.syntax import Branches, Coproc, Evaluate, For, Function, Group, Node, Script, Simple
from askfirst.shell.walk import redirections
from askfirst.shell.walk.calls import is_modelled
from askfirst.shell.walk.directories import may_move
from askfirst.shell.walk.simple import simple
from askfirst.shell.walk.state import State

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk

MAX_LOOP_WORDS = 32
MAX_TURNS = 100


def node(walk: Walk, node: Node, state: State, connected: str) -> bool:
    why = zsh.redirections(node, connected) if walk.zsh else ""
    walk.read_otherwise_by_zsh(why)
    if isinstance(node, Function):
        function(walk, node, state)
        return True
    if not any(redirections.may_fail(walk, r) for r in node.redirects):
        return command(walk, node, state) and not why
    # Where a file cannot be opened, the command does not run: `cd d < missing`.
    branch = state.copy()
    command(walk, node, branch)
    state.join(branch)
    state.reached = branch.reached
    return False


def command(walk: Walk, node: Node, state: State) -> bool:
    """A command whose files could be opened."""
    if isinstance(node, Simple):
        return simple(walk, node, state)
    before = state.stdin
    state.stdin = redirections.open_all(walk, node.redirects, state)
    if state.stdin.kind == "text":
        state.stdin = Stdin("shared")  # each command sees what those before it have left
    if isinstance(node, Group):
        walk.run(node.body, state.copy() if node.subshell else state)
    elif isinstance(node, Branches):
        branches(walk, node, state)
    elif isinstance(node, For):
        loop(walk, node, state)
    elif isinstance(node, Evaluate):
        evaluation(walk, node, state)
    elif isinstance(node, Coproc):
        coprocess(walk, node, state)
    state.stdin = before
    return False


# -- branches


def branches(walk: Walk, node: Branches, state: State) -> None:
    for word in node.words[:1]:
        walk.visit(word.parts, state)
    before = state.copy()
    if node.loop and may_move(walk, node.bodies):
        before.cwd = None
    for k, body in enumerate(node.bodies):
        branch = before.copy()
        walk.run(body, branch)
        state.join(branch)
        # A condition has run before the next branch; a body may have.
        before.join(branch)
        if k == 0 and not node.words:  # the first condition runs in any case: `while read -r KEY`
            state.given, before.given = set(branch.given), set(branch.given)
            before.variables = dict(branch.variables)
    for word in node.words[1:]:
        walk.visit(word.parts, state)  # `;;&` tries the next pattern behind a body
    if node.loop:
        leave_early(walk, node.bodies, state)


def evaluation(walk: Walk, node: Evaluate, state: State) -> None:
    walk.hazards(node.hazards)
    for word in node.words:
        walk.visit(word.parts, state)
    walk.visit(list(node.arithmetic), state)
    if node.body:
        inner = loop_state(walk, node.body, state)
        walk.run(node.body, inner)
        state.join(inner)
        leave_early(walk, [node.body], state)


# -- loops


def loop_state(walk: Walk, body: Script, state: State) -> State:
    """What is certain where any turn of a loop begins: the turn before may have led elsewhere."""
    inner = state.copy()
    if may_move(walk, [body]):
        inner.cwd = None
    return inner


def leave_early(walk: Walk, bodies: list[Script], state: State) -> None:
    """`break` and `continue` leave a loop's body in whatever directory it has led to."""
    if walk.survey.movement.leaves and may_move(walk, bodies):
        state.cwd = None


def loop(walk: Walk, node: For, state: State) -> None:
    words: list[Word] = []
    for word in node.words or []:
        walk.visit(word.parts, state)
        numbers = counted(word) if "seq" not in walk.survey.movement.functions | state.functions else None
        words.extend(evaluate(word, walk.values(state)) if numbers is None else (Word(n, n) for n in numbers))
    if MAX_LOOP_WORDS < len(words) <= MAX_COUNTED and all(w.value is not None for w in words):
        words = [Word(f"${node.name}", None, among=tuple(dict.fromkeys(words)), each=True)]
    walk.unknown_if(environment.kept(node.name, None), "environment", node.name)
    inner = loop_state(walk, node.body, state)
    inner.given.add(node.name)
    if walk.survey.variables.is_one_number(node.name):
        inner.numbers.add(node.name)
    if may_unroll(walk, node, words):
        for value in dict.fromkeys(words):
            turn = inner.copy()
            walk.turns += 1
            turn.variables[node.name] = replace(value, many=False) if value.among else value
            walk.run(node.body, turn)
            state.join(turn)
    else:
        walk.run(node.body, inner)
        state.join(inner)
    leave_early(walk, [node.body], state)


def may_unroll(walk: Walk, node: For, words: list[Word]) -> bool:
    """Whether the loop's words are in the text, and few enough to walk its body once for each."""
    if node.select or not walk.survey.variables.is_constant(node.name):
        return False
    if not 0 < len(words) <= MAX_LOOP_WORDS or walk.turns >= MAX_TURNS:
        return False
    return all(not word.many or word.glob or word.among for word in words)


# -- functions and co-processes


def function(walk: Walk, node: Function, state: State) -> None:
    name = node.name
    state.functions.add(name)
    if walk.surroundings.find_program(name) or is_modelled(name):
        walk.unknown("function", f"a function takes the place of `{name}`", node.text)
    cwd = None if walk.survey.movement.moves else state.cwd
    inner = State(cwd, set(state.functions), Stdin("unknown"), state.relied_on)
    inner.given, inner.in_function = set(state.given), True
    first = len(walk.facts)
    walk.node(node.body, inner)
    if any(isinstance(f, Command) and f.name == name for f in walk.facts[first:]):
        # `f(){ f|f& }`: without knowing when it ends, a function that starts itself is a fork bomb.
        walk.unknown("function", f"the function `{name}` calls itself", node.text)


def coprocess(walk: Walk, node: Coproc, state: State) -> None:
    why = environment.kept(node.name, None) if node.name != "COPROC" else ""
    walk.unknown_if(why, "environment", node.name)
    inner = state.copy()
    inner.stdin = Stdin("unknown")
    walk.node(node.body, inner)
