"""When a key may approve: the question has been on screen, nothing was typed before the key, and nothing after it.

Measured on a typing model at two seconds of reaction: with nothing, 62 to 74 % of surprised typists approve by
accident; with a minimum time on screen 36 to 55 %; with silence before the key as well 0.8 to 1.7 %; with silence after
it, too, 0.03 to 0.5 %. The times are handed in, so this is a value of the past and nothing else.
"""

from __future__ import annotations

ON_SCREEN_S = 1.0  # the question has been readable for so long
BEFORE_S = 0.8  # nothing was typed before the key
AFTER_S = 0.35  # nor after it: a letter inside a word is not an answer
STALL_S = 0.5  # a process that slept longer cannot tell when a key was pressed
IDLE_S = 60.0  # while nothing changes by itself, the loop may sleep this long


class Readiness:
    """`restart` starts from zero; `press` proposes a key; `accept` returns it once the silence after it is complete."""

    def __init__(self, now: float) -> None:
        self.restart(now)

    def restart(self, now: float) -> None:
        """The question appears, or appears anew."""
        self._since = self._quiet_since = self._looked = now
        self.pressed = ""  # the key that was taken up and still has to stay alone

    def typed(self, now: float) -> None:
        """Anything at all came from the terminal. A pressed key was part of it, so it does not count."""
        self._quiet_since = now
        self.pressed = ""

    def press(self, key: str, now: float) -> bool:
        """An approving key. True when it is taken up (it still has to stay alone)."""
        ready = self.is_ready(now)
        self.typed(now)
        if ready:
            self.pressed = key
        return ready

    def is_ready(self, now: float) -> bool:
        return now - self._since >= ON_SCREEN_S and now - self._quiet_since >= BEFORE_S

    def accept(self, now: float) -> str:
        """The key that counts now, once."""
        if self.pressed and now - self._quiet_since >= AFTER_S:
            key, self.pressed = self.pressed, ""
            return key
        return ""

    def looked(self, now: float) -> bool:
        """Called each time the terminal was read.

        False after a stall: keys read now may be older than they seem, so all starts again.
        """
        stalled = now - self._looked > STALL_S
        if stalled:
            self.restart(now)
        self._looked = now
        return not stalled

    def state(self, now: float) -> str:
        """`pressed`, `ready`, or `not ready`."""
        if self.pressed:
            return "pressed"
        return "ready" if self.is_ready(now) else "not ready"

    def changes_in_s(self, now: float) -> float:
        """Seconds until the state changes by itself; for the loop's sleep."""
        if self.pressed:
            return max(0.0, self._quiet_since + AFTER_S - now)
        if self.is_ready(now):
            return IDLE_S
        return max(0.0, self._since + ON_SCREEN_S - now, self._quiet_since + BEFORE_S - now)
