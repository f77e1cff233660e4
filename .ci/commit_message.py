"""Refuse a commit message without a body: the diff says what changed, only a person can say why.

python .ci/commit_message.py FILE       as git's commit-msg hook calls it
"""

from __future__ import annotations

import sys
from pathlib import Path

MAX_SUBJECT_CHARACTERS = 100
MADE_BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ")
SCISSORS = "# ------------------------ >8 ------------------------"


def trouble(message: str) -> str:
    """What is wrong with a message, or nothing."""
    lines = [line.rstrip() for line in message.partition(SCISSORS)[0].splitlines() if not line.startswith("#")]
    subject, *rest = "\n".join(lines).strip().split("\n")
    if subject.startswith(MADE_BY_GIT):
        return ""
    if not subject:
        return "the message is empty"
    if len(subject) > MAX_SUBJECT_CHARACTERS:
        return f"the subject is longer than {MAX_SUBJECT_CHARACTERS} characters"
    if rest and rest[0]:
        return "the line after the subject is not blank"
    if not any(rest):
        return "there is no body; say why, in a line or more after a blank one"
    return ""


if __name__ == "__main__":
    problem = trouble(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit(f"commit message: {problem}" if problem else 0)
