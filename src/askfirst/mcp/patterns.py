"""Regular expressions that an agent wrote. They run on RE2, which does not backtrack, so none of them can hang the server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from askfirst.mcp.result import Failure

MOST_PATTERN = 2000
TIME_S = 2.0
MEMORY = 8 << 20


class Clock:
    """A time limit over many files: each match is linear, but there may be many."""

    def __init__(self, limit_s: float = TIME_S) -> None:
        self.end = time.monotonic() + limit_s

    def check(self) -> None:
        if time.monotonic() > self.end:
            raise Failure("SecurityError", f"the search took longer than {TIME_S:.0f} s", "search a smaller path, or a plainer pattern")


def compiled(pattern: str) -> Any:
    """The pattern, compiled by RE2; Failure with RE2's own words when it is not one."""
    try:
        import re2
    except ImportError:
        raise Failure("Unavailable", "regular expressions need google-re2", "install askfirst[mcp]") from None
    if not pattern or len(pattern) > MOST_PATTERN:
        raise Failure("InvalidPattern", f"a pattern has 1 to {MOST_PATTERN} characters")
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    options.never_nl = False
    try:
        return re2.compile(f"(?m){pattern}", options=options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise Failure("InvalidPattern", f"`{pattern}`: {words}", "RE2 syntax: no look-around, no back-references") from None


def spans(pattern: Any, text: str, clock: Clock) -> Iterator[tuple[int, int]]:
    """Matches that are not empty."""
    for number, match in enumerate(pattern.finditer(text)):
        if number % 256 == 0:
            clock.check()
        if match.end() > match.start():
            yield match.start(), match.end()


def exact_spans(piece: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(piece)
    while piece and at >= 0:
        yield at, at + len(piece)
        at = text.find(piece, at + len(piece))
