"""Reserved words of the shells that are analysed."""

from __future__ import annotations

__all__ = ["BEFORE_A_COMMAND", "RESERVED", "RESERVED_WORDS"]

RESERVED = tuple(
    "if then else elif fi case esac for while until do done in select function { } ! [[ ]] time coproc".split()
)
RESERVED_WORDS = tuple(word for word in RESERVED if word.isalpha())
# Behind these a command begins.
BEFORE_A_COMMAND = frozenset("if then else elif while until do ! { ( time coproc function".split())
