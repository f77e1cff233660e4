"""What is in a file, and what a tool's text becomes in it: encoding, byte order mark and line ends are kept.

The client reads a file as UTF-8 or, by its mark, as UTF-16, edits text with `\n`, and writes it back as it was. So does
this. (tests/e2e/test_writes.py holds this against the real client.)"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Above this a file is not read whole on the way of a tool call (files/big.py looks at it piece by piece).
WHOLE = 10 * 1024 * 1024
# Why a target is odd, where callers tell the reasons apart.
DIRECTORY, BELOW_A_FILE = "is a directory", "lies below a file"


@dataclass(frozen=True)
class Style:
    """How a file's bytes spell its text."""

    encoding: str = "utf-8"
    bom: bytes = b""
    crlf: bool = False


@dataclass(frozen=True)
class Result:
    """What a file would hold after a tool."""

    content: bytes | None
    problem: str = ""  # why the content is not known


@dataclass(frozen=True)
class FileState:
    """What stands at a path now. `data` is None when there is nothing, or when it is too large to be read whole."""

    exists: bool
    data: bytes | None = None
    size: int = 0
    mode: int = 0
    odd: str = ""  # why it is not an ordinary file of the project
    fresh: str = ""  # where nothing is: the project's directory that would have to be made for it


def style_of(data: bytes) -> Style:
    encoding, bom = "utf-8", b""
    for mark, name in BOMS:
        if data.startswith(mark):
            encoding, bom = name, mark
            break
    wide = encoding != "utf-8"
    crlf, newline = ("\r\n".encode(encoding), "\n".encode(encoding)) if wide else (b"\r\n", b"\n")
    ends = data.count(newline)
    # As the client decides it: what most lines do.
    return Style(encoding, bom, ends > 0 and data.count(crlf) * 2 > ends)


def decode(data: bytes, style: Style) -> str | None:
    """The text with `\n` ends, or None when the bytes are not text in this encoding."""
    try:
        text = data[len(style.bom) :].decode(style.encoding)
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n")


def encode(text: str, style: Style) -> bytes | None:
    """The bytes of a text in a file that was read with `decode`."""
    text = with_ends(text, style)
    try:
        return style.bom + text.encode(style.encoding)
    except UnicodeEncodeError:
        return None


def with_ends(text: str, style: Style) -> str:
    """The text with the line ends of a file: where that has CRLF, all of them; elsewhere they are left as they are."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if style.crlf else text


def look_at(path: str, project: str = "", limit: int = WHOLE) -> FileState:
    """What is at `path`, without following a link in its last part and without waiting for a FIFO."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return FileState(False, odd=_odd_parent(path, project), fresh=_fresh(path, project))
    except NotADirectoryError:
        return FileState(False, odd=BELOW_A_FILE)
    except OSError as error:
        return _unreadable(path, error)
    try:
        status = os.fstat(fd)
        mode = stat.S_IMODE(status.st_mode)
        if not stat.S_ISREG(status.st_mode):
            return FileState(
                True, mode=mode, odd=DIRECTORY if stat.S_ISDIR(status.st_mode) else "is not a regular file"
            )
        odd = _odd(status, project)
        if status.st_size > limit:
            return FileState(True, None, status.st_size, mode, odd)
        try:
            data = _read(fd, limit)
        except OSError as error:
            return FileState(True, None, status.st_size, mode, f"cannot be read ({error.strerror})")
        return FileState(
            True, data, status.st_size, mode, odd or ("is growing while it is read" if data is None else "")
        )
    finally:
        os.close(fd)


def _unreadable(path: str, error: OSError) -> FileState:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return FileState(False, odd=f"cannot be inspected ({error.strerror})")
    if stat.S_ISLNK(mode):
        return FileState(True, odd="became a symbolic link")
    return FileState(True, mode=stat.S_IMODE(mode), odd=f"cannot be read ({error.strerror})")


def _read(fd: int, limit: int) -> bytes | None:
    parts, size = [], 0
    while part := os.read(fd, 1 << 20):
        parts.append(part)
        size += len(part)
        if size > limit:
            return None
    return b"".join(parts)


def _odd(status: os.stat_result, project: str) -> str:
    if status.st_nlink > 1:
        return f"has {status.st_nlink} names (hard links): a write here changes all of them"
    return _crossing(status.st_dev, project)


def _odd_parent(path: str, project: str) -> str:
    parent = os.path.dirname(path)
    while parent not in ("", "/"):
        try:
            return _crossing(os.stat(parent).st_dev, project)
        except OSError:
            parent = os.path.dirname(parent)
    return ""


def _fresh(path: str, project: str) -> str:
    top, _, rest = path[len(project.rstrip("/")) + 1 :].partition("/") if project else ("", "", "")
    return top if rest and not os.path.isdir(os.path.join(project, top)) else ""


def _crossing(device: int, project: str) -> str:
    if not project:
        return ""
    try:
        return "" if os.stat(project).st_dev == device else "lies on another file system than the project"
    except OSError:
        return ""


def lines_of(text: str) -> list[str]:
    """Lines without their ends. A last line without an end is a line; `""` has none."""
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
