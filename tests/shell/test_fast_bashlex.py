"""bashlex as it is borrowed: the same parser as the installed one, from stored tables that fit, in nobody's way."""

from __future__ import annotations

import marshal
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from askfirst import patterns
from askfirst.shell import fast_bashlex as borrowed
from askfirst.shell import parse
from askfirst.shell.grammar import Parser
from askfirst.shell.lex import Ledger
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


def copy() -> borrowed.Copy:
    spec = find_spec("bashlex")
    assert spec is not None and spec.submodule_search_locations is not None
    return borrowed.Copy(list(spec.submodule_search_locations), borrowed.stored())


def test_the_copy_reads_as_bashlex_does() -> None:
    import bashlex.parser as real

    mine = copy().module("parser")
    assert mine is not real
    read = 0
    for text in TEXTS:
        assert tree(mine, text) == tree(real, text), text
        read += "Error" not in tree(real, text)[:40]
    assert read > 100  # most of them are trees, not errors


def test_bashlex_reads_all_texts_of_a_shape_alike() -> None:
    """What parse.shape_of relies on: with other letters and digits, but the same reserved words, the words stand where they stood."""

    def read(text: str) -> object:
        found: list[tuple[tuple[int, int], ...]] = []
        try:
            for one in parse.bashlex().parse(text, expansionlimit=0):
                parse.collect(one, found)
        except Exception as error:
            return type(error).__name__
        return found

    others = str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "bcdefghijklmnopqrstuvwxyza1234567890")
    different = 0
    for text in TEXTS:
        regions: list[Script] = []
        try:
            Parser(text, 0, Ledger(), regions).program()
            skeletons = [parse.masked(region) for region in regions]
        except GiveUp:
            continue
        for skeleton in skeletons:
            changed = list(skeleton.translate(others))
            for found in parse.MEANT.finditer(skeleton):
                changed[found.start() : found.end()] = found.group()
            other = "".join(changed)
            if parse.shape_of(other) == parse.shape_of(skeleton):
                different += other != skeleton
                assert read(other) == read(skeleton), (skeleton, other)
    assert different > 100


def test_the_stored_tables_are_those_of_the_installed_bashlex() -> None:
    """If not: `python -m askfirst.shell.fast_bashlex` writes them."""
    assert borrowed.stored() == borrowed.computed()


def test_the_stored_patterns_are_those_of_this_interpreter() -> None:
    """If not: `python -m askfirst.shell.fast_bashlex` writes them."""
    found = patterns.stored()
    if not found["lists"]:
        pytest.skip(f"no patterns are stored for this version of Python ({patterns.engine()}); it compiles them itself")
    assert set(borrowed.usual_patterns()) <= set(found["lists"])
    if found["python"] != sys.version.split()[0]:
        pytest.skip(
            f"stored by Python {found['python']}: another release may translate a pattern in another way, for the same engine"
        )
    assert found["lists"] == patterns.computed(sorted(found["lists"]))


def test_other_tables_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import bashlex.parser as real

    for wrong in ({}, {**borrowed.stored(), "grammar": ([], (), [])}, {**borrowed.stored(), "productions": None}):
        monkeypatch.setattr(borrowed, "stored", lambda wrong=wrong: wrong)
        assert borrowed.parser_module() is real


def test_a_damaged_file_costs_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (
        None,
        b"",
        b"x",
        marshal.dumps(()),
        marshal.dumps((0, [1, 2, 3], 0, {}, (None,))),
        marshal.dumps((0, "x", 0, {}, ())),
    ):
        monkeypatch.setattr(patterns, "_ready", {"[a-z]x": wrong} if wrong is not None else {})
        monkeypatch.setattr(patterns, "_made", {})
        found = patterns.compiled("[a-z]x")
        assert found.fullmatch("bx") and not found.fullmatch("Bx")


def test_the_rest_of_the_program_sees_its_own_bashlex() -> None:
    code = (
        "import sys; from askfirst.shell import parse; parse.bashlex(); own = 'bashlex' in sys.modules, 'enum' in sys.modules\n"
        "import bashlex, copy, enum\n"
        "print(own, bashlex.parse('a b')[0].kind, bashlex.parser is parse.bashlex(), hasattr(copy, 'deepcopy'), hasattr(enum, 'Flag'))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split(") ")[1].split() == ["command", "False", "True", "True"]
    assert ran.stdout.startswith("(False, ")
