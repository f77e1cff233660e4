"""The process in which regular expressions of an agent run: one job in (JSON on stdin), one result out, and a limit on
its time.

RE2 does not backtrack, but it is linear in the text *times* the pattern, and a short pattern can be large
(`[a-z]{0,900}` a few times is a minute for 100 kB). So the limit is the kernel's: more than CPU_S seconds of work end
this process. Needs nothing of askfirst.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Iterator
from typing import Any

CPU_S = 2
MEMORY = 8 << 20  # for a compiled pattern
MAX_MATCHES = 100_000
MAX_FILE_BYTES = 8 << 20
BINARY_BYTES = 65536  # how far a NUL byte is looked for
MAX_LINE = 400


class TooMany(Exception):
    """More matches than anybody could use."""


def main() -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    import re2

    job = json.loads(sys.stdin.buffer.read())
    try:
        patterns = [compiled(re2, pattern) for pattern in job["patterns"]]
        result = {"search": search, "count": count, "spans": all_spans}[job["do"]](patterns, job)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        result = {"error": said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)}
    except TooMany:
        result = {"too_many": True}
    sys.stdout.write(json.dumps(result))
    return 0


def compiled(re2: Any, pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    options.never_nl = False
    return re2.compile(f"(?m){pattern}", options=options)


def spans(pattern: Any, text: str) -> Iterator[tuple[int, int]]:
    """Matches that are not empty."""
    for number, match in enumerate(pattern.finditer(text)):
        if number >= MAX_MATCHES:
            raise TooMany
        if match.end() > match.start():
            yield match.start(), match.end()


def all_spans(patterns: list[Any], job: dict[str, Any]) -> dict[str, Any]:
    return {"spans": [list(spans(p, job["text"])) for p in patterns]}


def count(patterns: list[Any], job: dict[str, Any]) -> dict[str, Any]:
    return {"counts": {shown: sum(1 for _ in spans(patterns[0], text)) for shown, text in texts(job)}}


def search(patterns: list[Any], job: dict[str, Any]) -> dict[str, Any]:
    """Lines that match, each once."""
    found: list[tuple[str, int, str]] = []
    for shown, text in texts(job):
        number, begin, told = 1, 0, 0
        for start, _ in spans(patterns[0], text):
            number += text.count("\n", begin, start)
            begin = start
            if number == told:
                continue
            if len(found) >= job["most"]:
                return {"found": found, "truncated": True}
            line_start = text.rfind("\n", 0, start) + 1
            end = text.find("\n", start)
            # The part around the match: a line of a minified file has no end.
            from_here = max(line_start, start - MAX_LINE // 4)
            found.append((shown, number, text[from_here : end if end >= 0 else len(text)][:MAX_LINE]))
            told = number
    return {"found": found, "truncated": False}


def texts(job: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The files that are text; what cannot be read is passed over."""
    for shown, path in job["files"]:
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(fd, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
            if len(data) <= MAX_FILE_BYTES and b"\0" not in data[:BINARY_BYTES]:
                yield shown, data.decode()
        except (OSError, UnicodeDecodeError):
            continue


if __name__ == "__main__":
    sys.exit(main())
