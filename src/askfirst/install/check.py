"""One line of `askfirst doctor`."""

from __future__ import annotations

from dataclasses import dataclass

OK, NOTE, WARN, FAIL = "ok", "note", "warn", "fail"


@dataclass(frozen=True)
class Check:
    """What was found; whatever is not well says the way out."""

    level: str  # ok, note, warn, fail
    name: str
    text: str
    way_out: str = ""
