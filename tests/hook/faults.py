"""Ask the gate about a call that must not be allowed, and let every one of its system calls fail.

    python -m tests.hook.faults eio|eacces|enospc pause|settings|…     each call once, and from each call on

What cannot be looked at must count as the stricter: an error that is taken for "there is none" allows. Runs as a
process of its own with one thread, so that it can fork. What is wrong is printed, one line each.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from askfirst import hook_events  # noqa: F401  # imported before the calls are counted
from askfirst.agents import wire_of
from askfirst.hook import respond
from askfirst.store import alerts, paths, pause, trust
from askfirst.store.grants import Denial, FileGrants
from tests.store.faults import CALLS, ERRORS

MORE_CALLS = (*CALLS, "readlink", "scandir", "access", "pread", "pwrite", "ftruncate", "fdatasync", "getcwd")
SESSION = "s1"
MILD = "cat notes.txt"  # allowed by itself: what denies it is the case


class Failing:
    """Lets one call fail, or all from one on. Counts `open` of Python too, which does not go through `os`."""

    def __init__(self, at: int, number: int, *, for_good: bool) -> None:
        self.count, self._at, self._number, self._for_good = 0, at, number, for_good

    def install(self) -> None:
        for name in MORE_CALLS:
            setattr(os, name, self._wrapped(getattr(os, name)))
        builtins.open = io.open = self._wrapped(open)

    def _wrapped(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self._at or (self._for_good and self.count > self._at > 0):
                raise OSError(self._number, os.strerror(self._number))
            return real(*args, **named)

        return call


def organisation(text: str) -> None:
    file = Path(paths.user_config_dir()) / "config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o644)


def a_pause(_project: Path) -> None:
    pause.pause(0.0, "ada", "release")


def settings(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"env": {"BASH_ENV": "./evil.sh"}}')


def organisation_block(_project: Path) -> None:
    organisation("version: 1\nblocked_commands: [cat]\n")


def fallback_block(_project: Path) -> None:
    """AutoForge's file, which is read where askfirst's own is not there."""
    file = Path.home() / ".autoforge" / "config.yaml"
    file.parent.mkdir()
    file.write_text("version: 1\nblocked_commands: [cat]\n")
    file.chmod(0o644)


def project_narrows(project: Path) -> None:
    file = project / ".askfirst" / "allowed_commands.yaml"
    file.parent.mkdir()
    file.write_text("version: 1\ncommands:\n  - {name: cat, decision: deny}\n")
    file.chmod(0o644)
    trust.trust(str(file), file.read_bytes())


def git_configuration(project: Path) -> None:
    (project / ".git" / "objects").mkdir(parents=True)
    (project / ".git" / "refs").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / ".git" / "config").write_text("[core]\n\tfsmonitor = ./evil.sh\n")


def unknown(project: Path) -> None:
    (project / "evil.sh").write_text("rm -rf ~\n")


def denied_before(_project: Path) -> None:
    FileGrants().deny(Denial(SESSION, "x", "no"))


def flagged(_project: Path) -> None:
    for _ in range(10):
        alerts.count_violation(SESSION, "claude", "sudo")


# name -> (preparation, the command that must not be allowed)
CASES: dict[str, tuple[Callable[[Path], None], str]] = {
    "pause": (a_pause, MILD),
    "settings": (settings, MILD),
    "organisation-block": (organisation_block, MILD),
    "fallback-block": (fallback_block, MILD),
    "project-deny": (project_narrows, MILD),
    "git-configuration": (git_configuration, "git status"),
    "unknown": (unknown, "./evil.sh"),
    "secret": (unknown, "cat ~/.ssh/id_ed25519"),
    "built-in-block": (unknown, "sudo id"),
    "denied-before": (denied_before, "./evil.sh"),
    "flagged": (flagged, "./evil.sh"),
}


def asked(project: Path, command: str) -> bytes:
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": SESSION,
        "cwd": str(project),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    reply = respond(wire_of("claude"), json.dumps(event).encode(), os.environ)
    return reply.stdout if reply.exit_code == 0 else b"closed"


def answer_with(failing: Failing, project: Path, command: str) -> tuple[int, bytes]:
    """(the calls that were made, the answer), from a child of its own."""
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        write, leave = os.write, os._exit
        try:
            failing.install()
            answer = asked(project, command)
            write(writable, b"%d %s" % (failing.count, answer))
        finally:
            leave(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as told:
        count, _, answer = told.read().partition(b" ")
    os.waitpid(pid, 0)
    return int(count or -1), answer


def is_closed(answer: bytes) -> bool:
    return answer == b"closed" or b'"permissionDecision":"deny"' in answer


def wrong_answers(how: str, name: str, project: Path) -> list[str]:
    prepare, command = CASES[name]
    prepare(project)
    (project / "notes.txt").write_text("x\n")
    asked(project, command)  # what is loaded here is loaded in every child
    total, answer = answer_with(Failing(-1, 0, for_good=False), project, command)
    if total < 10 or not is_closed(answer):
        return [f"{name}: with no fault at all, {total} calls: {answer!r}"]
    found: list[str] = []
    for for_good in (False, True):
        for at in range(1, total + 1):
            _, answer = answer_with(Failing(at, ERRORS[how], for_good=for_good), project, command)
            if not is_closed(answer):
                found.append(f"{how} {name} at call {at}{' and after' if for_good else ''}: {answer!r}")
    return found


def main(words: list[str]) -> int:
    project = Path.home() / "project"
    project.mkdir()
    for line in wrong_answers(words[0], words[1], project.resolve()):
        print(line)
    print("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
