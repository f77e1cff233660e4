"""bashlex as bashlex_parser.py brings it: from cached tables it is the same parser, and what is odd costs time only."""

from __future__ import annotations

import marshal
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst.shell.bashlex_parser import parser_module
from askfirst.shell.reading import second_opinion
from askfirst.shell.reading.ledger import Ledger
from askfirst.shell.reading.script import ScriptParser
from askfirst.shell.syntax import GiveUp, Script
from tests.shell.generator import scripts

TEXTS = [text for _, text in scripts(0, 400)] + [
    "a | b && c > d",
    "for x in a b; do c; done",
    "f() { a; }",
    "if a; then b; fi",
    "a <<E\nb\nE\n",
    "(",
]


def tree(parser: Any, text: str) -> str:
    try:
        return "\n".join(node.dump() for node in parser.parse(text, expansionlimit=0))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def test_bashlex_reads_all_texts_of_a_shape_alike() -> None:
    """What shape_of relies on: with other letters and digits, but the same reserved words, all words stay in place."""

    def read(text: str) -> object:
        found: list[tuple[tuple[int, int], ...]] = []
        try:
            for one in parser_module().parse(text, expansionlimit=0):
                second_opinion.collect(one, found)
        except Exception as error:
            return type(error).__name__
        return found

    others = str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "bcdefghijklmnopqrstuvwxyza1234567890")
    different = 0
    for text in TEXTS:
        regions: list[Script] = []
        try:
            ScriptParser(text, 0, Ledger(), regions).program()
            skeletons = [second_opinion.masked(region) for region in regions]
        except GiveUp:
            continue
        for skeleton in skeletons:
            changed = list(skeleton.translate(others))
            for found in second_opinion.MEANT.finditer(skeleton):
                changed[found.start() : found.end()] = found.group()
            other = "".join(changed)
            if second_opinion.shape_of(other) == second_opinion.shape_of(skeleton):
                different += other != skeleton
                assert read(other) == read(skeleton), (skeleton, other)
    assert different > 100


# Prints whether the tables were computed, and a digest of how TEXTS are read.
READS = """
import sys, hashlib
from askfirst.shell.bashlex_parser import keep_tables_in, parser_module
from askfirst.store import rulecache
if sys.argv[1] == "cached":
    keep_tables_in(rulecache)
parser = parser_module()
from tests.shell.test_bashlex_parser import TEXTS, tree
import bashlex, bashlex.yacc
made = "ast" if hasattr(parser.yaccparser.productions[1], "prod") else "cache"
assert bashlex.parser is parser and bashlex.parse("a b")[0].kind == "command"
assert bashlex.yacc.yacc.__module__ == "bashlex.yacc"
print(made, hashlib.sha256(repr([tree(parser, text) for text in TEXTS]).encode()).hexdigest())
"""


def reads(how: str) -> list[str]:
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", READS, how], capture_output=True, text=True, check=False, cwd=root)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def tables(home: Path) -> Path:
    (found,) = (Path(os.environ["XDG_STATE_HOME"]) / "askfirst" / "rules").iterdir()
    return found


def test_from_cached_tables_it_is_the_same_parser(home: Path) -> None:
    made, plain = reads("plain")
    assert made == "ast"
    assert reads("cached") == ["ast", plain], "computed, and kept"
    assert reads("cached") == ["cache", plain]
    kept = tables(home)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", ["emptied", "cut", "changed", "not tables", "no directory"])
def test_damaged_tables_are_computed_anew(home: Path, damage: str) -> None:
    _, plain = reads("cached")
    kept = tables(home)
    data = kept.read_bytes()
    if damage == "no directory":
        kept.unlink()
        kept.parent.rmdir()
        kept.parent.write_bytes(b"")
    else:
        body = marshal.dumps(((), {}, {}))
        other = {"emptied": b"", "cut": data[:-9], "changed": data[:99] + b"!" + data[100:], "not tables": body}[damage]
        kept.write_bytes(other)
    assert reads("cached") == ["ast", plain]
    if damage != "no directory":
        assert reads("cached") == ["cache", plain], "and kept again"
