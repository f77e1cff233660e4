"""The question: everything a person needs to decide, redacted, with the exact thing that each answer would store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval.codec import question_from, question_to
from askfirst.approval.identity import digest_of
from askfirst.approval.make_question import make_question_and_offers, under_review
from askfirst.approval.question import Question
from askfirst.model import Decision, Duration, Kind, Read, Request, Unknown, Write
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from tests.approval.support import command, layers, request

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def ask(
    project: Path, *facts: Any, text: str = "mytool build", approver: str = "ada", session: str = "s1", **settings: Any
) -> Question:
    given = layers(project, session=session, **settings)
    asked = request(text, project, session=session, description="I need this")
    case = Case(asked, replace(given, digest=digest_of(asked)), facts, judge(facts, given))
    return make_question_and_offers(case, id="x", created=1.0, deadline=301.0, approver=approver)[0]


def refusal(question: Question, duration: Duration) -> str:
    choice = question.choice(duration)
    assert choice is not None
    return choice.refused


def test_what_would_run_and_be_written_stands_in_it(project: Path) -> None:
    facts = (
        command("mytool build", project),
        Write("/srv/x", "/srv/x", "overwrite", "tee"),
        Read("/p/.env", ".env", "cat"),
        Unknown("inline code", "code that is not read", "print(1)"),
    )
    question = ask(project, *facts)
    kinds = ("run", "write", "read", "unknown")
    assert [(line.kind, line.decision) for line in question.lines] == [(kind, "ask") for kind in kinds]
    assert question.lines[0].text == "mytool build" and question.lines[0].origin == "no rule"
    assert "no rule allows `mytool`" in question.why and "3 more" in question.why
    assert question.said == "I need this" and question.text == "mytool build"
    assert question.digest == digest_of(request("mytool build", project))


def test_the_choices_of_a_plain_command(project: Path) -> None:
    question = ask(project, command("mytool build", project))
    assert [c.duration for c in question.choices] == [
        Duration.ONCE,
        Duration.SESSION,
        Duration.TIMED,
        Duration.PERMANENT,
    ]
    assert not any(c.refused for c in question.choices)
    permanent = question.choice(Duration.PERMANENT)
    assert permanent is not None
    assert permanent.entry == '- name: mytool\n  args: ["build ..."]\n  paths: project'
    assert permanent.file == str(project / ".askfirst" / "allowed_commands.yaml")
    assert (
        permanent.scope
        == "for this project: `mytool build` with any further words that name no file outside the project and no "
        "secret file"
    )
    shown = [question.at(step).choice(Duration.PERMANENT) for step in range(len(question.steps))]
    assert [(c.scope.removeprefix("for this project: "), c.entry) for c in shown if c is not None] == [
        ("exactly `mytool build`", "- name: mytool\n  args: [build]\n  paths: cwd"),
        (
            "`mytool build` with any further words that name no file outside the project and no secret file",
            permanent.entry,
        ),
        (
            "`mytool` with any arguments that name no file outside the project and no secret file",
            "- name: mytool\n  paths: project",
        ),
    ]
    assert question.step == 1 and question.next_step() == 2 and question.at(2).next_step() == 0


def test_danger_wants_confirm_and_is_not_permanent(project: Path) -> None:
    question = ask(project, command("flyctl deploy", project, danger="deploys to production"))
    assert question.confirm and question.danger == "deploys to production"
    assert "dangerous" in refusal(question, Duration.PERMANENT) and not refusal(question, Duration.SESSION)
    assert not ask(project, command("flyctl deploy", project, danger="d"), confirm_danger=False).confirm


def test_a_flagged_session_is_asked_each_time_with_confirm(project: Path) -> None:
    question = under_review(ask(project, command("mytool build", project)))
    assert question.flagged and question.confirm and not refusal(question, Duration.ONCE)
    assert all("flagged" in refusal(question, d) for d in (Duration.SESSION, Duration.TIMED, Duration.PERMANENT))
    assert not any(c.entry for c in question.choices) and not question.can_widen(), "nothing to widen or to store"


def test_a_role_may_not_allow_everything(project: Path) -> None:
    roles: Any = {"roles": {"olga": "product_owner", "sid": "sre"}, "role": "dev"}
    question = ask(project, command("mytool build", project), approver="olga", **roles)
    assert all("product_owner" in c.refused for c in question.choices)
    danger = command("kubectl delete pod x", project, danger="acts on a cluster")
    assert "sre" in refusal(ask(project, danger, approver="ada", **roles), Duration.ONCE)
    assert not refusal(ask(project, danger, approver="sid", **roles), Duration.ONCE)


def test_no_session_no_session_approval(project: Path) -> None:
    question = ask(project, command("mytool build", project), session="")
    assert "which session" in refusal(question, Duration.SESSION) and not refusal(question, Duration.ONCE)


def test_an_untrusted_file_is_not_extended(project: Path) -> None:
    given = replace(layers(project), untrusted_note="not trusted yet")
    fact = command("mytool build", project)
    case = Case(request("mytool build", project), given, (fact,), judge((fact,), given))
    question = make_question_and_offers(case)[0]
    assert "askfirst trust" in refusal(question, Duration.PERMANENT)


def test_secrets_are_masked_everywhere(project: Path) -> None:
    text = f"mytool --token={TOKEN} build"
    question = ask(project, command(text, project, danger=f"uses {TOKEN}"), text=text)
    assert TOKEN not in repr(question)
    assert "mytool" in question.text
    plain = ask(project, command(text, project), text=text)
    assert TOKEN not in repr(plain) and "secret" in refusal(plain, Duration.PERMANENT)


def test_what_no_rule_can_say_is_not_permanent(project: Path) -> None:
    for fact in (
        command("python3 x.py", project, kind=Kind.INLINE),
        command("mytool --token=ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", project),
        command("mytool build", project, cwd="/elsewhere"),
    ):
        assert refusal(ask(project, fact), Duration.PERMANENT)


def test_a_foreign_tool_is_shown_with_its_input(project: Path) -> None:
    asked = Request("claude", "s1", str(project), str(project), "mcp__github__delete", {"repo": "o/r"})
    given = layers(project)
    facts = (command("mcp__github__delete x", project),)
    question = make_question_and_offers(Case(asked, given, facts, judge(facts, given)))[0]
    assert question.text == 'mcp__github__delete {"repo":"o/r"}'


def test_it_survives_the_store(project: Path) -> None:
    import json

    question = ask(project, command("mytool build", project), Write("/srv/x", "/srv/x", "overwrite", "tee"))
    assert question_from(json.loads(json.dumps(question_to(question)))) == question


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"input": {"command": "mytool build", "description": "other words"}}, True),
        ({"input": {"command": "mytool build", "timeout": 5}}, True),
        ({"session": "s2"}, True),
        ({"agent": "codex"}, True),
        ({"tool_use_id": "t9"}, True),
        ({"input": {"command": "mytool build "}}, False),
        ({"input": {"command": "mytool build", "run_in_background": True}}, False),
        ({"cwd": "/elsewhere"}, False),
        ({"project": "/elsewhere"}, False),
        ({"tool": "Monitor"}, False),
    ],
)
def test_the_digest_is_of_what_will_run(project: Path, change: dict[str, Any], same: bool) -> None:
    first = request("mytool build", project)
    assert (digest_of(first) == digest_of(replace(first, **change))) == same


def test_the_order_of_keys_does_not_matter(project: Path) -> None:
    one = Request("a", "s", "/", "/", "Edit", {"file_path": "x", "edits": [{"old": "1", "new": "2"}]})
    two = replace(one, input={"edits": [{"new": "2", "old": "1"}], "file_path": "x"})
    assert digest_of(one) == digest_of(two)
    assert Decision.ALLOW < Decision.ASK
