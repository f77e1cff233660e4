"""How tests wait: for a condition, not for a time. A loaded machine gets its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 60.0


def until(condition: Callable[[], Any], what: str = "the condition") -> Any:
    """What the condition gave when it came true."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {PATIENCE_S:.0f} s in vain for {what}")
