"""Tools for the machine itself: verify_binary, system_ctl, install_package. For the role sre only, every call critical
in the log. What changes something is a question that carries the exact command.

`sudo` is used only for programs that the organisation's file names (`toolbox: {sudo: […]}`), never with a password:
else a person gets the line to run.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from askfirst.gate import judged
from askfirst.model import Decision, Request
from askfirst.policy.rules import Layers
from askfirst.redact import redact
from askfirst.toolbox import code_files
from askfirst.toolbox.place import Place, enter
from askfirst.toolbox.running import AskingWorld, Gone, Ran, ToolCommand, decided, run, shortened, start
from askfirst.toolbox.tool_result import Failure
from askfirst.toolbox.toolchain import manifest

# -- verify_binary


def verify_binary(place: Place, binary_name: str) -> dict[str, Any]:
    enter(place, "verify_binary", binary_name=binary_name)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,100}", binary_name):
        raise Failure("InvalidArgument", f"`{binary_name}` is not the name of a program", "give a name, not a path")
    found = shutil.which(binary_name)
    if found is None:
        raise Failure("NotFound", f"`{binary_name}` is not on the PATH", "install_package, or ask the user")
    real = os.path.realpath(found)
    return {
        "path": found,
        "real_path": real,
        "owner": _owner(real),
        "changeable_by": _changeable_by(real),
        "runnable": os.access(real, os.X_OK),
        "version": _version(place, binary_name),
    }


def _owner(path: str) -> str:
    try:
        return pwd.getpwuid(os.stat(path).st_uid).pw_name
    except KeyError:
        return str(os.stat(path).st_uid)


def _changeable_by(path: str) -> list[str]:
    """Who may write the file, or put another one in its place: by the file and by every directory above it."""
    found: list[str] = []
    while True:
        info = os.stat(path)
        mode, sticky = info.st_mode, stat.S_ISDIR(info.st_mode) and info.st_mode & stat.S_ISVTX
        if mode & stat.S_IWUSR:
            found.append(_owner(path))
        if mode & stat.S_IWGRP and not sticky and info.st_gid != 0:
            found.append(f"group {_group(info.st_gid)}")
        if mode & stat.S_IWOTH and not sticky:
            found.append("everybody")
        if path == "/":
            return list(dict.fromkeys(found))
        path = os.path.dirname(path)


def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def _version(place: Place, name: str) -> str:
    """What it says itself, where the rules let `NAME --version` run; "" otherwise."""
    request = Request(place.agent, place.session, "/", place.project, "Bash", {"command": f"{name} --version"})
    if judged(request, AskingWorld((), None).layers(request)).verdict.decision != Decision.ALLOW:
        return ""
    try:
        ran = start((name, "--version"), "/", timeout_s=10)
    except Failure:
        return ""
    return next(iter(redact(ran.out or ran.err).strip().splitlines()), "")[:200] if ran.code == 0 else ""


# -- system_ctl, install_package


def system_ctl(place: Place, service: str, action: str, *, gone: Gone | None = None) -> dict[str, Any]:
    layers = enter(place, "system_ctl", service=service, action=action)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9@._-]{0,100}", service):
        raise Failure("InvalidArgument", f"`{service}` is not the name of a service", "as `systemctl` lists it")
    if action == "status":
        ran = run(place, ToolCommand(("systemctl", "status", "--no-pager", service), "system_ctl"), gone=gone)
        return {"service": service, "action": action, "exit_code": ran.code, "output": shortened(ran.shown, "TAIL:40")}
    if action != "restart":
        raise Failure("InvalidArgument", "action is status or restart", "start with status")
    argv = ("systemctl", "restart", service)
    ran = _as_root(place, argv, layers, f"restarts the service {service}", gone)
    return _done(ran) | {"service": service, "action": action}


@dataclass(frozen=True)
class SystemManager:
    """How a manager installs one package. Names and versions are those of its own registry and nothing else: to npm
    `user/repo` is another place and `npm:other` another package, and `name-` makes apt remove one."""

    argv: tuple[str, ...]
    name: str
    version: str
    joined: str
    needs_root: bool = False
    manifests: tuple[str, ...] = ()  # of projects that list such packages


MANAGERS: dict[str, SystemManager] = {
    "apt": SystemManager(
        ("apt-get", "install", "-y", "--no-install-recommends"),
        r"[a-z0-9][a-z0-9+.-]{0,100}[a-z0-9]",
        r"[0-9A-Za-z][0-9A-Za-z.+~:-]{0,80}",
        "{0}={1}",
        needs_root=True,
    ),
    "cargo": SystemManager(
        ("cargo", "install", "--locked"),
        r"[A-Za-z][A-Za-z0-9_-]{0,63}",
        r"[0-9][0-9A-Za-z.+-]{0,60}",
        "{0}@{1}",
        manifests=("Cargo.toml",),
    ),
    "npm-g": SystemManager(
        ("npm", "install", "-g", "--no-fund", "--no-audit"),
        r"(@[a-z0-9][a-z0-9._-]{0,60}/)?[a-z0-9][a-z0-9._-]{0,100}",
        r"[0-9][0-9A-Za-z.+-]{0,60}",
        "{0}@{1}",
        manifests=("package.json",),
    ),
}
_SECTIONS = tuple(
    "dependencies devDependencies peerDependencies optionalDependencies dev-dependencies build-dependencies".split()
)


def install_package(
    place: Place, manager: str, package: str, version: str = "", *, gone: Gone | None = None
) -> dict[str, Any]:
    layers = enter(place, "install_package", manager=manager, package=package, version=version)
    if manager not in MANAGERS:
        hint = "what a project needs comes with install_dependencies, from its lock file"
        raise Failure("InvalidArgument", f"manager is one of {', '.join(MANAGERS)}", hint)
    row = MANAGERS[manager]
    if not re.fullmatch(row.name, package) or (version and not re.fullmatch(row.version, version)):
        raise Failure("InvalidArgument", f"`{package}` `{version}` is not a package and a version", "a plain name")
    listed = _listed_in(place.project, row.manifests, package)
    if listed:
        said = f"`{package}` is a dependency of this project ({listed})"
        raise Failure("ProjectDependency", said, "use install_dependencies, which obeys the lock file")
    argv = (*row.argv, row.joined.format(package, version) if version else package)
    said = f"installs {package} for the whole machine"
    if row.needs_root:
        ran = _as_root(place, argv, layers, said, gone, {"DEBIAN_FRONTEND": "noninteractive"})
    else:
        ran = run(place, ToolCommand(argv, "install_package", always_asks=said), gone=gone)
    return _done(ran) | {"manager": manager, "package": package, "version": version}


def _listed_in(project: str, manifests: tuple[str, ...], package: str) -> str:
    """The manifest of the project, or of a part of it, that names the package; "" when none does."""
    for path in islice(code_files.paths(project), code_files.MAX_FILES) if manifests else ():
        if os.path.basename(path) in manifests:
            found = manifest(os.path.join(project, path))
            tables = (found, found.get("workspace"))
            listed = (t.get(key) for t in tables if isinstance(t, dict) for key in _SECTIONS)
            if any(package in section for section in listed if isinstance(section, dict)):
                return path
    return ""


def _as_root(
    place: Place, argv: Sequence[str], layers: Layers, said: str, gone: Gone | None, more: dict[str, str] | None = None
) -> Ran:
    """Ask for the plain command, and run it with the rights that the organisation has given for it."""
    line = shlex.join(argv)
    program = shutil.which(argv[0])
    if program is None:
        raise Failure("NotFound", f"`{argv[0]}` is not on the PATH", "this machine has no such manager")
    started: tuple[str, ...] = (program, *argv[1:])
    if not _is_root():
        if program not in layers.settings.toolbox.sudo:
            told = f"`{line}` needs root, and the organisation's file does not name {program} under `toolbox: sudo`"
            raise Failure("NeedsPerson", told, f"ask the user to run: sudo {line}")
        started = ("sudo", "-n", *started)
    stakes = [f"as root: {shlex.join(started)}"]
    decided(place, ToolCommand(argv, said, stakes=stakes, always_asks=said), gone=gone)
    return start(started, "/", command=line, gone=gone, environ={**os.environ, **(more or {})})


def _is_root() -> bool:
    return os.getuid() == 0


def _done(ran: Ran) -> dict[str, Any]:
    if ran.code:
        said = shortened(ran.shown, "TAIL:30")
        raise Failure("CommandFailed", f"`{ran.command}` ended with {ran.code}: {said}", "read its last lines")
    return {"command": ran.command, "exit_code": 0, "output": shortened(ran.shown, "TAIL:30")}
