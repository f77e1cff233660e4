"""Questions as the page gets them: plain JSON, every text made visible here; the browser only sets `textContent`."""

from __future__ import annotations

from typing import Any

from askfirst.approval.merging import MEANING, offered
from askfirst.approval.question import Choice, Question
from askfirst.model import Duration
from askfirst.text import visible
from askfirst.web.diffs import counts_of

NAMES = {Duration.ONCE: "once", Duration.SESSION: "session", Duration.TIMED: "timed", Duration.PERMANENT: "permanent"}
Label = tuple[str, str]  # kind, why


def card(question: Question, labels: tuple[Label, ...] = (), *, now: float) -> dict[str, Any]:
    """One card. `request_id` to `warning_text` are the approval document's own fields. The lines of a diff are fetched
    when somebody looks at it."""
    added, removed = counts_of(question.diff) if question.diff else (0, 0)
    return {
        "type": "approval_request",
        "request_id": question.id,
        "command": _text(question.text),
        "is_dangerous": bool(question.danger),
        "timeout_seconds": max(0, round(question.deadline - now)),
        "warning_text": _text(question.danger),
        "digest": question.digest,
        "tool": visible(question.tool),
        "why": _text(question.why),
        "said": _text(question.said),
        "agent": visible(question.agent),
        "session": visible(question.session),
        "subagent": visible(question.subagent),
        "project": visible(question.project),
        "cwd": visible(question.cwd),
        "created": question.created,
        "deadline": question.deadline,
        "confirm": question.confirm,
        "flagged": question.flagged,
        "labels": [{"kind": visible(kind), "why": _text(why)} for kind, why in labels],
        "notes": [_text(n) for n in question.notes],
        "count": question.count,
        "agents": question.agents,
        "change": question.change,
        "diff": {"added": added, "removed": removed} if question.diff else None,
        "deleted": [_text(d) for d in question.deleted],
        "strategies": [{"name": name, "meaning": MEANING[name]} for name in offered(question)],
        "lines": [{name: _text(value) for name, value in vars(line).items()} for line in question.lines],
        "choices": _choices(question.choices),
        "steps": [_choices(step) for step in question.steps],
        "step": question.step,
    }


def _choices(choices: tuple[Choice, ...]) -> dict[str, dict[str, Any]]:
    return {NAMES[choice.duration]: _choice(choice) for choice in choices}


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "refused": _text(choice.refused),
        "scope": _text(choice.scope),
        "entry": _text(choice.entry),
        "file": visible(choice.file),
        "also": [_text(text) for text in choice.also],
    }


def _text(text: str) -> str:
    return visible(text, newlines=True, tabs=True)
