"""Landlock with a filter of system calls: where user namespaces are forbidden (containers, Ubuntu 24.04). It restricts
what files may be opened, and can neither hide a directory's names nor make an overlay: a contained command reads the
project and writes only to its build directories, has no network at all, and no sockets by path."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.box import kernel, seccomp
from askfirst.box.engine import LIVE, READS, BoxError, Probe
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan
from askfirst.box.trying import in_child

MIN_ABI = 6  # of Linux 6.12: signals and abstract sockets end at the box
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15
ALL = (1 << 16) - 1
READING = EXECUTE | READ_FILE | READ_DIR
# Everything but making devices.
WRITING = ALL & ~(1 << 6) & ~(1 << 11)
PROC = tuple("cpuinfo meminfo stat version filesystems uptime loadavg sys/kernel sys/vm sys/fs".split())
DEVICES = ("null", "zero", "full", "random", "urandom")


class Landlock:
    name = "landlock"

    def program(self) -> str:
        return ""

    def probe(self) -> Probe:
        if sys.platform != "linux" or seccomp.machine() is None:
            return Probe(False, "Landlock is Linux's, on x86-64 and ARM64")
        abi = kernel.landlock_abi()
        if abi < MIN_ABI:
            found = f"version {abi}" if abi > 0 else "off"
            return Probe(False, f"the kernel's Landlock is {found}, and version {MIN_ABI} is needed; use Linux 6.12")
        why_not = in_child(lambda: kernel.restrict([("/", READING)], filter_of()))
        return Probe(not why_not, why_not and f"Landlock does not work here ({why_not})", f"ABI {abi}")

    def spec(self, plan: Plan, inside: Inside, place: str, probe: Probe) -> Mapping[str, Any]:
        if plan.hosts:
            raise BoxError("Landlock cannot let a command reach named hosts only; install `srt`")
        scratch = os.path.join(place, "tmp")
        os.mkdir(scratch, 0o700)
        return {
            "engine": self.name,
            "rules": [*rules(plan, inside, place, scratch)],
            "filter": filter_of(),
            "mode": READS if plan.access == READ_ONLY else LIVE,
            "has_namespaces": False,
            "session": False,
            "layered_tmp": False,
            "variables": {"TMPDIR": scratch, "XDG_RUNTIME_DIR": scratch, "XDG_CACHE_HOME": inside.private[0][0]},
        }


def filter_of() -> bytes:
    machine = seccomp.machine()
    if machine is None:
        raise BoxError("askfirst has no filter of system calls for this machine")
    return seccomp.program(machine, unix_sockets=False, internet=False)


def rules(plan: Plan, inside: Inside, place: str, scratch: str) -> Iterator[tuple[str, int]]:
    """(path, what may be done at it and below). What no rule names cannot be opened."""
    secrets = set(inside.system_secrets)
    for path in inside.system:
        yield from _without(path, [s for s in secrets if s.startswith(path + "/")])
    # Not the processes: Landlock lets the environment of another one be read.
    for name in PROC:
        if os.path.exists(f"/proc/{name}"):
            yield f"/proc/{name}", READ_FILE | READ_DIR
    for path in inside.read:
        yield path, READING
    for name in DEVICES:
        yield f"/dev/{name}", READ_FILE | WRITE_FILE | IOCTL
    yield from _without(plan.project, list(inside.hidden))
    if plan.access != READ_ONLY:
        for path in inside.write:
            yield path, WRITING
    for source, _ in inside.private:
        yield source, WRITING
    yield scratch, WRITING
    yield os.path.join(place, "command"), READ_FILE
    yield os.path.join(place, "where"), WRITE_FILE


def _without(path: str, hidden: list[str]) -> Iterator[tuple[str, int]]:
    """A tree without some of it: rules only add, so everything beside what is hidden is named."""
    if path in hidden or os.path.islink(path):
        return
    below = [h for h in hidden if h.startswith(path + "/")]
    if not below:
        yield path, READING if os.path.isdir(path) else EXECUTE | READ_FILE
        return
    yield path, READ_DIR
    with os.scandir(path) as entries:
        names = [entry.path for entry in entries]
    for name in names:
        yield from _without(name, below)
