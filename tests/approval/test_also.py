"""A question shows what each of its answers would also have allowed, of what the project's log says was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst import audit
from askfirst.approval.make_question import make_question_and_offers
from askfirst.model import Duration
from askfirst.world import World
from tests.approval.test_sequences import Place

BEFORE = (
    "tk close b-1",
    "tk close b-2 && rm -rf src",
    "tk reopen b-3",
    "git push origin dev",
    "tk close --to /etc/x",
    "ls",
)


@pytest.mark.parametrize(
    ("step", "also"),
    [
        ("exact", ()),
        ("action", ("tk close b-1",)),
        ("program", ("tk close b-1", "tk reopen b-3")),
    ],
)
def test_each_step_with_what_it_would_have_answered(
    step: str, also: tuple[str, ...], project: Path, home: Path
) -> None:
    place = Place(project, home)
    before = tuple(map(place.case, ("tk close a-1", *BEFORE)))
    question, found = make_question_and_offers(place.case("tk close a-1"), id="q", before=before)
    chosen = question.at([offer.step for offer in found].index(step))
    by_duration = {choice.duration: choice.also for choice in chosen.choices}
    assert by_duration[Duration.SESSION] == by_duration[Duration.PERMANENT] == also
    assert by_duration[Duration.ONCE] == ()


def test_examples_are_few_short_and_without_secrets(project: Path, home: Path) -> None:
    place = Place(project, home)
    before = tuple(place.case(f"tk close a-{n} --note {'x' * 300}") for n in range(9))
    secret = place.case("tk close a-9 --token ghp_" + "a1B2" * 9)
    question, found = make_question_and_offers(place.case("tk close a"), id="q", before=(secret, *before))
    also = question.at(len(found) - 1).choices[1].also
    assert len(also) == 3 and all(len(text) <= 140 for text in also)
    assert "a1B2a1B2" not in "".join(also)


def test_the_log_gives_what_was_asked_in_this_project(project: Path, home: Path) -> None:
    place = Place(project, home)
    answered = {"tool": "Bash", "cwd": str(project), "decision": "allow", "answer": {"by": "person"}, "agent": "claude"}
    for text, more in (
        ("tk close b-1", {}),
        ("tk close b-2", {"project": "/elsewhere"}),
        ("tk close b-3", {"answer": None}),
        ("tk close <redacted:token>", {}),
        ("tk close b-4", {"decision": "deny"}),
    ):
        audit.append("verdict", {"project": str(project), **answered, "text": text, **more}, durable=False)
    case = place.case("tk close a-1")
    before = World().asked_before(case)
    assert [past.request.input["command"] for past in before] == ["tk close b-4", "tk close b-1"]
    manager = World().manager()
    asked = manager.request_approval(case)
    question = next(q for q in manager.pending() if q.id == asked)
    assert question.choices[1].also == ("tk close b-4", "tk close b-1")
    manager.withdraw_all("the test is over")
