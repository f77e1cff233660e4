"""Keeps the head of the log where the log's owner cannot take it back: in the system's own log, where there is one.

A log that was cut off at its end looks complete. `audit: {syslog: true}` sends a head now and then;
`askfirst audit verify --expect-head` then shows what is missing.
"""

from __future__ import annotations

import os
import time

from askfirst import audit

INTERVAL_S = 60.0


def anchor(head: str, *, enabled: bool, now: float | None = None) -> bool:
    """Send a head, at most once a minute. True when it was sent; a machine without a system log is no failure."""
    if not enabled:
        return False
    at = time.time() if now is None else now
    mark = os.path.join(audit.directory(), "anchored")
    try:
        if at - os.stat(mark).st_mtime < INTERVAL_S:
            return False
    except OSError:
        pass
    import syslog

    try:
        syslog.openlog("askfirst", 0, syslog.LOG_AUTHPRIV)
        syslog.syslog(syslog.LOG_NOTICE, f"audit head {head} of {audit.directory()}")
        with open(mark, "wb"):
            os.utime(mark, (at, at))
    except OSError:
        return False
    return True
