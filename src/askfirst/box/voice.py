"""One line after the output of a contained command that failed the way boxes make things fail: what was withheld, and
how to ask for it. Never after an ordinary failure: each sign is held against what this box really kept back."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askfirst.box import runs, withheld
from askfirst.box.plan import Withheld

NETWORK, READ_ONLY, HIDDEN, OUTSIDE, PROGRAM = "network", "read-only", "hidden", "outside", "program"
KEPT = "kept"
BUILDS = "builds"
OTHER_HOST = "other host"
ONLY_BUILDS = ("landlock", "seatbelt")  # engines that let nothing else of the project be written
MAX_COMMAND = 160
MAX_SAID = 80
_NO_QUOTES = str.maketrans(dict.fromkeys('“”„‟"', "'"))
_NO_NETWORK = re.compile(
    r"could not resolve host|temporary failure in name resolution|name or service not known|EAI_AGAIN|ENOTFOUND|"
    r"network is unreachable|ENETUNREACH|nodename nor servname|no such host|failed to resolve|NameResolutionError|"
    r"failed to lookup address|unable to resolve host|could not resolve proxy|no address associated with hostname|"
    r"address family not supported|EAFNOSUPPORT",
    re.IGNORECASE,
)
# What the proxy of `srt` answers, and what curl makes of it.
_OTHER_HOST = re.compile(r"blocked by network allowlist|CONNECT tunnel failed, response 403", re.IGNORECASE)
_REFUSED = re.compile(r"refused", re.IGNORECASE)
_PORT = re.compile(
    r"(?:127\.0\.0\.1|localhost|::1\]?|0\.0\.0\.0)(?:[:\s,(]+(?:port[ =:]*)?|.{0,20}?port[ =]*)(\d{2,5})"
)
_DAEMON = re.compile(
    r"docker daemon|docker\.sock|podman\.sock|authentication agent|D-Bus|cannot open display", re.IGNORECASE
)
_READ_ONLY = re.compile(r"read-only file ?system|EROFS", re.IGNORECASE)
_DENIED = re.compile(
    r"permission denied|EACCES|PermissionError|access is denied|operation not permitted|EPERM", re.IGNORECASE
)
_REFUSED_FILE = re.compile(
    r"""([^\s'"\u2018\u2019:]+)['"\u2019]?: (?:permission denied|operation not permitted)|"""
    r"""(?:denied|permitted)[:,][^'"]*['"]([^'"]+)""",
    re.IGNORECASE,
)
_ABSENT = re.compile(r"no such file|ENOENT|not found|does not exist|cannot find|cannot open|can't open", re.IGNORECASE)
_NO_PROGRAM = re.compile(r"(?:^|[\s:])([\w.+-]+): (?:command )?not found|command not found: ([\w.+-]+)")
_LISTENING = "0A"


def after_run(place: str, spec: Mapping[str, Any], code: int, tail: bytes) -> str:
    """The line, or "". What was withheld is remembered: the same action is asked for the next time. A file of the
    project that could not be written counts also where the command went on without it."""
    all_found = signs(tail.decode("utf-8", "replace").splitlines(), spec)
    found = next((f for f in all_found if code or f.what == BUILDS), None)
    if found is None:
        return ""
    run = runs.load(os.path.basename(place))
    withheld.remember(run.plan.project, run.plan.action or (run.plan.command,), found)
    command = run.plan.command.strip()
    if "\n" in command or len(command) > MAX_COMMAND:
        command = "CMD"
    return f"askfirst: this ran contained, {words(found)}. If it needs that, ask: askfirst outside -- {command}\n"


def words(found: Withheld) -> str:
    return {
        NETWORK: "without the network",
        OTHER_HOST: "and reaches only the machines that `box: {hosts: […]}` names",
        READ_ONLY: "and may write only to the project",
        BUILDS: "and may write only to build directories of the project",
        HIDDEN: f"and {found.detail} was hidden from it",
        OUTSIDE: f"and {found.detail} lies outside the box",
        PROGRAM: f"and the program {found.detail} lies outside the box",
        KEPT: f"and its change of {found.detail} was kept aside",
    }[found.what]


def for_person(found: Withheld) -> str:
    """What the box withheld when it ran last."""
    if found.what == KEPT:
        return f"it ran contained before, {words(found)}"
    # Its own words, whatever they say: nobody but the command has written them. No mark of theirs ends them.
    own = found.detail[:MAX_SAID].translate(_NO_QUOTES)
    said = f"; its output ended with “{own}”" if found.what == NETWORK else ""
    return f"it ran contained before, {words(found)}, and failed there{said}"


def signs(lines: Sequence[str], spec: Mapping[str, Any]) -> Iterator[Withheld]:
    """What in the output says that the box was in the way."""
    for line in reversed(lines):
        if _NO_NETWORK.search(line):
            yield Withheld(NETWORK, line.strip()[:200])
        elif spec["engine"] == "srt" and _OTHER_HOST.search(line):
            yield Withheld(OTHER_HOST, line.strip()[:200])
        elif _REFUSED.search(line) and (port := _port_outside(line)):
            yield Withheld(OUTSIDE, f"the server on port {port}")
        elif _DAEMON.search(line):
            yield Withheld(OUTSIDE, "the daemon that it wants to talk to")
        elif _READ_ONLY.search(line):
            yield Withheld(READ_ONLY, line.strip()[:200])
        elif _DENIED.search(line) and (name := _named(line, spec["hidden"], spec["project"])):
            yield Withheld(HIDDEN, name)
        elif _DENIED.search(line) and spec["engine"] in ONLY_BUILDS and (name := _kept_from_writing(line, spec)):
            yield Withheld(BUILDS, name)
        elif _ABSENT.search(line):
            yield from _absent(line, spec)


def _port_outside(line: str) -> str:
    """The port that was refused, where a process outside listens on it."""
    for port in _PORT.findall(line):
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            try:
                with open(table, encoding="ascii") as file:
                    rows = [row.split() for row in file.read().splitlines()[1:]]
            except OSError:
                continue
            if any(row[3] == _LISTENING and row[1].endswith(f":{int(port):04X}") for row in rows):
                return str(port)
    return ""


def _named(line: str, hidden: Sequence[str], project: str) -> str:
    """Which of the hidden files a line names."""
    for path in hidden:
        inside = os.path.relpath(path, project)
        if inside in line or os.path.basename(path) in re.split(r"[\s'\"`:,()/\[\]]+", line):
            return inside
    return ""


def _kept_from_writing(line: str, spec: Mapping[str, Any]) -> str:
    """The file of the project to which a line was refused access, where it could be written without the box."""
    for match in _REFUSED_FILE.finditer(line):
        word = match[1] or match[2]
        path = os.path.normpath(os.path.join(spec["cwd"], word))
        is_there = os.path.lexists(path)
        if path.startswith(spec["project"] + "/") and os.access(
            path if is_there else os.path.dirname(path), os.R_OK | os.W_OK
        ):
            return os.path.relpath(path, spec["project"])
    return ""


def _absent(line: str, spec: Mapping[str, Any]) -> Iterator[Withheld]:
    shown = tuple(p.rstrip("/") + "/" for p in (*spec["shown"], spec["project"], "/tmp", "/proc", "/dev", "/run"))
    for path in re.findall(r"(?:~|/[\w.@+-]+)(?:/[\w.@+ -]*[\w.@+-])+", line):
        full = os.path.join(spec["home"], path[2:]) if path.startswith("~/") else path
        if not (full + "/").startswith(shown) and os.path.lexists(full):
            yield Withheld(OUTSIDE, path)
    found = _NO_PROGRAM.search(line)
    name = (found[1] or found[2]) if found else ""
    folders = [
        f for f in os.environ.get("PATH", "").split(":") if f.startswith("/") and not (f + "/").startswith(shown)
    ]
    if name and any(os.access(os.path.join(f, name), os.X_OK) for f in folders):
        yield Withheld(PROGRAM, shlex.quote(name))
