"""An approval holds for the file the person saw, and for nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.files import facts_of_tool
from askfirst.files.approval import after_answer, question_fields
from askfirst.files.bind import CHANGED, binding, still_holds
from askfirst.model import Answer, Decision, Request, Verdict, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, WriteSettings


def write_of(project: Path, name: str, content: str = "new\n") -> Write:
    given = {"file_path": name, "content": content}
    (write,) = facts_of_tool("Write", given, project=str(project), cwd=str(project), settings=WriteSettings())
    assert isinstance(write, Write)
    return write


def change_content(project: Path) -> None:
    (project / "d" / "f.txt").write_text("somebody else's\n")


def change_mode(project: Path) -> None:
    (project / "d" / "f.txt").chmod(0o755)


def delete(project: Path) -> None:
    (project / "d" / "f.txt").unlink()


def swap_link(project: Path) -> None:
    (project / "d" / "f.txt").unlink()
    (project / "other.txt").write_text("old\n")
    os.symlink("../other.txt", project / "d" / "f.txt")


def swap_parent(project: Path) -> None:
    """The same content behind the same name, by way of a parent that became a link."""
    (project / "d").rename(project / "real")
    os.symlink("real", project / "d")


def replace_by_fifo(project: Path) -> None:
    (project / "d" / "f.txt").unlink()
    os.mkfifo(project / "d" / "f.txt")


@pytest.mark.parametrize("meanwhile", [change_content, change_mode, delete, swap_link, swap_parent, replace_by_fifo])
def test_what_happens_meanwhile_voids_the_approval(project: Path, meanwhile: Callable[[Path], None]) -> None:
    (project / "d").mkdir()
    (project / "d" / "f.txt").write_text("old\n")
    (project / "d" / "f.txt").chmod(0o644)
    bound = binding(write_of(project, "d/f.txt"), str(project))
    assert bound is not None and still_holds(bound) == ""
    meanwhile(project)
    assert CHANGED in still_holds(bound)


def test_a_new_file_that_appears_meanwhile(project: Path) -> None:
    bound = binding(write_of(project, "f.txt"), str(project))
    assert bound is not None and bound.base == "absent" and still_holds(bound) == ""
    (project / "f.txt").write_text("")
    assert "exists now" in still_holds(bound)


def test_touching_is_no_change(project: Path) -> None:
    (project / "f.txt").write_text("old\n")
    bound = binding(write_of(project, "f.txt"), str(project))
    assert bound is not None
    os.utime(project / "f.txt", (0, 0))
    assert still_holds(bound) == ""


def test_the_binding_is_of_what_was_judged_not_of_what_is_there_later(project: Path) -> None:
    (project / "f.txt").write_text("old\n")
    write = write_of(project, "f.txt")
    (project / "f.txt").write_text("changed before the binding was made\n")
    bound = binding(write, str(project))
    assert bound is not None and CHANGED in still_holds(bound)


def test_an_unknown_path_has_no_binding() -> None:
    assert binding(Write(None, "$x", "overwrite", "redirection"), "/") is None


# --- around the answer


def request_for(project: Path, content: str) -> Request:
    given = {"file_path": str(project / "state.py"), "content": content}
    return Request("claude", "s", str(project), str(project), "Write", given)


def asked(project: Path, request: Request) -> Verdict:
    found = facts_of_tool("Write", request.input, project=str(project), cwd=str(project), settings=WriteSettings())
    return judge(found, Layers(str(project)))


def allowed(verdict: Verdict, extra: dict[str, Any] | None = None) -> Verdict:
    return replace(verdict, decision=Decision.ALLOW, answer=Answer(Decision.ALLOW, extra=extra))


def long_module(project: Path) -> None:
    (project / "state.py").write_text("".join(f"def f{i}():\n    return {i}\n\n" for i in range(50)))


def test_an_answer_that_holds(project: Path) -> None:
    long_module(project)
    request = request_for(project, "x = 1\n")
    verdict = asked(project, request)
    assert verdict.decision == Decision.ASK
    assert after_answer(request, allowed(verdict)) == allowed(verdict)


def test_an_answer_that_comes_too_late(project: Path) -> None:
    long_module(project)
    request = request_for(project, "x = 1\n")
    verdict = asked(project, request)
    (project / "state.py").write_text("saved by the person meanwhile\n")
    late = after_answer(request, allowed(verdict))
    assert late.decision == Decision.DENY and CHANGED in late.reason and late.updated_input is None


def test_100_two_writes_to_one_file_are_decided_in_order(project: Path) -> None:
    """Both were asked while the file was the same; the second approval no longer fits after the first write."""
    long_module(project)
    first, second = request_for(project, "x = 1\n"), request_for(project, "y = 2\n")
    verdicts = asked(project, first), asked(project, second)
    assert after_answer(first, allowed(verdicts[0])).decision == Decision.ALLOW
    (project / "state.py").write_text("x = 1\n")
    assert after_answer(second, allowed(verdicts[1])).decision == Decision.DENY
    # Asked again, it is judged against what is there now.
    assert asked(project, second).decision == Decision.ALLOW


def test_a_strategy_becomes_the_updated_input(project: Path) -> None:
    long_module(project)
    before = (project / "state.py").read_text()
    request = request_for(project, "x = 1\n")
    merged = after_answer(request, allowed(asked(project, request), {"strategy": "append"}))
    assert merged.updated_input == {**request.input, "content": before + "x = 1\n"}
    odd = after_answer(request, allowed(asked(project, request), {"strategy": "insert", "line": 9999}))
    assert odd.decision == Decision.DENY and "not in the file" in odd.reason


def test_what_no_person_answered_stays_as_it_is(project: Path) -> None:
    verdict = Verdict(Decision.ALLOW, "a rule")
    assert after_answer(request_for(project, ""), verdict) is verdict


def test_the_questions_fields(project: Path) -> None:
    long_module(project)
    fields = question_fields(asked(project, request_for(project, "x = 1\n")).findings, str(project))
    assert fields["change"] == "REPLACE" and fields["deleted"][0] == "def f0" and fields["strategies"][0] == "replace"
    assert fields["proposed"] == "x = 1\n" and fields["diff"].startswith("--- a/state.py")
    assert question_fields((), str(project)) == {}


def test_a_secret_is_masked_in_the_question_and_not_merged(project: Path) -> None:
    long_module(project)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    fields = question_fields(asked(project, request_for(project, f"T = '{token}'\n")).findings, str(project))
    assert token not in repr(fields) and fields["strategies"] == ()


def test_a_loss_is_approved_once_for_the_file_as_it_is(project: Path) -> None:
    """The same words later would take something else away: no session, no rule."""
    from askfirst.model import Duration
    from askfirst.policy.offers import offers_of

    long_module(project)
    verdict = asked(project, request_for(project, "x = 1\n"))
    facts = tuple(f.fact for f in verdict.findings)
    (offer,) = offers_of(verdict, facts, Layers(str(project)), text="state.py")
    assert {Duration.SESSION, Duration.TIMED, Duration.PERMANENT} <= set(offer.refused)
    assert "what the file holds now" in offer.refused[Duration.SESSION]


@pytest.mark.parametrize(("saved", "decision"), [(False, Decision.ALLOW), (True, Decision.DENY)])
def test_a_command_that_was_approved_for_a_file(project: Path, saved: bool, decision: Decision) -> None:
    from askfirst.gate import facts_of
    from askfirst.policy.rules import Settings

    long_module(project)
    request = Request(
        "claude", "s", str(project), str(project), "Bash", {"command": "mkdir -p d && cd d && echo x > ../state.py"}
    )
    verdict = judge(facts_of(request, Settings()), Layers(str(project)))
    assert verdict.decision == Decision.ASK
    if saved:
        (project / "state.py").write_text("saved meanwhile\n")
    after = after_answer(request, allowed(verdict))
    assert after.decision == decision and (CHANGED in after.reason) is saved
