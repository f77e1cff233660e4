"""The common grammar: what bash, dash and busybox's ash all read alike, as a list of what is admitted.

A text for `sh` was read by bash's grammar. `difference` goes through its whole tree and names the first thing that is
not in the common grammar, for the Unknown fact; "" means that all of them make the same of the text. What a tree does
not show (`$'…'`, `|&`, `time`) the reader has noted in the ledger. `tests/shell/oracle.py --shell dash` and `--shell
ash` ask the real ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from askfirst.model import Word
from askfirst.shell.syntax import (
    Arithmetic,
    Branches,
    For,
    Function,
    Group,
    Literal,
    Node,
    Parameter,
    Part,
    RawWord,
    Redirect,
    Script,
    Set,
    Simple,
    Substitution,
)

if TYPE_CHECKING:
    from askfirst.shell.call import Call
    from askfirst.shell.dialects import Dialect
    from askfirst.shell.reading import Tree

OPERATORS = frozenset(("", "#length", "-", ":-", "=", ":=", "?", ":?", "+", ":+", "#", "##", "%", "%%"))
REDIRECTIONS = frozenset(("<", ">", ">>", ">|", "<>", "<&", ">&", "<<", "<<-"))
# Builtins that all have, and the options that mean the same in all; None: whatever their words are, they run nothing,
# set nothing and lead nowhere but where bash's would (an option that one of them refuses ends its script).
BUILTINS: dict[str, str | None] = {
    ".": "",
    ":": None,
    "[": None,
    "bg": "",
    "break": "",
    "cd": "LP",
    "command": "pvV",
    "continue": "",
    "echo": None,
    "eval": "",
    "exec": "",
    "exit": "",
    "export": "p",
    "false": None,
    "fg": "",
    "getopts": None,
    "hash": "r",
    "jobs": "",
    "kill": None,
    "local": "",
    "printf": "",
    "pwd": "LP",
    "read": "rp",
    "readonly": "p",
    "return": "",
    "set": None,
    "shift": "",
    "test": None,
    "times": "",
    "trap": "",
    "true": None,
    "type": "",
    "ulimit": None,
    "umask": "S",
    "unset": "fv",
    "wait": "",
}
# What one of the shells runs itself where another looks for a program, or where words have another meaning.
OTHERS = frozenset(
    """
alias bind builtin caller chdir compgen complete compopt coproc declare dirs disown enable fc function help history let
local logout mapfile popd pushd readarray select shopt source suspend time typeset unalias [[ ]] ((
""".split()
) - set(BUILTINS)
# The same in shells with a syntax of their own (fish: `set -x PATH .`; csh, fish: `alias ls "sh e.sh"`).
EVERYWHERE = frozenset(("cd", "echo", "exit", "false", "printf", "pwd", "test", "true", "["))
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _./:,@%+|&;-'\"")


def difference(tree: Tree, text: str, dialect: Dialect) -> str:
    """Why a shell of the dialect may make something else of the text."""
    if dialect.foreign and not (set(text) <= PLAIN and is_flat(tree.script)):
        return f"{dialect.name} has a syntax of its own"
    noted = tree.ledger.differs.get("sh", "") if tree.ledger is not None else ""
    return noted or in_script(tree.script)


def is_flat(script: Script) -> bool:
    return all(isinstance(n, Simple) for item, _ in script.items for p in item.pipelines for n in p.commands)


def first(reasons: Iterable[str]) -> str:
    return next(filter(None, reasons), "")


def in_script(script: Script) -> str:
    return first(in_node(n) for item, _ in script.items for pipeline in item.pipelines for n in pipeline.commands)


def in_node(node: Node) -> str:
    return first(map(in_redirect, node.redirects)) or in_command(node)


def in_command(node: Node) -> str:
    if isinstance(node, Simple):
        return first(map(in_assignment, node.sets)) or in_words(node.words)
    if isinstance(node, Group):
        return in_script(node.body)
    if isinstance(node, Branches):
        return in_words(node.words) or first(map(in_script, node.bodies))
    if isinstance(node, For) and not node.select:
        return in_words(node.words or []) or in_script(node.body)
    if isinstance(node, Function) and node.name.isidentifier() and not node.text.startswith("function"):
        return in_node(node.body)
    return "a command that not every `sh` has"


def in_assignment(one: Set) -> str:
    if one.append or one.element or one.array is not None:
        return f"not every `sh` takes `{one.name}…` for an assignment"
    return in_parts(one.word.parts)


def in_redirect(redirect: Redirect) -> str:
    target = redirect.target.text
    plain = redirect.operator in REDIRECTIONS and len(redirect.fd) < 2
    if redirect.operator in ("<&", ">&"):
        plain = plain and (target == "-" or (len(target) == 1 and target.isdigit()))
    if not plain:
        return f"not every `sh` reads `{redirect.text}` alike"
    return in_parts(redirect.target.parts) or (in_parts(redirect.body.parts) if redirect.body is not None else "")


def in_words(words: list[RawWord]) -> str:
    return first(in_parts(word.parts) for word in words)


def in_parts(parts: list[Part]) -> str:
    return first(map(in_part, parts))


def in_part(part: Part) -> str:
    if isinstance(part, Literal):
        return ""
    if isinstance(part, Parameter):
        if part.operator not in OPERATORS or (part.operator == "#length" and not part.name.isalnum()):
            return f"not every `sh` has this form of `${{{part.name}…}}`"
        return in_words(part.words)
    if isinstance(part, Substitution) and part.kind in ("$(", "`"):
        return in_script(part.script)
    if isinstance(part, Arithmetic):
        return in_parts(part.parts)
    return "an expansion that not every `sh` has"


# -- builtins


def of_builtin(call: Call, dialect: Dialect) -> str:
    """Why a shell of the dialect may do something else when it is told to run this."""
    name = call.name
    if name.endswith(":") and name != ":":
        return f"`{name}` is a label to ksh"
    if name in OTHERS or (dialect.foreign and name in BUILTINS and name not in EVERYWHERE):
        return f"not every shell knows `{name}`, or means the same by it"
    letters = BUILTINS.get(name)
    if letters is None:
        return ""
    for word in call.words[1:]:
        if word.value == "--" or not may_be_option(word):
            break
        if word.value is None or not set(word.value[1:]) <= set(letters):
            return f"not every `sh` knows `{name} {word.text}`"
    return ""


def may_be_option(word: Word) -> bool:
    given = word.value if word.value is not None else word.prefix
    return (given.startswith("-") and word.value != "-") or (word.value is None and not given)
