"""Whether what a command deletes can be had back: git's HEAD holds it unchanged, this session made it or alone changed
it, or tools make it anew and git ignores it. Everything else is lost with the deletion, and asks.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from askfirst.digest import sha256_hex
from askfirst.files.head import MAX_FILE_BYTES, content_in_head, is_in_head, regular_file
from askfirst.files.quiet_git import quiet_git

__all__ = ["files_below", "why_kept"]

MAX_FILES = 200
IN_HEAD = "git's HEAD holds it unchanged"
MADE_HERE = "this session made it"
NOT_THERE = "nothing is there yet"
CHANGED_HERE = "only this session has changed what git's HEAD holds"
MADE_BELOW = "this session made all of it"
MADE_ANEW = "git ignores it, and tools make it anew"
# Directories that builds, tests and package managers fill; whoever keeps work in one of them has it in git.
BUILD_DIRS = frozenset(
    "node_modules dist build target out coverage htmlcov .next .nuxt .svelte-kit .turbo .parcel-cache .vite .angular "
    ".output .expo .gradle .tox .nox .eggs __pycache__ .pytest_cache .mypy_cache .ruff_cache .cache storybook-static "
    "_build cmake-build-debug cmake-build-release deriveddata".split()
)


# Of a path: "" where this session made the file, the SHA-256 of what it left there where HEAD held it before, or None.
OwnFiles = Callable[[str], str | None]


def why_kept(path: str, project: str, *, tree: bool, made: OwnFiles) -> str:
    """Why nothing is lost when this path is deleted; "" when something may be. `tree`: with all that is below it."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        # What is not there now may be there when the command runs.
        return MADE_ANEW if tree and _is_build_dir(path + "/", project) else ""
    except OSError:
        return ""
    if stat.S_ISDIR(mode):
        if not tree:
            return ""
        return MADE_ANEW if _is_build_dir(path, project) else MADE_BELOW if _is_made_below(path, made) else ""
    known = made(path)
    if known == "":
        return MADE_HERE
    if not stat.S_ISREG(mode):
        return ""
    if known and _digest(path) == known:
        return CHANGED_HERE
    return IN_HEAD if is_in_head(path) else ""


def _is_made_below(path: str, made: OwnFiles) -> bool:
    files = files_below(path)
    return files is not None and all(made(file) == "" for file in files)


def files_below(path: str) -> list[str] | None:
    """The files of a directory; None where they are many, where nobody can tell, and where it holds a repository."""
    found: list[str] = []
    try:
        for folder, folders, files in os.walk(path, onerror=_fail):
            found += (os.path.join(folder, name) for name in files)
            linked = any(os.path.islink(os.path.join(folder, name)) for name in folders)
            if linked or ".git" in (*folders, *files) or len(found) > MAX_FILES:
                return None
    except OSError:
        return None
    return found


def _fail(error: OSError) -> None:
    raise error


def _digest(path: str) -> str:
    try:
        return sha256_hex(regular_file(path, MAX_FILE_BYTES))
    except (OSError, ValueError):
        return ""


def _is_build_dir(path: str, project: str) -> bool:
    if os.path.basename(path.rstrip("/")).lower() not in BUILD_DIRS or os.path.lexists(os.path.join(path, ".git")):
        return False
    # FILE:LINE:PATTERN, a tab, and the path
    said = quiet_git(project, ("check-ignore", "-v", "--", path)) or b""
    source, _, rest = said.partition(b":")
    pattern = rest.partition(b":")[2]
    if not pattern or pattern.startswith(b"!"):
        return False
    # A line that was added to .gitignore a moment ago says nothing about whose work is in the directory.
    ignored_by = os.path.join(project, os.fsdecode(source))
    if os.path.basename(ignored_by) == ".gitignore":
        lines = (content_in_head(ignored_by) or b"").splitlines()
        if pattern.partition(b"\t")[0] not in (line.rstrip() for line in lines):
            return False
    return quiet_git(project, ("ls-files", "-z", "--", path)) == b""
