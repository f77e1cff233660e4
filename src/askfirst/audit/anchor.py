"""The head of the log, kept where the log's owner cannot take it back: the system's own log, where there is one.

A log that was cut off at its end looks whole. `audit: {syslog: true}` sends a head now and then; `askfirst audit verify --expect-head`
then shows what is missing.
"""

from __future__ import annotations

import os
import time

from askfirst import audit
from askfirst.store import paths

EVERY_S = 60.0


def anchor(head: str, *, enabled: bool, now: float | None = None) -> bool:
    """Send a head, at most once a minute. True when it was sent; a machine without a system log is no failure."""
    if not enabled:
        return False
    at = time.time() if now is None else now
    mark = os.path.join(paths.private_dir("audit"), "anchored")
    try:
        if at - os.stat(mark).st_mtime < EVERY_S:
            return False
    except OSError:
        pass
    try:
        import syslog

        syslog.openlog("askfirst", 0, syslog.LOG_AUTHPRIV)
        syslog.syslog(syslog.LOG_NOTICE, f"audit head {head} of {audit.directory()}")
        with open(mark, "wb"):
            os.utime(mark, (at, at))
    except (ImportError, OSError):
        return False
    return True
