"""Bytes of a terminal, as keys.

A byte-wise reader approves on F1 (`ESC O P`), F4 (`ESC O S`), Alt-S, the coordinates of a mouse click and a pasted
`ls`. This parser knows the shapes of everything a terminal sends and reports a letter only when it stands on its own.
What it does not know is nothing.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

PASTE_S = 10.0  # a paste whose end never comes is over after so much silence
ESCAPE_S = 0.12  # an ESC that stays alone for so long is the Escape key: people wait for it
LATE_S = 1.0  # what arrives within this time after it and looks like the rest of a sequence is none of it a key: over a
# slow line a function key (`ESC O P`) arrives in pieces
MAX_SEQUENCE_CHARS = 4096  # a longer control string is dropped, so that nothing can swallow input for ever

_STRINGS = "]PX^_"  # OSC, DCS, SOS, PM, APC: text until ST or BEL
# A terminal in 8-bit mode sends one C1 character where others send ESC and a letter.
_C1 = {"\x8f": "O", "\x9b": "[", "\x9d": "]", "\x90": "P", "\x98": "X", "\x9e": "^", "\x9f": "_"}
_NAMED = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x15": "clear", "\x04": "end"}
_CSI = {"A": "up", "B": "down", "5~": "page-up", "6~": "page-down", "H": "home", "F": "bottom"}


@dataclass(frozen=True)
class Key:
    """`char`: a character typed on its own; else the `name` of a key, "paste" with its `text`, or nothing at all."""

    name: str = ""
    char: str = ""
    text: str = ""


NOTHING = Key()


class Keys:
    """An incremental parser: `feed` bytes with their time, `idle` when time passes without any."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._held = ""  # an unfinished sequence, without its introducing ESC
        self._inside = False  # after an ESC
        self._pasting = False
        self._pasted = ""
        self._last = 0.0
        self._escaped = float("-inf")  # when a lone ESC was taken for the Escape key

    def feed(self, data: bytes, now: float) -> list[Key]:
        """The keys in these bytes. Everything yields something, if only NOTHING: silence is part of the approval."""
        found = self.idle(now)
        self._last = now
        for char in self._decoder.decode(data):
            if char in "[O" and now - self._escaped < LATE_S and not self._inside:
                self._inside, self._held = True, ""  # the rest of it, late
            self._escaped = float("-inf")
            key = self._next(_from_raw_c1(char))
            if key is not None:
                found.append(key)
        return found

    def idle(self, now: float) -> list[Key]:
        """A lone ESC becomes the Escape key; what is unfinished becomes nothing."""
        silence = now - self._last
        if self._pasting and silence >= PASTE_S:
            self._pasting, self._pasted = False, ""
            return [NOTHING]
        if not self._inside or silence < ESCAPE_S:
            return []
        alone = not self._held
        if not alone and silence < LATE_S:
            return []  # begun, and not whole: its rest may be late
        self._inside, self._held = False, ""
        self._escaped = self._last if alone else float("-inf")
        return [Key("escape") if alone else NOTHING]

    def _next(self, char: str) -> Key | None:
        if self._pasting:
            return self._paste(char)
        if self._inside:
            return self._sequence(char)
        if char == "\x1b":
            self._inside, self._held = True, ""
            return None
        if char in _C1:
            self._inside, self._held = True, _C1[char]
            return None
        if char in _NAMED:
            return Key(_NAMED[char])
        return Key(char=char) if char.isprintable() else NOTHING

    def _sequence(self, char: str) -> Key | None:
        if char == "\x1b" and not (self._held and self._held[0] in _STRINGS):
            # ESC ESC: a new sequence begins (some terminals send Alt with an arrow so).
            self._held = ""
            return NOTHING
        self._held += char
        done = _complete(self._held)
        if done is None and len(self._held) <= MAX_SEQUENCE_CHARS:
            return None
        held, self._held, self._inside = self._held, "", False
        if done is None:
            return NOTHING
        if held == "[200~":
            self._pasting, self._pasted = True, ""
            return NOTHING
        return Key(_CSI[held[1:]]) if held[:1] in "[O" and held[1:] in _CSI else NOTHING

    def _paste(self, char: str) -> Key | None:
        self._pasted += char
        if self._pasted.endswith(("\x1b[201~", "\x9b201~")):
            text, self._pasted, self._pasting = self._pasted[: -6 if self._pasted[-6] == "\x1b" else -5], "", False
            return Key("paste", text=text)
        if len(self._pasted) > MAX_SEQUENCE_CHARS:
            # Keep the tail: the end mark may be in it. A paste that long is never used as text.
            self._pasted = self._pasted[-8:]
        return NOTHING


def _complete(held: str) -> bool | None:
    """True when the characters after ESC are a whole sequence, None while more belongs to it."""
    first = held[0]
    if first == "[":
        return _complete_csi(held)
    if first == "O":
        # SS3: some terminals put digits before the final character (Shift-F1 is `ESC O 2 P`).
        return True if len(held) > 1 and not (held[-1].isdigit() or held[-1] == ";") else None
    if first in _STRINGS:
        return True if held[-1] in "\x07\x9c" or held.endswith("\x1b\\") or held[-1] in "\x18\x1a" else None
    if " " <= first <= "/":
        return True if len(held) > 1 and not " " <= held[-1] <= "/" else None
    return True  # Alt and a character


def _complete_csi(held: str) -> bool | None:
    if held.startswith("[["):
        return True if len(held) >= 3 else None  # the Linux console's F1 to F5: `ESC [ [ A`
    if held.startswith("[M"):
        # A mouse click of the old kind: three characters follow, any of which may be `s`.
        return True if len(held) >= 5 else None
    if len(held) < 2:
        return None
    last = held[-1]
    if "@" <= last <= "~":
        return True
    return None if " " <= last <= "?" else True  # a control or foreign character ends it as nothing


def _from_raw_c1(char: str) -> str:
    """A byte that is no UTF-8 comes as a lone surrogate; 0x80 to 0x9f are then the 8-bit controls themselves."""
    code = ord(char)
    return chr(code - 0xDC00) if 0xDC80 <= code <= 0xDC9F else char
