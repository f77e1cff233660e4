"""get_task_context: where a task stands in the project's status files, and what this session asked, got and was
denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from askfirst.audit.read import read_backwards
from askfirst.policy.rules import Layers
from askfirst.redact import redact
from askfirst.toolbox.chunks import MAX_LINE
from askfirst.toolbox.code_files import may_show, paths, text_in
from askfirst.toolbox.place import Place, enter, note_shown
from askfirst.toolbox.tool_result import Failure

MAX_RECORDS = 50
MAX_LOOKED_AT = 20_000  # of the log, newest first
MAX_FOUND = 20
_STATUS_FILE = re.compile(
    r"(^|/)(status|tasks?|todo|roadmap|plan|progress)([-_.][\w.-]*)?\.(md|markdown)$", re.IGNORECASE
)
_HEADING = re.compile(r"^(#{1,6})\s+(\S.*)$")
_ITEM = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[(.)\]\s+)?(.+)$")


def get_task_context(place: Place, task_id: str = "") -> dict[str, Any]:
    layers = enter(place, "get_task_context", task_id=task_id)
    if len(task_id) > 200 or any(not c.isprintable() for c in task_id):
        raise Failure("InvalidArgument", "a task's id is a short word: `T-12`", "leave it out for the session only")
    found = list(islice(_tasks(place.project, task_id, layers), MAX_FOUND)) if task_id else []
    note_shown(place, layers, (task["file"] for task in found))
    if task_id and not found:
        raise Failure(
            "TaskNotFound", f"no status file names `{task_id}`", "status.md, tasks.md and TODO.md are looked at"
        )
    return {"task_id": task_id, "tasks": found, "session": session_record(place)}


def _tasks(project: str, task_id: str, layers: Layers) -> Iterator[dict[str, Any]]:
    whole = re.compile(rf"(?<![\w-]){re.escape(task_id)}(?![\w-])")
    files = [p for p in paths(project) if _STATUS_FILE.search(p)]
    for path in sorted(files, key=lambda p: (p.count("/"), p)):
        text = text_in(project, path)
        if text is not None and whole.search(text) and may_show(project, path, layers):
            yield from _in_file(path, [line[:MAX_LINE] for line in text.splitlines()], whole)


def _in_file(path: str, lines: list[str], whole: re.Pattern[str]) -> Iterator[dict[str, Any]]:
    above: list[tuple[int, str]] = []  # (depth, heading or item) that the present line stands below
    for number, line in enumerate(lines):
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading is None and item is None:
            continue
        depth = len(heading.group(1)) if heading else 10 + len(item.group(1).expandtabs(4)) if item else 0
        name = heading.group(2).rstrip("# ") if heading else item.group(3) if item else ""
        while above and above[-1][0] >= depth:
            above.pop()
        if whole.search(line):
            yield {
                "file": path,
                "line": number + 1,
                "context": [redact(n) for _, n in above],
                "task": redact(name),
                "state": _state(item.group(2) if item else None),
                "details": [redact(d) for d in _below(lines, number, depth)],
            }
        above.append((depth, name))


def _state(mark: str | None) -> str:
    if mark is None:
        return ""
    return "done" if mark in "xX" else "open" if mark == " " else f"marked {mark}"


def _below(lines: list[str], number: int, depth: int) -> list[str]:
    """What stands below a line, up to the next one of its depth."""
    found: list[str] = []
    for line in lines[number + 1 :]:
        heading, item = _HEADING.match(line), _ITEM.match(line)
        at = len(heading.group(1)) if heading else 10 + len(item.group(1).expandtabs(4)) if item else 99
        if at <= depth or len(found) >= 40:
            break
        if line.strip():
            found.append(line.rstrip())
    return found


def session_record(place: Place) -> dict[str, Any]:
    """What the log tells about this session: allowed by whom, denied and why."""
    counts: dict[str, int] = {}
    last: list[dict[str, Any]] = []
    for record in islice(read_backwards(), MAX_LOOKED_AT):
        if record.get("session") != place.session or record.get("kind") != "verdict":
            continue
        decision = str(record.get("decision", ""))
        counts[decision] = counts.get(decision, 0) + 1
        if decision != "allow" or record.get("answer"):
            last.append({k: record[k] for k in ("time", "tool", "text", "decision", "reason") if k in record})
    return {"id": place.session, "decisions": counts, "asked_or_denied": last[MAX_RECORDS - 1 :: -1]}
