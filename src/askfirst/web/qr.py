"""A QR code in the terminal, for a phone: drawn by `segno`, which is an extra."""

from __future__ import annotations

from typing import TextIO

from askfirst.errors import UsageError


def print_code(text: str, out: TextIO) -> None:
    try:
        import segno
    except ImportError:
        raise UsageError(
            "a QR code needs `segno`: install askfirst with its extra `qr` (pipx inject askfirst segno)"
        ) from None
    segno.make(text, error="l", micro=False).terminal(out=out, compact=True)
