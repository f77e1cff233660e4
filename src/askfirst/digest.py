"""SHA-256 without importing OpenSSL: the hook hashes on every call, and `hashlib` alone costs as much as the rest of
its store."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256  # Python 3.11
        except ImportError:  # a build without the C module
            from hashlib import sha256

__all__ = ["sha256", "sha256_hex"]


def sha256_hex(data: bytes | str) -> str:
    return sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()
