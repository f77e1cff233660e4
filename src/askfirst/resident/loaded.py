"""The code that the warm process has loaded, and whether the disk still holds the same."""

from __future__ import annotations

import gc
import os
import pkgutil
import sys
import time
from importlib import import_module

import askfirst

# What a call never needs: surfaces, commands and what has extras that may be missing.
NOT_LOADED = {
    *("tui", "web", "mcp", "toolbox", "sdk", "team", "cli", "commands", "install", "report", "for_programs", "launch"),
    # A contained command runs in processes of its own, started by scripts.
    "box.start",
}
OF_INSTALLERS = ("install", "checks", "client", "mcp", "start")  # in an agent's folder

Stamp = tuple[int, int, int, int]


def load_everything() -> None:
    """All that judging may need, now: later the files may be another version's."""
    for found in pkgutil.walk_packages(askfirst.__path__, "askfirst."):
        name = found.name.removeprefix("askfirst.")
        parts = name.split(".")
        if parts[0] in NOT_LOADED or name in NOT_LOADED or parts[-1] == "__main__":
            continue
        if parts[0] == "agents" and parts[-1] in OF_INSTALLERS:
            continue
        import_module(found.name)
    gc.collect()
    gc.freeze()  # what is loaded once stays: the collector need not look at it again


def stamp(path: str) -> Stamp | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size


class Loaded:
    """Stamps of every module's file, and of the package's directories: whoever replaces a file changes those."""

    def __init__(self) -> None:
        files = {getattr(m, "__file__", None) for m in [*sys.modules.values()]} - {None}
        root = os.path.dirname(os.path.abspath(askfirst.__file__))
        folders = [folder for folder, _, _ in os.walk(root) if not folder.endswith("__pycache__")]
        self._first = (f"{root}/__init__.py", f"{root}/launch.py", sys.executable, *folders)
        self._stamps = {path: stamp(path) for path in (*map(str, files), *self._first)}
        self._looked = time.monotonic()

    def has_changed(self) -> bool:
        """What an upgrade changes, at every call."""
        return any(stamp(path) != self._stamps[path] for path in self._first)

    def has_changed_within(self, every_s: float) -> bool:
        """Whether any file is another now; looked at once in `every_s`, while nobody waits."""
        if time.monotonic() - self._looked < every_s:
            return False
        self._looked = time.monotonic()
        return any(stamp(path) != known for path, known in self._stamps.items())
