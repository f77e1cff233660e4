"""Applying a unified diff strictly: every context and removed line must be where the patch says. No fuzz: a patch that almost fits is
a patch for another file. One file a patch."""

from __future__ import annotations

import re

from askfirst.mcp.place import lines_of
from askfirst.mcp.result import Failure

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MAX_LINES = 100_000


def patched(old: str, patch: str) -> str:
    """The text after the patch; Failure with the line that does not fit."""
    lines = lines_of(old)
    result: list[str] = []
    at = 0
    # A patch that was cut off at its end lost its last newline, not that of the file; for the file there is `\\ No newline`.
    hunks = _hunks(lines_of(patch if patch.endswith("\n") else patch + "\n"))
    for start, body in hunks:
        if start < at or start > len(lines):
            raise Failure(
                "PatchDoesNotApply",
                f"a hunk begins at line {start + 1}, which is not behind the one before",
                "make the patch anew",
            )
        result += lines[at:start]
        at = start
        for mark, text in body:
            if mark == "+":
                result.append(text)
                continue
            if at >= len(lines) or lines[at].rstrip("\r\n") != text.rstrip("\r\n"):
                raise Failure(
                    "PatchDoesNotApply",
                    f"line {at + 1} is not what the patch expects: `{text.strip()[:80]}`",
                    "read the file again",
                )
            if mark == " ":
                result.append(lines[at])
            at += 1
    result += lines[at:]
    if not all(line.endswith("\n") for line in result[:-1]):
        raise Failure(
            "PatchDoesNotApply",
            "the file's last line has no newline, and the patch goes on behind it",
            "replace that line too",
        )
    return "".join(result)


def _hunks(lines: list[str]) -> list[tuple[int, list[tuple[str, str]]]]:
    found: list[tuple[int, list[tuple[str, str]]]] = []
    if len(lines) > MAX_LINES:
        raise Failure("TooLarge", f"a patch has at most {MAX_LINES} lines")
    old_left = new_left = files = 0
    for number, line in enumerate(lines, 1):
        if old_left or new_left:
            mark, text = (line[:1], line[1:]) if line.strip("\r\n") else (" ", line)
            if mark == "\\":
                _drop_newline(found[-1][1])
                continue
            if mark not in " +-":
                raise Failure("InvalidPatch", f"line {number} of the patch begins with `{mark}`, inside a hunk")
            old_left -= mark != "+"
            new_left -= mark != "-"
            if old_left < 0 or new_left < 0:
                raise Failure("InvalidPatch", f"line {number} of the patch: the hunk has more lines than its head says")
            found[-1][1].append((mark, text))
            continue
        files += line.startswith("+++ ")
        if files > 1:
            raise Failure("InvalidPatch", f"line {number} of the patch begins a second file", "one call for each file")
        if line.startswith("+++ /dev/null"):
            raise Failure("InvalidPatch", "this patch deletes the file", "use delete_file")
        match = HUNK.match(line)
        if match:
            start, old_left, new_left = int(match[1]), int(match[2] or 1), int(match[4] or 1)
            found.append((start - 1 if old_left else start, []))
        elif line.startswith("\\") and found:
            _drop_newline(found[-1][1])
        elif (
            line.startswith(("--- ", "+++ ", "diff ", "index ", "new file", "deleted file", "old mode", "new mode"))
            or not line.strip()
        ):
            continue
        else:
            raise Failure(
                "InvalidPatch",
                f"line {number} of the patch is not part of a unified diff",
                "begin hunks with `@@ -1,3 +1,4 @@`",
            )
    if old_left or new_left or not found:
        raise Failure("InvalidPatch", "the patch ends within a hunk, or has none")
    return found


def _drop_newline(body: list[tuple[str, str]]) -> None:
    if body:
        mark, text = body[-1]
        body[-1] = (mark, text.rstrip("\r\n"))
