"""Text to tree: the one place that chooses how a text is read.

Plain commands are split by plain.py, which bash would do alike. All other texts go through this package's own strict
reader, and what it finds must be what bashlex finds (second_opinion.py). The reader is one class in a chain, in which
each link adds a subject and calls what later links add through the declarations in `Reader`:

    Reader -> QuoteReader -> ArithmeticReader -> ExpansionReader -> HeredocReader -> WordReader     words of bash
           -> TokenParser -> SimpleParser -> CompoundParser -> ScriptParser                         its grammar

A text that bash, zsh or two versions of them may read in two ways has no tree: `GiveUp` says why and where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.shell.reading.ledger import Ledger
from askfirst.shell.reading.plain import plain_script

if TYPE_CHECKING:
    from askfirst.shell.syntax import Script

__all__ = ["Tree", "plain_script", "tree_of"]


class Tree:
    """A script, and what the walk must visit in it."""

    __slots__ = ("ledger", "script")

    def __init__(self, script: Script, ledger: Ledger | None) -> None:
        self.script = script
        self.ledger = ledger  # None: nothing in the text is expanded


def tree_of(text: str) -> Tree:
    """The tree of a text that a shell would run. Raises GiveUp where it is not certain."""
    script = plain_script(text)
    if script is not None:
        return Tree(script, None)
    from askfirst.shell.reading.second_opinion import parse

    ledger = Ledger()
    return Tree(parse(text, ledger), ledger)
