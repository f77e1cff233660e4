"""bubblewrap: namespaces and mounts. With an overlay of the project where the kernel lets an unprivileged user have
one; bubblewrap 0.8 cannot make it, so `box/start.py` does before it starts it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.box import mirror, seccomp, trying
from askfirst.box.engine import (
    COPIED,
    LIVE,
    LOOPBACK,
    NEW_TOP_FILES,
    OVERLAID,
    OVERLAY,
    READS,
    SESSION_NETWORK,
    BoxError,
    Probe,
)
from askfirst.box.entering import COMMAND, WHERE
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan
from askfirst.store import paths

PLACES = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap")
INSTALL = "install bubblewrap (Debian, Ubuntu, Fedora: the package `bubblewrap`)"
TRY_S = 10.0
# Words of commands that serve or watch until they are stopped, and an `&` that is neither `&&` nor a redirection.
_SERVERS = re.compile(
    r"(?i)\b(?:dev|serve|server|start|watch|runserver|preview|storybook|http\.server|uvicorn|gunicorn|hypercorn|daphne|"
    r"nodemon|vite|next|nuxt|webpack-dev-server|livereload|jekyll|hugo|rails s|flask run|php -S|tail -f|celery)\b|"
    r"--watch\b"
)
_BACKGROUND = re.compile(r"(?<![&>|])&(?![&>])")
Step = tuple[str, str] | tuple[str, str, str] | tuple[str, str, int]  # box/mounts.py says what they mean
# `--cap-drop`: started by root, bubblewrap would keep the capabilities of its namespace.
ALONE = tuple(
    "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --new-session --cap-drop ALL".split()
)


class Bubblewrap:
    name = "bubblewrap"

    def program(self) -> str:
        """From fixed places that belong to the system: a PATH is the agent's to change."""
        return next((p for p in PLACES if os.access(p, os.X_OK) and is_systems_own(p)), "")

    def probe(self) -> Probe:
        program = self.program()
        if not program:
            return Probe(False, f"bubblewrap is not installed; {INSTALL}")
        if seccomp.machine() is None:
            return Probe(False, f"askfirst has no filter of system calls for {os.uname().machine}")
        version = _said((program, "--version")).removeprefix("bubblewrap ")
        why_not = self._try(program)
        if why_not:
            return Probe(False, why_not, version)
        abilities = {NEW_TOP_FILES, LOOPBACK}
        if not trying.try_session():
            abilities.add(SESSION_NETWORK)
            abilities |= set() if trying.try_overlay() else {OVERLAY}
        return Probe(True, "", version, frozenset(abilities))

    def _try(self, program: str) -> str:
        words = (program, *ALONE, "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true")
        try:
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TRY_S, check=False
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"bubblewrap does not start: {error}"
        if done.returncode == 0:
            return ""
        said = done.stderr.strip().splitlines()
        return f"bubblewrap does not work here ({said[0] if said else done.returncode}); {_way_out()}"

    def spec(self, plan: Plan, inside: Inside, place: str, probe: Probe) -> Mapping[str, Any]:
        machine = seccomp.machine()
        if machine is None or plan.hosts:
            raise BoxError("bubblewrap cannot let a command reach named hosts only; install `srt`")
        mode = _mode(plan, layered=OVERLAY in probe.abilities)
        if mode == COPIED:
            mirror.refuse_large(plan.project)
        return {
            "engine": self.name,
            "program": self.program(),
            "words": list(ALONE),
            "base": [*_system(inside)],
            "steps": [*_home(inside)],
            "project_steps": [*_project(plan, inside, place, mode)],
            "filter": seccomp.program(machine),
            "nothing": [nothing(directory=False), nothing(directory=True)],
            "mode": mode,
            "has_namespaces": True,
            "variables": {},
            "session": SESSION_NETWORK in probe.abilities,
            "layered_tmp": OVERLAY in probe.abilities,
        }


def is_systems_own(path: str) -> bool:
    """Whether neither the file nor a directory above it can be changed by anybody but root."""
    real = os.path.realpath(path)
    while True:
        found = os.stat(real)
        if found.st_uid != 0 or (found.st_mode & 0o022 and not found.st_mode & 0o1000):
            return False
        if real == "/":
            return True
        real = os.path.dirname(real)


def _system(inside: Inside) -> Iterator[Step]:
    for path in inside.system:
        if path.startswith("/run/"):
            continue
        if os.path.islink(path):
            yield "link", os.readlink(path), path
        else:
            yield "ro", path, path
    yield "dir", "/run", 0o755
    yield "link", "../run", "/var/run"
    for path in inside.system_secrets:
        yield "void", path


def _home(inside: Inside) -> Iterator[Step]:
    yield "tmpfs", "/run", 0o755
    yield "dir", f"/run/user/{os.getuid()}", 0o700
    yield from (("ro", path, path) for path in inside.system if path.startswith("/run/"))
    yield "tmpfs", inside.home, 0o700
    for source, target in inside.private:
        yield "rw", source, target
    for path in inside.read:
        yield "ro", path, path


def _mode(plan: Plan, *, layered: bool) -> str:
    """How the project is seen: see engine.py."""
    if plan.access == READ_ONLY:
        return READS
    if is_server(plan.command) and (plan.background or _BACKGROUND.search(plan.command)):
        return LIVE
    return OVERLAID if layered else COPIED


def is_server(command: str) -> bool:
    """Whether a command looks like one that goes on and watches its files."""
    return _SERVERS.search(command) is not None


def _project(plan: Plan, inside: Inside, place: str, mode: str) -> Iterator[Step]:
    if mode in (READS, LIVE):
        yield "ro", plan.project, plan.project
    else:
        yield "rw", os.path.join(place, "merged"), plan.project
    for path in inside.write:
        yield "rw", path, path
    for path in inside.locked:
        if not os.path.islink(path):
            yield "ro", path, path
    for number, (text, path) in enumerate(inside.replaced):
        copy = os.path.join(place, f"shown-{number}")
        with open(copy, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        yield "ro", copy, path
    for path in inside.hidden:
        yield "void", path
    yield "ro", os.path.join(place, "command"), COMMAND
    yield "ro", os.path.join(place, "where"), WHERE


def nothing(*, directory: bool) -> str:
    """An empty file or directory that nobody may open."""
    path = os.path.join(paths.private_dir("box"), "nothing-dir" if directory else "nothing")
    if os.path.exists(path):
        return path
    if directory:
        os.mkdir(path, 0o000)
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o000))
    return path


def _said(words: tuple[str, ...]) -> str:
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=TRY_S, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def _way_out() -> str:
    """What keeps an unprivileged user from having namespaces here."""
    if _setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor forbids unprivileged user namespaces; an administrator can allow them for bubblewrap with the "
            "profile `bwrap-userns-restrict`"
        )
    if _setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return "an administrator can allow it: `sysctl kernel.unprivileged_userns_clone=1`"
    if _setting("/proc/sys/user/max_user_namespaces") == "0":
        return "an administrator can allow it: `sysctl user.max_user_namespaces=10000`"
    return "in a container, start it with a seccomp profile that allows user namespaces"


def _setting(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""
