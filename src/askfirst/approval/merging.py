"""Saying yes to a write in another way: the strategies of files/merge.py, offered by the dialog and by the page alike.

The person sees the final diff before it counts: choosing a strategy makes another question of it, which has to be read
and ready like the first. A merge is allowed once, never remembered: the same call later would be the unmerged one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askfirst.approval.answers import Refused
from askfirst.digest import sha256_hex
from askfirst.files.content import decode, lines_of, look_at, style_of
from askfirst.files.merge import MergeError, from_answer, in_words, numbered
from askfirst.files.show import preview
from askfirst.model import Answer, Duration
from askfirst.redact import redact

if TYPE_CHECKING:
    from askfirst.approval.question import Question

MEANING = {
    "replace": "replace the file, as the agent asked",
    "append": "keep the file and add the new text at its end",
    "insert": "keep the file and add the new text after a line that you choose",
    "extend": "keep the file and add only functions, methods, classes and imports that it does not have",
}
ONCE_ONLY = "a merge is allowed once only: the same call later would not be merged"


@dataclass(frozen=True)
class Merge:
    """What a strategy would make of the file as it is now."""

    question: Question  # about the merged text
    extra: dict[str, object]  # what the answer carries
    mark: str  # SHA-256 of the merged text: another one, and what was seen is not what would be written


def offered(question: Question) -> tuple[str, ...]:
    return question.strategies if len(question.strategies) > 1 and question.proposed else ()


def file_lines(question: Question) -> list[str]:
    """The file as it is now, with numbers and its secrets masked; empty when it cannot be read as text."""
    return numbered(redact(_text_of_file(question), keep_lines=True))


def line_count(question: Question) -> int:
    return len(lines_of(_text_of_file(question)))


def merged(question: Question, strategy: str, line: int | None) -> Merge:
    """Raises MergeError when it cannot be merged so."""
    if strategy not in offered(question):
        raise MergeError(f"`{strategy}` is not offered here")
    extra: dict[str, object] = {"strategy": strategy} | ({"line": line} if line is not None else {})
    try:
        seen = preview(_path_of(question), question.proposed, extra, question.project)
    except OSError as error:
        raise MergeError(str(error)) from None
    choices = tuple(
        c if c.duration == Duration.ONCE or c.refused else replace(c, refused=ONCE_ONLY) for c in question.choices
    )
    notes = (*question.notes, *((seen.warning,) if seen.warning else ()))
    deleted = tuple(map(redact, seen.deleted))
    why = f"{question.why} (as the agent asked for it, before the merge)"
    change = f"merged: {in_words(extra)}"
    shown = replace(
        question,
        change=change,
        diff=redact(seen.diff),
        deleted=deleted,
        choices=choices,
        steps=(),
        notes=notes,
        why=why,
    )
    return Merge(shown, extra, sha256_hex(seen.text))


def refuse_unless_offered(answer: Answer, question: Question) -> None:
    """For whoever takes answers: a merge is one of those that the question offers, and counts once."""
    strategy, _ = from_answer(answer.extra)
    if set(answer.extra or ()) - {"strategy", "line"} or strategy not in ("replace", *offered(question)):
        raise Refused("this way to merge is not offered")
    if strategy != "replace" and answer.duration != Duration.ONCE:
        raise Refused(ONCE_ONLY)


def _text_of_file(question: Question) -> str:
    data = look_at(_path_of(question)).data or b""
    return decode(data, style_of(data)) or ""


def _path_of(question: Question) -> str:
    return os.path.realpath(os.path.join(question.cwd or question.project, os.path.expanduser(question.text)))
