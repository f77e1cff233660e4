"""What a run has left in the build directories that it writes directly, and that is not build output: links, and files
that git, agents and editors obey. The write gate sees nothing else of what is written there."""

import os

TYPE_CHECKING = False  # of `typing`: every contained command's end imports this
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

_FIRST = ".hHcC"  # letters with which names of obeyed files begin: `HEAD`, `commondir`, and all those with a dot


def strays(folders: "Iterable[str]", obeyed: "Container[str]", began: int) -> "Iterator[str]":
    """Links, and all that lies in a name of `obeyed`, new since then, in nanoseconds. In a directory that may have been
    moved an older link may lead elsewhere now."""
    todo = [(folder, False, False) for folder in folders]
    while todo:
        folder, may_have_moved, is_obeyed = todo.pop()
        for entry in _entries(folder):
            if not is_obeyed and entry.name[0] not in _FIRST and entry.is_file(follow_symlinks=False):
                continue  # nearly all
            told = is_obeyed or entry.name.lower() in obeyed
            is_folder = entry.is_dir(follow_symlinks=False)
            is_new = _is_new(entry, began)
            if is_folder:
                todo.append((entry.path, may_have_moved or is_new, told))
            elif (told or entry.is_symlink()) and (is_new or (may_have_moved and not _is_absolute(entry))):
                yield entry.path


def _is_new(entry: "os.DirEntry[str]", began: int) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_ctime_ns >= began
    except FileNotFoundError:
        return False  # somebody else builds there, too


def _is_absolute(entry: "os.DirEntry[str]") -> bool:
    """A link that leads to the same place wherever it lies."""
    return entry.is_symlink() and os.readlink(entry.path).startswith("/")


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as found:
            return list(found)
    except FileNotFoundError:
        return []
    except PermissionError:
        os.chmod(folder, 0o700)  # what nobody can look into is looked into all the same
        with os.scandir(folder) as found:
            return list(found)
