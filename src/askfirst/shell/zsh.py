"""Where zsh reads a text differently from bash, although bash's grammar accepts it.

What only zsh accepts is refused by the reader. Each function says why zsh makes something else of a construct, for the
Unknown fact; "" means that both shells make the same of it. `tests/shell/oracle.py --shell zsh` asks the real one.
"""

from __future__ import annotations

from askfirst.model import Word
from askfirst.shell.syntax import Literal, Node, Parameter, Part, RawWord, Redirect, Simple

# Reserved words and builtins that bash would look for on PATH.
WORDS = frozenset(
    """
repeat foreach noglob nocorrect - always end zmodload autoload emulate sched vared zle zcompile setopt unsetopt
functions disable unhash rehash r zpty ztcp zsocket zftp zstyle zparseopts integer float print pushln getln bindkey
limit unlimit ttyctl zformat zregexparse
""".split()
)
CALCULATE = frozenset("shift exit return break continue printf read sleep logout bye".split())
MODIFIERS = frozenset("aAcehlpPqQrstuxgwWfF&")  # what may follow the colon in `$x:h`


# -- words


def expansion(parts: list[Part]) -> str:
    """Why zsh expands a word to something else."""
    opened = 0  # braces
    for k, part in enumerate(parts):
        if isinstance(part, Parameter):
            why = parameter(part, parts[k + 1] if k + 1 < len(parts) else None)
            if why:
                return why
        elif isinstance(part, Literal) and not part.quoted:
            for c in part.text if "}" in part.text else "{" * part.text.count("{"):
                opened += (c == "{") - (c == "}")
                if opened < 0:
                    return "zsh takes a `}` that belongs to nothing for the end of a group"
    return ""


def parameter(part: Parameter, after: Part | None) -> str:
    if part.operator == "" and not part.braced and isinstance(after, Literal) and after.quoted == part.quoted:
        if after.text.startswith("["):
            return f"zsh evaluates the subscript behind `${part.name}`"
        if after.text[:1] == ":" and after.text[1:2] in MODIFIERS:
            return f"zsh changes `${part.name}` by what follows the colon"
    if part.operator == ":" and not is_offset(part.words[0].text):
        return f"zsh reads `${{{part.name}{part.words[0].text}` as a modifier"
    return ""


def is_offset(text: str) -> bool:
    """Whether the text behind the name in `${x:1:2}` is a number for both shells, and no modifier."""
    first = text[1:].lstrip(" ")
    return first[:1] in ("-", "(", "$") or first[:1].isdigit()


def value(parts: list[Part]) -> str:
    """Why zsh gives a variable another value."""
    first = parts[0] if parts else None
    if isinstance(first, Literal) and not first.quoted and (first.text[:1] == "=" or ":=" in first.text):
        return "zsh expands `=name` to a program's path"
    return ""


# -- commands


def command_name(word: RawWord) -> str:
    """Why zsh does not take the first word for a program's name."""
    if word.text.startswith("{"):
        return "zsh reads `{` before a command's name as a group"
    if "=" in word.text and word.text[0].isdigit():
        return "zsh sets a positional parameter"
    return ""


def is_program_path(word: Word) -> bool:
    """`=name`, which zsh replaces by the path of a program."""
    return word.text.startswith("=") and len(word.text) > 1 and (word.text[1].isalpha() or word.text[1] in "_/.")


def calculation(words: list[str | None], script: str) -> str:
    """Why a builtin runs what stands in an argument: zsh calculates where bash reads a number, subscripts included."""
    given = [script if w is None else w for w in words[1:]]  # what is not known may be any text of the script
    if words and words[0] in CALCULATE and any("[$(" in w or "[`" in w for w in given):
        return f"`{words[0]}` of zsh calculates its arguments, and runs what stands in a subscript"
    return ""


# -- redirections


def redirections(node: Node, connected: str) -> str:
    """Why zsh opens other files, or starts a program by itself. `connected`: the descriptors of a pipeline's pipes."""
    if not node.redirects:
        return ""
    if isinstance(node, Simple):
        if not node.words:
            return "zsh starts a pager or `cat` for a redirection without a command"
        if any(is_descriptor(word.text) for word in node.words):
            return "zsh takes `{name}` before a redirection for its descriptor"
    seen = set(connected)
    for redirect in node.redirects:
        why = redirection(redirect)
        if why:
            return why
        opened = descriptors(redirect)
        if opened & seen:
            return "zsh sends to, or reads from, all of several redirections"
        seen |= opened
    return ""


def redirection(redirect: Redirect) -> str:
    target = redirect.target.text
    if redirect.fd.isdigit() and len(redirect.fd) > 1:
        return "zsh takes a number of several digits for a word"
    if redirect.operator == "<" and is_range(target):
        return "zsh reads `<N-M>` as a pattern"
    if redirect.operator in ("<&", ">&") and target.endswith("-") and target != "-":
        return "zsh takes the target for a file"
    return ""


def descriptors(redirect: Redirect) -> set[str]:
    """The descriptors for which zsh opens the target, beside what they are connected to."""
    if redirect.operator in ("<&", ">&") and (redirect.target.text.isdigit() or redirect.target.text == "-"):
        return set()
    if redirect.operator in ("&>", "&>>") or (redirect.operator == ">&" and not redirect.fd):
        return {"1", "2"}
    return {redirect.fd or ("0" if redirect.operator.startswith("<") else "1")}


def is_range(text: str) -> bool:
    return text.count("-") == 1 and text.replace("-", "0").isdigit()


def is_descriptor(text: str) -> bool:
    return text[:1] == "{" and text[-1:] == "}" and text[1:-1].isidentifier()
