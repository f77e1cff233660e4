"""Compiles the fast client, and knows whether the one that is there is the one that was built.

It goes beside the package where root has installed that for others; else into this user's state directory, which the
gate keeps agents from writing. Its own page says what it does: client.c.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass

from askfirst.errors import AskfirstError, StoreError
from askfirst.resident import socket_place as places
from askfirst.resident.thin import is_off
from askfirst.store import atomic, paths
from askfirst.store.layers import org_files, settings_of

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "client.c")
FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2")
COMPILERS = ("cc", "gcc", "clang")
COMPILE_S = 60.0
NAME = "askfirst"


class NoClient(AskfirstError):
    """The fast client cannot be built here, and why. The client in Python serves."""


@dataclass(frozen=True)
class Built:
    """What was written down when the client was built."""

    path: str
    sha256: str
    build: str
    source: str  # SHA-256 of client.c


def directory() -> str:
    """Where the client of this installation is, or would be."""
    if _is_roots_package():
        return HERE
    # The launcher of a team's settings computes the same name (agents/launcher.sh).
    name = os.path.realpath(os.path.dirname(sys.executable)).strip("/").replace("/", "%")
    return os.path.join(paths.state_dir(), "resident", name)


def _is_roots_package() -> bool:
    """Installed by root, in a place that nobody else can write: a client beside it is out of every agent's reach."""
    if os.geteuid() != 0 or "site-packages" not in HERE.split(os.sep):
        return False
    folder = HERE
    while folder != "/":
        found = os.stat(folder)
        if found.st_uid != 0 or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return False
        folder = os.path.dirname(folder)
    return True


def compiler() -> str:
    """Of the system's own places only: PATH may name what a repository brought."""
    found = (shutil.which(name, path="/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin") for name in COMPILERS)
    return next(filter(None, found), "")


def build() -> Built:
    """Compile, try, and put in place. Raises NoClient."""
    program = compiler()
    if not program:
        raise NoClient("no C compiler was found (cc, gcc, clang); the client in Python serves, which takes longer")
    folder = directory()
    _make(folder)
    path = os.path.join(folder, NAME)
    new = os.path.join(folder, atomic.random_name())
    try:
        _compile(program, new)
        _try(new)
        os.rename(new, path)
    finally:
        atomic.remove(new)
    built = Built(path, _digest(path), places.build(), _digest(SOURCE))
    atomic.write_atomic(_record(folder), json.dumps(built.__dict__).encode(), 0o644 if folder == HERE else 0o600)
    return built


def _make(folder: str) -> None:
    if folder == HERE:
        return
    try:
        paths.private_dir("resident", os.path.basename(folder))
    except StoreError as error:
        raise NoClient(str(error)) from error


def _compile(program: str, target: str, *more: str) -> None:
    names = {
        "PYTHON": sys.executable,
        "EXECUTABLE": os.path.realpath(sys.executable),
        "LAUNCH": places.LAUNCHER,
        "BUILD": places.build(),
    }
    defined = [f"-D{name}={json.dumps(value)}" for name, value in names.items()]
    if not all(value.isascii() and value.isprintable() for value in names.values()):
        raise NoClient("the path of Python or of askfirst has characters that a C compiler may read differently")
    try:
        done = subprocess.run(
            [program, *FLAGS, *defined, *more, "-o", target, SOURCE],
            capture_output=True,
            text=True,
            timeout=COMPILE_S,
            check=False,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TMPDIR": os.path.dirname(target)},
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoClient(f"{program}: {error}") from error
    if done.returncode != 0:
        raise NoClient(f"{program} failed: {done.stderr.strip()[-300:]}")
    os.chmod(target, 0o755 if os.path.dirname(target) == HERE else 0o700)


def _try(path: str) -> None:
    """A home may be mounted so that nothing in it can be executed."""
    try:
        done = subprocess.run([path, "--build"], capture_output=True, text=True, timeout=10, check=False, cwd="/")
    except (OSError, subprocess.SubprocessError) as error:
        raise NoClient(f"what is compiled cannot be run there: {error}") from error
    if done.stdout.strip() != places.build():
        raise NoClient(f"what was compiled does not run: {done.stderr.strip()[-200:]}")


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _record(folder: str) -> str:
    return os.path.join(folder, "built.json")


def present() -> Built | None:
    """What was built for this installation; None when nothing was."""
    try:
        with open(_record(directory()), "rb") as file:
            return Built(**json.load(file))
    except (OSError, ValueError, TypeError, AskfirstError):
        return None


def client_path() -> str:
    """The fast client, where there is one and it is the one that was built for this version; else ""."""
    built = present() if not is_off() else None
    return built.path if built is not None and not trouble(built) else ""


def trouble(built: Built) -> str:
    """What is wrong with the client that was built; "" when nothing is."""
    try:
        found = os.lstat(built.path)
        if not stat.S_ISREG(found.st_mode) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return "others can write it, or it is no regular file"
        if found.st_uid not in (0, os.geteuid()):
            return "it belongs to another user"
        if _digest(built.path) != built.sha256:
            return "it is not what was built"
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if built.build != places.build() or built.source != _digest(SOURCE):
        return "it was built for another version, so every call goes to the cold hook"
    return ""


def ensure() -> str:
    """Where it is missing or not as it was built, it is built now. What a person should know about it."""
    if is_off() or not settings_of(org_files()).resident:
        return "no warm process is wanted here, so every call starts the hook anew"
    built = present()
    if built is None or trouble(built):
        try:
            built = build()
        except NoClient as error:
            return str(error)
        return f"{built.path}: the fast client, built and tried"
    return f"{built.path}: the fast client"


def refresh() -> None:
    """After an upgrade: the client that is there is built anew. It was asked for once, and stays where it is."""
    built = present()
    if built is not None and trouble(built).startswith("it was built for another version"):
        try:
            build()
        except (AskfirstError, OSError):
            return
