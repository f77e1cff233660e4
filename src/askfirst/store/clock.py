"""Clocks for deadlines. A laptop that sleeps for an hour has not given its person an hour: suspend counts."""

from __future__ import annotations

import sys
import time

_COUNTS_SUSPEND = getattr(time, "CLOCK_BOOTTIME", None)
if _COUNTS_SUSPEND is None and sys.platform == "darwin":
    # On macOS CLOCK_MONOTONIC goes on during sleep; time.monotonic() does not.
    _COUNTS_SUSPEND = time.CLOCK_MONOTONIC


def steady() -> float:
    """Seconds since some fixed moment of this boot, suspend included; setting the wall clock does not move it."""
    if _COUNTS_SUSPEND is None:
        return time.monotonic()
    return time.clock_gettime(_COUNTS_SUSPEND)


def wall() -> float:
    return time.time()


_boot: str | None = None  # a waiting hook asks for it every second, and no process outlives its boot


def boot_id() -> str:
    """Names this boot, so that a `steady` time of an earlier one is not compared. "" where there is no such name."""
    global _boot
    if _boot is None:
        try:
            with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
                _boot = file.read().strip()
        except OSError:
            _boot = ""
    return _boot
