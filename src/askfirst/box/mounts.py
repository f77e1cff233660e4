"""How a box is put together: steps, in order, that are done one of two ways. `perform` does them in the session's own
mount namespace, which takes microseconds; `words` tells bubblewrap to do them, which reads the whole list of mounts
before each, and is for machines where only bubblewrap may have namespaces.

    ("ro", source, target)       read-only, with all that is mounted below it
    ("rw", source, target)
    ("rw-try", source, target)   the same for a directory, unless a box has put something else there
    ("void", target)             nothing of it is seen: an empty file or directory that nobody may open
    ("void-try", target)         the same, where it is there
    ("tmpfs", target, mode)      an empty directory in memory
    ("dir", target, mode)
    ("link", text, target)       a symbolic link

Imported by every contained command's start, so it imports little.
"""

import os

from askfirst.box import kernel

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
DEVICE_LINKS = (
    ("/proc/self/fd", "fd"),
    ("fd/0", "stdin"),
    ("fd/1", "stdout"),
    ("fd/2", "stderr"),
    ("pts/ptmx", "ptmx"),
)
FOLDER, LINK = 0o040000, 0o120000
_STEP = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


def perform(root: str, void: str, steps: list) -> None:  # type: ignore[type-arg]
    """`void`: where the empty file and directory are. Raises OSError: then nothing is run."""
    for kind, *words in steps:
        target = words[-1] if kind in ("ro", "rw", "rw-try", "link") else words[0]
        if kind in ("ro", "rw"):
            source = words[0]
            fd = _mount_point(root, target, is_folder=os.path.isdir(source))
            try:
                kernel.bind(source, fd, read_only=kind == "ro")
            finally:
                os.close(fd)
        elif kind == "rw-try":
            _bind_folder(root, words[0], target)
        elif kind == "void":
            _cover(root, void, target)
        elif kind == "void-try":
            try:
                _cover(root, void, target)
            except (FileNotFoundError, NotADirectoryError):
                pass  # the box's own earlier calls may have put something else there
        elif kind == "link":
            parent, _, name = target.rpartition("/")
            fd = _walked(root, parent.split("/"), makes=True)
            try:
                os.symlink(words[0], name, dir_fd=fd)
            finally:
                os.close(fd)
        else:
            fd = _mount_point(root, target, is_folder=True)
            try:
                if kind == "tmpfs":
                    kernel.tmpfs(f"/proc/self/fd/{fd}", words[1])
                else:
                    os.chmod(f"/proc/self/fd/{fd}", words[1])
            finally:
                os.close(fd)


def _bind_folder(root: str, source: str, target: str) -> None:
    fd = _mount_point(root, target, is_folder=True)
    try:
        if os.fstat(fd).st_mode & 0o170000 == FOLDER:  # else the box's own earlier calls have put something else there
            kernel.bind(source, fd, read_only=False)
    finally:
        os.close(fd)


def _cover(root: str, void: str, target: str) -> None:
    fd = _opened(root, target)
    try:
        kind = os.fstat(fd).st_mode & 0o170000
        if kind == LINK:
            raise NotADirectoryError(target)
        folder = kind == FOLDER
        # Read-only by its file system: one call is enough.
        kernel.mount(os.path.join(void, "folder" if folder else "file"), f"/proc/self/fd/{fd}", "", kernel.MS_BIND)
    finally:
        os.close(fd)


def _opened(root: str, path: str) -> int:
    """A descriptor of a path below the root that follows no link on its way."""
    return _walked(root, path.split("/"), makes=False)


def _mount_point(root: str, path: str, *, is_folder: bool) -> int:
    """The same; what is not there is made. Boxes of the session that go on may write where this walks: each name is
    made in the directory that was opened, wherever a link may lead by then."""
    *parents, name = (part for part in path.split("/") if part)
    if is_folder:
        return _walked(root, [*parents, name], makes=True)
    folder = _walked(root, parents, makes=True)
    try:
        return os.open(name, _STEP, dir_fd=folder)
    except FileNotFoundError:
        try:
            how = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
            os.close(os.open(name, how, 0o644, dir_fd=folder))
        except FileExistsError:
            pass  # another call of the session was first
        return os.open(name, _STEP, dir_fd=folder)
    finally:
        os.close(folder)


def _walked(root: str, parts: list[str], *, makes: bool) -> int:
    fd = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    for part in filter(None, parts):
        try:
            try:
                deeper = os.open(part, _STEP, dir_fd=fd)
            except FileNotFoundError:
                if not makes:
                    raise
                try:
                    os.mkdir(part, 0o755, dir_fd=fd)
                except FileExistsError:
                    pass  # another call of the session was first
                deeper = os.open(part, _STEP, dir_fd=fd)
        finally:
            os.close(fd)
        fd = deeper
    return fd


def make_devices(root: str) -> None:
    folder = root + "/dev"
    os.mkdir(folder, 0o755)
    kernel.tmpfs(folder, 0o755)
    for name in DEVICES:
        fd = os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        kernel.bind(f"/dev/{name}", fd, read_only=False, devices=True)
        os.close(fd)
    for text, name in DEVICE_LINKS:
        os.symlink(text, f"{folder}/{name}")
    for name in ("pts", "shm", "mqueue"):
        os.mkdir(f"{folder}/{name}", 0o755)
    kernel.tmpfs(f"{folder}/shm", 0o1777)
    options = "newinstance,ptmxmode=0666,mode=620"
    kernel.mount("devpts", f"{folder}/pts", "devpts", kernel.MS_NOSUID | kernel.MS_NOEXEC, options)


def make_void(void: str) -> None:
    os.makedirs(void, mode=0o700, exist_ok=True)
    kernel.tmpfs(void, 0o755)
    os.mkdir(os.path.join(void, "folder"), 0o000)
    os.close(os.open(os.path.join(void, "file"), os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o000))
    kernel.mount("", void, "", kernel.MS_REMOUNT | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")


def words(steps: list, nothing: list[str]) -> list[str]:  # type: ignore[type-arg]
    """The same for bubblewrap. `nothing`: an empty file and an empty directory that nobody may open."""
    found: list[str] = []
    for kind, *given in steps:
        if kind in ("ro", "rw"):
            found += ["--ro-bind" if kind == "ro" else "--bind", *given]
        elif kind == "void":
            found += ["--ro-bind", nothing[os.path.isdir(given[0])], given[0]]
        elif kind == "link":
            found += ["--symlink", *given]
        else:
            found += ["--perms", f"{given[1]:04o}", f"--{kind}", given[0]]
    return found
