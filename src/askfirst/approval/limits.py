"""How long, how many, how big: the figures that keep asking within reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askfirst.policy.rules import Settings

MIN_MINUTES, MAX_MINUTES = 1, 30
LATE_S = 600.0  # a late approval may be kept for one use so long
MAX_TIMED_S = 30 * 86400.0
TIMES = {"15m": 900.0, "1h": 3600.0, "8h": 28800.0}  # what a dialog offers for a timed answer
MAX_PENDING = 500  # per user: a loop of an agent must not fill the disk or a person's day
MAX_PENDING_SESSION = 100


def timeout_s(settings: Settings) -> float:
    """The org file's minutes, kept between 1 and 30 whatever was read."""
    return 60.0 * min(max(settings.approval_timeout_minutes, MIN_MINUTES), MAX_MINUTES)
