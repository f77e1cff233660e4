"""Observing: calls are judged and logged, and nothing is enforced, until a person ends it. One small file of askfirst's
own state, which no agent may write. What cannot be read is no observing: the gate decides.

Where the machine has an organisation's file, nobody observes: its rules are not this user's to suspend.
"""

from __future__ import annotations

import os
import time

from askfirst import jsontext
from askfirst.errors import ConfigError, StoreError
from askfirst.store import atomic, paths

MAX_BYTES = 4096


def _path() -> str:
    return os.path.join(paths.state_dir(), "observe.json")


def _site_file() -> str:
    """The organisation's own file, where there is one, or where nobody can tell."""
    path = os.path.join(paths.site_config_dir(), "config.yaml")
    return path if paths.is_there(path) else ""


def observe(by: str) -> None:
    """From now on, only look."""
    site = _site_file()
    if site:
        raise ConfigError("the organisation's rules are in force on this machine, so they are enforced", file=site)
    paths.private_dir()
    try:
        atomic.write_atomic(_path(), jsontext.dumps({"since": time.time(), "by": by}).encode())
    except OSError as error:
        raise StoreError(f"{_path()}: cannot be written: {error.strerror}") from error


def enforce() -> bool:
    """From now on, decide. True when calls were only observed until now."""
    return atomic.remove(_path())


def observing_since() -> float:
    """Since when calls are only observed; 0.0 when they are decided."""
    try:
        value = jsontext.loads(atomic.read_private(_path(), MAX_BYTES))
        since = float(value["since"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, StoreError):
        return 0.0
    return since if since > 0 and not _site_file() else 0.0
