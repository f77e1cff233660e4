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


MAX_COUNTED = 256


def counted(word: RawWord) -> list[str] | None:
    """The numbers that `$(seq FIRST LAST)` stands for, where they are few; None for anything else."""
    words = _seq_words(word)
    return _sequence(words) if words is not None else None


def are_numbers(word: RawWord) -> bool:
    """Whether a loop over this word takes numbers only. (`{1..9}` that stays a text is no arithmetic at all.)"""
    first, dots, last = word.text.removeprefix("{").removesuffix("}").partition("..")
    braces = bool(dots) and word.text == f"{{{first}..{last}}}" and _is_plain_number(first) and _is_plain_number(last)
    return braces or is_integer(word.text) or _seq_words(word) is not None


def _seq_words(word: RawWord) -> list[str] | None:
    """What `seq` is given in a word that is nothing but its output, where that can only be whole numbers."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Substitution) or part.quoted or part.kind not in ("$(", "`"):
        return None
    node = only_command(part.script)
    words = [literal_text(one) or "" for one in node.words] if node and not node.sets and not node.redirects else []
    numbers = words[2:] if words[1:2] == ["-w"] else words[1:]
    plain = words[:1] == ["seq"] and 1 <= len(numbers) <= 3 and all(map(_is_plain_number, numbers))
    return words[1:] if plain else None


def only_command(script: Script) -> Simple | None:
    """The one simple command of a script that holds nothing else."""
    one, separator = script.items[0] if len(script.items) == 1 else (None, "")
    if one is None or separator == "&" or one.operators or len(one.pipelines[0].commands) != 1:
        return None
    node = one.pipelines[0].commands[0]
    return node if isinstance(node, Simple) else None


def _sequence(words: list[str]) -> list[str] | None:
    padded = words[0] == "-w"
    given = words[1:] if padded else words
    first, step = (int(given[0]) if len(given) > 1 else 1), (int(given[1]) if len(given) > 2 else 1)
    found = range(first, int(given[-1]) + 1, step) if step else range(0)
    if not 0 < len(found) <= MAX_COUNTED:
        return None
    width = max(len(str(first)), len(given[-1])) if padded else 0
    return [str(n).zfill(width) for n in found]


def _is_plain_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9 and (text == "0" or text[0] != "0")


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
