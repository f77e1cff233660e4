"""The output of a contained command passes through here: secrets in it become placeholders before anybody sees them.

The client lets no hook change what the model is shown of a command that failed; what askfirst runs itself is masked
while it comes. At most the last, unfinished line is held back, and no longer than `HOLD_S`. Where something was masked
the whole is kept for the person (store/whole_results.py).
"""

from __future__ import annotations

import os
import re
import time

from askfirst.masks import Masker, known_in
from askfirst.redact import Secret

HOLD_S = 0.2
MAX_LINE = 1 << 16  # of a longer one, only its end is held back
MAX_SECRET = 1 << 12
MAX_KEY_LINES = 400
MIN_KEY_LINE = 16  # a shorter one may be any word
_KEY_BEGINS = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d"
# A line of a key: base64, one of its headers, or the empty line behind them.
_KEY_LINE = r"[ \t>|]*(?:[A-Za-z0-9+/=]+|[A-Z][A-Za-z0-9-]{1,30}: [^\n]{1,200})?\s*"


class Masks:
    """What the streams of one run share: the secrets that are known, and the whole output in the order it came."""

    def __init__(self, spec: dict) -> None:  # type: ignore[type-arg]
        self.spec = spec
        self.masker = Masker(known_in(spec["masks"]["files"], os.environ), tuple(spec["masks"]["patterns"]))
        self.whole: list[bytes] = []
        self.left = int(spec["masks"]["keep"])  # bytes

    def stream(self) -> Stream:
        return Stream(self)

    def add(self, data: bytes) -> None:
        if self.left > 0:
            self.whole.append(data[: self.left])
            self.left -= len(data)

    def keep_whole(self) -> None:
        """For the person, where the model was shown less."""
        if self.masker.found and self.whole:
            from askfirst.store import whole_results

            text = b"".join(self.whole).decode("utf-8", "replace")
            whole_results.keep(self.spec["masks"]["about"], self.masker.marks, text)


class Stream:
    """One stream. Pieces come as they were read, and go out as what may be seen."""

    def __init__(self, masks: Masks) -> None:
        self.masks = masks
        self.held, self.since = "", 0.0
        self.key_lines = 0  # how many more lines may belong to a key that has begun

    def feed(self, data: bytes) -> bytes:
        self.masks.add(data)
        # What is no UTF-8, or half of a character, goes out as it came in.
        return self._passed(self.held + data.decode("utf-8", "surrogateescape"), at_end=False)

    def flush(self) -> bytes:
        return self._passed(self.held, at_end=True)

    def due_in(self) -> float | None:
        """The seconds until what is held back must go out; None where nothing is."""
        return self.since + HOLD_S - time.monotonic() if self.held else None

    def _passed(self, text: str, *, at_end: bool) -> bytes:
        secrets = self.masks.masker.secrets_in(text)
        end = len(text) if at_end else self._end_of(text, secrets)
        if text[end:] and not self.held:
            self.since = time.monotonic()
        self.held, text = text[end:], text[:end]
        secrets = tuple(s for s in secrets if s.end <= end)
        if self.key_lines:
            text = self._without_key(text)
            secrets = self.masks.masker.secrets_in(text)
        may_begin = "PRIVATE KEY" in text or "Private-Lines" in text  # a pattern takes a while to be compiled
        begun = [m.end() for m in re.finditer(_KEY_BEGINS, text)] if may_begin else []
        if begun and "-----END" not in text[begun[-1] :]:
            self.key_lines = MAX_KEY_LINES
        return self.masks.masker.masked(text, secrets).encode("utf-8", "surrogateescape")

    def _end_of(self, text: str, secrets: tuple[Secret, ...]) -> int:
        """Up to where it may go out: whole lines, and never a part of a secret."""
        end = text.rfind("\n") + 1
        if len(text) - end > MAX_LINE:
            end = len(text) - MAX_SECRET
        return next((s.start for s in secrets if s.start < end < s.end and s.end - s.start < MAX_LINE), end)

    def _without_key(self, text: str) -> str:
        """The text with the lines of a key that began earlier as placeholders."""
        masker, lines = self.masks.masker, text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            if self.key_lines <= 0 or not re.fullmatch(_KEY_LINE, line):
                self.key_lines = 0
                break
            self.key_lines -= 1
            if len(line.strip()) >= MIN_KEY_LINE:
                lines[number] = masker.placeholder("private-key", line.rstrip("\n")) + "\n" * line.endswith("\n")
                masker.found += 1
        return "".join(lines)
