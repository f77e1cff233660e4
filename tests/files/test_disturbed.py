"""Applying while others save, and while the system gives up: nobody's save is lost, and the files are old or new."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.digest import sha256_hex
from askfirst.store import exchange, proposal_files
from tests.files.proposing import leftovers, no_objection, proposed

ROOT = Path(__file__).parents[2]
BASE, NEW = b"base content\n" * 50, b"new content\n" * 60


@pytest.fixture
def memory() -> Iterator[str]:
    """A directory in memory where there is one: thousands of fsyncs are about order, not about this machine's disk."""
    path = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    yield os.path.realpath(path)
    shutil.rmtree(path, ignore_errors=True)


@pytest.mark.parametrize("mode", ["kill", "ENOSPC", "EIO", "EACCES"])
def test_at_every_call_the_files_are_old_or_new(mode: str, memory: str) -> None:
    words = [sys.executable, "-m", "tests.files.disturbed_apply", mode, memory]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    applying, undoing = map(int, done.stdout.split())
    assert applying > 100 and undoing > 60


# --- racing saves


def by_rename(path: str, data: bytes) -> None:
    """As most editors save."""
    with open(path + "~", "wb") as file:
        file.write(data)
    os.rename(path + "~", path)


def in_place(path: str, data: bytes) -> None:
    """As the others do, in two writes."""
    with open(path, "wb", buffering=0) as file:
        file.write(data[: len(data) // 2])
        file.write(data[len(data) // 2 :])


def anew(path: str, data: bytes) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    in_place(path, data)


WAYS = (by_rename, in_place, anew)


class Saver:
    """A process that saves a file when it is told to, after a random moment, and then says so."""

    def __init__(self, seed: int) -> None:
        ask, self._ask = os.pipe()
        self._told, tell = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._ask)
            self._serve(ask, tell, random.Random(seed))
        os.close(ask)
        os.close(tell)

    def _serve(self, ask: int, tell: int, dice: random.Random) -> None:
        try:
            while line := os.read(ask, 4096):
                way, path, data = line.decode().split("\0")
                until = time.perf_counter() + dice.random() * 0.002
                while time.perf_counter() < until:
                    pass
                WAYS[int(way)](path, data.encode())
                os.write(tell, b".")
        finally:
            os._exit(0)

    def save(self, way: int, path: str, data: bytes) -> None:
        os.write(self._ask, f"{way}\0{path}\0{data.decode()}".encode())

    def wait(self) -> None:
        assert os.read(self._told, 1) == b"."

    def end(self) -> None:
        os.close(self._ask)
        os.waitpid(self._pid, 0)
        os.close(self._told)


@pytest.mark.parametrize(
    ("rounds", "whole"),
    [
        pytest.param(1000, False, id="1000 exchanges"),
        pytest.param(60, True, id="60 applies"),
        pytest.param(100_000, False, id="soak", marks=pytest.mark.soak),
    ],
)
def test_none_of_a_thousand_racing_saves_is_overwritten(memory: str, rounds: int, whole: bool) -> None:
    """Whatever the moment of a save, what was saved is there in the end: applying came before it, or was given up."""
    path, saver = os.path.join(memory, "f.txt"), Saver(5)
    conflicts = lost = 0
    try:
        for number in range(rounds):
            Path(path).write_bytes(BASE)
            saved = f"save {number}\n".encode() * 40
            proposal = proposed(memory, "f.txt", NEW) if whole else None
            saver.save(number % len(WAYS), path, saved)
            conflicts += not (_apply(proposal) if proposal is not None else _exchange(memory))
            saver.wait()
            lost += Path(path).read_bytes() != saved
    finally:
        saver.end()
    assert lost == 0
    assert not leftovers(memory)
    assert whole or 0 < conflicts < rounds, "the saves came both before and after"


def _exchange(directory: str) -> bool:
    with exchange.Directory(directory) as here:
        name = ".askfirst-race.tmp"
        here.unlink(name)
        exchange.prepare(here, name, NEW, 0o644)
        try:
            exchange.swap_in(here, name, "f.txt", sha256_hex(BASE))
            return True
        except exchange.Conflict:
            return False
        finally:
            here.unlink(name)


def _apply(proposal: proposal_files.Proposal) -> bool:
    try:
        proposal_files.apply([proposal], check=no_objection, by="test")
        return True
    except proposal_files.NotApplied:
        return False
