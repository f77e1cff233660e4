"""Lists and pipelines: what runs for certain, what only after a success, and what in a shell of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.model import Word
from askfirst.shell import output
from askfirst.shell.call import Stdin
from askfirst.shell.evaluate import evaluate
from askfirst.shell.numbers import only_command
from askfirst.shell.syntax import AndOr, Literal, Node, Pipeline, Script, Simple
from askfirst.shell.tools.listing import Listing, names
from askfirst.shell.walk.detours import is_straight
from askfirst.shell.walk.directories import may_move

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State


def lines(walk: Walk, script: Script, state: State) -> None:
    """A whole text, of which an error in an expansion drops the rest of a line."""
    if walk.ledger is None or "\n" not in walk.text:
        walk.run(script, state)  # there is no expansion, or no next line
        return
    from askfirst.shell.lines import LineErrors

    errors = LineErrors(walk.text, walk.survey)
    stopped: list[State] = []  # where the next line may begin
    for one, separator in script.items:
        if separator != "&" and errors.may_stop(one):
            stopped.append(given_up(walk, one, state))
        item(walk, one, separator, state)
        if one.last:
            state.join_all(stopped)
            stopped = []


def given_up(walk: Walk, one: AndOr, state: State) -> State:
    """What is certain when the command is given up before its end."""
    found = state.copy()
    simple = len(one.pipelines) == 1 and isinstance(one.pipelines[0].commands[0], Simple)
    body = Script("", 0)
    body.items.append((one, ""))
    if may_move(walk, [body]) and not (simple and not walk.survey.movement.functions):
        found.cwd = None
    return found


def item(walk: Walk, one: AndOr, separator: str, state: State) -> None:
    if separator != "&":
        and_or(walk, one, state)
        return
    background = state.copy()
    and_or(walk, one, background)
    if walk.zsh and one.operators:
        state.join(background)  # only the last part of the list runs in the background


def and_or(walk: Walk, one: AndOr, state: State) -> None:
    state.rely_on_directory()
    certain = pipeline(walk, one.pipelines[0], state)
    inner = state  # where the next command runs
    left: list[State] = []  # how the chain of `&&` may have been left
    for operator, following in zip(one.operators, one.pipelines[1:], strict=True):
        if operator == "||":
            state.join_all(left)
            state.rely_on_directory()
            state.reached = None
            inner, left = state, []
            branch = state.copy()
            pipeline(walk, following, branch)
            state.join(branch)
            certain = False
        elif certain:
            certain = pipeline(walk, following, inner)
        else:
            branch = inner.copy()
            if inner.reached is not None:
                branch.cwd = inner.reached
            certain = pipeline(walk, following, branch)
            inner = branch
            left.append(branch)
    state.join_all(left)
    state.reached = None


def pipeline(walk: Walk, one: Pipeline, state: State) -> bool:
    """Walks it; True when it certainly succeeds."""
    changed, moves = walk.detours.noted
    certain = one_pipeline(walk, one, state)
    if walk.detours.count > changed and not is_straight(one):
        walk.detours.again = True
    if len(walk.detours.git_moves) > moves and not all(isinstance(node, Simple) for node in one.commands):
        walk.detours.again = True
    return certain


def one_pipeline(walk: Walk, one: Pipeline, state: State) -> bool:
    state.reached = None
    if len(one.commands) == 1:
        certain = walk.node(one.commands[0], state)
        if one.negated:
            state.reached, certain = None, False
        return certain
    last = len(one.commands) - 1
    listing = Listing()
    for k, node in enumerate(one.commands):
        part = state.copy()
        if k:
            words = printing_words(walk, one.commands[k - 1], state)
            listing.pipe(words)
            part.stdin = piped(words, listing)
        walk.node(node, part, connected=("0" if k else "") + ("1" if k < last else ""))
    if walk.survey.modes.expansion_changes or walk.zsh:
        state.join(part)  # zsh runs the last one in this shell, and so does bash with `shopt -s lastpipe`
    return False


def piped(words: list[Word] | None, listing: Listing) -> Stdin:
    """What a pipe carries, as far as the text says so. `words`: of the last command before it."""
    if words is None:
        return Stdin("pipe")
    text = output.printed(words, Stdin()) if words[0].value in ("echo", "printf") else None
    if text is not None:
        return Stdin("text", text)
    return Stdin("pipe", names=output.listed(words), among=listing.names)


def listed(walk: Walk, script: Script, state: State) -> tuple[Word, ...]:
    """What the names that a substitution of one pipeline prints are among; none when that is not known."""
    only = script.items[0][0] if len(script.items) == 1 else None
    if only is None or only.operators:
        return ()
    return names(printing_words(walk, node, state) for node in only.pipelines[0].commands)


def constant(walk: Walk, script: Script, state: State) -> str | None:
    """What `$(cat <<'EOF' … EOF)` stands for: the text itself, without the line ends behind it."""
    node = only_command(script)
    if node is None or node.sets or [word.text for word in node.words] != ["cat"] or len(node.redirects) != 1:
        return None
    if "cat" in walk.survey.movement.functions | state.functions:
        return None
    redirect = node.redirects[0]
    if (redirect.operator, redirect.fd, redirect.expands) != ("<<", "", False) or redirect.body is None:
        return None
    texts = [part.text for part in redirect.body.parts if isinstance(part, Literal)]
    return "".join(texts).rstrip("\n") if len(texts) == len(redirect.body.parts) else None


def printing_words(walk: Walk, node: Node, state: State) -> list[Word] | None:
    """The words of a plain command that prints to the pipe; None when something else may."""
    if not isinstance(node, Simple) or node.sets or not node.words or node.words[0].text in state.functions:
        return None
    if any(r.fd != "2" or r.target.text != "/dev/null" for r in node.redirects):
        return None
    values = walk.values(state)
    return [known for word in node.words for known in evaluate(word, values)]
