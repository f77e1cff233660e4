"""Run an operation of the store again and again, and let it die or fail at every one of its system calls.

    python -m tests.store.faults kill|enospc|eio|eacces create|decide|grant|persist|revoke     every call once
    python -m tests.store.faults random COUNT SEED                                             kill -9 at random moments

Runs as a process of its own with one thread, so that it can fork. What is wrong afterwards is printed, one line each.
"""

from __future__ import annotations

import errno
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from askfirst.errors import AskfirstError
from askfirst.model import Duration, Grant, Scope
from askfirst.policy import config, yamltext  # noqa: F401  # imported before the calls are counted
from askfirst.store import allowlist, atomic, clock, ids, paths, rulefiles, trust, yaml_insert  # noqa: F401
from askfirst.store.grants import FileGrants
from askfirst.store.pending import FilePending, Item

CALLS = tuple(
    "open write fsync close link rename replace unlink mkdir rmdir fchmod fchown utime listdir lstat stat fstat read "
    "makedirs chmod".split()
)
ERRORS = {"enospc": errno.ENOSPC, "eio": errno.EIO, "eacces": errno.EACCES}
OLD = b"# the team's\nversion: 1\ncommands:\n  - name: swift   # compiler\n"


class Injector:
    """Counts the calls of `os` that change or read files, and strikes at one of them."""

    def __init__(self, strike_at: int, strike: Callable[[], None]) -> None:
        self.count, self._at, self._strike = 0, strike_at, strike

    def install(self) -> None:
        for name in CALLS:
            setattr(os, name, self._wrapped(getattr(os, name)))

    def _wrapped(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            self.count += 1
            if self.count == self._at:
                self._strike()
            return real(*args, **named)

        return call


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(number: int) -> Callable[[], None]:
    def strike() -> None:
        raise OSError(number, os.strerror(number))

    return strike


def item(boot: str = "") -> Item:
    now = clock.wall()
    return Item(
        ids.new_id(),
        "d" * 64,
        now,
        now + 300,
        clock.steady() + 300,
        boot or clock.boot_id(),
        {"question": {"text": "x" * 500}},
    )


def grant(session: str = "s1") -> Grant:
    return Grant(ids.new_id(), (Scope("command", "npm", action="test"),), Duration.SESSION, "/p", session)


class Case:
    """One operation with its preparation and what must hold afterwards."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.store, self.grants = FilePending(), FileGrants()
        self.item = item()
        self.grant = grant()
        paths.private_dir("locks")  # made once, and not counted

    def prepare(self) -> None:
        pass

    def act(self) -> None:
        raise NotImplementedError

    def wrong(self, *, acknowledged: bool) -> str:
        raise NotImplementedError


class Create(Case):
    def act(self) -> None:
        self.store.create(self.item)

    def wrong(self, *, acknowledged: bool) -> str:
        store = FilePending()
        store.sweep()
        seen = [i for i in store.items() if i.id == self.item.id]
        if acknowledged and seen != [self.item]:
            return "an acknowledged request is not there"
        if seen and seen != [self.item]:
            return "a request is there in part"
        another = item()
        store.create(another)
        if another not in store.items():
            return "the store cannot be used any more"
        store.decide(another.id, {"state": "once"})
        store.settle(another.id)
        return ""


class Decide(Case):
    def prepare(self) -> None:
        self.store.create(self.item)

    def act(self) -> None:
        self.store.decide(self.item.id, {"state": "once", "padding": "y" * 500})

    def wrong(self, *, acknowledged: bool) -> str:
        store = FilePending()
        found = store.decision(self.item.id)
        if acknowledged and found is None:
            return "an acknowledged decision is lost"
        second = store.decide(self.item.id, {"state": "denied"})
        if found is not None and second != found:
            return "a decision was replaced"
        if store.decision(self.item.id) is None:
            return "a second decision did not count"
        store.settle(self.item.id)
        return ""


class AddGrant(Case):
    def prepare(self) -> None:
        self.first = grant()
        self.grants.add(self.first)

    def act(self) -> None:
        self.grants.add(self.grant)

    def wrong(self, *, acknowledged: bool) -> str:
        found = FileGrants().load("/p", "s1", clock.wall())
        if self.first not in found:
            return "an older grant is lost"
        if acknowledged and self.grant not in found:
            return "an acknowledged grant is lost"
        more = grant()
        FileGrants().add(more)
        return "" if more in FileGrants().load("/p", "s1", clock.wall()) else "the store cannot be used any more"


class Persist(Case):
    def prepare(self) -> None:
        self.file = self.project / ".askfirst" / "allowed_commands.yaml"
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(OLD)
        self.file.chmod(0o644)
        trust.trust(str(self.file), OLD)
        self.entry = {"name": "mytool", "args": ["build"]}

    def act(self) -> None:
        allowlist.append(str(self.project), [self.entry], most=100)

    def wrong(self, *, acknowledged: bool) -> str:
        data = self.file.read_bytes()
        new = OLD + b"  - name: mytool\n    args: [build]\n"
        if data not in (OLD, new):
            return f"neither old nor new: {data!r}"
        if acknowledged and data != new:
            return "an acknowledged entry is lost"
        if not trust.is_trusted(str(self.file), data):
            return "the content is not trusted any more"
        allowlist.append(str(self.project), [{"name": "again"}], most=100)
        value = yaml.safe_load(self.file.read_bytes())
        return "" if {"name": "again"} in value["commands"] else "the file cannot be extended any more"


class Revoke(Persist):
    """Taken back, and no older content brings it back."""

    def prepare(self) -> None:
        super().prepare()
        allowlist.append(str(self.project), [self.entry], most=100)
        self.stored = self.file.read_bytes()

    def act(self) -> None:
        left = allowlist.take_out(str(self.project), [self.entry])
        if left:
            raise AskfirstError(left)

    def wrong(self, *, acknowledged: bool) -> str:
        data = self.file.read_bytes()
        if data not in (OLD, self.stored):
            return f"neither old nor new: {data!r}"
        if acknowledged and (data != OLD or trust.is_trusted(str(self.file), self.stored)):
            return "an entry that was taken back is still there, or comes back"
        return "" if trust.is_trusted(str(self.file), data) else "the content is not trusted any more"


CASES: dict[str, type[Case]] = {
    "create": Create,
    "decide": Decide,
    "grant": AddGrant,
    "persist": Persist,
    "revoke": Revoke,
}


def run_child(case: Case, injector: Injector | None, ready: int = -1) -> None:
    """In the child: 0 done and acknowledged, 3 refused with a clear error, 4 anything else."""
    code = 4
    try:
        if ready >= 0:
            os.write(ready, b"r")
        if injector is not None:
            injector.install()
        case.act()
        code = 0
    except AskfirstError:
        code = 3
    finally:
        os._exit(code)


def calls_of(kind: type[Case], project: Path) -> int:
    """How many calls the operation makes when nothing goes wrong."""
    case = kind(project)
    case.prepare()
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        injector = Injector(-1, die)
        injector.install()
        case.act()
        os.write(writable, str(injector.count).encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as counts:
        total = int(counts.read())
    os.waitpid(pid, 0)
    return total


def every_call(how: str, name: str, project: Path) -> list[str]:
    found: list[str] = []
    strike = die if how == "kill" else fail(ERRORS[how])
    total = calls_of(CASES[name], project)
    if total < 5:
        return [f"{name}: only {total} calls were seen: the injection does not work"]
    for at in range(1, total + 1):
        case = CASES[name](project)
        case.prepare()
        pid = os.fork()
        if pid == 0:
            run_child(case, Injector(at, strike))
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        expected = (-signal.SIGKILL,) if how == "kill" else (0, 3)
        if code not in expected:
            found.append(f"{how} {name} at call {at}: ended with {code}")
        wrong = case.wrong(acknowledged=code == 0)
        if wrong:
            found.append(f"{how} {name} at call {at}: {wrong}")
    return found


def random_kills(count: int, seed: int, project: Path) -> list[str]:
    """kill -9 at a random moment of an operation, which the child may also have finished and acknowledged."""
    found: list[str] = []
    chance = random.Random(seed)
    for number in range(count):
        name = chance.choice(sorted(CASES))
        case = CASES[name](project)
        case.prepare()
        readable, writable = os.pipe()
        pid = os.fork()
        if pid == 0:
            run_child(case, None, writable)
        os.read(readable, 1)
        time.sleep(chance.random() * 0.004)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(readable)
        os.close(writable)
        wrong = case.wrong(acknowledged=status == 0)
        if wrong:
            found.append(f"seed {seed}, kill {number} during {name}: {wrong}")
    return found


def main(words: list[str]) -> int:
    project = Path(os.environ["HOME"]) / "faults"
    project.mkdir(exist_ok=True)
    atomic.random_name()
    found = (
        random_kills(int(words[1]), int(words[2]), project)
        if words[0] == "random"
        else every_call(words[0], words[1], project)
    )
    for line in found:
        print(line)
    print("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
