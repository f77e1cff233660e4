"""What an agent calls before it uses a tool: one JSON object in, exactly one JSON object out, or exit code 2.

Promised: whatever goes wrong here, the call does not run. The agent's clients go on with a call when a hook crashes,
times out or prints one stray line, so this process owns its standard output from the first line, answers before its
client's patience ends, and whatever is raised closes the gate.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askfirst.agents.event import Event, Reply
    from askfirst.agents.wire import Wire
    from askfirst.world import World

MAX_INPUT_BYTES = 16 << 20
MAX_RESULT_BYTES = 160 << 20  # of an event after a tool: what the tool has shown comes with it
MAX_DRAINED_BYTES = 1 << 30
THINKING_S = 25.0  # for everything but waiting for a person
ENDING_S = 1.5  # at the end of a session: the client gives a hook 5 seconds there, and the alarm may have to come again
AGAIN_S = 3.0  # how soon the alarm comes again
INTERNAL_ERROR = "askfirst: internal error; the call is denied"


class Withdrawn(BaseException):
    """SIGTERM: the client no longer wants an answer (Esc, Ctrl-C, its own end)."""


class OutOfTime(BaseException):
    """The hook's own deadline, which lies inside the client's."""


class HandedOver(BaseException):
    """The warm process leaves this call to the cold hook, before anything has happened."""


class Options:
    """How the hook was called."""

    def __init__(self, agent: str) -> None:
        self.agent, self.deadline_s = agent, 0.0
        self.place = ""  # where a warm process may be started for the calls to come
        self.lost = ""  # the number of this call, which a warm process has judged; its reply did not arrive
        self.is_sample = False  # judge, and hold the warm process against it
        self.is_cold = False  # ask no warm process, and start none


@dataclass(frozen=True)
class Around:
    """What the process around a call offers while the call is answered.

    gone      has the client gone away?
    waiting   called before a person is waited for
    ending    called where a session ends
    commit    called before the first effect; may raise HandedOver
    unsure    called before an error is answered; may raise HandedOver
    world     what the gate touches, where it is not this machine's files and people
    """

    gone: Callable[[], bool] | None = None
    waiting: Callable[[], None] | None = None
    ending: Callable[[], None] = lambda: None
    commit: Callable[[], None] = lambda: None
    unsure: Callable[[BaseException], None] = lambda _: None
    world: Callable[..., World] | None = None


def main(argv: list[str], given: bytes = b"") -> int:
    """`given`: what a client has read of the input already."""
    stdout = own_stdout()
    agent: Wire | None = None
    try:
        from askfirst.agents import wire_of

        options = arguments(argv)
        agent = wire_of(options.agent)
        told = watch_signals()
        limit_s = options.deadline_s or agent.deadline_s
        set_alarm(min(THINKING_S, limit_s))
        raw = read_stdin(given)

        def answered(world: Callable[..., World] | None = None) -> Reply:
            around = Around(
                gone=client_gone(stdout, told),
                waiting=lambda: set_alarm(limit_s),
                ending=lambda: set_alarm(ENDING_S),
                world=world,
            )
            return respond(agent, raw, os.environ, around)

        if options.lost or options.is_sample:
            from askfirst.resident.recovery import recovered

            reply = recovered(options, argv, agent, raw, answered)
        else:
            reply = answered()
        ignore_signals()
        code = deliver(stdout, reply.stdout, reply.exit_code, reply.stderr)
    except BaseException as error:
        return close(stdout, agent, error)
    if options.place:
        make_warm(options.place)
    return code


def make_warm(place: str) -> None:
    """The answer is given: the next call need not be cold. Whatever goes wrong here harms nothing."""
    try:
        from askfirst.resident.start import start_behind

        start_behind(place)
    except BaseException:
        return


def close(stdout: int, agent: Wire | None, error: BaseException) -> int:
    """The last word, when even the answer to the event failed.

    Whose words to use may not be known: exit code 2 closes them all.
    """
    try:
        ignore_signals()
        if agent is None:
            return deliver(stdout, b"", 2, why_closed(error))
        reply = refusal(agent, None, error)
        return deliver(stdout, reply.stdout, reply.exit_code, reply.stderr)
    except BaseException:
        # Each agent has its own: one agent's words are no answer to another, which may then take the call for allowed.
        return deliver(stdout, agent.last_word if agent is not None else b"", 2, INTERNAL_ERROR)


def respond(agent: Wire, raw: bytes, environ: Mapping[str, str], around: Around | None = None) -> Reply:
    """The answer to one input, in the cold hook and in the warm process alike. An error is answered in the words of the
    event it happened in; HandedOver is the only thing that is raised here."""
    around = around if around is not None else Around()
    event: Event | None = None
    try:
        event = agent.read(raw, environ)
        from askfirst.agents.event import AFTER_FAILURE, AFTER_TOOL, SESSION_ENDS

        if len(raw) > MAX_INPUT_BYTES and event.name not in (AFTER_TOOL, AFTER_FAILURE):
            from askfirst.errors import HookInputError

            raise HookInputError(f"hook input: larger than {MAX_INPUT_BYTES >> 20} MiB")
        if event.name == SESSION_ENDS:
            around.ending()
        from askfirst.hook_events import reply_to

        return reply_to(agent, event, environ, around)
    except HandedOver:
        raise
    except BaseException as error:
        around.unsure(error)
        return refusal(agent, event, error)


def refusal(agent: Wire, event: Event | None, error: BaseException) -> Reply:
    """Deny, with the reason.

    Works with nothing else at hand: what broke may be the store, a rule file, or askfirst itself.
    """
    return agent.refuse(event, why_closed(error))


def why_closed(error: BaseException) -> str:
    from askfirst.errors import AskfirstError, ConfigError, StoreError

    if isinstance(error, Withdrawn):
        return "askfirst: the client withdrew this call"
    if isinstance(error, OutOfTime):
        return "askfirst: no answer before the hook's deadline; the call is denied"
    if isinstance(error, ConfigError):
        return f"askfirst: {error}\nEverything is denied until this file is fixed; run `askfirst check`."
    if isinstance(error, StoreError):
        return f"askfirst: {error}{error.way_out()}\nThe call is denied. Run `askfirst doctor`."
    from askfirst.redact import redact

    if isinstance(error, AskfirstError):
        return redact(f"askfirst: {error}; the call is denied")
    name = type(error).__name__
    return redact(f"askfirst: internal error: {name}: {str(error)[:300]}; the call is denied. Run `askfirst doctor`.")


# Streams


def own_stdout() -> int:
    """The real standard output, for the one answer. Descriptor 1 then leads to stderr: a stray print harms nothing.

    -1 when it is closed. Descriptors 0 to 2 are filled in that case: a file opened later must not become stdout.
    """
    try:
        stdout = os.dup(1)
    except OSError:
        stdout = -1
    try:
        os.dup2(2, 1)
    except OSError:
        fill = os.open(os.devnull, os.O_RDWR)
        while fill <= 2:
            fill = os.dup(fill)
        os.close(fill)
        os.dup2(2, 1)
    return stdout


def read_stdin(given: bytes = b"") -> bytes:
    from askfirst.errors import HookInputError

    chunks: list[bytes] = [given]
    size = len(given)
    while chunk := os.read(0, 1 << 20):
        size += len(chunk)
        if size <= MAX_RESULT_BYTES:
            chunks.append(chunk)
        elif size > MAX_DRAINED_BYTES:
            break
    if size > MAX_RESULT_BYTES:
        # It was read to its end all the same: a client whose write fails might not look at the answer.
        raise HookInputError(f"hook input: larger than {MAX_RESULT_BYTES >> 20} MiB")
    return b"".join(chunks)


def deliver(stdout: int, answer: bytes, exit_code: int = 0, stderr: str = "") -> int:
    """Write the answer whole; exit code 2 is the last way to say no."""
    try:
        if stderr:
            os.write(2, stderr.encode("utf-8", "replace") + b"\n")
    except OSError:
        pass
    try:
        rest = memoryview(answer)
        while rest:
            rest = rest[os.write(stdout, rest) :]
    except OSError:
        try:
            # Two clients take exit code 2 for a no only when it comes with words.
            os.write(2, b"askfirst: the answer could not be written; the call is denied\n")
        except OSError:
            pass
        return 2
    return exit_code


def client_gone(stdout: int, told: Callable[[], bool]) -> Callable[[], bool]:
    """Is nobody listening any more? A killed client sends no signal, but its end of our stdout closes."""

    def gone() -> bool:
        if told():
            return True
        ear = select.poll()
        # Linux tells of a hang-up unasked; macOS builds poll on kqueue, which watches only what events ask for.
        ear.register(stdout, select.POLLIN | select.POLLOUT)
        gone_signs = select.POLLERR | select.POLLHUP | select.POLLNVAL
        return any(happened & gone_signs for _, happened in ear.poll(0))

    return gone


# Arguments and time


def arguments(argv: list[str]) -> Options:
    """By hand, because argparse takes longer than judging a command. What `askfirst init` writes are `--agent NAME` and
    `--deadline SECONDS`; the others are for the clients of the warm process."""
    from askfirst.agents.table import DEFAULT
    from askfirst.errors import UsageError

    found = Options(DEFAULT)
    words = iter(argv)
    for word in words:
        option, _, value = word.partition("=")
        if word == "--sample":
            found.is_sample = True
        elif word == "--cold":
            found.is_cold = True
        elif option == "--agent":
            found.agent = value or next(words, "")
        elif option == "--place":
            found.place = value or next(words, "")
        elif option == "--lost":
            found.lost = value or next(words, "")
        elif option == "--deadline":
            found.deadline_s = _deadline(value or next(words, ""))
        else:
            raise UsageError(f"hook: unknown argument `{word}`")
    return found


def _deadline(value: str) -> float:
    from askfirst.errors import UsageError

    try:
        deadline_s = float(value)
    except ValueError:
        raise UsageError(f"hook: --deadline: `{value}` is not a number of seconds") from None
    if not 1 <= deadline_s <= 86400:
        raise UsageError("hook: --deadline must be 1 to 86400 seconds")
    return deadline_s


def watch_signals() -> Callable[[], bool]:
    """From now on a signal ends what is going on, by an exception; afterwards the result says that there was one.

    Python drops an exception that is raised in a destructor or in a callback of an import. So whoever waits asks as
    well, and the alarm comes again.
    """
    seen: list[int] = []

    def withdraw(number: int, _frame: object) -> None:
        seen.append(number)
        raise Withdrawn

    def out_of_time(number: int, _frame: object) -> None:
        seen.append(number)
        raise OutOfTime

    signal.signal(signal.SIGTERM, withdraw)
    signal.signal(signal.SIGHUP, withdraw)
    signal.signal(signal.SIGINT, withdraw)
    signal.signal(signal.SIGALRM, out_of_time)
    return lambda: bool(seen)


def ignore_signals() -> None:
    """From here on only the writing of the answer is left; half an answer would be worse than a late one."""
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def set_alarm(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
