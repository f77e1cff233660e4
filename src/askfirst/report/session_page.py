"""One session in one page: what it ran, ran contained, changed, asked, was denied, and what it has seen.

Made from the log alone, so that it says what happened and nothing else. Rendered by `askfirst session` as a table, as
Markdown for a pull request, or as JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from askfirst.report.stories import Record, Story, stories
from askfirst.text import one_line

MAX_ROWS = 200  # of one section


@dataclass(frozen=True)
class SessionChange:
    """Something that can be taken back with `askfirst undo ID`."""

    id: str
    files: tuple[str, ...]
    at: float
    how: str  # contained, proposal
    undone: bool = False


@dataclass(frozen=True)
class SessionPage:
    session: str
    agent: str
    project: str
    began: float
    ended: float
    ran: tuple[tuple[str, int], ...]  # text, how often
    contained: tuple[tuple[str, int], ...]
    asked: tuple[Story, ...]
    denied: tuple[Story, ...]
    changes: tuple[SessionChange, ...]
    written: tuple[str, ...]  # by the agent's own file tools
    seen: tuple[str, ...] = field(default=())  # labels of flow, in words


def sessions(records: Iterable[Record]) -> dict[str, float]:
    """Session -> when it was last heard of, oldest first."""
    found: dict[str, float] = {}
    for record in records:
        name = str(record.get("session") or "")
        if name:
            found.pop(name, None)
            found[name] = float(record.get("time", 0))
    return found


def page_of(session: str, records: Iterable[Record], seen: Iterable[str] = ()) -> SessionPage:
    own = [r for r in records if str(r.get("session") or "") == session]
    told = stories(own)
    verdicts = [s for s in told if s.is_call]
    quiet = [s for s in verdicts if not s.was_asked]
    times = [float(r.get("time", 0)) for r in own] or [0.0]
    return SessionPage(
        session,
        _first(own, "agent"),
        _first(own, "project"),
        times[0],
        times[-1],
        _counted(s for s in _decided(quiet, "allow") if not _is_write(s)),
        _counted(_decided(verdicts, "contain")),
        tuple(s for s in told if s.was_asked)[:MAX_ROWS],
        tuple(_decided(quiet, "deny"))[:MAX_ROWS],
        tuple(_changes(own)),
        tuple(dict.fromkeys(s.text for s in filter(_is_write, _decided(verdicts, "allow")))),
        tuple(seen),
    )


def _first(records: list[Record], key: str) -> str:
    return next((str(r[key]) for r in records if r.get(key)), "")


def _decided(found: list[Story], decision: str) -> Iterator[Story]:
    return (s for s in found if s.last_word.get("decision") == decision)


def _is_write(story: Story) -> bool:
    return story.last_word.get("tool") in ("Write", "Edit", "MultiEdit", "NotebookEdit", "Propose", "ApplyPatch")


def _counted(found: Iterable[Story]) -> tuple[tuple[str, int], ...]:
    counts = Counter(one_line(s.text, 200) for s in found)
    return tuple(counts.items())[:MAX_ROWS]


def _changes(records: list[Record]) -> Iterator[SessionChange]:
    undone = {str(r.get("run") or _hitl(r)) for r in records if r.get("kind") == "undo"}
    for record in records:
        at = float(record.get("time", 0))
        if record.get("kind") == "contained" and record.get("changed"):
            run = str(record.get("run", ""))
            yield SessionChange(run, tuple(map(str, record.get("files", ()))), at, "contained", run in undone)
        elif record.get("kind") == "apply" and not record.get("run"):
            proposal = _hitl(record)
            files = tuple(str(f.get("path", "")) for f in record.get("files", ()) if isinstance(f, dict))
            yield SessionChange(proposal, files, at, "proposal", proposal in undone)


def _hitl(record: Record) -> str:
    files = record.get("files")
    return (
        next((str(f.get("hitl_id", "")) for f in files if isinstance(f, dict)), "") if isinstance(files, list) else ""
    )


# -- as Markdown


def markdown(page: SessionPage) -> str:
    """For a pull request: what an agent did here, and what people said to it."""
    project = page.project.rstrip("/").rpartition("/")[2]
    lines = [f"## What the agent did in `{project}`", "", _summary(page), ""]
    for title, rows in sections(page):
        if rows:
            lines += [f"### {title}", "", *(f"- {row}" for row in rows), ""]
    return "\n".join(lines)


def _summary(page: SessionPage) -> str:
    allowed = sum(s.last_word.get("decision") == "allow" for s in page.asked)
    calls = sum(n for _, n in (*page.ran, *page.contained)) + allowed + len(page.written)
    figures = (_number(calls, "call"), _number(len(page.asked), "question"), len(page.denied))
    return "{} allowed, {} to a person, {} denied by rules. From askfirst's log.".format(*figures)


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def sections(page: SessionPage) -> list[tuple[str, list[str]]]:
    """Title and rows, in the order of the page; the same for every form."""
    return [
        ("Seen", list(page.seen)),
        ("Asked", [f"{s.outcome}{_by(s)}: {_code(s.text)}" for s in page.asked]),
        ("Denied", [f"{_code(s.text)}: {one_line(s.reason, 200)}" for s in page.denied]),
        ("Changed", [_change(c) for c in page.changes]),
        ("Written", [_code(path) for path in page.written]),
        ("Ran contained", [f"{_code(text)}{_times(n)}" for text, n in page.contained]),
        ("Ran", [f"{_code(text)}{_times(n)}" for text, n in page.ran]),
    ]


def _by(story: Story) -> str:
    return f" by {one_line(story.by, 40)}" if story.by else ""


def _change(change: SessionChange) -> str:
    files = ", ".join(_code(f) for f in change.files[:10]) + (" …" if len(change.files) > 10 else "")
    undo = "undone" if change.undone else f"`askfirst undo {change.id[:6]}`"
    return f"{files} ({change.how}; {undo})"


def _times(count: int) -> str:
    return f" ×{count}" if count > 1 else ""


def _code(text: str) -> str:
    """As code, whatever it holds: a backtick of the agent's must not end it."""
    plain = one_line(text, 200)
    fence = "`" * (max((len(run) for run in _runs_of_backticks(plain)), default=0) + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _runs_of_backticks(text: str) -> Iterator[str]:
    run = ""
    for char in text:
        run = run + char if char == "`" else ""
        if run:
            yield run


def as_json(page: SessionPage) -> dict[str, Any]:
    return {
        "session": page.session,
        "agent": page.agent,
        "project": page.project,
        "began": page.began,
        "ended": page.ended,
        "ran": [{"text": t, "count": n} for t, n in page.ran],
        "contained": [{"text": t, "count": n} for t, n in page.contained],
        "asked": [{"id": s.id, "text": s.text, "outcome": s.outcome, "by": s.by, "why": s.reason} for s in page.asked],
        "denied": [{"text": s.text, "why": s.reason} for s in page.denied],
        "changes": [
            {"id": c.id, "files": list(c.files), "how": c.how, "at": c.at, "undone": c.undone} for c in page.changes
        ],
        "written": list(page.written),
        "seen": list(page.seen),
    }
