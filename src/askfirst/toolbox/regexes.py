"""Regular expressions that an agent wrote: RE2, which does not backtrack, in a process that its time limit ends
(matching.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from askfirst.toolbox import matching
from askfirst.toolbox.tool_result import Failure

MAX_PATTERN = 2000
WALL_S = 60.0  # the limit that counts is one of work; this one is for a process that does none


def matched(do: str, patterns: list[str], **job: Any) -> dict[str, Any]:
    """Run a job of matching.py. Failure with RE2's own words when a pattern is not one, and when the work takes too
    long."""
    for pattern in patterns:
        if not pattern or len(pattern) > MAX_PATTERN:
            raise Failure("InvalidPattern", f"a pattern has 1 to {MAX_PATTERN} characters")
    given = json.dumps({"do": do, "patterns": patterns, **job}).encode()
    try:
        done = subprocess.run(
            [sys.executable, "-I", matching.__file__], input=given, capture_output=True, timeout=WALL_S
        )
    except subprocess.TimeoutExpired:
        raise _too_long() from None
    if done.returncode < 0:
        raise _too_long()
    if done.returncode:
        missing = b"No module named 're2'" in done.stderr
        why = "regular expressions need google-re2" if missing else "the search could not be run"
        raise Failure("Unavailable", why, "install askfirst[mcp]" if missing else "try it once more")
    result: dict[str, Any] = json.loads(done.stdout)
    if "error" in result:
        raise Failure(
            "InvalidPattern", f"not a pattern: {result['error']}", "RE2 syntax: no look-around, no back-references"
        )
    if "too_many" in result:
        raise Failure(
            "TooManyMatches",
            f"more than {matching.MAX_MATCHES} matches",
            "search a smaller path, or for something longer",
        )
    return result


def _too_long() -> Failure:
    return Failure(
        "SecurityError", f"the pattern took more than {matching.CPU_S} s", "a plainer pattern, or a smaller path"
    )


def exact_spans(piece: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(piece)
    while piece and at >= 0:
        yield at, at + len(piece)
        at = text.find(piece, at + len(piece))
