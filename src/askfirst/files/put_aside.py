"""What `git stash` takes out of the working tree.

git is asked for names and modes. Files that only seem to differ are among them, which is the stricter answer. It may
read a file that was changed a moment ago, by a filter of the repository: whoever asks has looked at its configuration.
"""

from __future__ import annotations

import os

from askfirst.files.head import MAX_SWITCHED, PLAIN_MODES, work_tree
from askfirst.files.quiet_git import quiet_git

__all__ = ["put_aside"]

_CHANGED = ("diff-index", "--raw", "-z", "--no-renames", "--ignore-submodules=all", "HEAD", "--")
_NEW = ("ls-files", "--others", "--exclude-standard", "-z")


def put_aside(directory: str, *, new: bool) -> tuple[tuple[str, bool], ...] | None:
    """Each file, and whether it goes away; the others get back what HEAD holds. `new`: files that git does not track,
    too. None where nobody can tell, where a link is among them, and where something would be lost: git puts aside
    neither what lies in the place of a directory or below that of a file, nor what it was told to take for unchanged.
    """
    try:
        root = work_tree(directory)
    except (OSError, ValueError):
        return None
    index, changed = quiet_git(root, ("ls-files", "-v", "-z")), quiet_git(root, _CHANGED)
    others = quiet_git(root, _NEW) if new else b""
    if index is None or changed is None or others is None:
        return None
    if not all(entry.startswith(b"H ") for entry in index.split(b"\0")[:-1]):
        return None
    words = changed.split(b"\0")[:-1]
    found: list[tuple[str, bool]] = []
    for about, name in zip(words[::2], words[1::2], strict=True):
        before, after = about[1:7], about[8:14]
        if not {before, after} <= {*PLAIN_MODES, _GONE}:
            return None
        found.append((f"{root}/{os.fsdecode(name)}", before == _GONE))
    found += [(f"{root}/{os.fsdecode(name)}", True) for name in others.split(b"\0")[:-1]]
    return tuple(found) if len(found) <= MAX_SWITCHED and all(_is_plain(path, root) for path, _ in found) else None


_GONE = b"000000"


def _is_plain(path: str, root: str) -> bool:
    """A file or nothing, and nothing but directories above it."""
    if os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path)):
        return False
    folder = os.path.dirname(path)
    while folder != root:
        if os.path.islink(folder) or (os.path.lexists(folder) and not os.path.isdir(folder)):
            return False
        folder = os.path.dirname(folder)
    return True
