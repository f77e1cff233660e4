"""Every mistake of a rule file at once, for the person who writes it. The gate itself stops at the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from askfirst.errors import ConfigError
from askfirst.policy.rules import Problem
from askfirst.policy.yamltext import parse

MAX_ERRORS = 50


def every_error(text: str, file: str, problems_of: Callable[[str], tuple[Problem, ...]]) -> list[ConfigError]:
    """What `problems_of` raises for a text, and then for the text without what it named, and so on; at last the
    problems that it returns. Line numbers stay. YAML that cannot be read at all has one error."""
    found: list[ConfigError] = []
    whole = text.split("\n")
    lines, removed = list(whole), set[int]()
    for _ in range(MAX_ERRORS):
        try:
            found += map(ConfigError.of, problems_of("\n".join(lines)))
            break
        except ConfigError as error:
            block = list(_block(whole, error.line - 1)) if error.line else []
            # What holds only what was taken out is no mistake of its own.
            if len(block) < 2 or removed.isdisjoint(block) or _is_more_than(lines, block):
                found.append(error)
            if not block or _is_unreadable(text, file):
                break
            for number in block:
                lines[number] = ""
            removed.update(block)
    return sorted(found, key=lambda e: (e.line, e.column))


def _is_unreadable(text: str, file: str) -> bool:
    try:
        parse(text, file)
    except ConfigError:
        return True
    return False


def _block(lines: list[str], first: int) -> Iterator[int]:
    """The line, and those below it that are indented more deeply."""
    if first >= len(lines) or not lines[first].strip():
        return
    yield first
    depth = _depth(lines[first])
    for number in range(first + 1, len(lines)):
        if lines[number].strip() and _depth(lines[number]) <= depth:
            return
        yield number


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_more_than(lines: list[str], block: list[int]) -> bool:
    return any(lines[number].strip() for number in block[1:])
