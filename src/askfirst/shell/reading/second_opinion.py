"""Text to tree, with bashlex (bashlex_parser.py) as second opinion.

This package's own reader (script.py and the links before it) finds the structure. Then every region is masked: what
bashlex cannot read, or silently misreads, becomes filler of the same length. What bashlex finds in this skeleton must
coincide, span by span, with what the reader found. If not, nobody knows what the text does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from askfirst.knowledge.shells import RESERVED_WORDS
from askfirst.shell.bashlex_parser import parser_module
from askfirst.shell.reading.plain import plain_script
from askfirst.shell.reading.script import ScriptParser
from askfirst.shell.syntax import GiveUp, Script, Simple

if TYPE_CHECKING:
    from askfirst.shell.reading.ledger import Ledger

    Spans: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
    Shape: TypeAlias = tuple[str, tuple[tuple[int, str], ...], Spans]

ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

# Words that bashlex knows (`p` is an option of `time`), wherever they stand; and what all other letters and digits are
# the same as.
MEANT = re.compile(rf"\b(?:{'|'.join(sorted((*RESERVED_WORDS, 'p')))})\b")
ALIKE = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", "w" * 53 + "1" * 10)


# Shapes of earlier commands, for a process that reads many: what agents write repeats itself.
_agreed_before: set[Shape] = set()
MAX_REMEMBERED, MAX_REMEMBERED_CHARS = 1000, 500


def _remember(shape: Shape) -> None:
    if len(shape[0]) > MAX_REMEMBERED_CHARS:
        return
    if len(_agreed_before) >= MAX_REMEMBERED:
        _agreed_before.clear()
    _agreed_before.add(shape)


def parse(text: str, ledger: Ledger) -> Script:
    """The tree of the text. Raises GiveUp when it is not certain."""
    odd = ODD.search(text)
    if odd:
        raise GiveUp(f"a control character (U+{ord(odd.group()):04X})", odd.start())
    regions: list[Script] = []
    script = ScriptParser(text, 0, ledger, regions).program()
    agreed: set[Shape] = set()
    for region in regions:
        verify(region, agreed)
    return script


def verify(region: Script, agreed: set[Shape]) -> None:
    """Every item of the region must look the same to a second reader, and between items there are only separators."""
    skeleton, at = masked(region), region.start
    seen = sorted(region.seen)
    k = 0
    for item, _ in region.items:
        if skeleton[at - region.start : item.start - region.start].strip(" \t\n;&"):
            raise GiveUp("two readings of the text disagree", at)
        spans: list[tuple[tuple[int, int], ...]] = []
        while k < len(seen) and seen[k][0] < item.end:
            spans.append(tuple((s - item.start, e - item.start) for s, e in seen[k][1]))
            k += 1
        piece = skeleton[item.start - region.start : item.end - region.start]
        expected = tuple(sorted(spans))
        shape = (*shape_of(piece), expected)
        if shape not in agreed and shape not in _agreed_before:
            second_opinion(region.source[item.start : item.end], piece, expected, item.start)
            agreed.add(shape)
            _remember(shape)
        at = item.end
    if k < len(seen) or skeleton[at - region.start :].strip(" \t\n;&"):
        raise GiveUp("two readings of the text disagree", at)


def shape_of(skeleton: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Two skeletons of one shape are read alike: to bashlex, outside reserved words, letters are equal, and digits are.

    A script of a thousand like commands is then asked about once. (Where a heredoc is left, two words must be equal: no
    shape but itself.)
    """
    if "<<" in skeleton:
        return skeleton, ()
    return skeleton.translate(ALIKE), tuple((found.start(), found.group()) for found in MEANT.finditer(skeleton))


def second_opinion(text: str, skeleton: str, expected: Spans, at: int) -> None:
    """Plain commands are read by plain.py, all others by bashlex."""
    plain = plain_script(text)
    found: list[tuple[tuple[int, int], ...]] = []
    if plain is not None:
        for item, _ in plain.items:
            for pipeline in item.pipelines:
                found.extend(
                    tuple((w.start, w.end) for w in c.words) for c in pipeline.commands if isinstance(c, Simple)
                )
    else:
        try:
            for tree in parser_module().parse(skeleton, expansionlimit=0):
                collect(tree, found)
        except GiveUp:
            raise
        except Exception:  # bashlex raises almost anything, AttributeError and AssertionError included
            raise GiveUp("the parser does not understand the text", at) from None
    if tuple(sorted(found)) != expected:
        raise GiveUp("two readings of the text disagree", at)


def masked(region: Script) -> str:
    """The region's text with every edit applied; as long as the region, so that positions stay."""
    pieces: list[str] = []
    at = region.start
    for start, end, replacement in sorted(region.edits):
        if start < at or end - start != len(replacement):
            raise GiveUp("two readings of the text overlap", start)
        pieces.append(region.source[at:start])
        pieces.append(replacement)
        at = end
    pieces.append(region.source[at : region.end])
    return "".join(pieces)


def collect(tree: Any, found: list[tuple[tuple[int, int], ...]]) -> None:
    """The word spans of every simple command in bashlex's tree, without recursion."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.kind == "command":
            found.append(tuple((p.pos[0], p.pos[1]) for p in node.parts if p.kind in ("word", "assignment")))
            continue
        if node.kind in ("commandsubstitution", "processsubstitution", "parameter"):
            raise GiveUp("two readings of the text disagree")
        stack.extend(getattr(node, "parts", ()) or ())
        stack.extend(getattr(node, "list", ()) or ())
        stack.extend(getattr(node, "redirects", ()) or ())
        body = getattr(node, "body", None)
        if body is not None and node.kind == "function" and body not in node.parts:
            stack.append(body)
