"""The real client edits real files with the gate on: nothing large is replaced unseen, and what a person chose is what is written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.model import Answer, Decision
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import Block, FakeModel, bash, use
from tests.hook.process import until

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


def answered(client: Client, turns: list[list[Block]], answer: Callable[[ApprovalManager, Question], None], *words: str) -> FakeModel:
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
    manager.respond(question.id, Answer(Decision.ALLOW, by="a person at a test", digest=question.digest, extra=extra or None))


def replacing(module: Path) -> list[list[Block]]:
    return [[use("Read", file_path=str(module))], [use("Write", file_path=str(module), content=SHORT)]]


@pytest.mark.parametrize("mode", [(OPEN,), ("--permission-mode", "acceptEdits")], ids=["open", "acceptEdits"])
def test_what_a_person_approves_is_written(client: Client, module: Path, mode: tuple[str, ...]) -> None:
    def answer(manager: ApprovalManager, question: Question) -> None:
        assert question.change == "REPLACE" and question.deleted[0] == "def f0" and "of 270 lines" in question.deleted[-1]
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
