"""How the output of a contained command passes through the launcher.

A filter gets the pieces as they come and gives what may be passed on; what it holds back (at most the last, unfinished
line) it gives when it is flushed, which happens when no more has come for `HOLD_S`, and at the end. The default passes
everything on.
"""

from __future__ import annotations

HOLD_S = 0.2
MAX_LINE = 1 << 16


class Passing:
    """The identity: whatever comes is passed on at once."""

    def feed(self, data: bytes) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


class Lines(Passing):
    """Passes whole lines through a callable. A line that is longer than MAX_LINE is cut there."""

    def __init__(self, change):  # type: ignore[no-untyped-def]
        self._change, self._held = change, b""

    def feed(self, data: bytes) -> bytes:
        held = self._held + data
        end = held.rfind(b"\n") + 1
        if not end and len(held) > MAX_LINE:
            end = len(held)
        self._held = held[end:]
        return b"".join(map(self._change, held[:end].splitlines(keepends=True)))

    def flush(self) -> bytes:
        held, self._held = self._held, b""
        return bytes(self._change(held)) if held else b""
