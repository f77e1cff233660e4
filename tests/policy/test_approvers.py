"""Who may allow what, where a team answers."""

from __future__ import annotations

import pytest

from askfirst.model import Command, Decision, Finding, Layer, Origin, Verdict, Word
from askfirst.policy.approvers import AnswerNeed, kinds_of, need_of
from askfirst.policy.rules import Settings, TeamSettings

ROLES = {"ann": "sre", "rob": "release_manager", "pat": "product_owner"}
TEAM = TeamSettings(
    approvers=(("danger", ("sre",)), ("publish", ("release_manager",)), ("default", ("dev",))),
    self_approval=(),
    danger_approvals=2,
)


def verdict(*commands: tuple[str, str]) -> Verdict:
    """(command, its danger) for each thing that is asked."""
    found = []
    for text, danger in commands:
        words = tuple(Word(w, w) for w in text.split())
        fact = Command(words[0].text, words, text, "/p")
        found.append(Finding(fact, Decision.ASK, "x", Origin(Layer.NOTHING, ""), danger=danger))
    return Verdict(Decision.ASK, "x", tuple(found))


@pytest.mark.parametrize(
    ("commands", "kinds"),
    [
        ((("mytool", ""),), ("default",)),
        ((("mytool", "deletes"),), ("danger",)),
        ((("git push", ""),), ("publish",)),
        ((("git push", ""), ("mytool", "deletes")), ("danger", "publish")),
        ((("npm publish", "goes public"),), ("publish",)),
        ((("terraform apply", ""),), ("danger",)),
        ((), ("default",)),
    ],
)
def test_kinds(commands: tuple[tuple[str, str], ...], kinds: tuple[str, ...]) -> None:
    assert kinds_of(verdict(*commands)) == kinds


def need(text: str, danger: str = "", team: TeamSettings | None = TEAM, asker: str = "dev1") -> AnswerNeed:
    return need_of(verdict((text, danger)), Settings(team=team, roles=ROLES), asker)


@pytest.mark.parametrize(
    ("asked", "person", "may"),
    [
        (("mytool", "deletes"), "ann", True),
        (("mytool", "deletes"), "rob", False),
        (("mytool", "deletes"), "dev2", False),
        (("git push", ""), "rob", True),
        (("git push", ""), "ann", False),
        (("mytool", ""), "dev2", True),
        (("mytool", ""), "ann", True),  # whoever may more may this
        (("mytool", ""), "pat", False),
    ],
)
def test_who(asked: tuple[str, str], person: str, may: bool) -> None:
    assert need(*asked).may_allow(person) is may


def test_what_is_needed() -> None:
    danger, plain = need("mytool", "deletes"), need("mytool")
    assert (danger.approvals, danger.self_ok, danger.others) == (2, False, True)
    assert (plain.approvals, plain.self_ok, plain.others) == (1, False, True)
    assert "2 people (danger: ann)" in danger.words()
    both = need_of(verdict(("git push", ""), ("mytool", "deletes")), Settings(team=TEAM, roles=ROLES), "dev1")
    assert both.uncovered(["ann"]) == ("publish",) and both.uncovered(["ann", "rob"]) == ()


@pytest.mark.parametrize(
    ("team", "danger", "asker", "self_ok"),
    [
        (None, "deletes", "dev1", True),
        (TeamSettings(), "", "dev1", True),
        (TeamSettings(), "deletes", "dev1", False),
        (TeamSettings(self_approval=("danger", "publish", "default")), "deletes", "dev1", True),
        # Who may not allow it at all may not allow it for themselves.
        (TeamSettings(approvers=(("default", ("ann",)),)), "", "dev1", False),
        (TeamSettings(approvers=(("default", ("ann",)),)), "", "ann", True),
        (TeamSettings(approvers=(("default", ()),)), "", "ann", False),
    ],
)
def test_the_person_who_asks(team: TeamSettings | None, danger: str, asker: str, self_ok: bool) -> None:
    assert need("mytool", danger, team, asker).self_ok is self_ok
