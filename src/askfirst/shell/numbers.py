"""What can only be a number: bash may evaluate it in arithmetic without running anything.

The output of a program counts only where all its words are in the text and no operand is a file's name, which its
output could repeat (`wc -l FILE`, `grep -c x FILE1 FILE2`).
"""

from __future__ import annotations

from askfirst.shell.syntax import (
    Arithmetic,
    Literal,
    Parameter,
    Part,
    RawWord,
    Redirect,
    Script,
    Simple,
    Substitution,
    filled_parts,
    literal_text,
)

# Program -> the words it may have. For grep, one pattern may follow `-c`.
COUNTS = {
    "wc": frozenset(("-l", "-c", "-w", "-m")),
    "nproc": frozenset(("--all",)),
    "date": frozenset(("+%s", "+%N", "+%s%N", "+%Y", "+%m", "+%d", "+%H", "+%M", "+%S", "+%j", "-u")),
    "id": frozenset(("-u", "-g")),
    "grep": frozenset(("-c", "-i", "-v", "-E", "-F", "-w", "-x")),
}
NUMBER_PARAMETERS = ("#", "?", "$", "!")


def is_integer(text: str) -> bool:
    """Whether the text is an integer, or nothing (which is 0 in arithmetic)."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return text == "" or (digits.isascii() and digits.isdigit())


def is_number_word(word: RawWord) -> bool:
    """Whether a word can only be a number, or nothing."""
    parts = filled_parts(word)
    return len(parts) < 2 and all(is_number_part(part) for part in parts)


def is_number_part(part: Part) -> bool:
    if isinstance(part, Literal):
        return is_integer(part.text)
    if isinstance(part, Substitution):
        return prints_a_number(part.script)
    return isinstance(part, Arithmetic) or (isinstance(part, Parameter) and is_number_parameter(part))


def is_number_parameter(part: Parameter) -> bool:
    """`${#x}`, `$?` and their kin."""
    return part.operator == "#length" or (part.operator == "" and part.name in NUMBER_PARAMETERS)


def prints_a_number(script: Script) -> bool:
    """Whether the output of a substitution can only be a number (or nothing)."""
    if len(script.items) != 1 or len(script.items[0][0].pipelines) != 1:
        return False
    node = script.items[0][0].pipelines[0].commands[-1]
    if not isinstance(node, Simple) or node.sets or not node.words or not all(map(is_quiet, node.redirects)):
        return False
    return counts([literal_text(word) or "" for word in node.words])


def counts(words: list[str]) -> bool:
    """Whether a program with these words prints a number. A word that is not in the text is ""."""
    name, known = words[0], COUNTS.get(words[0])
    if known is None:
        return False
    rest = [w for w in words[1:] if w not in known]
    if name == "grep":
        return "-c" in words and len(rest) == 1 and rest[0][:1] != "-" and rest[0] != ""
    return not rest and (name not in ("date", "id") or len(words) > 1)


def is_quiet(redirect: Redirect) -> bool:
    """Redirections that bring no other text into the output."""
    if redirect.operator in ("<", "<<<", "<<", "<<-"):
        return redirect.fd in ("", "0")
    return redirect.fd == "2" and redirect.operator == ">" and redirect.target.text == "/dev/null"
