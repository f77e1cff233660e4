"""The builtins that matter to a survey, and how a word looks to it before anything is expanded."""

from __future__ import annotations

from askfirst.shell.braces import brace_words
from askfirst.shell.syntax import VALUELESS, Literal, Parameter, Part, RawWord, Substitution, literal_text, only_part

# Builtins that set variables named by their arguments.
NAMING = frozenset(
    "declare typeset local export readonly read mapfile readarray unset getopts printf let wait select".split()
)
# What runs text, or changes what names mean: nothing is certain any more.
ANYTHING = frozenset(
    "eval source . trap enable alias unalias builtin command exec bind complete compgen hash coproc".split()
)
CHANGING = frozenset(("set", "shopt", "ulimit", "break", "continue"))
MOVING = frozenset(("cd", "pushd", "popd"))
IDENTIFIER = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"


def plain_text(word: RawWord) -> str | None:
    """The text of a word from which bash makes exactly this one; None when that is not certain."""
    return None if is_braced(word) else literal_text(word)


def is_braced(word: RawWord) -> bool:
    """Whether braces make other words of it."""
    return "{" in word.text and brace_words(word, certain=False) is not None


def is_ordinary(word: RawWord) -> bool:
    """Whether braces make a program of it that is no builtin which matters here."""
    found = brace_words(word, certain=True)
    name = found[0].value if found else None
    return name is not None and name not in ANYTHING | NAMING | MOVING | CHANGING


def variable_alone(word: RawWord) -> str:
    """The name in `$name`, when that is the whole word."""
    part = only_part(word)
    return part.name if isinstance(part, Parameter) and part.operator == "" and part.name[0] in IDENTIFIER else ""


def variables_in(parts: list[Part]) -> set[str]:
    """The variables whose values go into a word."""
    found: set[str] = set()
    for part in parts:
        if isinstance(part, Parameter):
            if part.operator not in VALUELESS:
                found.add(part.name)
            found.update(*(variables_in(word.parts) for word in part.words))
    return found


def may_be_empty(word: RawWord) -> bool:
    """Whether a word that is a number may also be nothing: the output of a program, `$!`."""
    return any(isinstance(p, Substitution) or (isinstance(p, Parameter) and p.name == "!") for p in word.parts)


def changes_expansion(word: RawWord) -> bool:
    """Whether an argument of `set` may change how words are expanded."""
    text = plain_text(word)
    if text is None or text in ("braceexpand", "keyword"):
        return True
    return text[:1] in ("-", "+") and ("B" in text or "k" in text)


def only_looks_up(words: list[RawWord]) -> bool:
    """`command -v NAME` looks a name up and runs nothing."""
    return len(words) > 1 and words[0].text == "command" and words[1].text in ("-v", "-V")


def begins_with_name(word: RawWord) -> str | None:
    """The literal beginning of `x=$1`, whose name is certain although its value is not."""
    first = word.parts[0] if word.parts else None
    if isinstance(first, Literal) and "=" in first.text and first.text[0] in IDENTIFIER:
        return first.text
    return None
