"""Merge strategies, by the numbers of the safe file write gate's scenarios; and the preview and the updated input that
come from them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from askfirst.files.merge import MergeCancelled, MergeError, choose_line, from_answer, merge, numbered
from askfirst.files.show import preview, shown, updated_input

CLASS = '''"""State."""
import os


class State:
    x = 1

    def run(self):
        return os.sep


def keep():
    return 1
'''


def test_070_append_keeps_both() -> None:
    assert merge("a\nb\n", "c\n", "append").text == "a\nb\nc\n"
    assert merge("a\nb", "c", "append").text == "a\nb\nc"
    assert merge("", "c", "append").text == "c"


def test_080_replace_leaves_only_the_new() -> None:
    assert merge("a\n", "b\n", "replace").text == "b\n"


@pytest.mark.parametrize(("line", "expected"), [(0, "X\na\nb\n"), (1, "a\nX\nb\n"), (2, "a\nb\nX\n")])
def test_110_insert_at_a_valid_line(line: int, expected: str) -> None:
    assert merge("a\nb\n", "X\n", "insert", line).text == expected


@pytest.mark.parametrize("line", [-1, 3, 10**9, None, True])
def test_120_insert_at_an_invalid_line(line: int | None) -> None:
    with pytest.raises(MergeError, match="0 .*before the first"):
        merge("a\nb\n", "X\n", "insert", line)


def asked(*typed: str | None) -> tuple[Any, list[str]]:
    prompts: list[str] = []
    answers = iter(typed)

    def read(prompt: str) -> str | None:
        prompts.append(prompt)
        return next(answers)

    return read, prompts


def test_120_an_invalid_line_is_asked_again_three_times() -> None:
    read, prompts = asked("99", "x", "2")
    assert choose_line(read, 5) == 2
    assert len(prompts) == 3 and "`99` is not a number" in prompts[1]
    read, prompts = asked("99", "-1", "²", "1")
    with pytest.raises(MergeCancelled, match="3 tries"):
        choose_line(read, 5)
    assert len(prompts) == 3


@pytest.mark.parametrize("typed", [None, "", "  "])
def test_130_cancelling_is_a_deny(typed: str | None) -> None:
    with pytest.raises(MergeCancelled, match="nothing is written"):
        choose_line(asked(typed)[0], 5)


def test_the_numbered_view() -> None:
    assert numbered("a\n" * 9 + "b\n")[8:] == [" 9  a", "10  b"]


NEW = '''from __future__ import annotations
import sys


class State:
    def run(self):
        return "other"

    @property
    def more(self):
        """Two
    lines."""
        return sys.argv


class Another:
    pass


async def fresh():
    return 2


def keep():
    return 99
LIMIT = 3
'''


def test_090_extend_adds_what_is_new_and_changes_nothing_else() -> None:
    merged = merge(CLASS, NEW, "extend")
    tree = ast.parse(merged.text)
    state = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "State")
    assert [n.name for n in state.body if isinstance(n, ast.FunctionDef)] == ["run", "more"]
    kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    assert [n.name for n in tree.body if isinstance(n, kinds)] == ["State", "keep", "Another", "fresh"]
    assert merged.text.startswith('"""State."""\nfrom __future__ import annotations\nimport os\nimport sys\n')
    assert "return os.sep" in merged.text and '"other"' not in merged.text and "99" not in merged.text
    assert '"""Two\n    lines."""' in merged.text
    assert merged.warning == "kept as they were: State.run, keep; left out: 1 statement outside functions and classes"
    # Every line that was there is still there, in order.
    lines = iter(merged.text.splitlines())
    assert all(line in lines for line in CLASS.splitlines())


def test_090_methods_move_to_the_indentation_of_the_class() -> None:
    merged = merge(
        "class A:\n  def a(self):\n    pass\n", 'class A:\n    def b(self):\n        return """x\n    y"""\n', "extend"
    )
    assert merged.text == 'class A:\n  def a(self):\n    pass\n\n  def b(self):\n      return """x\n    y"""\n'
    ast.parse(merged.text)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (CLASS, "def broken(:\n", "the new content is not valid Python"),
        ("def broken(:\n", "def ok(): ...\n", "the existing file is not valid Python"),
        ("class A: pass\n", "class A:\n    def b(self): ...\n", "do not fit together"),
    ],
)
def test_095_extend_falls_back_to_append_with_a_warning(old: str, new: str, why: str) -> None:
    merged = merge(old, new, "extend")
    assert merged.text == old + new and merged.warning.startswith("appended instead: ") and why in merged.warning


def test_extend_with_nothing_new() -> None:
    assert merge(CLASS, "def keep():\n    return 1\n", "extend").text == CLASS
    assert "nothing new" in merge(CLASS, "", "extend").warning
    assert merge("", "def a(): ...\n", "extend").text == "def a(): ...\n"


@pytest.mark.parametrize(
    "extra",
    [{"strategy": "magic"}, {"strategy": 5}, {"strategy": "insert", "line": "7"}, {"strategy": "insert", "line": True}],
)
def test_an_odd_answer_is_refused(extra: dict[str, Any]) -> None:
    with pytest.raises(MergeError):
        from_answer(extra)


def test_no_strategy_is_replace() -> None:
    assert from_answer(None) == from_answer({}) == ("replace", None)


# --- what the tool gets, and what the person sees before


def given(project: Path, content: str) -> dict[str, Any]:
    return {"file_path": str(project / "state.py"), "content": content, "note": "kept"}


def test_the_merged_content_is_the_tools_input(project: Path) -> None:
    (project / "state.py").write_text(CLASS)
    done = updated_input("Write", given(project, "def late(): ...\n"), {"strategy": "append"}, cwd=str(project))
    assert done == {**given(project, CLASS + "def late(): ...\n")}
    assert updated_input("Write", given(project, "x"), None, cwd=str(project)) == given(project, "x")


def test_the_merge_is_made_with_what_the_person_saw(project: Path) -> None:
    (project / "state.py").write_text(CLASS)
    with pytest.raises(MergeError, match="changed since you approved"):
        updated_input("Write", given(project, "x"), {"strategy": "append"}, cwd=str(project), base="0" * 64)


@pytest.mark.parametrize("tool", ["Edit", "NotebookEdit"])
def test_only_whole_contents_are_merged(project: Path, tool: str) -> None:
    with pytest.raises(MergeError, match="cannot be merged"):
        updated_input(tool, {"file_path": "x"}, {"strategy": "append"}, cwd=str(project))


def test_a_merge_needs_a_text_to_merge_with(project: Path) -> None:
    with pytest.raises(MergeError, match="not a text file"):
        updated_input("Write", given(project, "x"), {"strategy": "append"}, cwd=str(project))


def test_the_preview_is_what_comes_out(project: Path) -> None:
    path = project / "state.py"
    path.write_text(CLASS)
    seen = preview(str(path), "def late(): ...\n", {"strategy": "append"}, str(project))
    assert (
        seen.text
        == updated_input("Write", given(project, "def late(): ...\n"), {"strategy": "append"}, cwd=str(project))[
            "content"
        ]
    )
    assert "+def late(): ..." in seen.diff and "\n-" not in seen.diff.split("\n", 2)[2] and seen.deleted == ()
    assert preview(str(path), "", {"strategy": "replace"}).deleted == (
        "class State",
        "def State.run",
        "def keep",
        "13 of 13 lines",
    )


def test_what_the_question_shows(project: Path) -> None:
    from askfirst.files import facts_of_tool
    from askfirst.model import Write
    from askfirst.policy.rules import WriteSettings

    (project / "state.py").write_text(CLASS)
    (write,) = facts_of_tool(
        "Write", given(project, "x = 1\n"), project=str(project), cwd=str(project), settings=WriteSettings()
    )
    assert isinstance(write, Write)
    seen = shown(write, str(project))
    assert seen.change == "REPLACE"
    assert seen.deleted == ("class State", "def State.run", "def keep", "13 of 13 lines")
    assert seen.diff.startswith("--- a/state.py\n+++ b/state.py\n@@ ")
    assert seen.strategies == ("replace", "append", "insert", "extend") and seen.proposed == "x = 1\n"
