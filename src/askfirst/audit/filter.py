"""Selects records of the log by time, project, agent, session, kind, decision, layer and text."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass
from typing import Any

from askfirst.errors import UsageError


@dataclass(frozen=True)
class Filter:
    """Empty fields select everything."""

    since: float = 0.0
    until: float = 0.0
    project: str = ""
    agent: str = ""
    session: str = ""
    kind: str = ""
    decision: str = ""
    layer: str = ""
    text: str = ""

    def takes(self, record: dict[str, Any]) -> bool:
        at = record.get("time", 0)
        if (self.since and at < self.since) or (self.until and at > self.until):
            return False
        for name in ("agent", "kind", "decision", "layer"):
            wanted = getattr(self, name)
            if wanted and record.get(name) != wanted:
                return False
        if self.session and not str(record.get("session", "")).startswith(self.session):
            return False
        if self.project and not _within(str(record.get("project", "")), self.project):
            return False
        searched = " ".join(str(record.get(name, "")) for name in ("text", "reason", "rule"))
        return self.text.lower() in searched.lower()


def _within(path: str, project: str) -> bool:
    below = path == project or path.startswith(project.rstrip("/") + "/")
    return below or path.rstrip("/").endswith("/" + project.strip("/"))


UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def moment(text: str, *, now: float | None = None) -> float:
    """`2h`, `30m`, `7d` ago, or a date, or a date and time, in local time."""
    if text[-1:] in UNITS_S and text[:-1].replace(".", "", 1).isdigit():
        return (time.time() if now is None else now) - float(text[:-1]) * UNITS_S[text[-1]]
    try:
        return datetime.datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise UsageError(f"`{text}` is not a time: write `2h`, `7d`, `2026-11-16` or `2026-11-16T09:30`") from None
