"""bashlex as fast_bashlex.py brings it: the same parser as the installed one, from stored tables, in nobody's way."""

from __future__ import annotations

import marshal
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from askfirst import patterns
from askfirst.shell import fast_bashlex
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


def copy() -> fast_bashlex.Copy:
    spec = find_spec("bashlex")
    assert spec is not None and spec.submodule_search_locations is not None
    return fast_bashlex.Copy(list(spec.submodule_search_locations), fast_bashlex.stored())


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
    """What shape_of relies on: with other letters and digits, but the same reserved words, all words stay in place."""

    def read(text: str) -> object:
        found: list[tuple[tuple[int, int], ...]] = []
        try:
            for one in second_opinion.bashlex().parse(text, expansionlimit=0):
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


def test_the_stored_tables_are_those_of_the_installed_bashlex() -> None:
    """If not: `python -m askfirst.shell.fast_bashlex` writes them."""
    assert fast_bashlex.stored() == fast_bashlex.computed()


def test_the_stored_patterns_are_those_of_this_interpreter() -> None:
    """If not: `python -m askfirst.shell.fast_bashlex` writes them."""
    found = patterns.stored()
    if not found["lists"]:
        pytest.skip(f"no patterns are stored for this version of Python ({patterns.engine()}); it compiles them itself")
    assert set(fast_bashlex.usual_patterns()) <= set(found["lists"])
    if found["python"] != sys.version.split()[0]:
        pytest.skip(f"stored by Python {found['python']}: another release may translate a pattern otherwise")
    assert found["lists"] == patterns.computed(sorted(found["lists"]))


def test_other_tables_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import bashlex.parser as real

    for wrong in (
        {},
        {**fast_bashlex.stored(), "grammar": ([], (), [])},
        {**fast_bashlex.stored(), "productions": None},
    ):
        monkeypatch.setattr(fast_bashlex, "stored", lambda wrong=wrong: wrong)
        assert fast_bashlex.parser_module() is real


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
        "import sys\n"
        "from askfirst.shell.reading.second_opinion import bashlex as own\n"
        "own(); loaded = 'bashlex' in sys.modules, 'enum' in sys.modules\n"
        "import bashlex, copy, enum\n"
        "others = hasattr(copy, 'deepcopy'), hasattr(enum, 'Flag')\n"
        "print(loaded, bashlex.parse('a b')[0].kind, bashlex.parser is own(), *others)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split(") ")[1].split() == ["command", "False", "True", "True"]
    assert ran.stdout.startswith("(False, ")
