"""Times as people type and read them."""

from __future__ import annotations

import datetime
import time

from askfirst.errors import UsageError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(text: str) -> float:
    """`90s`, `30m`, `2h`, `1d`, also put together: `1h30m`."""
    total, number = 0.0, ""
    for char in text.strip().lower():
        if char.isdigit() and char.isascii():
            number += char
        elif char in _UNITS and number:
            total, number = total + int(number) * _UNITS[char], ""
        else:
            raise _not_a_time(text)
    if number or total <= 0:
        raise _not_a_time(text)
    return total


def _not_a_time(text: str) -> UsageError:
    return UsageError(f"`{text}` is not a length of time; write `30m`, `2h` or `1d`")


def roughly(seconds: float) -> str:
    """`3 h`: the largest unit alone."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{max(0, int(seconds))} s"


def clock_time(at: float) -> str:
    """The hour where it is today, the date too where it is not."""
    now, then = time.localtime(), time.localtime(at)
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)


def log_time(at: float) -> str:
    """Day and second, as the log's table shows them."""
    return datetime.datetime.fromtimestamp(at).strftime("%m-%d %H:%M:%S")
