"""What of a project a box must treat differently: secrets, what git and agents obey, directories that builds fill."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from askfirst.files.head import content_in_head, is_in_head, names_in_head
from askfirst.files.kept import BUILD_DIRS
from askfirst.files.secret_files import secrets_of
from askfirst.knowledge.places import OBEYED_NAMES

# Filled by package managers and builds: not searched for secrets.
NOT_SEARCHED = BUILD_DIRS | {".git", ".venv", "venv", "env", ".hg", ".svn", "vendor", "site-packages", ".terraform"}
SECRET_DIRS = frozenset({".ssh", ".aws", ".gnupg", ".kube", "secrets", ".secrets", ".docker", ".azure", ".gcloud"})
# Build output that nobody commits and that is rewritten as a whole: copying it for every run would never end.
BOUND_DIRS = BUILD_DIRS - {"node_modules", ".tox", ".nox", ".eggs", "__pycache__", ".cache", "out", "deriveddata"}
MAX_DIRECTORIES = 50_000
MAX_LOOKED_UP = 40  # secrets by their names that are looked up in git; whoever has more shows none of them


@dataclass(frozen=True)
class Worktree:
    """What was found in it; all paths are absolute."""

    secrets: tuple[str, ...] = ()  # files and directories that hold secrets and that git's HEAD does not hold
    obeyed: tuple[str, ...] = ()  # what git, agents and editors obey, where it exists
    builds: tuple[str, ...] = ()  # build directories that git ignores
    git: tuple[str, ...] = ()  # its git data: in the project, or where a worktree's file leads


def look_at(root: str, show: Iterable[str] = ()) -> Worktree:
    secrets: list[str] = []
    obeyed: list[str] = []
    shown = {os.path.normpath(os.path.join(root, name)) for name in show}
    _walk(root, secrets, obeyed)
    hidden = tuple(p for p in secrets if p not in shown)
    if len(hidden) <= MAX_LOOKED_UP:
        # What is committed can be read from git's objects anyway.
        hidden = tuple(p for p in hidden if os.path.isdir(p) or not is_in_head(p))
    return Worktree(hidden, tuple(obeyed), ignored_builds(root), git_data(root))


def _walk(root: str, secrets: list[str], obeyed: list[str]) -> None:
    todo, count = [root], 0
    files: list[os.DirEntry[str]] = []
    while todo and count < MAX_DIRECTORIES:
        count += 1
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            continue
        for entry in entries:
            name = entry.name
            if name in OBEYED_NAMES:
                obeyed.append(entry.path)
            if entry.is_file(follow_symlinks=False):
                files.append(entry)  # nearly all
            elif entry.is_symlink():
                continue  # what it leads to is looked at where it lies
            elif not entry.is_dir(follow_symlinks=False):
                files.append(entry)
            elif name in SECRET_DIRS:
                secrets.append(entry.path)
            elif name not in NOT_SEARCHED:
                todo.append(entry.path)
    secrets += secrets_of(files)


def ignored_builds(root: str) -> tuple[str, ...]:
    """Build directories directly below the root that a plain line of its .gitignore excludes, in git's HEAD too:
    whoever adds a line must not come to write what others have committed."""
    path = os.path.join(root, ".gitignore")
    committed = content_in_head(path)
    if committed is None:
        return ()
    plain = _ignored_names(_text_of(path)) & _ignored_names(committed.decode("utf-8", "replace"))
    held = names_in_head(root)
    found = [os.path.join(root, n) for n in sorted(BOUND_DIRS - held) if n in plain or f"/{n}" in plain]
    return tuple(p for p in found if os.path.isdir(p) and not os.path.islink(p) and os.path.realpath(p) == p)


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 18)
    except OSError:
        return ""


def _ignored_names(text: str) -> frozenset[str]:
    lines = [line.strip() for line in text.splitlines()]
    excepted = {line[1:].strip("/").partition("/")[0] for line in lines if line.startswith("!")}
    names = {line.rstrip("/").removeprefix("**/") for line in lines if line and line[0] not in "#!"}
    return frozenset(n for n in names if n.strip("/") not in excepted)


def git_data(root: str) -> tuple[str, ...]:
    """Where git keeps the data of this project: its own directory, and for a worktree the main one's."""
    folder = root
    while True:
        path = os.path.join(folder, ".git")
        if os.path.isdir(path):
            return (path,)
        if os.path.isfile(path):
            return (path, *_linked(path))
        if folder == "/" or os.path.ismount(folder):
            return ()
        folder = os.path.dirname(folder)


def _linked(path: str) -> tuple[str, ...]:
    """`gitdir: …` of a worktree or submodule, and the common directory that it names. The file is the repository's to
    write: only a directory of git's own that says the same of this place is followed, or others' would be shown."""
    own = _named_in(path, "gitdir: ")
    if not own or not os.path.isfile(os.path.join(own, "HEAD")) or not _leads_back(own, path):
        return ()
    common = _named_in(os.path.join(own, "commondir"), "")
    if common and os.path.isfile(os.path.join(common, "HEAD")) and os.path.isdir(os.path.join(common, "objects")):
        return (common,) if (own + "/").startswith(common + "/") else (own, common)
    return (own,) if os.path.isdir(os.path.join(own, "objects")) else ()


def _leads_back(own: str, path: str) -> bool:
    """A worktree is named in `gitdir`, a submodule in the configuration."""
    if _named_in(os.path.join(own, "gitdir"), "") == os.path.realpath(path):
        return True
    try:
        with open(os.path.join(own, "config"), encoding="utf-8", errors="surrogateescape") as file:
            lines = [line.strip().partition("=") for line in file.read(1 << 18).splitlines()]
    except OSError:
        return False
    named = [value.strip() for name, _, value in lines if name.strip().lower() == "worktree"]
    return any(os.path.realpath(os.path.join(own, n)) == os.path.realpath(os.path.dirname(path)) for n in named)


def _named_in(path: str, before: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            line = file.readline(4096).rstrip("\n")
    except OSError:
        return ""
    if not line.startswith(before):
        return ""
    return os.path.realpath(os.path.join(os.path.dirname(path), line.removeprefix(before)))
