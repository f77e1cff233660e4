"""Whether an unprivileged user can have namespaces and an overlay here: tried in a child, once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

from askfirst.box import kernel
from askfirst.store import paths


def try_session() -> str:
    """Why no network of its own can be had; "" when it can."""
    return in_child(lambda: kernel.own_user_namespace(kernel.NEWNS | kernel.NEWNET))


def try_overlay() -> str:
    """Why the kernel makes no overlay whose changes lie in askfirst's state; "" when it does."""
    place = tempfile.mkdtemp(prefix="try-", dir=paths.private_dir("box"))
    names = [os.path.join(place, n) for n in ("lower", "upper", "work", "merged")]
    lower, upper, work, merged = names

    def make() -> None:
        kernel.own_user_namespace(kernel.NEWNS)
        kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount_overlay([lower], upper, work, merged)
        # What a run needs of it: copying up, deleting, replacing a directory.
        os.chmod(os.path.join(merged, "file"), 0o600)
        os.unlink(os.path.join(merged, "gone"))
        os.rmdir(os.path.join(merged, "dir"))
        os.mkdir(os.path.join(merged, "dir"))

    try:
        for name in names:
            os.mkdir(name)
        os.mkdir(os.path.join(lower, "dir"))
        for name in ("file", "gone"):
            os.close(os.open(os.path.join(lower, name), os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
        return in_child(make)
    finally:
        remove_tree(place)


def in_child(work: Callable[[], None]) -> str:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except OSError as error:
            os.write(writing, str(error).encode()[:400])
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    os.waitpid(pid, 0)
    return said.decode("utf-8", "replace")


def remove_tree(path: str) -> None:
    """Also what overlayfs leaves: a work directory without permissions."""
    try:
        found = os.scandir(path)
    except PermissionError:
        os.chmod(path, 0o700)
        found = os.scandir(path)
    with found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                remove_tree(entry.path)
            else:
                os.unlink(entry.path)
    os.rmdir(path)
