"""One call, judged in the warm process as the cold hook would judge it.

Directory, umask, environment and time zone of the client are those of this process while the call is judged, so no code
has to know in which of the two it runs; calls are judged one after the other for that reason. (Threads would gain
nothing: judging takes a millisecond of one core.) What cannot be taken over, or is not certain, is handed over to the
cold hook.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from askfirst.agents import wire_of
from askfirst.agents.event import Reply
from askfirst.errors import AskfirstError
from askfirst.hook import ENDING_S, THINKING_S, Around, HandedOver, OutOfTime, arguments, respond
from askfirst.resident.protocol import PATIENCE_S, HookCall
from askfirst.resident.start import why_not

LOCALE = (b"LC_ALL", b"LC_CTYPE", b"LANG")  # the first that is set counts


class Unwanted(HandedOver):
    """There must be no warm process (any more)."""


class Judging:
    """The one call that is judged now. `take` takes it from its client: False when that has gone on without us."""

    def __init__(self, take: Callable[[], bool]) -> None:
        self._take = take
        self.committed = self.failed = False

    def commit(self) -> None:
        """Called before the first effect; from here on the call is ours."""
        if self.committed:
            return
        if not self._take():
            raise HandedOver("the client went on without an answer")
        self.committed = True
        set_alarm(THINKING_S)

    def reply(self, call: HookCall, place: str) -> Reply:
        """Raises HandedOver where the cold hook has to judge."""
        with taken_over(call), _alarm():
            why = why_not(place)
            if why:
                raise Unwanted(why)
            try:
                options = arguments([os.fsdecode(word) for word in call.words[1:]])
                agent = wire_of(options.agent)
            except AskfirstError as error:
                raise HandedOver(str(error)) from error
            if call.words[:1] != (b"hook",) or options.is_cold or options.place or options.lost or options.is_sample:
                raise HandedOver("arguments of the cold hook")
            set_alarm(PATIENCE_S)
            around = Around(
                waiting=_hand_over, ending=lambda: set_alarm(ENDING_S), commit=self.commit, unsure=self._unsure
            )
            found = respond(agent, call.input, os.environ, around)
            self.commit()  # also where nothing happens: after this the client waits for the answer
            return found

    def _unsure(self, error: BaseException) -> None:
        """Before an error is answered: the cold hook may do better, as long as nothing has happened. Afterwards nobody
        knows what the error has left behind (a lock that is held): this process then ends with its answer."""
        self.failed = True
        if not self.committed:
            raise HandedOver(f"{type(error).__name__}: {error}") from error


def _hand_over() -> None:
    raise HandedOver("a person is waited for")


@contextmanager
def taken_over(call: HookCall) -> Iterator[None]:
    try:
        here = os.stat("/")
        if (here.st_dev, here.st_ino) != call.root:
            raise HandedOver("another root directory")
        os.chdir(call.cwd)
        here = os.stat(".")
        if (here.st_dev, here.st_ino) != call.here:
            raise HandedOver("another working directory")
        take_environment(call.environ)
    except (OSError, ValueError) as error:
        os.chdir("/")
        raise HandedOver(f"its surroundings cannot be taken over: {error}") from error
    mask = os.umask(call.umask)
    try:
        yield
    finally:
        os.umask(mask)
        os.chdir("/")  # a directory that a process works in cannot be unmounted


def take_environment(items: tuple[bytes, ...]) -> None:
    """Make this the environment, as Python reads one: of several values the first. Mostly nothing has changed since the
    call before."""
    wanted: dict[bytes, bytes] = {}
    for item in items:
        name, equals, value = item.partition(b"=")
        if equals:
            wanted.setdefault(name, value)
    if _names_coding(wanted) != _AT_START:
        raise HandedOver("another locale")
    present = os.environb
    zone = present.get(b"TZ")
    for name in [n for n in present if n not in wanted]:
        del present[name]
    for name, value in wanted.items():
        if present.get(name) != value:
            present[name] = value
    if zone != wanted.get(b"TZ"):
        time.tzset()


def _names_coding(environ: Mapping[bytes, bytes]) -> bytes:
    """How Python reads the names of files, which is settled when it starts: as UTF-8 in every usual locale."""
    found = next(filter(None, (environ.get(name) for name in LOCALE)), b"")
    is_utf8 = found in (b"", b"C", b"POSIX") or found.lower().endswith((b"utf-8", b"utf8"))
    return b"utf-8" if is_utf8 else found


_AT_START = _names_coding(os.environb)


# The alarm


class _Clock:
    running = False


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    if _Clock.running:
        raise OutOfTime


@contextmanager
def _alarm() -> Iterator[None]:
    signal.signal(signal.SIGALRM, _out_of_time)
    _Clock.running = True
    try:
        yield
    finally:
        _Clock.running = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def set_alarm(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
