"""`askfirst check` shows every mistake at once, each at its place, and none that is not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askfirst.cli import main

PROJECT = """\
version: 2
profile: [x]
commands:
  - nmae: npm
  - name: "*"
  - name: git
    args: 5
  - name: ok
  - name: x
    expires: soon
foo: 1
"""
ORG = """\
version: 2
blocked_commands:
  - name: 5
  - nmae: x
allowed_commands:
  - nmae: z
approval_timeout_minutes: 99
writes: {max_kb: 4}
"""


@pytest.mark.parametrize(
    ("words", "text", "lines"),
    [
        ((), PROJECT, [2, 4, 5, 7, 10, 11]),
        (("--org",), ORG, [3, 4, 6, 7, 8]),
        (("--org",), "version: 2\nblocked_commands:\n  - nmae: x\n", [3]),
        ((), "version: 2\ncommands: [\n", [3]),
        ((), "commands: []\n", [1]),
        ((), "version: 2\n" + "".join(f"k{n}: 1\n" for n in range(80)), list(range(2, 52))),
    ],
)
def test_all_mistakes_are_shown(
    words: tuple[str, ...], text: str, lines: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    assert main(["check", *words, str(file), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert [problem["line"] for problem in result["problems"]] == lines
    assert main(["check", *words, str(file)]) == 1
    assert capsys.readouterr().out.count("✗") == len(lines)
