"""SHA-256 of a text or of bytes, and git's SHA-1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha1, sha256
else:
    # `hashlib` loads OpenSSL, which takes the hook as long as judging a command.
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256
    try:
        from _sha1 import sha1
    except ImportError:
        from hashlib import sha1

__all__ = ["sha1", "sha256", "sha256_hex"]


def sha256_hex(data: bytes | str) -> str:
    return sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()
