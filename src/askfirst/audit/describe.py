"""A record of the log in words: what happened, and by whom or which rule.

The log's table, the page and the exports agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst.wording import LAYERS

__all__ = ["LAYER_WORDS", "author_of", "outcome_of", "subject_of"]

LAYER_WORDS = {layer.name.lower(): words for layer, words in LAYERS.items()}


def subject_of(record: dict[str, Any]) -> str:
    """What the record is about: a command, a path, a rule file."""
    describe = _SUBJECTS.get(str(record.get("kind")))
    text = describe(record) if describe is not None else ""
    return text or _text(record)


def outcome_of(record: dict[str, Any]) -> str:
    """The decision, with the answer behind it; for other records, their kind."""
    answer = record.get("answer")
    said = answer if isinstance(answer, dict) else record
    state = ", ".join(str(word) for word in (said.get("state", ""), said.get("merge", "")) if word)
    kind = str(record.get("kind", ""))
    if kind == "correction":
        return f"ran, though {record.get('was', 'denied')}"
    decision = str(record.get("decision", "")) if kind == "verdict" else kind
    return f"{decision} ({state})" if state else decision


def author_of(record: dict[str, Any]) -> str:
    """The person behind it, or else the rule."""
    answer = record.get("answer")
    person = answer.get("by", "") if isinstance(answer, dict) else record.get("by", "")
    if person:
        return str(person)
    layer = _layer(str(record.get("layer", "")))
    rule = str(record.get("rule", ""))
    return f"{layer}: {rule}" if layer and rule else layer or rule


def _layer(name: str) -> str:
    return LAYER_WORDS.get(name, name.replace("_", " "))


def _text(record: dict[str, Any]) -> str:
    return str(record.get("text", "") or record.get("reason", "") or record.get("path", "") or record.get("file", ""))


def _config(record: dict[str, Any]) -> str:
    done = str(record.get("what", ""))
    return " ".join((done, str(record.get("file", "") or ", ".join(map(str, record.get("files", ()))))))


def _files(record: dict[str, Any]) -> str:
    found = record.get("files")
    if isinstance(found, list):
        paths = [str(f.get("path", "")) if isinstance(f, dict) else str(f) for f in found]
    else:
        paths = [str(record.get("path", ""))]
    why = str(record.get("why", ""))
    return ", ".join(paths) + (f": {why}" if why else "")


def _contained(record: dict[str, Any]) -> str:
    kept = ", ".join(str(k.get("path", "")) for k in record.get("kept", ()) if isinstance(k, dict))
    changed = ", ".join(map(str, record.get("files", ()))) or "nothing"
    return f"changed {changed}" + (f"; kept aside: {kept}" if kept else "")


def _pause(record: dict[str, Any]) -> str:
    reason = str(record.get("reason", "") or "")
    return "everything is denied until `askfirst resume`" + (f": {reason}" if reason else "")


def _grant(record: dict[str, Any]) -> str:
    return f"{record.get('duration', '')}: {'; '.join(map(str, record.get('scopes', ()))) or _text(record)}"


_SUBJECTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "config": _config,
    "apply": _files,
    "undo": _files,
    "propose": _files,
    "discard": _files,
    "contained": _contained,
    "pause": _pause,
    "resume": lambda r: "the pause ended",
    "grant": _grant,
    "violation": lambda r: f"{r.get('what', '')}: {r.get('why', '')}",
    "alert": lambda r: f"{_text(r)}; the last: {str(r.get('last', '')).partition(' (')[0]}",
    "alert-cleared": lambda r: f"the alert for session {str(r.get('session', ''))[:12]} was cleared",
    "sealed": lambda r: (
        f"a damaged end of {r.get('torn_bytes')} bytes"
        if r.get("repaired")
        else f"a torn line of {r.get('torn_bytes')} bytes: its writer died"
    ),
    "removed": lambda r: f"records {r.get('first')} to {r.get('last')}, older than {r.get('keep_days')} days",
    "settings-change": lambda r: f"refused: {_text(r)}",
}
