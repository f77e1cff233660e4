"""A pause: everything is denied until it ends. One small file, looked at by every hook."""

from __future__ import annotations

import os
import time

from askfirst import jsontext
from askfirst.errors import StoreError
from askfirst.store import atomic, clock, paths

MAX_BYTES = 65536


def _path() -> str:
    return os.path.join(paths.state_dir(), "pause.json")


def pause(until: float, by: str, reason: str = "") -> None:
    paths.private_dir()
    try:
        atomic.write_atomic(_path(), jsontext.dumps({"until": until, "by": by, "reason": reason}).encode())
    except OSError as error:
        raise StoreError(f"{_path()}: cannot store the pause: {error.strerror}") from error


def resume() -> bool:
    """True when there was a pause."""
    was = bool(why_paused())
    atomic.remove(_path())
    return was


def why_paused() -> str:
    """Why everything is denied now; "" when it is not. A pause that cannot be read, or looked for, is one."""
    path = _path()
    try:
        os.lstat(path)
        value = jsontext.loads(atomic.read_private(path, MAX_BYTES))
        until = float(value["until"])
        if until and clock.wall() >= until:
            return ""
        reason = f": {value['reason']}" if value.get("reason") else ""
        return f"{value['by']} paused all agents {_until(until)}{reason}; the user can end it with `askfirst resume`"
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, TypeError, KeyError, AttributeError, StoreError):
        return f"{path}: cannot read the pause, so everything is denied; end it with `askfirst resume`"


def _until(until: float) -> str:
    return f"until {time.strftime('%Y-%m-%d %H:%M', time.localtime(until))}" if until else "until someone ends it"
