"""What the analysis may know of the world: directories, the user's PATH, files it may look at.

Handed in, so that the core is pure.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from askfirst import links


@dataclass(frozen=True)
class Surroundings:
    cwd: str
    project: str
    home: str
    path: tuple[str, ...]  # the entries of the user's PATH
    shell: str = "bash"  # or "zsh": the shell the agent's commands run in
    login_shell: str = ""  # the name of `$SHELL`, which some programs hand their text to
    # Which files git would write to get to a branch, in a directory; None where nobody can tell (files/head.py).
    files_of_switch: Callable[[str, str], tuple[str, ...] | None] | None = None
    # Which files `git stash` would take away or back, in a directory (files/put_aside.py).
    put_aside: Callable[[str, bool], tuple[tuple[str, bool], ...] | None] | None = None
    variables: Mapping[str, str] = field(default_factory=dict)  # HOME, USER, PWD, TMPDIR, OLDPWD only
    exported: frozenset[str] = frozenset()  # which variables that choose are already in the environment

    def real_path(self, text: str, cwd: str | None) -> str | None:
        """Absolute, symlinks resolved as far as the path exists; None when it depends on an unknown directory."""
        if not text or "\0" in text:
            return None
        if not text.startswith("/"):
            if cwd is None:
                return None
            text = cwd + "/" + text
        if text.startswith("/proc/") and ".." not in text:
            return os.path.normpath(text)  # `/proc/self/cwd` is another directory to each process that looks
        try:
            return os.path.realpath(text)
        except (OSError, ValueError):
            return None

    def exists(self, path: str) -> bool:
        """What cannot be looked at counts as there: `os.path.lexists` would say the opposite."""
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return True
        return True

    def names_in(self, path: str) -> tuple[str, ...] | None:
        """What a directory holds; one that is not there holds nothing yet."""
        try:
            return tuple(os.listdir(path))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            return None

    def below(self, path: str, limit: int) -> tuple[str, ...] | None:
        """All that is not a directory below one, by its name there; one that is not there holds nothing yet. None where
        nobody can tell, where it is more than `limit`, and where one is a link."""
        if not self.exists(path):
            return ()
        found: list[str] = []
        folders, looked_at = [""], 0
        try:
            while folders:
                folder = folders.pop()
                with os.scandir(path + folder) as entries:
                    for entry in entries:
                        looked_at += 1
                        if entry.is_symlink() or looked_at > limit:
                            return None
                        name = f"{folder}/{entry.name}"
                        (folders if entry.is_dir() else found).append(name)
        except (OSError, ValueError):
            return None
        return tuple(name[1:] for name in found)

    def link_target(self, path: str) -> str | None:
        """What a symbolic link says; None for everything else."""
        return links.link_target(path)

    def is_directory(self, path: str) -> bool:
        try:
            return os.path.isdir(path) and os.access(path, os.X_OK)
        except (OSError, ValueError):
            return False

    def find_program(self, name: str) -> str | None:
        """Where the user's PATH finds a name without `/`, symlinks resolved."""
        if not name or "/" in name or "\0" in name:
            return None
        for entry in self.path:
            candidate = os.path.join(entry or self.cwd, name)
            try:
                if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
                    return os.path.realpath(candidate)
            except (OSError, ValueError):
                continue
        return None

    def foreign(self, program: str) -> str:
        """Why a program found is not the one a rule means, or ""."""
        if self.project and (program == self.project or program.startswith(self.project.rstrip("/") + "/")):
            return "inside the project"
        directory = os.path.dirname(program)
        try:
            if os.stat(directory).st_mode & stat.S_IWOTH:
                return "in a world-writable directory"
        except OSError:
            return ""
        return ""

    def read_file(self, path: str, limit: int) -> str | None:
        """A regular file's text, or None. Never raises, never waits (a FIFO is not opened)."""
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                return None
            with open(path, "rb") as file:
                content = file.read(limit + 1)
        except (OSError, ValueError):
            return None
        return content.decode("utf-8", "replace") if len(content) <= limit else None

    def read_part(self, path: str, at: int, size: int) -> bytes | None:
        """A part of a regular file, or None. Never raises, never waits."""
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                return None
            with open(path, "rb") as file:
                file.seek(at)
                return file.read(size)
        except (OSError, ValueError):
            return None
