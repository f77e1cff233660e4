"""Where zsh reads a text differently from bash, although bash's grammar accepts it. What only zsh accepts is refused by the reader.

A reason is a text for the Unknown fact; "" means that both shells make the same of it. `tests/shell/oracle.py --shell zsh` asks the
real one.
"""

from __future__ import annotations

from askfirst.shell.syntax import Literal, Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.syntax import Part, Redirect

# Reserved words and builtins that bash would look for on PATH.
WORDS = frozenset(
    """
repeat foreach noglob nocorrect - always end zmodload autoload emulate sched vared zle zcompile setopt unsetopt functions disable unhash
rehash r zpty ztcp zsocket zftp zstyle zparseopts integer float print pushln getln bindkey limit unlimit ttyctl zformat zregexparse
""".split()
)
_CALCULATE = frozenset("shift exit return break continue printf read sleep logout bye".split())
MODIFIERS = frozenset("aAcehlpPqQrstuxgwWfF&")  # what may follow the colon in `$x:h`


def reading(parts: list[Part]) -> str:
    """Why zsh expands a word to something else."""
    opened = 0
    for k, part in enumerate(parts):
        after = parts[k + 1] if k + 1 < len(parts) else None
        if isinstance(part, Literal) and not part.quoted and "}" in part.text:
            for c in part.text:
                opened += (c == "{") - (c == "}")
                if opened < 0:
                    return "zsh takes a `}` that belongs to nothing for the end of a group"
        elif isinstance(part, Literal) and not part.quoted:
            opened += part.text.count("{")
        if not isinstance(part, Parameter):
            continue
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


def is_range(text: str) -> bool:
    return text.count("-") == 1 and text.replace("-", "0").isdigit()


def is_descriptor(text: str) -> bool:
    return text[:1] == "{" and text[-1:] == "}" and text[1:-1].isidentifier()


def value(parts: list[Part]) -> str:
    """Why zsh gives a variable another value."""
    first = parts[0] if parts else None
    if isinstance(first, Literal) and not first.quoted and (first.text[:1] == "=" or ":=" in first.text):
        return "zsh expands `=name` to a program's path"
    return ""


def numbers(words: list[str | None], script: str) -> str:
    """Why a builtin runs what stands in an argument: zsh calculates where bash reads a number, subscripts included."""
    given = [script if w is None else w for w in words[1:]]  # what is not known may be any text of the script
    if words and words[0] in _CALCULATE and any("[$(" in w or "[`" in w for w in given):
        return f"`{words[0]}` of zsh calculates its arguments, and runs what stands in a subscript"
    return ""


def redirections(redirects: list[Redirect], piped: str, *, bare: bool) -> str:
    """Why zsh opens other files, or starts a program by itself.

    `piped`: the descriptors that a pipeline has already connected. `bare`: there is no command, only redirections.
    """
    if bare and redirects:
        return "zsh starts a pager or `cat` for a redirection without a command"
    seen = set(piped)
    for redirect in redirects:
        if len(redirect.fd.strip("0123456789")) == 0 and len(redirect.fd) > 1:
            return "zsh takes a number of several digits for a word"
        if redirect.operator == "<" and is_range(redirect.target.text):
            return "zsh reads `<N-M>` as a pattern"
        if redirect.operator in ("<&", ">&"):
            if redirect.target.text.endswith("-") and redirect.target.text != "-":
                return "zsh takes the target for a file"
            if redirect.target.text.isdigit() or redirect.target.text == "-":
                continue
        fds = {redirect.fd or ("0" if redirect.operator.startswith("<") else "1")}
        if redirect.operator in ("&>", "&>>") or (redirect.operator == ">&" and not redirect.fd):
            fds = {"1", "2"}
        if fds & seen:
            return "zsh sends to, or reads from, all of several redirections"
        seen |= fds
    return ""
