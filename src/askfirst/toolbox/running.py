"""Runs a program for an agent: exactly the command that the gate has judged, without a shell in between.

The command is judged as the agent's own (`Bash`), so that profiles, rules, grants, roles and the question are those of
the same words typed into a shell. Output is bounded, redacted where it is handed on, and nothing that was started
survives the call.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any

from askfirst.agents import wire_of
from askfirst.containing import OwnRules
from askfirst.gate import conclude, judged
from askfirst.knowledge.programs import base_name
from askfirst.knowledge.tools import STEP
from askfirst.model import Decision, Request, Unknown, Verdict
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.redact import redact
from askfirst.store import ids
from askfirst.toolbox.place import Place
from askfirst.toolbox.tool_result import Failure
from askfirst.world import World

Gone = Callable[[], bool]

MAX_OUTPUT_BYTES = 32 << 20
MAX_SHOWN_CHARS = 20_000
TIMEOUT_S = 1800.0
_TICK_S = 0.2


@dataclass(frozen=True)
class Ran:
    """How a program ended."""

    command: str  # as it was judged and started
    code: int
    out: str
    err: str
    duration_s: float
    cut: bool = False  # there was more output than is kept

    @property
    def shown(self) -> str:
        """What a person would have seen, masked."""
        return redact(self.out + self.err)


class AskingWorld(World):
    """A question of the toolbox says what is at stake: the commits that are pushed, the difference in a lock file."""

    by_client = False  # it runs the line itself

    def __init__(self, stakes: Sequence[str], gone: Gone | None, own_rules: OwnRules | None = None) -> None:
        super().__init__(gone=gone, own_rules=own_rules)
        self.stakes = tuple(stakes)

    def ask(self, case: Case) -> Case:
        verdict = case.verdict
        return super().ask(replace(case, verdict=replace(verdict, notes=(*self.stakes, *verdict.notes))))


@dataclass(frozen=True)
class ToolCommand:
    """A command that a tool wants to run, and what a person has to know of it.

    why           for the person: which tool wants it
    cwd           where it runs; the project when empty
    stakes        for the person: what the command does not show
    always_asks   why a person is asked whatever the rules allow
    impossible    classes of what was not understood that cannot happen as it is started: "git hook"
    """

    argv: Sequence[str]
    why: str
    cwd: str = ""
    stakes: Sequence[str] = ()
    always_asks: str = ""
    impossible: Collection[str] = ()

    @property
    def command(self) -> str:
        return shlex.join(self.argv)


def run(
    place: Place,
    step: ToolCommand,
    *,
    gone: Gone | None = None,
    environ: dict[str, str] | None = None,
    obeyed: Callable[[], object] | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Ran:
    """Judge it, ask where the rules say so, and run it. Failure when it may not run.

    environ   only to take something away from what the command does, such as hooks
    obeyed    what the command goes by and the gate does not look at: it must be the same after a question
    """
    before = obeyed() if obeyed is not None else None
    line = decided(place, step, gone=gone, may_contain=environ is None)
    if obeyed is not None and obeyed() != before:
        raise _changed(step)
    started = ("bash", "-c", line) if line else step.argv
    cwd = step.cwd or place.project
    return start(started, cwd, command=step.command, gone=gone, timeout_s=timeout_s, environ=environ)


def decided(place: Place, step: ToolCommand, *, gone: Gone | None = None, may_contain: bool = False) -> str:
    """The command as the gate decides it. Failure unless it may run; the line that runs it in the box, where it is
    contained."""
    request = request_for(place, step)
    world = AskingWorld(step.stakes, gone, _own_rules(place) if may_contain else None)
    case = _without(judged(request, world.layers(request)), step.impossible)
    _refuse_unlisted(case, step.argv)
    verdict = _conclude(case, world, f"`{step.command}`")
    if case.verdict.decision == Decision.ASK and verdict.decision == Decision.ALLOW:
        # A person took their time: the repository's configuration, or a file that counts, may be another one by now.
        if _without(judged(request, world.layers(request)), step.impossible).facts != case.facts:
            raise _changed(step)
    return str((verdict.updated_input or {}).get("command", "")) if verdict.decision == Decision.CONTAIN else ""


def _without(case: Case, impossible: Collection[str]) -> Case:
    if not impossible:
        return case
    facts = tuple(f for f in case.facts if not isinstance(f, Unknown) or f.what not in impossible)
    return replace(case, facts=facts, verdict=judge(facts, case.layers))


def _changed(step: ToolCommand) -> Failure:
    said = f"`{step.command}` would do something else by now: what it goes by was changed while a person was asked"
    return Failure("BaseChanged", said, "look at the project again, and ask anew")


def _own_rules(place: Place) -> OwnRules:
    """The rules of the agent's own client count for what its tools run, too."""
    return lambda texts: wire_of(place.agent).own_rules(texts, place.project, None)


def request_for(place: Place, step: ToolCommand) -> Request:
    """The command as a request of the agent's."""
    given: dict[str, Any] = {"command": step.command, "description": step.why}
    if step.always_asks:
        given |= {**_each_time(step.always_asks), "runs": True}
    tool = STEP if step.always_asks else "Bash"
    return Request(place.agent, place.session, step.cwd or place.project, place.project, tool, given)


def ask(place: Place, step: str, *, reason: str, stakes: Sequence[str], gone: Gone | None = None) -> None:
    """Ask a person about a step that is no command. Failure unless they agree."""
    given = {"command": step, "runs": False, **_each_time(reason)}
    request = Request(place.agent, place.session, place.project, place.project, STEP, given)
    world = AskingWorld(stakes, gone)
    _conclude(judged(request, world.layers(request)), world, step)


def _each_time(why: str) -> dict[str, Any]:
    """No earlier yes may count for it, so no other request may look like this one."""
    return {"why": why, "this_call": ids.new_id()}


def _conclude(case: Case, world: AskingWorld, shown: str) -> Verdict:
    verdict = conclude(case, world)
    if verdict.decision > Decision.CONTAIN:
        deciding = verdict.deciding or case.verdict.deciding
        role = deciding is not None and deciding.origin.rule.startswith("roles: ")
        advice = deciding.advice if deciding is not None else ""
        hint = advice or "check_command tells what the rules say of it"
        raise Failure("PermissionDenied" if role else "Denied", f"{shown}: {verdict.reason}", hint)
    return verdict


def _refuse_unlisted(case: Case, argv: Sequence[str]) -> None:
    listed = case.layers.settings.toolbox.allowed_commands
    if listed and base_name(argv[0]) not in listed:
        said = f"`{base_name(argv[0])}` is not one of the programs that these tools may start: {', '.join(listed)}"
        raise Failure("Denied", said, "ask the user; the list is `toolbox: {allowed_commands: …}` in a rule file")


def start(
    argv: Sequence[str],
    cwd: str,
    *,
    command: str = "",
    gone: Gone | None = None,
    timeout_s: float = TIMEOUT_S,
    environ: dict[str, str] | None = None,
) -> Ran:
    """Run what was allowed. Its whole group ends with the call, with the client, or with the time limit."""
    started = time.monotonic()
    try:
        # Pipes, not files: a program that opens /dev/stdout anew would empty a file.
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            start_new_session=True,
        )
    except OSError as error:
        raise Failure("NotRunnable", f"`{argv[0]}`: {error.strerror}", "is it installed, and on the PATH?") from None
    assert process.stdout is not None and process.stderr is not None
    out, err = _Reader(process.stdout), _Reader(process.stderr)
    try:
        _wait(process, started + timeout_s, gone, (out, err))
    finally:
        _end_group(process)
        out.join()
        err.join()
    duration = time.monotonic() - started
    return Ran(command or shlex.join(argv), process.returncode, out.text(), err.text(), duration, out.cut or err.cut)


class _Reader(threading.Thread):
    """Keeps the end of what a program prints."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe, self._data, self.cut = pipe, bytearray(), False
        self.total = 0
        self.start()

    def run(self) -> None:
        with self._pipe as pipe:
            while part := pipe.read1(1 << 16):  # type: ignore[attr-defined]  # a pipe is buffered
                self.total += len(part)
                self._data += part
                if len(self._data) > 2 * MAX_OUTPUT_BYTES:
                    del self._data[:-MAX_OUTPUT_BYTES]
                    self.cut = True

    def text(self) -> str:
        return bytes(self._data[-MAX_OUTPUT_BYTES:]).decode("utf-8", "replace")


def _wait(process: subprocess.Popen[bytes], until: float, gone: Gone | None, readers: tuple[_Reader, _Reader]) -> None:
    while True:
        try:
            process.wait(_TICK_S)
            return
        except subprocess.TimeoutExpired:
            pass
        if gone is not None and gone():
            raise Failure("Cancelled", "the client gave up the call", "call again if you still want it")
        if time.monotonic() > until:
            raise Failure("TimedOut", "it took too long and was ended", "choose a smaller target")
        if sum(reader.total for reader in readers) > 8 * MAX_OUTPUT_BYTES:
            raise Failure("TooMuchOutput", "it printed more than can be kept, and was ended", "choose a smaller target")


def _end_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()


def shortened(text: str, strategy: str) -> str:
    """HEAD:n and TAIL:n lines of a text; a note says what was left out."""
    way, _, number = strategy.partition(":")
    lines = text.splitlines()
    if way in ("HEAD", "TAIL") and number.isascii() and number.isdigit():
        most = int(number)
        kept = lines[:most] if way == "HEAD" else lines[max(0, len(lines) - most) :]
        left = len(lines) - len(kept)
        note = [f"… {left} more line{'s' if left > 1 else ''}"] if left else []
        text = "\n".join(kept + note if way == "HEAD" else note + kept)
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "\n… (cut)"
