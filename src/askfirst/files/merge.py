"""Ways to say yes to a write without losing what is there: replace, append, insert at a line, extend.

`extend` adds new functions, methods, classes and imports to existing Python by its syntax tree and changes nothing
else. Where one of the texts is not Python it falls back to append and says so. All of this works on text with `\n`
ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from askfirst.errors import AskfirstError
from askfirst.files.content import lines_of
from askfirst.files.extend import extended

STRATEGIES = ("replace", "append", "insert", "extend")
TRIES = 3


class MergeError(AskfirstError):
    """The strategy cannot be applied: an unknown name, or a line that is not in the file."""


class MergeCancelled(AskfirstError):
    """The person gave no usable line. A cancelled merge is a deny."""


@dataclass(frozen=True)
class Merged:
    text: str
    warning: str = ""


def merge(existing: str, new: str, strategy: str, line: int | None = None) -> Merged:
    """The final text. `line` is for insert: the new text comes after so many lines (0: at the top)."""
    if strategy == "replace":
        return Merged(new)
    if strategy == "append":
        return Merged(_ended(existing) + new)
    if strategy == "insert":
        return Merged(_inserted(existing, new, line))
    if strategy == "extend":
        outcome = extended(existing, new)
        if outcome.text is not None:
            return Merged(outcome.text, outcome.warning)
        return Merged(_ended(existing) + new, f"appended instead: {outcome.warning}")
    raise MergeError(f"unknown merge strategy `{strategy}`; choose one of {', '.join(STRATEGIES)}")


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _inserted(existing: str, new: str, line: int | None) -> str:
    lines = lines_of(existing)
    if line is None or isinstance(line, bool) or not 0 <= line <= len(lines):
        raise MergeError(
            f"line {line} is not in the file: give a number from 0 (before the first line) to {len(lines)} (after the "
            f"last)"
        )
    before = "".join(x + "\n" for x in lines[:line])
    after = "\n".join(lines[line:]) + ("\n" if existing.endswith("\n") and lines[line:] else "")
    return before + (_ended(new) if after else new) + after


def from_answer(extra: Mapping[str, object] | None) -> tuple[str, int | None]:
    """The strategy and line that came with an answer; no strategy is `replace`. Anything odd is refused, not
    guessed."""
    strategy, line = (extra or {}).get("strategy", "replace"), (extra or {}).get("line")
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        raise MergeError(f"unknown merge strategy `{strategy}`; choose one of {', '.join(STRATEGIES)}")
    if line is not None and (isinstance(line, bool) or not isinstance(line, int)):
        raise MergeError(f"`{line}` is not a line number")
    return strategy, line


def in_words(extra: Mapping[str, object] | None) -> str:
    """`append`, `insert at line 3`; "" where nothing is merged. For the question, and for the log."""
    strategy, line = from_answer(extra)
    if strategy == "replace":
        return ""
    return f"{strategy} at line {line}" if line is not None else strategy


def numbered(text: str) -> list[str]:
    """The file as a person sees it when choosing a line: number and line."""
    lines = lines_of(text)
    width = len(str(len(lines)))
    return [f"{number:>{width}}  {line}" for number, line in enumerate(lines, 1)]


def line_number(typed: str, line_count: int) -> int | None:
    """The number that a person typed, if there is such a line (0: before the first)."""
    digits = typed.strip()
    usable = digits.isascii() and digits.isdigit() and len(digits) <= 12 and int(digits) <= line_count
    return int(digits) if usable else None


def choose_line(read: Callable[[str], str | None], line_count: int) -> int:
    """Ask for the line up to three times. `read` shows a prompt and gives what was typed, or None when the person
    cancels."""
    problem = ""
    for _ in range(TRIES):
        typed = read(f"{problem}insert after line (0 to {line_count}): ")
        if typed is None or not typed.strip():
            raise MergeCancelled("no line was chosen: nothing is written")
        line = line_number(typed, line_count)
        if line is not None:
            return line
        problem = f"`{typed.strip()[:20]}` is not a number from 0 to {line_count}; "
    raise MergeCancelled(f"no valid line in {TRIES} tries: nothing is written")
