"""The real client edits real files with the gate on: nothing large is replaced unseen, a person's choice is written."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.files import facts_of_tool
from askfirst.model import Answer, Decision, Write
from askfirst.policy.rules import WriteSettings
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import Block, FakeModel, bash, use
from tests.waiting import until

LONG = "".join(f"def f{i}():\n    return {i}\n\n" for i in range(90))  # 270 lines
SHORT = "".join(f"def g{i}():\n    return {i}\n\n" for i in range(18)) + "x = 1\ny = 2\n"  # 56 lines


@pytest.fixture
def module(client: Client) -> Path:
    client.init()
    path = client.project / "state.py"
    path.write_text(LONG)
    return path


def test_a_270_line_module_is_not_replaced_by_56_lines_unseen(client: Client, module: Path) -> None:
    """With every permission open and nobody to ask: each way to do it is refused, small work goes on."""
    small = client.project / "notes.txt"
    small.write_text("one\r\ntwo\r\n", newline="")
    turns = [
        [use("Read", file_path=str(module)), use("Read", file_path=str(small))],
        [use("Write", file_path=str(module), content=SHORT)],
        [bash(f"cat > state.py <<'EOF'\n{SHORT}EOF")],
        [bash("echo x > short.py && cp short.py state.py")],
        [use("Edit", file_path=str(module), old_string="return 7\n", new_string="return 77\n"),
         use("Edit", file_path=str(small), old_string="two", new_string="three")],
        [use("Write", file_path=str(client.project / ".claude/settings.json"), content="{}")],
        [bash("mkdir -p .claude && echo '{}' > .claude/settings.json")],
    ]  # fmt: skip
    results = client.run(turns, OPEN).tool_results()
    for refused in (results[2], results[3], results[4]):
        assert "askfirst denied this" in refused and "replaces most of" in refused and "askfirst watch" in refused
    assert "DELETED: def f0" in results[2]
    assert module.read_text() == LONG.replace("return 7\n", "return 77\n")
    assert small.read_bytes() == b"one\r\nthree\r\n"
    assert "askfirst denied this" in results[7] and "askfirst denied this" in results[8]
    assert not (client.project / ".claude/settings.json").exists()


def answered(
    client: Client, turns: list[list[Block]], answer: Callable[[ApprovalManager, Question], None], *words: str
) -> FakeModel:
    models: list[FakeModel] = []
    with announce("test"):
        run = threading.Thread(target=lambda: models.append(client.run(turns, *words)))
        run.start()
        manager = file_manager()
        found: Any = until(manager.pending, "the request")
        answer(manager, found[0])
        run.join(timeout=180)
    return models[0]


def yes(manager: ApprovalManager, question: Question, **extra: object) -> None:
    manager.respond(
        question.id, Answer(Decision.ALLOW, by="a person at a test", digest=question.digest, extra=extra or None)
    )


def replacing(module: Path) -> list[list[Block]]:
    return [[use("Read", file_path=str(module))], [use("Write", file_path=str(module), content=SHORT)]]


@pytest.mark.parametrize("mode", [(OPEN,), ("--permission-mode", "acceptEdits")], ids=["open", "acceptEdits"])
def test_what_a_person_approves_is_written(client: Client, module: Path, mode: tuple[str, ...]) -> None:
    def answer(manager: ApprovalManager, question: Question) -> None:
        assert (
            question.change == "REPLACE" and question.deleted[0] == "def f0" and "of 270 lines" in question.deleted[-1]
        )
        assert "-def f0():" in question.diff and question.strategies == ("replace", "append", "insert", "extend")
        yes(manager, question)

    answered(client, replacing(module), answer, *mode)
    assert module.read_text() == SHORT


def test_a_merge_reaches_the_tool(client: Client, module: Path) -> None:
    answered(client, replacing(module), lambda manager, question: yes(manager, question, strategy="extend"), OPEN)
    text = module.read_text()
    assert text.startswith(LONG) and "def g17():" in text and "x = 1" not in text


def test_a_link_swapped_between_approval_and_write(client: Client, module: Path) -> None:
    """The same content stands behind the same name, but it is another file now."""
    other = client.project / "other.py"

    def answer(manager: ApprovalManager, question: Question) -> None:
        module.rename(other)
        module.symlink_to(other)
        yes(manager, question)

    results = answered(client, replacing(module), answer, OPEN).tool_results()
    assert "changed since you approved, propose again" in results[1]
    assert other.read_text() == LONG


def test_a_save_between_question_and_answer(client: Client, module: Path) -> None:
    def answer(manager: ApprovalManager, question: Question) -> None:
        module.write_text(LONG + "saved = 'meanwhile'\n")
        yes(manager, question)

    turns = [[bash(f"cat > state.py <<'EOF'\n{SHORT}EOF")]]
    results = answered(client, turns, answer, OPEN).tool_results()
    assert "changed since you approved, propose again" in results[0]
    assert module.read_text().endswith("saved = 'meanwhile'\n")


# -- what is judged is what is written --------------------------------------------------------------------------------

BOM, LITTLE = b"\xef\xbb\xbf", "utf-16-le"
CODE = {
    "cell_type": "code",
    "execution_count": 3,
    "id": "a",
    "metadata": {},
    "outputs": [],
    "source": ["x = 1\n", "y = 2"],
}
NOTES = {"cell_type": "markdown", "id": "b", "metadata": {}, "source": "text"}
NOTEBOOK = (
    json.dumps({"cells": [CODE, NOTES], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=4).encode() + b"\n"
)
OLD_NOTEBOOK = json.dumps({"cells": [CODE, NOTES], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}).encode()


def edit(old: str, new: str, **more: bool) -> dict[str, Any]:
    return {"old_string": old, "new_string": new, **more}


# tool, what is on disk (None: nothing), input
CALLS: list[tuple[str, bytes | None, dict[str, Any]]] = [
    ("Edit", b"one\r\ntwo\r\nthree\r\n", edit("one\ntwo", "1\n2\n2b")),
    ("Edit", b"one\r\ntwo\r\n", edit("two", "2\r\n2b")),
    ("Edit", b"one\ntwo\n", edit("two\n", "2\r\n3\n")),
    ("Edit", b"one\r\ntwo\nthree\nfour\n", edit("two", "2")),
    ("Edit", b"a\r\nb\r\ntwo\nc\nd\r\n", edit("two", "2")),
    ("Edit", b"one\rtwo\r", edit("one\rtwo", "x")),
    ("Edit", BOM + b"one\ntwo\n", edit("two", "2\n3")),
    ("Edit", "\ufeffone\r\ntwo\r\n".encode(LITTLE), edit("two", "zwei ü")),
    ("Edit", b"a b a b\n", edit("a", "c", replace_all=True)),
    ("Edit", b"no end", edit("end", "more")),
    ("Edit", "grüß\n".encode(), edit("ü", "ue")),
    ("Edit", b"", edit("", "now\n")),
    ("Edit", None, edit("", "made\r\nhere\n")),
    ("Edit", b"price: X\n", edit("X", "$& $1 $$ 5")),
    ("Edit", b"\tone  \n\ttwo\n", edit("\tone  \n", "")),
    ("Edit", b"one\ntwo\n", edit("two", "2   \nx  ")),
    ("Edit", b"one\ntwo\nthree\n", edit("two", "")),
    ("Edit", b"two\ntwo\nthree two\n", edit("two", "", replace_all=True)),
    ("Write", b"one\r\ntwo\r\n", {"content": "a\nb\n"}),
    ("Write", b"one\n", {"content": "a\r\nb  \nc\rd\n"}),
    ("Write", BOM + b"one\n", {"content": "a\nb\n"}),
    ("Write", BOM + b"one\n", {"content": "\ufeffa\n"}),
    ("Write", b"one\n", {"content": "\ufeffa\n"}),
    ("Write", "\ufeffone\r\n".encode(LITTLE), {"content": "a\nü\n"}),
    ("Write", None, {"content": "a\r\nb  \n"}),
    ("NotebookEdit", NOTEBOOK, {"cell_id": "a", "new_source": "z = 'ü'\n"}),
    ("NotebookEdit", NOTEBOOK.replace(b"\n", b"\r\n"), {"cell_id": "a", "new_source": "z"}),
    ("NotebookEdit", NOTEBOOK, {"cell_id": "b", "new_source": "", "edit_mode": "delete"}),
    ("NotebookEdit", NOTEBOOK, {"cell_id": "b", "new_source": "z", "cell_type": "code"}),
    ("NotebookEdit", NOTEBOOK, {"cell_id": "a", "new_source": "z", "cell_type": "markdown"}),
    ("NotebookEdit", OLD_NOTEBOOK,
     {"cell_id": "cell-1", "new_source": "z", "edit_mode": "insert", "cell_type": "code"}),
    ("NotebookEdit", NOTEBOOK, {"new_source": "z", "edit_mode": "insert", "cell_type": "markdown"}),
]  # fmt: skip


def test_the_content_that_is_judged_is_the_content_that_is_written(client: Client) -> None:
    """Edits, encodings, marks, line ends and notebooks: computed first, then held against what the client leaves."""
    client.init()
    project, expected, reads, turns = str(client.project), [], [], []
    for number, (tool, disk, given) in enumerate(CALLS):
        path = client.project / f"f{number}{'.ipynb' if tool == 'NotebookEdit' else '.txt'}"
        if disk is not None:
            path.write_bytes(disk)
            reads.append(use("Read", file_path=str(path)))
        whole = {"notebook_path" if tool == "NotebookEdit" else "file_path": str(path), **given}
        write = facts_of_tool(tool, whole, project=project, cwd=project, settings=WriteSettings())[0]
        assert isinstance(write, Write)
        expected.append((path, write.content))
        turns.append(use(tool, **whole))
    results = client.run([reads, turns], OPEN).tool_results()[len(reads) :]
    for (path, content), told in zip(expected, results, strict=True):
        found = re.sub(rb'"id": "[0-9a-f]{8}"', b'"id": "new"', path.read_bytes())  # the client makes one up
        assert found == content, f"{path.name}: {told[:300]}"
