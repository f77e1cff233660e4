"""Applying a unified diff strictly: every context and removed line must be where the patch says. No fuzz: a patch that
almost fits is a patch for another file. One file a patch."""

from __future__ import annotations

import re

from askfirst.toolbox.place import lines_of
from askfirst.toolbox.tool_result import Failure

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MAX_LINES = 100_000


def patched(old: str, patch: str) -> str:
    """The text after the patch; Failure with the line that does not fit."""
    lines = lines_of(old)
    result: list[str] = []
    at = 0
    # A patch that was cut off at its end lost its last newline, not that of the file; for the file there is `\\ No
    # newline`.
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


HEADERS = ("--- ", "+++ ", "diff ", "index ", "new file", "deleted file", "old mode", "new mode")


class Hunk:
    """One hunk while it is read: where it begins, its lines, and how many of each side its head still promises."""

    def __init__(self, head: re.Match[str]) -> None:
        self.old_left, self.new_left = int(head[2] or 1), int(head[4] or 1)
        self.start = int(head[1]) - 1 if self.old_left else int(head[1])
        self.lines: list[tuple[str, str]] = []

    @property
    def is_open(self) -> bool:
        return bool(self.old_left or self.new_left)

    def take(self, line: str, number: int) -> None:
        mark, text = (line[:1], line[1:]) if line.strip("\r\n") else (" ", line)
        if mark == "\\":
            _drop_newline(self.lines)
            return
        if mark not in " +-":
            raise Failure("InvalidPatch", f"line {number} of the patch begins with `{mark}`, inside a hunk")
        self.old_left -= mark != "+"
        self.new_left -= mark != "-"
        if self.old_left < 0 or self.new_left < 0:
            raise Failure("InvalidPatch", f"line {number} of the patch: the hunk has more lines than its head says")
        self.lines.append((mark, text))


def _hunks(lines: list[str]) -> list[tuple[int, list[tuple[str, str]]]]:
    if len(lines) > MAX_LINES:
        raise Failure("TooLarge", f"a patch has at most {MAX_LINES} lines")
    found: list[Hunk] = []
    files = 0
    for number, line in enumerate(lines, 1):
        if found and (found[-1].is_open or line.startswith("\\")):
            found[-1].take(line, number)
        elif head := HUNK.match(line):
            found.append(Hunk(head))
        else:
            files += _begins_file(line, number)
            if files > 1:
                problem = f"line {number} of the patch begins a second file"
                raise Failure("InvalidPatch", problem, "one call for each file")
    if not found or found[-1].is_open:
        raise Failure("InvalidPatch", "the patch ends within a hunk, or has none")
    return [(hunk.start, hunk.lines) for hunk in found]


def _begins_file(line: str, number: int) -> bool:
    """A line outside the hunks: whether it names the file that is patched."""
    if line.startswith("+++ /dev/null"):
        raise Failure("InvalidPatch", "this patch deletes the file", "use delete_file")
    if line.strip() and not line.startswith(HEADERS):
        problem = f"line {number} of the patch is not part of a unified diff"
        raise Failure("InvalidPatch", problem, "begin hunks with `@@ -1,3 +1,4 @@`")
    return line.startswith("+++ ")


def _drop_newline(body: list[tuple[str, str]]) -> None:
    if body:
        mark, text = body[-1]
        body[-1] = (mark, text.rstrip("\r\n"))
