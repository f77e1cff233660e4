"""bubblewrap: namespaces and mounts. With an overlay of the project where the kernel lets an unprivileged user have
one; bubblewrap 0.8 cannot make it, so `box/start.py` does before it starts it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from askfirst.box import seccomp, trying
from askfirst.box.engine import NEW_TOP_FILES, OVERLAY, SESSION_NETWORK, BoxError, Probe
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan
from askfirst.store import paths

PLACES = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap")
INSTALL = "install bubblewrap (Debian, Ubuntu, Fedora: the package `bubblewrap`)"
COMMAND = "/run/askfirst/command"  # where the command's text is seen inside
TRY_S = 10.0
ALONE = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--new-session")


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
        abilities = {NEW_TOP_FILES}
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
        layered = OVERLAY in probe.abilities and not plan.background and plan.access != READ_ONLY
        network = () if SESSION_NETWORK in probe.abilities else ("--unshare-net",)
        return {
            "engine": self.name,
            "words": [self.program(), *ALONE, *network, *_system(inside)],
            "more": [*_home(inside), *_project(plan, inside, place, layered=layered), "--remount-ro", "/"],
            "filter": seccomp.program(machine),
            "mode": "read-only" if plan.access == READ_ONLY else "overlay" if layered else "direct",
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


def _system(inside: Inside) -> Iterator[str]:
    for path in inside.system:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind", path, path)
    yield from ("--dev", "/dev", "--proc", "/proc", "--symlink", "../run", "/var/run")
    # Programs of NixOS lie below /run, which is otherwise the box's own.
    if "/run/current-system" not in inside.system:
        yield from ("--tmpfs", "/run")
    yield from ("--perms", "0700", "--dir", f"/run/user/{os.getuid()}")
    for path in inside.system_secrets:
        yield from _covered(path)


def _home(inside: Inside) -> Iterator[str]:
    yield from ("--perms", "0700", "--tmpfs", inside.home)
    for source, target in inside.private:
        yield from ("--bind", source, target)
    for path in inside.read:
        yield from ("--ro-bind-try", path, path)


def _project(plan: Plan, inside: Inside, place: str, *, layered: bool) -> Iterator[str]:
    if plan.access == READ_ONLY:
        yield from ("--ro-bind", plan.project, plan.project)
    else:
        yield from ("--bind", os.path.join(place, "merged") if layered else plan.project, plan.project)
    for path in inside.write:
        yield from ("--bind", path, path)
    for path in (*inside.locked, *(() if layered or plan.access == READ_ONLY else inside.obeyed)):
        if not os.path.islink(path):
            yield from ("--ro-bind", path, path)
    for number, (text, path) in enumerate(inside.replaced):
        copy = os.path.join(place, f"shown-{number}")
        with open(copy, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        yield from ("--ro-bind", copy, path)
    for path in inside.hidden:
        yield from _covered(path)
    yield from ("--ro-bind", os.path.join(place, "command"), COMMAND)
    yield from ("--chdir", plan.cwd)


def _covered(path: str) -> Iterator[str]:
    """Nothing of it is seen: an empty directory, or a file that nobody may read."""
    if os.path.isdir(path):
        yield from ("--perms", "0000", "--tmpfs", path)
    else:
        yield from ("--ro-bind", nothing(), path)


def nothing() -> str:
    """An empty file that nobody may open."""
    path = os.path.join(paths.private_dir("box"), "nothing")
    if not os.path.exists(path):
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
