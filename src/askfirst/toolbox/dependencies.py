"""install_dependencies: what the lock file says and nothing else, with the packages' own scripts switched off.

A lock file that is not the one in git's HEAD is asked about, with its difference: an agent that may edit it could
otherwise choose what is fetched and run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from askfirst.digest import sha256_hex
from askfirst.files.head import is_in_head
from askfirst.redact import redact
from askfirst.toolbox.code_files import data_of
from askfirst.toolbox.git_reading import PLAIN_DIFF
from askfirst.toolbox.place import Place, enter, service_root
from askfirst.toolbox.running import Gone, ToolCommand, run, shortened
from askfirst.toolbox.tool_result import Failure
from askfirst.toolbox.toolchain import manifest, python_of

MAX_DIFF_LINES = 80
MAX_OBEYED_BYTES = 16 << 20
Packages = dict[str, str]


@dataclass(frozen=True)
class PackageManager:
    lock_files: tuple[str, ...]  # the manager takes the first that is there
    argv: tuple[str, ...]
    no_scripts: tuple[str, ...] = ()  # what keeps packages from running code while they are installed
    environ: dict[str, str] = field(default_factory=dict)  # the same, as variables
    installed: Callable[[str], Packages] = lambda root: {}


def _node_packages(root: str) -> Packages:
    """npm keeps a list of what it put there; the others only the packages themselves."""
    listed = manifest(os.path.join(root, "node_modules/.package-lock.json")).get("packages")
    if isinstance(listed, dict):
        found = ((path.rpartition("node_modules/")[2], row.get("version", "")) for path, row in listed.items())
        return {name: str(version) for name, version in found if name}
    packages: Packages = {}
    top = os.path.join(root, "node_modules")
    for name in os.listdir(top) if os.path.isdir(top) else ():
        scoped = [f"{name}/{n}" for n in os.listdir(os.path.join(top, name))] if name.startswith("@") else [name]
        for one in scoped:
            version = manifest(os.path.join(top, one, "package.json")).get("version")
            if isinstance(version, str):
                packages[one] = version
    return packages


def _python_packages(root: str) -> Packages:
    """By the names of the directories that every installer leaves."""
    packages: Packages = {}
    lib = os.path.join(root, os.path.dirname(os.path.dirname(python_of(root))), "lib")
    for version in os.listdir(lib) if os.path.isdir(lib) else ():
        site = os.path.join(lib, version, "site-packages")
        for name in os.listdir(site) if os.path.isdir(site) else ():
            if name.endswith(".dist-info"):
                project, _, number = name.removesuffix(".dist-info").partition("-")
                packages[project.replace("_", "-").lower()] = number
    return packages


def _crates(root: str) -> Packages:
    """cargo keeps what it fetches outside the project: what the lock file names is what is there."""
    rows = manifest(os.path.join(root, "Cargo.lock")).get("package")
    found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {str(row.get("name")): str(row.get("version")) for row in found}


MANAGERS: dict[str, PackageManager] = {
    "npm": PackageManager(
        ("npm-shrinkwrap.json", "package-lock.json"), ("npm", "ci"), ("--ignore-scripts",), installed=_node_packages
    ),
    "pnpm": PackageManager(
        ("pnpm-lock.yaml",),
        ("pnpm", "install", "--frozen-lockfile"),
        ("--ignore-scripts", "--ignore-pnpmfile"),
        installed=_node_packages,
    ),
    "yarn": PackageManager(
        ("yarn.lock",), ("yarn", "install", "--frozen-lockfile"), ("--ignore-scripts",), installed=_node_packages
    ),
    "poetry": PackageManager(
        ("poetry.lock",),
        ("poetry", "install", "--no-interaction", "--no-root"),
        environ={"POETRY_INSTALLER_ONLY_BINARY": ":all:"},
        installed=_python_packages,
    ),
    "uv": PackageManager(
        ("uv.lock",), ("uv", "sync", "--frozen", "--no-install-project"), ("--no-build",), installed=_python_packages
    ),
    "cargo": PackageManager(("Cargo.lock",), ("cargo", "fetch", "--locked"), installed=_crates),
    "pip": PackageManager(
        ("requirements.lock", "requirements.txt"), (), ("--only-binary", ":all:"), installed=_python_packages
    ),
}
# yarn 2 and later: other words for the same.
_BERRY = PackageManager(
    ("yarn.lock",), ("yarn", "install", "--immutable"), ("--mode=skip-build",), installed=_node_packages
)


def install_dependencies(
    place: Place, manager: str, allow_scripts: bool = False, *, gone: Gone | None = None
) -> dict[str, Any]:
    layers = enter(place, "install_dependencies", manager=manager, allow_scripts=allow_scripts)
    root = service_root(place, layers)
    row, lock = _manager(root, manager)
    stakes, why = _stakes(place, root, lock)
    environ = {**os.environ, **row.environ} if row.environ else None
    extra = row.no_scripts
    if allow_scripts:
        why, environ, extra = why or "the packages' own install scripts run", None, ()
        stakes = ["the packages' own install scripts run, with this user's rights", *stakes]
    argv = _pip(root, lock) if manager == "pip" else row.argv
    before = row.installed(root)
    step = ToolCommand((*argv, *extra), f"install_dependencies {manager}", root, stakes=stakes, always_asks=why)
    ran = run(place, step, gone=gone, environ=environ, obeyed=lambda: _obeyed(root))
    if ran.code:
        said = shortened(ran.shown, "TAIL:30")
        raise Failure("InstallFailed", f"`{ran.command}` ended with {ran.code}: {said}", "read its last lines")
    changes = _changes(before, row.installed(root))
    scripts = "run" if allow_scripts else "not run"
    return {"manager": manager, "lock_file": lock, "command": redact(ran.command), "scripts": scripts, **changes}


def _manager(project: str, name: str) -> tuple[PackageManager, str]:
    """The row of a manager, and the lock file that is there."""
    if name not in MANAGERS:
        raise Failure("InvalidArgument", f"manager is one of {', '.join(MANAGERS)}", "choose the one with a lock file")
    row = _BERRY if name == "yarn" and _is_berry(project) else MANAGERS[name]
    lock = next((n for n in row.lock_files if os.path.isfile(os.path.join(project, n))), "")
    if not lock:
        raise Failure(
            "NoLockFile", f"there is no {' or '.join(row.lock_files)} here", "a person makes a lock file first"
        )
    return row, lock


def _changes(before: Packages, after: Packages) -> dict[str, Any]:
    return {
        "added": {n: v for n, v in sorted(after.items()) if n not in before},
        "removed": {n: v for n, v in sorted(before.items()) if n not in after},
        "changed": {n: [before[n], v] for n, v in sorted(after.items()) if n in before and before[n] != v},
    }


def _is_berry(root: str) -> bool:
    if os.path.isfile(os.path.join(root, ".yarnrc.yml")):
        return True
    try:
        with open(os.path.join(root, "yarn.lock"), encoding="utf-8", errors="replace") as file:
            return "__metadata:" in file.read(4096)
    except OSError:
        return False


def _pip(root: str, lock: str) -> tuple[str, ...]:
    """pip takes a requirements file for a lock file only where every line has a hash."""
    with open(os.path.join(root, lock), encoding="utf-8", errors="replace") as file:
        text = file.read().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    loose = [line for line in lines if "--hash=" not in line]
    if loose or not lines:
        named = f": `{re.split('[ ;=<>~!]', loose[0])[0]}`" if loose else ""
        raise Failure(
            "NoHashes", f"{lock} does not pin every package by hash{named}", "`pip-compile --generate-hashes`"
        )
    return (python_of(root), "-m", "pip", "install", "--require-hashes", "-r", lock)


def _obeyed(root: str) -> dict[str, str]:
    """What a manager goes by stands beside the lock file: the manifest, its settings, its hooks. Their contents."""
    found = {}
    for name in sorted(os.listdir(root)):
        try:
            found[name] = sha256_hex(data_of(os.path.join(os.path.realpath(root), name), MAX_OBEYED_BYTES))
        except OSError:
            continue  # a directory, or nothing that can be read
    return found


def _stakes(place: Place, root: str, lock: str) -> tuple[list[str], str]:
    """For the question: how the lock file differs from git's HEAD, and why that is asked."""
    if is_in_head(os.path.join(root, lock)):
        return [], ""
    diff = run(place, ToolCommand((*PLAIN_DIFF, "HEAD", "--", lock), "install_dependencies", root))
    lines = [line for line in diff.out.splitlines() if line[:1] in "+-" and not line.startswith(("+++", "---"))]
    shown = [redact(line) for line in lines[:MAX_DIFF_LINES]]
    more = len(lines) - len(shown)
    new = [f"git's HEAD has no {lock}"] if not lines else []
    tail = [f"… {more} more changed lines"] if more else []
    return [*new, *shown, *tail], f"{lock} is not the one in git's HEAD: it says what is fetched"
