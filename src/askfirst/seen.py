"""What a session has seen is noted here: before a call runs, once it has run, and where a session begins or ends."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst import jsontext
from askfirst.model import Command, Decision
from askfirst.policy.flow import said, shown, taints
from askfirst.policy.rules import Label, LabelledFile
from askfirst.store import labels

if TYPE_CHECKING:
    from askfirst.policy.case import Case

MAX_LINE = 1 << 20
HEAD_LINES = 40  # of a conversation: its first message stands among them
MAX_FILES = 200  # that are looked at, of conversations the newest first


def note_seen(case: Case, now: float) -> None:
    """Raises StoreError: a call whose traces cannot be kept must not run."""
    request, verdict = case.request, case.verdict
    shown_now = labels_of(case, now)
    labels.note(request.session, request.project, shown_now, maybe=verdict.decision == Decision.ASK)
    note_written(case, shown_now, now)
    if verdict.decision == Decision.ALLOW:
        labels.note_said(request.session, request.project, said(case.facts))
    if _commits(case) and verdict.decision == Decision.ALLOW and not _a_person_said(case):
        labels.note_commit(request.project, [f.id for f in labels.labelled(request.project) if not f.committed])


def note_written(case: Case, shown_now: tuple[Label, ...], now: float) -> None:
    """Files that are written while the session is untrusted."""
    request = case.request
    files = taints(case.facts, replace(case.layers, labels=(*case.layers.labels, *shown_now)))
    if files:
        reason = _why_tainted(case, shown_now)
        labels.note_files(
            request.project, tuple(LabelledFile(p, reason, now, request.session, below) for p, below in files)
        )


def labels_of(case: Case, now: float) -> tuple[Label, ...]:
    by = (case.verdict.answer.by or "a person") if _a_person_said(case) and case.verdict.answer is not None else ""
    found = shown(case.facts, case.layers)
    return tuple(replace(label, at=now, call=case.request.tool_use_id, by=by) for label in found)


def _a_person_said(case: Case) -> bool:
    answer = case.verdict.answer
    return answer is not None and answer.decision == Decision.ALLOW and answer.by != "rule"


def _why_tainted(case: Case, shown_now: tuple[Label, ...]) -> str:
    first = next(label for label in (*shown_now, *case.layers.labels) if label.kind == "untrusted")
    return f"written after the session had read {first.reason}"[:200]


def settle(session: str, project: str) -> None:
    """A session ends. What came into git's HEAD in it, with no person's yes, is not cleared by being there."""
    from askfirst.files.head import is_in_head

    own = [f for f in labels.labelled(project) if f.session == session and not f.committed]
    ids = [f.id for n, f in enumerate(own) if n >= MAX_FILES or is_in_head(f.path)]
    labels.note_commit(project, ids)


def _commits(case: Case) -> bool:
    return any(isinstance(f, Command) and f.action.key[:2] == ("git", "commit") for f in case.facts)


def review(project: str, by: str = "a commit") -> tuple[str, ...]:
    """Files that git's HEAD has as they are now, and whose commit was a person's own or was answered by one, keep their
    label no longer. The paths."""
    from askfirst.files.head import is_in_head

    done = [f for f in labels.labelled(project) if not f.committed and not f.below and is_in_head(f.path)]
    if done:
        labels.clear_files(project, tuple(f.id for f in done), by)
    return tuple(f.path for f in done)


def parents_of(transcript: str) -> tuple[str, ...]:
    """The sessions from which a conversation was forked: those that begin with the same message. A client names a
    conversation's file by its session."""
    first = _first_message(transcript)
    if not first:
        return ()
    folder = os.path.dirname(transcript)
    names = [n for n in os.listdir(folder) if n.endswith(".jsonl") and n != os.path.basename(transcript)]
    names.sort(key=lambda n: -os.stat(os.path.join(folder, n)).st_mtime)
    found = [n for n in names[:MAX_FILES] if _first_message(os.path.join(folder, n)) == first]
    return tuple(name.removesuffix(".jsonl") for name in found)


def _first_message(path: str) -> str:
    """The number of the first message in a conversation's file; "" when there is none yet."""
    try:
        with open(path, "rb") as file:
            for _ in range(HEAD_LINES):
                line = file.readline(MAX_LINE)
                value = jsontext.loads(line) if line.endswith(b"\n") else None
                if isinstance(value, dict) and isinstance(value.get("uuid"), str):
                    return str(value["uuid"])
    except (OSError, ValueError):
        pass
    return ""
