"""Files that the shell opens for a command, and what the command then reads on its standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.model import Read, Word, Write
from askfirst.shell import environment
from askfirst.shell.call import Stdin
from askfirst.shell.evaluate import evaluate
from askfirst.shell.syntax import RawWord, Redirect, Substitution
from askfirst.shell.tools.engine import unmatched
from askfirst.shell.tools.substituted import substituted_word
from askfirst.shell.walk.credentials import hand_on

if TYPE_CHECKING:
    from askfirst.shell.walk import Walk
    from askfirst.shell.walk.state import State

NO_FILES = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/zero", "/dev/full"))
STANDARD_INPUT = ("", "0")  # the descriptors of `<`


def may_fail(walk: Walk, redirect: Redirect) -> bool:
    """Whether the file may not be opened, so that the command does not run."""
    if walk.survey.modes.closes:
        return True
    if redirect.operator in ("<&", ">&"):
        return redirect.target.text not in ("1", "2")
    return redirect.operator not in ("<<", "<<-", "<<<") and redirect.target.text != "/dev/null"


def open_all(walk: Walk, redirects: list[Redirect], state: State) -> Stdin:
    """The facts of all redirections; what the command then reads."""
    stdin = state.stdin
    for redirect in redirects:
        walk.visit(redirect.target.parts, state)
        if redirect.operator == "<<<":
            hand_on(walk, redirect.target.parts, state)
        if redirect.fd.startswith("{"):
            walk.unknown_if(environment.kept(redirect.fd[1:-1], None), "environment", redirect.text)
        found = open_one(walk, redirect, state)
        if found is not None:
            stdin = state.stdin if state.stdin.kind == "rest" and is_same_input(redirect) else found
    return stdin


def is_same_input(redirect: Redirect) -> bool:
    """`<&0` and `< /dev/stdin` are what was there before."""
    return "<&" in redirect.text or any(place in redirect.text for place in ("/dev/std", "/dev/fd", "/proc/"))


def open_one(walk: Walk, redirect: Redirect, state: State) -> Stdin | None:
    """One redirection; None when standard input stays what it was."""
    if redirect.operator in ("<<", "<<-"):
        return heredoc(walk, redirect, state)
    if redirect.operator == "<<<":
        return given_text(walk, redirect, redirect.target, state, end="\n")
    word = target(walk, redirect, state)
    if redirect.operator in ("<&", ">&") and is_descriptor(word):
        return Stdin("unknown") if redirect.fd == "0" or (redirect.operator == "<&" and not redirect.fd) else None
    if is_process(redirect.target):
        if redirect.operator != "<" or redirect.fd not in STANDARD_INPUT:
            return None
        part = redirect.target.parts[0]
        assert isinstance(part, Substitution)
        return Stdin("pipe", among=walk.values(state).listed(part.script))
    return file(walk, redirect, word, state)


def target(walk: Walk, redirect: Redirect, state: State) -> Word:
    """What stands behind the operator."""
    words = evaluate(redirect.target, walk.values(state))
    whole = {word.value for word in evaluate(redirect.target, walk.values(state), assigned=True)}
    # `> $x` with blanks around the name: bash takes them off, every other shell has them in the name.
    split = len(words) != 1 or (words[0].value is not None and whole not in ({words[0].value}, {None}))
    return Word(redirect.target.text, None, many=True) if split else words[0]


def file(walk: Walk, redirect: Redirect, word: Word, state: State) -> Stdin | None:
    """A target that is neither a descriptor nor a process."""
    path = None
    if redirect.operator == ">&" and (word.value is None or not is_plain_name(word.value)):
        # Bash expands this target twice: `>& '$(cmd)'` runs cmd.
        walk.unknown("expansion", "the target of `>&` is expanded twice", redirect.text)
        return None
    if is_network(word):
        walk.unknown("network", "the shell opens a network connection", redirect.text)
    elif redirect.operator == "<":
        path = walk.path(word.value, state.cwd, redirect.text) if word.value is not None else None
        walk.facts.append(Read(path, redirect.target.text, "redirection"))
    else:
        write(walk, redirect, word, state)
    opens_input = redirect.operator in ("<", "<>", "<&") and redirect.fd == ""
    if not opens_input and redirect.fd != "0":
        return None
    return Stdin("text", "") if word.value == "/dev/null" else Stdin("file", path=path)


def heredoc(walk: Walk, redirect: Redirect, state: State) -> Stdin | None:
    assert redirect.body is not None  # the reader refuses a text without it
    if walk.ledger is not None:
        walk.ledger.visit(redirect)
    walk.visit(redirect.body.parts, state)
    hand_on(walk, redirect.body.parts, state)
    return given_text(walk, redirect, redirect.body, state)


def given_text(walk: Walk, redirect: Redirect, text: RawWord, state: State, end: str = "") -> Stdin | None:
    """Text that stands in the script itself."""
    if redirect.fd not in STANDARD_INPUT:
        return None
    value = evaluate(text, walk.values(state), assigned=True)[0].value
    return Stdin("text", value + end) if value is not None else Stdin("unknown")


def write(walk: Walk, redirect: Redirect, word: Word, state: State) -> None:
    if word.dated or "$(" in word.text:
        word = substituted_word(word, state.cwd, walk.analyst)
    value = unmatched(word, state.cwd, walk.analyst).value
    path = walk.path(value, state.cwd, redirect.text) if value is not None else None
    if value in NO_FILES or path in NO_FILES:
        return
    if value is not None and value.startswith("/dev/fd/") and value[8:].isdigit():
        return
    how = "append" if ">>" in redirect.operator else "create" if redirect.operator == "<>" else "overwrite"
    walk.facts.append(Write(path, redirect.target.text, how, "redirection"))


# -- targets


def is_descriptor(word: Word) -> bool:
    """`-`, `2` or `2-` behind `>&`."""
    value = word.value
    return value is not None and value.isascii() and (value == "-" or value.removesuffix("-").isdigit())


def is_process(target: RawWord) -> bool:
    part = target.parts[0] if len(target.parts) == 1 else None
    return isinstance(part, Substitution) and part.kind in ("<(", ">(")


def is_plain_name(text: str) -> bool:
    return text.isascii() and all(c.isalnum() or c in "_./,:@%+=-" for c in text)


def is_network(word: Word) -> bool:
    if word.value is None:
        return word.prefix.startswith("/dev/tcp")
    return word.value.startswith(("/dev/tcp/", "/dev/udp/"))
