"""Keeps files with paths of this machine out of git: a line in the repository's own `info/exclude`, which nobody else
gets. `uninstall` takes it back.
"""

from __future__ import annotations

import os
import subprocess

from askfirst.errors import AskfirstError
from askfirst.store import atomic

MARK = "# askfirst: holds paths of this machine"


def repository_of(directory: str) -> str:
    """The root of the git repository that the directory lies in; "" when there is none."""
    home = os.path.realpath(os.path.expanduser("~"))
    here = os.path.realpath(directory)
    while here not in ("/", home):
        if os.path.exists(os.path.join(here, ".git")):
            return here
        here = os.path.dirname(here)
    return ""


def keep_out(path: str) -> str:
    """What was done, in words; "" when nothing had to be: no repository, already ignored, or tracked by choice."""
    root = repository_of(os.path.dirname(path))
    file = _exclude_file(root)
    if not file or _git(root, "check-ignore", "--no-index", "-q", "--", path) is not None:
        return ""
    if _git(root, "ls-files", "--error-unmatch", "--", path) is not None:
        return ""
    before = _text(file)
    end = "\n" if before and not before.endswith("\n") else ""
    if not _write(file, f"{before}{end}{_lines(root, path)}"):
        return f"it holds paths of this machine; tell git to ignore it: {file} cannot be written"
    return f"it holds paths of this machine, so git ignores it here ({os.path.relpath(file, root)})"


def take_back(path: str) -> None:
    root = repository_of(os.path.dirname(path))
    file = _exclude_file(root)
    before = _text(file) if file else ""
    lines = _lines(root, path)
    if lines in before:
        _write(file, before.replace(lines, "", 1))


def _lines(root: str, path: str) -> str:
    return f"{MARK}\n/{os.path.relpath(os.path.realpath(path), root)}\n"


def _exclude_file(root: str) -> str:
    found = _git(root, "rev-parse", "--git-path", "info/exclude") if root else None
    return os.path.join(root, found.strip()) if found else ""


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as handle:
            return handle.read()
    except OSError:
        return ""


def _write(file: str, text: str) -> bool:
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        mode = os.stat(file).st_mode & 0o777 if os.path.exists(file) else 0o644
        atomic.write_atomic(file, text.encode("utf-8", "surrogateescape"), mode)
    except (OSError, AskfirstError):
        return False
    return True


def _git(root: str, *words: str) -> str | None:
    """Its output; None when it fails, or is not installed."""
    try:
        command = ["git", "-C", root, "-c", "core.fsmonitor=false", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
