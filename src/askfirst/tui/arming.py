"""When a key may approve.

Measured on a typing model at two seconds of reaction: with nothing, 62 to 74 % of surprised typists approve by accident; with a
minimum time on screen 36 to 55 %; with silence before the key as well 0.8 to 1.7 %; with silence after it 0.03 to 0.5 %.
The times are handed in, so this is a value of the past and nothing else.
"""

from __future__ import annotations

ON_SCREEN_S = 1.0  # the question has been readable for so long
BEFORE_S = 0.8  # nothing was typed before the key
AFTER_S = 0.35  # nor after it: a letter inside a word is not an answer
STALL_S = 0.5  # a process that slept longer cannot tell when a key was pressed


class Arming:
    """`shown` starts from zero; `press` proposes a key; `settled` returns it once the silence after it is complete."""

    def __init__(self, now: float) -> None:
        self._candidate = ""
        self.shown(now)

    def shown(self, now: float) -> None:
        self._since = self._quiet_since = self._looked = now
        self._candidate = ""

    def typed(self, now: float) -> None:
        """Anything at all came from the terminal. A waiting key was part of it, so it does not count."""
        self._quiet_since = now
        self._candidate = ""

    def press(self, key: str, now: float) -> bool:
        """An approving key. True when it is taken up (it still has to stay alone)."""
        armed = self.armed(now)
        self.typed(now)
        if armed:
            self._candidate = key
        return armed

    def armed(self, now: float) -> bool:
        return now - self._since >= ON_SCREEN_S and now - self._quiet_since >= BEFORE_S

    def waiting(self) -> str:
        """The key that was taken up and is not settled yet."""
        return self._candidate

    def settled(self, now: float) -> str:
        """The key that counts now, once."""
        if self._candidate and now - self._quiet_since >= AFTER_S:
            key, self._candidate = self._candidate, ""
            return key
        return ""

    def looked(self, now: float) -> bool:
        """Called each time the terminal was read. False after a stall: keys read now may be older than they seem, so all starts again."""
        stalled = now - self._looked > STALL_S
        if stalled:
            self.shown(now)
        self._looked = now
        return not stalled

    def state(self, now: float) -> str:
        if self._candidate:
            return "settling"
        return "armed" if self.armed(now) else "arming"

    def changes_in(self, now: float) -> float:
        """Seconds until the state changes by itself; for the loop's sleep."""
        if self._candidate:
            return max(0.0, self._quiet_since + AFTER_S - now)
        if self.armed(now):
            return 60.0
        return max(0.0, self._since + ON_SCREEN_S - now, self._quiet_since + BEFORE_S - now)
