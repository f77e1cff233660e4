"""jsontext against json, both directions."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from askfirst import jsontext


def value(choose: random.Random, depth: int = 0) -> Any:
    kind = choose.randrange(8 if depth < 4 else 6)
    if kind == 0:
        return "".join(choose.choice('aé"\\\n\t\x00\x1f\u2028😀\ud800/') for _ in range(choose.randrange(8)))
    if kind == 1:
        return choose.choice([0, -1, 10**30, 2**53])
    if kind == 2:
        return choose.choice([0.1, -1e300, 5e-324, 1.0])
    if kind in (3, 4, 5):
        return [None, True, False][kind - 3]
    if kind == 6:
        return [value(choose, depth + 1) for _ in range(choose.randrange(4))]
    return {f"k{i}": value(choose, depth + 1) for i in range(choose.randrange(4))}


def test_both_directions_agree_with_json() -> None:
    choose = random.Random(5)
    for _ in range(3000):
        made = value(choose)
        text = jsontext.dumps(made)
        assert json.loads(text) == made
        assert jsontext.loads(json.dumps(made)) == made == jsontext.loads(text)


BAD = [
    "",
    " ",
    "{",
    "[1,]",
    "{'a':1}",
    "nul",
    "1 2",
    '{"a":1}{"b":2}',
    '{"a":1,"a":2}',
    "NaN",
    "[Infinity]",
    '"\x01"',
    "01",
    "\ufeff\ufeff1",
    '{"a"}',
]


@pytest.mark.parametrize("text", BAD)
def test_what_is_not_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        jsontext.loads(text)


def test_deep_nesting_is_a_value_error() -> None:
    with pytest.raises(ValueError):
        jsontext.loads("[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError):
        jsontext.loads(b"\xff\xfe")


def test_it_is_one_where_json_was_never_imported() -> None:
    """The scanner then has no error of its own to raise."""
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from askfirst import jsontext
assert "json" not in sys.modules and jsontext.loads('[1, {{"a": null}}]') == [1, {{"a": None}}]
for text in {BAD!r}:
    for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
        del sys.modules[name]
    try:
        print(text, jsontext.loads(text))
    except ValueError:
        pass
"""
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
