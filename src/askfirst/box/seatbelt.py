"""Seatbelt, macOS's own sandbox, through `sandbox-exec` and a generated profile. The text of the profile is
tested everywhere; what it does is tried by the workflow on macOS (tests/box/test_seatbelt.py).

It restricts paths and the network, and has no layers: a contained command reads the project and writes only to its
build directories and its own temporary directory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from askfirst.box.engine import LIVE, LOOPBACK, READS, BoxError, Probe
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan

PROGRAM = "/usr/bin/sandbox-exec"
TRY_S = 10.0
SYSTEM = tuple(
    "/usr /bin /sbin /System /Library/Developer /Library/Java /Library/Frameworks /opt /private/etc /etc "
    "/private/var/db/timezone /private/var/db/xcode_select_link /dev /Applications/Xcode.app".split()
)
ALWAYS = """(version 1)
(deny default)
(allow process-fork process-exec)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow ipc-posix-sem)
(allow mach-lookup (global-name "com.apple.system.logger") (global-name "com.apple.system.notification_center"))
(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))
(allow network-bind network-inbound network-outbound (local ip "localhost:*") (remote ip "localhost:*"))
"""


class Seatbelt:
    name = "seatbelt"

    def program(self) -> str:
        return PROGRAM if os.access(PROGRAM, os.X_OK) else ""

    def probe(self) -> Probe:
        if sys.platform != "darwin" or not self.program():
            return Probe(False, "Seatbelt is macOS's")
        words = (PROGRAM, "-p", "(version 1)(allow default)", "/usr/bin/true")
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=TRY_S, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            return Probe(False, f"sandbox-exec does not start: {error}")
        return Probe(done.returncode == 0, done.stderr.strip(), abilities=frozenset({LOOPBACK}))

    def spec(self, plan: Plan, inside: Inside, place: str, probe: Probe) -> Mapping[str, Any]:
        if plan.hosts:
            raise BoxError("Seatbelt cannot let a command reach named hosts only; install `srt`")
        scratch = os.path.join(place, "tmp")
        os.mkdir(scratch, 0o700)
        return {
            "engine": self.name,
            "program": PROGRAM,
            "words": ["-p", profile(plan, inside, place, scratch)],
            "mode": READS if plan.access == READ_ONLY else LIVE,
            "has_namespaces": False,
            "session": False,
            "layered_tmp": False,
            "variables": {"TMPDIR": scratch, "XDG_CACHE_HOME": inside.private[0][0]},
        }


def profile(plan: Plan, inside: Inside, place: str, scratch: str) -> str:
    """The last rule that matches counts, so what is hidden and read-only comes last."""
    return ALWAYS + "\n".join(_rules(plan, inside, place, scratch)) + "\n"


def _rules(plan: Plan, inside: Inside, place: str, scratch: str) -> Iterator[str]:
    yield _rule("allow file-read*", (*SYSTEM, *inside.read, plan.project))
    yield _rule("allow file-read*", (os.path.join(place, "command"),), "literal")
    yield _rule("allow file-write*", (os.path.join(place, "where"),), "literal")
    writable = inside.write if plan.access != READ_ONLY else ()
    yield _rule("allow file-read* file-write*", (*writable, *(source for source, _ in inside.private), scratch))
    yield _rule("deny file-write*", (*inside.locked, *inside.obeyed))
    yield _rule("deny file-read* file-write*", (*inside.hidden, *inside.system_secrets))
    yield "(deny network-outbound (remote unix-socket))"


def _rule(what: str, paths: Iterable[str], kind: str = "subpath") -> str:
    """`(allow file-read* (subpath "/usr") …)`; nothing for no paths: a rule without one would mean everything."""
    named = " ".join(f"({kind} {quoted(os.path.realpath(path))})" for path in paths)
    return f"({what} {named})" if named else ""


def quoted(path: str) -> str:
    """As the profile's language reads a string."""
    if any(ord(c) < 32 for c in path):
        raise BoxError(f"{path!r}: has a name that no profile can hold")
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
