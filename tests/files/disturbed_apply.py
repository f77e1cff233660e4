"""Apply and undo, disturbed at every call that touches a file: killed, or told by the system that it failed.

Run as a program of its own, since it forks: `python -m tests.files.disturbed_apply MODE DIRECTORY`. Prints how many
points there were. After each point the files must be old or new, a batch never half, the store usable, and nothing left
behind.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

from askfirst.errors import StoreError
from askfirst.store import exchange, proposal_files
from tests.files.proposing import leftovers, no_objection, proposed

CALLS = (
    "open",
    "write",
    "fsync",
    "fdatasync",
    "rename",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "fchmod",
    "close",
    "read",
    "stat",
)
OLD, NEW = b"old content\n" * 40, b"new content\n" * 50


class Counter:
    """Lets calls pass until the point, then does what the mode says."""

    def __init__(self, point: int, strike: Callable[[], None]) -> None:
        self.left, self.strike, self.struck = point, strike, False

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.struck = True
            self.strike()


def disturb(counter: Counter) -> Callable[[], None]:
    """Count the calls of this process; gives the function that ends it."""
    saved = {name: getattr(os, name) for name in CALLS}

    def wrap(real: Callable[..., Any], name: str = "") -> Callable[..., Any]:
        def called(*args: Any, **named: Any) -> Any:
            if name == "close":  # a close that fails has closed all the same
                real(*args, **named)
            counter()
            return real(*args, **named) if name != "close" else None

        return called

    for name, real in saved.items():
        setattr(os, name, wrap(real, name))
    real_exchange = exchange.exchange
    exchange.exchange = wrap(real_exchange)

    def end() -> None:
        for name, real in saved.items():
            setattr(os, name, real)
        exchange.exchange = real_exchange

    return end


def fresh(directory: str) -> tuple[str, list[proposal_files.Proposal]]:
    project = os.path.join(directory, "project")
    shutil.rmtree(project, ignore_errors=True)
    shutil.rmtree(os.path.join(directory, "state"), ignore_errors=True)
    os.makedirs(project)
    with open(os.path.join(project, "a.txt"), "wb") as file:
        file.write(OLD)
    return project, [proposed(project, "a.txt", NEW), proposed(project, "deep/b.txt", NEW)]


def content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def both(project: str) -> tuple[bytes | None, bytes | None]:
    return content(os.path.join(project, "a.txt")), content(os.path.join(project, "deep", "b.txt"))


def check(project: str, point: int, what: str) -> None:
    first, second = both(project)
    assert first in (OLD, NEW) and second in (None, NEW), f"{what} {point}: neither old nor new: {first!r} {second!r}"
    with proposal_files.locked():
        proposal_files.recover()
    first, second = both(project)
    assert (first, second) in ((OLD, None), (NEW, NEW)), f"{what} {point}: half of a batch: {first!r} {second!r}"
    expected = {"applied"} if first == NEW else {"pending"}
    states = {p.state for p in proposal_files.everything()}
    assert states == expected, f"{what} {point}: records say {states}, files say {expected}"
    assert not leftovers(project), f"{what} {point}: {leftovers(project)}"


def check_undo(project: str, point: int, what: str) -> None:
    found = content(os.path.join(project, "a.txt"))
    assert found in (OLD, NEW), f"{what} {point}: {found!r}"
    with proposal_files.locked():
        proposal_files.recover()
    found = content(os.path.join(project, "a.txt"))
    state = next(p.state for p in proposal_files.everything() if p.path == "a.txt")
    assert (found, state) in ((OLD, "undone"), (NEW, "applied")), f"{what} {point}: {state} {found!r}"
    assert not leftovers(project), f"{what} {point}: {leftovers(project)}"


def apply_all(wanted: list[proposal_files.Proposal]) -> None:
    proposal_files.apply(wanted, check=no_objection, by="test")


def undo_first(wanted: list[proposal_files.Proposal]) -> None:
    proposal_files.undo(wanted[0], check=no_objection, by="test")


def killed(
    directory: str,
    act: Callable[[list[proposal_files.Proposal]], None],
    check_it: Callable[[str, int, str], None],
    *,
    before: bool,
) -> int:
    point = 0
    while True:
        point += 1
        project, wanted = fresh(directory)
        if before:
            apply_all(wanted)
        child = os.fork()
        if child == 0:
            disturb(Counter(point, lambda: os.kill(os.getpid(), signal.SIGKILL)))
            act(wanted)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        check_it(project, point, act.__name__)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0, f"{act.__name__} {point}: ended with an error"
            return point


def failing(
    directory: str,
    code: int,
    act: Callable[[list[proposal_files.Proposal]], None],
    check_it: Callable[[str, int, str], None],
    *,
    before: bool,
) -> int:
    def strike() -> None:
        raise OSError(code, os.strerror(code))

    point = 0
    while True:
        point += 1
        project, wanted = fresh(directory)
        if before:
            apply_all(wanted)
        counter = Counter(point, strike)
        end = disturb(counter)
        try:
            act(wanted)
        except (StoreError, OSError):
            pass
        finally:
            end()
        check_it(project, point, f"{act.__name__} {errno.errorcode[code]}")
        if not counter.struck:
            return point


def main() -> None:
    mode, directory = sys.argv[1:3]
    os.environ["HOME"] = directory
    os.environ["XDG_STATE_HOME"] = os.path.join(directory, "state")
    if mode == "kill":
        print(killed(directory, apply_all, check, before=False), killed(directory, undo_first, check_undo, before=True))
    else:
        code = getattr(errno, mode)
        print(
            failing(directory, code, apply_all, check, before=False),
            failing(directory, code, undo_first, check_undo, before=True),
        )


if __name__ == "__main__":
    main()
