"""A proposal waits where every other question does; the agent goes on, and asks for the outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval.manager import file_manager
from askfirst.model import Decision
from askfirst.store import proposal_files
from askfirst.toolbox.changing import edit_file, write_file
from askfirst.toolbox.proposal_questions import proposal_status
from tests.toolbox.support import called, data, error, organisation, person
from tests.waiting import until


@pytest.fixture
def work(project: Path) -> Path:
    (project / "src").mkdir()
    (project / "src/app.py").write_text("def one():\n    return 1\n")
    (project / "tests").mkdir()
    (project / "tests/test_app.py").write_text("from src import app\n")
    return project


def proposed(work: Path, content: str = "def two():\n    return 2\n") -> str:
    found = data(called(write_file, work, "src/app.py", content))
    assert found["status"] == "hitl_required"
    return str(found["hitl"]["hitl_id"])


def test_a_yes_applies_it(work: Path) -> None:
    with person(Decision.ALLOW) as asked:
        id = proposed(work)
        until(lambda: (work / "src/app.py").read_text().startswith("def two"))
    question = asked[0]
    assert question.tool == "Propose" and question.text.endswith("src/app.py") and "+def two():" in question.diff
    assert [c.duration.name for c in question.choices if not c.refused] == ["ONCE"], "a proposal is applied once"
    assert any("tests/test_app.py" in note for note in question.notes), "the tests that belong to it"
    assert data(called(proposal_status, work, id, 10))["state"] == "applied"


def test_a_no_discards_it(work: Path) -> None:
    with person(Decision.DENY, reason="not that way"):
        id = proposed(work)
        found = data(called(proposal_status, work, id, 20))
    assert found["state"] == "discarded" and "def one" in (work / "src/app.py").read_text()
    until(lambda: data(called(proposal_status, work, id))["said"] == "not that way")


def test_a_person_may_merge_it(work: Path) -> None:
    with person(Decision.ALLOW, extra={"strategy": "append"}):
        id = proposed(work)
        assert data(called(proposal_status, work, id, 20))["state"] == "applied"
    assert (work / "src/app.py").read_text() == "def one():\n    return 1\ndef two():\n    return 2\n"


def test_a_command_that_applies_it_ends_the_question(work: Path) -> None:
    id = proposed(work)
    manager = file_manager()
    until(manager.pending)
    proposal_files.apply((proposal_files.find(id),), check=lambda _: "", by="a person")
    until(lambda: not manager.pending())
    assert data(called(proposal_status, work, id))["state"] == "applied"


def test_a_file_that_changed_meanwhile_is_not_overwritten(work: Path) -> None:
    with person(Decision.ALLOW, first=lambda: (work / "src/app.py").write_text("# mine\n")):
        id = proposed(work)
        until(lambda: data(called(proposal_status, work, id))["said"])
    assert (work / "src/app.py").read_text() == "# mine\n"
    found = data(called(proposal_status, work, id))
    assert found["state"] == "pending" and "changed since" in found["said"]


def test_its_time_is_a_setting(work: Path) -> None:
    organisation("toolbox: {hitl_ttl_seconds: 900}")
    found = data(called(write_file, work, "src/app.py", "x = 1\n"))
    assert found["hitl"]["ttl_seconds"] == 900


def test_an_answer_to_another_question_says_nothing_about_it(work: Path) -> None:
    """Whatever the rules allow of the file: a proposal is a person's to apply."""
    id = proposed(work)
    manager = file_manager()
    until(manager.pending)
    manager.judge_again()
    assert len(manager.pending()) == 1 and data(called(proposal_status, work, id))["state"] == "pending"


@pytest.mark.parametrize("id, code", [("nonsense", "ProposalNotFound"), ("", "ProposalNotFound")])
def test_what_is_no_proposal(work: Path, id: str, code: str) -> None:
    assert error(called(proposal_status, work, id))[0] == code


# -- edits by syntax


def edited(work: Path, *edits: dict[str, object]) -> str:
    id = str(data(called(edit_file, work, "src/app.py", list(edits)))["hitl"]["hitl_id"])
    return proposal_files.new_content(proposal_files.find(id)).decode()


def test_a_pattern_of_code(work: Path) -> None:
    pytest.importorskip("ast_grep_py", reason="needs the extra askfirst[tools]")
    (work / "src/app.py").write_text("é = log(1, 'x')\nprint('log(2)')  # log(3)\nlog( 4 , y )\n")
    edit = {"match_mode": "ast", "spec": "log($A, $$$R)", "content": "trace($A, 0, $$$R)", "count": 2}
    assert edited(work, edit) == "é = trace(1, 0, 'x')\nprint('log(2)')  # log(3)\ntrace(4, 0, y)\n"


@pytest.mark.parametrize(
    "edit, code",
    [
        ({"spec": "return $X", "count": 2}, "MatchCount"),
        ({"spec": "nothing_like_it($$$)"}, "MatchCount"),
        ({"spec": "def ("}, "MatchCount"),
    ],
)
def test_all_edits_or_none(work: Path, edit: dict[str, object], code: str) -> None:
    pytest.importorskip("ast_grep_py", reason="needs the extra askfirst[tools]")
    assert error(called(edit_file, work, "src/app.py", [{"match_mode": "ast", "content": "x", **edit}]))[0] == code
    assert not proposal_files.waiting()


def test_edits_that_touch_are_refused(work: Path) -> None:
    pytest.importorskip("ast_grep_py", reason="needs the extra askfirst[tools]")
    edits = [{"match_mode": "ast", "spec": "return $X", "content": "pass"}, {"spec": "1", "content": "2"}]
    assert error(called(edit_file, work, "src/app.py", edits))[0] == "Overlap"


def test_a_language_that_nobody_knows(work: Path) -> None:
    (work / "notes.xyz").write_text("a\n")
    edits = [{"match_mode": "ast", "spec": "a", "content": "b"}]
    assert error(called(edit_file, work, "notes.xyz", edits))[0] == "InvalidArgument"
