"""The dialog on the terminal that the program itself runs in: one question at a time, withdrawn when it is answered
elsewhere."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from askfirst.approval.answers import NotPending
from askfirst.approval.person import ancestors, who, why_not_a_person
from askfirst.tui.ask import ask_here

if TYPE_CHECKING:
    from askfirst.approval.manager import ApprovalManager

POLL_S = 0.1
_turn = threading.Lock()  # a process has one terminal, however many gates and agents it has


def person_at_terminal() -> bool:
    """Whether somebody sits at the terminal of this process: it is in the foreground, and no agent started it."""
    return not why_not_a_person(_own(os.environ), _in_foreground(), ancestors)


def _own(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without the mark that some versions of the SDK set in the very program that uses it."""
    mine = environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk-py")
    return {k: v for k, v in environ.items() if not (mine and k == "CLAUDE_CODE_ENTRYPOINT")}


def _in_foreground() -> bool:
    """By /dev/tty and not by standard input: a prompt may be piped in while a person watches."""
    try:
        fd = _open()
    except OSError:
        return False
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(fd)


def _open() -> int:
    return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)


def ask_at_terminal(manager: ApprovalManager, asked: str, gone: Callable[[], bool]) -> None:
    """Draw the request `asked` and hand the answer to the manager. Returns when it is settled, here or elsewhere."""

    def over() -> bool:
        return gone() or manager.store.decision(asked) is not None

    with _my_turn(over) as mine:
        question = next((q for q in manager.pending() if asked in q.ids), None) if mine else None
        if question is None:
            return
        fd = _open()
        try:
            answer = ask_here(question, gone=over, by=who("the program's terminal"), read_fd=fd, write_fd=fd)
        except KeyboardInterrupt:
            # Ctrl-C: the terminal has sent it to the program too, which says what it means there. Here it is no answer.
            manager.cancel(asked, "interrupted at the terminal")
            return
        finally:
            os.close(fd)
    if answer.state == "cancelled":
        if not over():
            manager.cancel(asked, answer.reason)  # the dialog was closed or killed: silence is a deny
    elif answer.state != "expired":
        with contextlib.suppress(NotPending):  # somebody elsewhere was first
            manager.respond(question.id, answer)


@contextlib.contextmanager
def _my_turn(over: Callable[[], bool]) -> Iterator[bool]:
    """Wait for the terminal; False when the question was over before it was free."""
    while not _turn.acquire(timeout=POLL_S):
        if over():
            yield False
            return
    try:
        yield not over()
    finally:
        _turn.release()
