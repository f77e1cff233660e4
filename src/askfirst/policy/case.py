"""A request with everything that was found out about it. Made once, at the top of the gate, and handed on: whoever asks
a person, writes the log or counts a violation reads this value and judges nothing again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askfirst.model import Fact, Request, Verdict

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers


@dataclass(frozen=True)
class Case:
    """One judged request."""

    request: Request
    layers: Layers  # the rules it was judged by
    facts: tuple[Fact, ...]
    verdict: Verdict

    @property
    def digest(self) -> str:
        """What an answer is bound to."""
        return self.layers.digest
