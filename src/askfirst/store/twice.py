"""One judgement for one call, where the client calls the gate more than once for it: the plugin beside `init`, or a
person's own registration beside a team's.

Each session that was seen to start more than one hook has a directory; the first hook of a call locks a file there,
judges, and leaves its answer; the others wait for the lock and give the same answer. Where that fails, each judges for
itself: the strictest counts in the client, and nothing is opened.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from fcntl import LOCK_EX, LOCK_NB, flock
from typing import Any

from askfirst import jsontext
from askfirst.agents.event import Reply
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.store import paths

SEVERAL = "several"
FRESH_S = 10.0  # hooks of one call are started together; an older answer is another call's
MANY = 200  # answers that are kept before old ones are put away
FORGOTTEN_S = 7 * 86400.0  # a session that nobody has ended


def _place(session: str) -> str:
    return os.path.join(paths.state_dir(), "calls", sha256_hex(session)[:32])


def note_start(session: str) -> None:
    """A hook of this session's start. The second one shows that every call will come more than once (a session that is
    resumed may look like that too, which does no harm)."""
    try:
        _sweep(paths.private_dir("calls"))
        place = _place(session)
        try:
            os.mkdir(place, 0o700)
        except FileExistsError:
            os.close(os.open(os.path.join(place, SEVERAL), os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
    except (OSError, StoreError):
        pass  # then every hook judges for itself


def note_end(session: str) -> None:
    _clear(_place(session))


def has_started(session: str) -> bool:
    """Whether its client has told that it starts."""
    return os.path.isdir(_place(session))


def comes_twice(session: str) -> bool:
    return os.path.exists(os.path.join(_place(session), SEVERAL))


def once(
    session: str, data: Mapping[str, Any], judge: Callable[[], Reply], waiting: Callable[[], None] | None
) -> Reply:
    """The answer of whichever hook of this call was first."""
    place = _place(session)
    path = os.path.join(place, sha256_hex(jsontext.dumps(dict(data)))[:32])
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return judge()
    try:
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                waiting()  # the other one may be waiting for a person
            flock(handle, LOCK_EX)
        known = _answer_in(handle)
        if known is not None:
            return known
        reply = judge()
        _keep(handle, reply)
        _put_away(place)
        return reply
    finally:
        os.close(handle)


def _answer_in(handle: int) -> Reply | None:
    found = os.fstat(handle)
    if not found.st_size or abs(time.time() - found.st_mtime) > FRESH_S:
        return None
    try:
        value = jsontext.loads(os.pread(handle, found.st_size, 0))
        return Reply(value["stdout"].encode("ascii"), value["exit_code"], value["stderr"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _keep(handle: int, reply: Reply) -> None:
    value = {"stdout": reply.stdout.decode("ascii"), "exit_code": reply.exit_code, "stderr": reply.stderr}
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, jsontext.dumps(value).encode("ascii"), 0)
    except (OSError, UnicodeDecodeError):
        pass  # the others judge for themselves


def _put_away(place: str) -> None:
    try:
        names = [name for name in os.listdir(place) if name != SEVERAL]
        if len(names) < MANY:
            return
        for name in names:
            path = os.path.join(place, name)
            if time.time() - os.stat(path).st_mtime > 60 * FRESH_S:
                os.unlink(path)
    except OSError:
        pass


def _sweep(directory: str) -> None:
    for name in os.listdir(directory):
        path = os.path.join(directory, name)
        if time.time() - os.stat(path).st_mtime > FORGOTTEN_S:
            _clear(path)


def _clear(place: str) -> None:
    try:
        for name in os.listdir(place):
            os.unlink(os.path.join(place, name))
        os.rmdir(place)
    except OSError:
        pass
