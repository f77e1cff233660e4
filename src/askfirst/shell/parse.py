"""Text to tree, with bashlex as second opinion. The sole importer of bashlex.

This package's own reader (lex.py, grammar.py) finds the structure. Then every region is masked: what bashlex cannot read, or reads
silently wrong, becomes filler of the same length. What bashlex finds in this skeleton must coincide, span by span, with what the
reader found. If not, nobody knows what the text does.
"""

from __future__ import annotations

import re

from askfirst.shell.grammar import Parser
from askfirst.shell.plain import plain_script
from askfirst.shell.syntax import GiveUp, Script, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from askfirst.shell.lex import Ledger

    Spans: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]

TABLES = "lalr.bin"  # bashlex's parser tables, beside this file; `python -m askfirst.shell.parse` writes them
ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_bashlex: Any = None


def parse(text: str, ledger: Ledger) -> Script:
    """The tree of the text. Raises GiveUp when it is not certain."""
    odd = ODD.search(text)
    if odd:
        raise GiveUp(f"a control character (U+{ord(odd.group()):04X})", odd.start())
    regions: list[Script] = []
    script = Parser(text, 0, ledger, regions).program()
    agreed: set[tuple[str, Spans]] = set()
    for region in regions:
        verify(region, agreed)
    return script


def verify(region: Script, agreed: set[tuple[str, Spans]]) -> None:
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
        if (piece, expected) not in agreed:
            second_opinion(region.source[item.start : item.end], piece, expected, item.start)
            agreed.add((piece, expected))
        at = item.end
    if k < len(seen) or skeleton[at - region.start :].strip(" \t\n;&"):
        raise GiveUp("two readings of the text disagree", at)


def second_opinion(text: str, skeleton: str, expected: Spans, at: int) -> None:
    """Plain commands are read by plain.py, all others by bashlex."""
    plain = plain_script(text)
    found: list[tuple[tuple[int, int], ...]] = []
    if plain is not None:
        for item, _ in plain.items:
            for pipeline in item.pipelines:
                found.extend(tuple((w.start, w.end) for w in c.words) for c in pipeline.commands if isinstance(c, Simple))
    else:
        try:
            for tree in bashlex().parse(skeleton, expansionlimit=0):
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


# -- bashlex without building its tables anew at every start


def bashlex() -> Any:
    """bashlex's parser module. Its tables come from this package when they fit; else bashlex builds them (slowly)."""
    global _bashlex
    if _bashlex is None:
        import sys
        import types
        from importlib.util import find_spec

        if "bashlex" not in sys.modules:
            spec = find_spec("bashlex")
            if spec is None or spec.submodule_search_locations is None:
                raise GiveUp("bashlex is not installed", what="internal")
            # The package's own __init__ would build the tables before they can be given to it.
            package = types.ModuleType("bashlex")
            package.__path__ = list(spec.submodule_search_locations)
            sys.modules["bashlex"] = package
        real = sys.modules.get("inspect")
        sys.modules["inspect"] = real or light_inspect(sys.modules, types)
        try:
            import bashlex.yacc as yacc

            yacc.LRTable = table_class(yacc.LRTable)
            import bashlex.parser as parser
        finally:
            if real is None:
                del sys.modules["inspect"]
        _bashlex = parser
    return _bashlex


def light_inspect(modules: dict[str, Any], types: Any) -> Any:
    """What bashlex needs of `inspect`, whose import takes longer than reading a command: where a function comes from."""
    light = types.ModuleType("inspect")
    light.getmodule = lambda function: modules.get(function.__module__)
    light.getsourcefile = lambda module: module.__file__

    def getsourcelines(module: Any) -> Any:
        raise OSError("not read")  # only looked through for names that are defined twice

    light.getsourcelines = getsourcelines
    return light


def table_class(original: Any) -> Any:
    class Table(original):  # type: ignore[misc]
        def __init__(self, grammar: Any, log: Any = None) -> None:
            productions = [str(p) for p in grammar.Productions]
            ready = read_tables()
            if ready is None or ready[0] != productions:
                super().__init__(grammar, log)
                return
            self.grammar, self.log, self.lr_productions = grammar, log, grammar.Productions
            self.lr_action, self.lr_goto = ready[1], ready[2]
            self.sr_conflicts: list[Any] = []
            self.rr_conflicts: list[Any] = []

        def write_table(self, *_: Any, **__: Any) -> None:
            """A parser does not write into its own installation."""

    return Table


def read_tables() -> tuple[list[str], dict[int, dict[str, int]], dict[int, dict[str, int]]] | None:
    import marshal
    import os

    try:
        with open(os.path.join(os.path.dirname(__file__), TABLES), "rb") as file:
            productions, action, goto = marshal.loads(file.read())
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return productions, action, goto


def computed_tables() -> tuple[list[str], dict[int, dict[str, int]], dict[int, dict[str, int]]]:
    """The tables as bashlex builds them, before its own corrections."""
    import copy

    import bashlex.yacc as yacc

    kept: list[Any] = []
    original: Any = yacc.LRTable

    class Recording(original):  # type: ignore[misc]
        def __init__(self, grammar: Any, log: Any = None) -> None:
            super().__init__(grammar, log)
            kept.append(([str(p) for p in grammar.Productions], copy.deepcopy(self.lr_action), copy.deepcopy(self.lr_goto)))

        def write_table(self, *_: Any, **__: Any) -> None:
            """Nothing is written."""

    import importlib
    import sys

    yacc.LRTable = Recording
    sys.modules.pop("bashlex.parser", None)
    importlib.import_module("bashlex.parser")
    result: tuple[list[str], dict[int, dict[str, int]], dict[int, dict[str, int]]] = kept[0]
    return result


if __name__ == "__main__":
    import marshal
    import os

    import bashlex as _  # noqa: F401  the package itself first, as it comes

    with open(os.path.join(os.path.dirname(__file__), TABLES), "wb") as out:
        out.write(marshal.dumps(computed_tables(), 4))
