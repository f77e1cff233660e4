"""Hashes of files, as answers pin them."""

from __future__ import annotations

import os

from askfirst.digest import sha256_hex

__all__ = ["NOT_KNOWN", "bytes_of", "file_hash"]

NOT_KNOWN = "?"  # in the place of a hash: the same text may write the file before it is run
MAX_BYTES = 64 << 20


def bytes_of(path: str) -> bytes | None:
    """What a file holds; None where it cannot be read, or is too large."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        parts, size = [], 0
        while part := os.read(fd, 1 << 20):
            size += len(part)
            if size > MAX_BYTES:
                return None
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        os.close(fd)


def file_hash(path: str) -> str:
    data = bytes_of(path)
    return "" if data is None else sha256_hex(data)
