"""What may change how the shell reads and does things: options, closed descriptors, locked variables, signals.

Each flag is true for the whole script as soon as one place in it might set it.
"""

from __future__ import annotations


class Modes:
    __slots__ = ("closes", "expansion_changes", "handles_signals", "locks", "unsets")

    def __init__(self) -> None:
        self.expansion_changes = False  # `shopt`, or `set` with an option that changes how words are expanded
        self.unsets = False  # some command may forget a function
        self.handles_signals = False  # a signal runs something
        self.closes = False  # a descriptor may be closed, so that `2>&1` or `echo` fails
        self.locks = False  # a variable may refuse to be set

    def copy(self) -> Modes:
        other = Modes()
        for flag in self.__slots__:
            setattr(other, flag, getattr(self, flag))
        return other
