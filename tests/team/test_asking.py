"""One question, one winner, everywhere: the asking machine, the database and the people who answer elsewhere."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.approval import codec
from askfirst.approval.answers import AlreadyDecided, Refused
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.question import Question
from askfirst.audit.read import read_records
from askfirst.model import Answer, Decision, Duration
from askfirst.policy.rules import TeamSettings
from askfirst.store import atomic
from askfirst.store.grants import FileGrants
from askfirst.store.pending import FilePending
from askfirst.team import mailbox, proof
from askfirst.team.database import call, row, rows
from askfirst.team.desk import Desk
from askfirst.team.joined import Joined
from askfirst.tui.layout import body, details
from tests.team.asker import OTHERS, TWO, Asker, card, case, no, yes
from tests.team.conftest import carry, desk_of, time_passes
from tests.team.fido import SoftwareKey
from tests.team.server import Server
from tests.waiting import until


@pytest.mark.parametrize("duration", list(Duration))
def test_the_team_allows(machine: Server, keys: Path, project: Path, duration: Duration) -> None:
    asker = Asker(case("frobnicate src", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    end = {"until": time.time() + 3600} if duration == Duration.TIMED else {}
    told = desk.respond(question, yes(question, duration, **end))
    answer = asker.answer()
    assert (answer.decision, answer.duration, answer.by) == (Decision.ALLOW, duration, "bob via team")
    assert told.by == "bob via team"
    grants = FileGrants().all()
    assert [g.by for g in grants] == ([] if duration == Duration.ONCE else ["bob via team"])
    records = [r for r in read_records() if r["kind"] == "answer"]
    assert [(r["by"], r["id"]) for r in records] == [("bob via team", question.id)]


def test_the_team_denies_with_a_reason(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate src", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys, key="none")  # a no needs no signature
    question = card(desk)
    desk.respond(question, no(question, "use the staging cluster"))
    answer = asker.answer()
    assert (answer.state, answer.by, answer.reason) == ("denied", "bob via team", "use the staging cluster")
    assert FileGrants().denied("s1", question.digest) == "use the staging cluster"


def test_the_card_says_where_it_comes_from_and_hides_secrets(machine: Server, keys: Path, project: Path) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    asker = Asker(case(f"curl -H Authorization:{secret} x", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    assert "on " in question.agent and question.project == str(project) and question.session == "s1"
    assert any("asked by ada (ada_hook)" in note for note in question.notes)
    assert "labels: untrusted: `gh issue view 12`" in question.notes
    assert 50 < question.deadline - question.created <= 61
    with machine.as_("olga") as auditor:
        assert secret not in json.dumps(rows(auditor, "SELECT * FROM askfirst.request"), default=str)
        assert secret not in json.dumps(rows(auditor, "SELECT * FROM askfirst.log"), default=str)
    desk.respond(question, no(question))
    assert asker.answer().decision == Decision.DENY


def test_first_here_then_there(machine: Server, keys: Path, project: Path) -> None:
    """A person at the machine is first: whoever comes later at the team's desk is told who."""
    asker = Asker(case("frobnicate", project))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    local = file_manager()
    local.respond(asker.waits(), yes(question))
    assert asker.answer().by == "x"
    with pytest.raises(AlreadyDecided, match="allowed once by ada on"):
        desk.respond(question, yes(question))


def test_first_there_then_here(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project))
    asked = asker.waits()
    desk = desk_of(machine, "bob", keys)
    with machine.as_("bob") as connection:
        connection.execute("SELECT askfirst.decide(%s, %s, 'deny', '{}', '')", (asked, card(desk).digest))
    local = file_manager()
    with pytest.raises(AlreadyDecided, match="bob via team"):
        local.respond(asked, yes(local.find(asked)))
    assert asker.answer().by == "bob via team"


def test_many_answers_at_once_have_one_winner(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project))
    asked = asker.waits()
    question = card(desk_of(machine, "bob", keys))
    won: list[str] = []

    def answer(name: str, respond: Callable[[], Any]) -> None:
        try:
            respond()
            won.append(name)
        except AlreadyDecided:
            pass

    people: dict[str, Callable[[], Any]] = {
        person: lambda p=person, v=verdict: desk_of(machine, p, keys).respond(question, v)  # type: ignore[misc]
        for person, verdict in (("bob", yes(question)), ("carol", no(question)), ("dan", yes(question)))
    }
    people["here"] = lambda: file_manager().respond(asked, yes(question))
    threads = [threading.Thread(target=answer, args=pair) for pair in people.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert asker.answer().by == ("x" if won == ["here"] else f"{won[0]} via team")


def test_what_needs_others_cannot_be_allowed_here(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    local = file_manager()
    question = local.find(asker.waits())
    assert not any(question.offers(d) for d in Duration)
    assert any("needs another person" in note for note in question.notes)
    with pytest.raises(Refused, match="needs another person"):
        local.respond(question.id, yes(question))
    local.respond(question.id, no(question, "not now"))  # a no is anybody's
    assert asker.answer().reason == "not now"
    with machine.as_("olga") as auditor:
        assert row(auditor, "SELECT state FROM askfirst.request")["state"] == "denied"


def test_two_different_people(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("rm -rf /srv", project, team=TWO, danger="deletes"))
    bob, carol = desk_of(machine, "bob", keys), desk_of(machine, "carol", keys)
    question = card(bob)
    told = bob.respond(question, yes(question, Duration.SESSION))
    assert told.state == "counted" and "1 of 2" in told.reason
    assert "you have allowed it" in next(c.refused for c in card(bob).choices)
    assert any("allowed so far by bob" in note for note in card(carol).notes)
    until(lambda: any("1 of 2" in n for q in file_manager().pending() for n in q.notes), "the local card to say so")
    waits = asker.manager._asking
    assert waits is not None and "only bob allowed it" in waits.allowed_by_some(asker.id)
    carol.respond(card(carol), yes(question, Duration.ONCE))
    answer = asker.answer()
    # What both have allowed is the narrower of the two.
    assert (answer.by, answer.duration) == ("bob and carol via team", Duration.ONCE)


def test_one_no_is_enough_for_two(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("rm -rf /srv", project, team=TWO, danger="deletes"))
    bob, carol = desk_of(machine, "bob", keys), desk_of(machine, "carol", keys)
    bob.respond(card(bob), yes(card(bob)))
    carol.respond(card(carol), no(card(carol)))
    assert asker.answer().by == "carol via team"


def test_who_asks_may_not_allow(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    ada = desk_of(machine, "ada", keys)
    question = card(ada)
    assert "another person" in next(c.refused for c in question.choices)
    with pytest.raises(Refused):
        ada.respond(question, yes(question))
    ada.respond(question, no(question))
    assert asker.answer().decision == Decision.DENY


def test_identical_requests_are_one_card_and_one_answer(machine: Server, keys: Path, project: Path) -> None:
    askers = [Asker(case("frobnicate", project, team=OTHERS)) for _ in range(3)]
    for asker in askers:
        asker.waits()
    desk = desk_of(machine, "bob", keys)
    until(lambda: desk.questions() and desk.questions()[0].count == 3, "one card for three")
    desk.respond(card(desk), yes(card(desk)))
    assert {asker.answer().by for asker in askers} == {"bob via team"}


# -- answers that must not count --------------------------------------------------------------------------------------


def decide(
    db: Server, person: str, name: str, digest: str, body: str, signature: str = "", verdict: str = "allow"
) -> None:
    with db.as_(person) as connection:
        connection.execute("SELECT askfirst.decide(%s, %s, %s, %s, %s)", (name, digest, verdict, body, signature))


@pytest.fixture
def asked(machine: Server, keys: Path, project: Path) -> Iterator[tuple[Asker, Question, str]]:
    """A request that needs another person: its hook, its card, and the card's text as the database has it."""
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    question = card(desk)
    yield asker, question, desk.cards()[0].text
    assert asker.answer().decision == Decision.DENY


def test_a_stolen_login_without_the_key(machine: Server, keys: Path, asked: tuple[Asker, Question, str]) -> None:
    asker, question, _ = asked
    told = desk_of(machine, "bob", keys, key="none").respond(question, yes(question))
    assert "is not signed" in asker.answer().reason
    assert told.state == "refused" or "not signed" in told.reason
    carry()
    ended = desk_of(machine, "carol", keys).outcome(question.id)
    assert ended is not None and (ended.state, ended.decision) == ("refused", Decision.DENY)
    assert any(r["kind"] == "violation" for r in read_records())


def test_a_stolen_login_with_another_key(machine: Server, keys: Path, asked: tuple[Asker, Question, str]) -> None:
    asker, question, _ = asked
    desk_of(machine, "bob", keys, key="eve").respond(question, yes(question))
    assert "signature of bob is not valid" in asker.answer().reason


def test_one_persons_key_for_another(machine: Server, keys: Path, asked: tuple[Asker, Question, str]) -> None:
    asker, question, _ = asked
    desk_of(machine, "bob", keys, key="carol").respond(question, yes(question))
    assert "signature of bob is not valid" in asker.answer().reason


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"digest": "0" * 64}, "not for this request"),
        ({"person": "carol"}, "not for this request"),
        ({"verdict": "deny"}, "not for this request"),
        ({"cards": {}}, "a card that says something else"),
        ({"askfirst": 2}, "not one of askfirst's"),
    ],
)
def test_a_signed_answer_to_something_else(
    machine: Server, keys: Path, asked: tuple[Asker, Question, str], change: dict[str, Any], why: str
) -> None:
    asker, question, text = asked
    body = json.dumps(json.loads(proof.body_of("bob", {question.id: text}, question.digest, yes(question))) | change)
    decide(machine, "bob", question.id, question.digest, body, proof.sign(body, str(keys / "bob"), at_terminal=False))
    assert why in asker.answer().reason


@pytest.mark.parametrize(
    ("touched", "of", "words"),
    [(True, "bob", ""), (False, "bob", "was not touched"), (True, "carol", "is not valid")],
)
def test_a_fido2_key(
    machine: Server, signers: Path, tmp_path: Path, project: Path, touched: bool, of: str, words: str
) -> None:
    """The agent's user can have such a key sign without a touch; ssh-keygen takes that, the hook does not."""
    key = SoftwareKey(tmp_path / "fido")
    signers.write_text(f"{of} {key.public()}\n")
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = Desk(Joined(approver=machine.dsn("bob")), at_terminal=False)
    question = card(desk)
    text = proof.body_of("bob", {question.id: desk.cards()[0].text}, question.digest, yes(question, step=0))
    with machine.as_("bob") as bob:
        signed = key.sign(text, proof.NAMESPACE, touched=touched)
        call(bob, "decide", question.id, question.digest, "allow", text, signed)
    answer = asker.answer()
    assert (answer.decision == Decision.ALLOW, words in answer.reason) == (not words, True), answer


def test_a_signature_of_another_purpose(machine: Server, keys: Path, asked: tuple[Asker, Question, str]) -> None:
    asker, question, text = asked
    body = proof.body_of("bob", {question.id: text}, question.digest, yes(question))
    decide(
        machine, "bob", question.id, question.digest, body,
        proof.sign(body, str(keys / "bob"), namespace="file", at_terminal=False),
    )  # fmt: skip
    assert "not valid" in asker.answer().reason


def test_a_card_that_was_changed_in_the_database(
    machine: Server, keys: Path, asked: tuple[Asker, Question, str]
) -> None:
    """Whoever owns the database shows bob something harmless: what bob signs is not what the hook asked."""
    asker, question, text = asked
    with machine.as_("postgres") as superuser:
        superuser.execute("UPDATE askfirst.request SET card = %s", (text.replace("frobnicate", "ls -la    "),))
    desk = desk_of(machine, "bob", keys)
    shown = card(desk)
    assert shown.text.startswith("ls -la")
    desk.respond(shown, yes(shown))
    assert "a card that says something else" in asker.answer().reason


def test_a_row_that_the_owner_of_the_database_wrote(machine: Server, asked: tuple[Asker, Question, str]) -> None:
    asker, question, _ = asked
    with machine.as_("postgres") as superuser:
        superuser.execute(
            "INSERT INTO askfirst.answer VALUES (%s, 'bob', 'bob', 'allow', '{}', '', now())", (question.id,)
        )
        superuser.execute("UPDATE askfirst.request SET state = 'allowed', ended_by = 'bob', ended = now()")
    assert "does not count" in asker.answer().reason


def test_a_person_who_may_not(machine: Server, keys: Path, project: Path) -> None:
    """The organisation's file names who may; the database's own list may say something else."""
    team = TeamSettings(approvers=(("default", ("carol",)),), self_approval=())
    asker = Asker(case("frobnicate", project, team=team))
    asker.waits()
    with machine.as_("postgres") as superuser:
        until(lambda: rows(superuser, "SELECT FROM askfirst.request"), "the row")
        superuser.execute("""UPDATE askfirst.request SET may = '{"default": ["*"]}'""")
    desk = desk_of(machine, "bob", keys)
    desk.respond(card(desk), yes(card(desk)))
    assert "bob may not allow this" in asker.answer().reason


def test_one_key_for_two_people(machine: Server, keys: Path, signers: Path, project: Path) -> None:
    signers.write_text(signers.read_text() + f"carol {(keys / 'bob.pub').read_text()}")
    asker = Asker(case("rm -rf /srv", project, team=TWO, danger="deletes"))
    bob, carol = desk_of(machine, "bob", keys), desk_of(machine, "carol", keys, key="bob")
    bob.respond(card(bob), yes(card(bob)))
    carol.respond(card(carol), yes(card(carol)))
    assert "different keys" in asker.answer().reason


def forged_decision(asked: str, digest: str) -> None:
    answer = Answer(Decision.ALLOW, Duration.ONCE, "", "bob via team", "once", 1.0, digest=digest)
    path = f"{FilePending().directory(asked)}/decision.json"
    assert atomic.create_once(path, json.dumps(codec.answer_to(answer)).encode())


def forged_evidence(asked: str, digest: str) -> None:
    answers = ({"person": "bob", "verdict": "allow", "body": "{}", "signature": ""},)
    mailbox.put_evidence(FilePending(), asked, mailbox.Evidence("allowed", "ada", "bob", answers=answers))


def forged_rule(asked: str, digest: str) -> None:
    answer = Answer(Decision.ALLOW, Duration.ONCE, "", "rule", "once", 1.0, digest=digest)
    path = f"{FilePending().directory(asked)}/decision.json"
    assert atomic.create_once(path, json.dumps(codec.answer_to(answer)).encode())


def forged_request(asked: str, digest: str) -> None:
    """Its own need is rewritten, and then it is answered."""
    path = f"{FilePending().directory(asked)}/request.json"
    value = json.loads(atomic.read_private(path))
    value["body"]["team"]["need"] |= {"self_ok": True, "unsigned": True, "approvals": 1}
    atomic.write_atomic(path, json.dumps(value).encode())
    forged_evidence(asked, digest)
    forged_decision(asked, digest)


def kept_for_later(asked: str, digest: str) -> None:
    FileGrants().keep_once("s1", digest, 1e12, "ada")
    forged_decision(asked, digest)


@pytest.mark.parametrize("forge", [forged_decision, forged_evidence, forged_rule, forged_request, kept_for_later])
def test_files_that_the_agents_user_forges(
    forge: Callable[[str, str], None], asked: tuple[Asker, Question, str]
) -> None:
    asker, question, _ = asked
    forge(asker.waits(), question.digest)
    assert asker.answer().decision == Decision.DENY


def test_a_late_approval_that_was_forged_does_not_count(machine: Server, project: Path) -> None:
    what = case("frobnicate", project, team=OTHERS)
    FileGrants().keep_once("s1", what.digest, 1e12, "ada")
    assert file_manager().known_answer(what) is None
    assert file_manager().known_answer(case("frobnicate", project)) is not None


def test_unsigned_where_the_organisation_says_so(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=TeamSettings(self_approval=(), unsigned=True)))
    desk = desk_of(machine, "bob", keys, key="none")
    desk.respond(card(desk), yes(card(desk)))
    assert asker.answer().by == "bob via team, unsigned"
    assert [r["by"] for r in read_records() if r["kind"] == "answer"] == ["bob via team, unsigned"]


def test_the_teams_log_and_the_machines_agree(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    desk.respond(card(desk), yes(card(desk)))
    asker.answer()
    carry()
    with machine.as_("olga") as auditor:
        said = [
            str(r["what"])
            for r in rows(auditor, "SELECT what FROM askfirst.log WHERE request = %s ORDER BY seq", asker.id)
        ]
    assert said == ["asked", "allow", "decided", "taken"]
    assert audit.head()[0] > 0


def test_silence_is_a_deny_on_both_sides(machine: Server, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    asker.waits()
    time_passes(monkeypatch, 61)
    assert asker.answer().state == "expired"
    with machine.as_("olga") as auditor:
        assert row(auditor, "SELECT state FROM askfirst.request")["state"] in ("expired", "withdrawn")


def test_a_hook_that_is_withdrawn_takes_its_card_away(machine: Server, keys: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    card(desk)
    asker.manager.withdraw_all("the client ended this call")
    assert asker.answer().state == "cancelled"
    until(lambda: not desk.questions(), "the card to go")


def test_who_has_not_joined_is_denied_what_needs_others(signers: Path, project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=OTHERS))
    answer = asker.answer()
    assert answer.decision == Decision.DENY and "has not joined" in answer.reason


def test_who_has_not_joined_answers_the_rest_here(project: Path) -> None:
    asker = Asker(case("frobnicate", project, team=TeamSettings()))
    asked = asker.waits()
    file_manager().respond(asked, yes(file_manager().find(asked)))
    assert asker.answer().decision == Decision.ALLOW


@pytest.mark.parametrize(
    "change",
    [
        {"text": 5},
        {"notes": [None]},
        {"lines": [{"kind": "run", "text": [], "decision": "ask", "reason": "", "origin": "", "danger": ""}]},
        {"choices": []},
        {"steps": "x"},
        {"confirm": "no"},
        {"strategies": ["append"], "proposed": "x"},
        {"id": "0" * 26},
        {"unheard": 1},
    ],
    ids=str,
)
def test_a_hostile_card_breaks_nobodys_screen(
    db: Server, keys: Path, machine: Server, project: Path, change: dict[str, Any]
) -> None:
    """What a machine sends is shown as a card, or not at all; nothing of it reaches the approver's own files."""
    asker = Asker(case("frobnicate", project, team=OTHERS))
    desk = desk_of(machine, "bob", keys)
    card(desk)
    value = json.loads(desk.cards()[0].text) | change
    with machine.as_("postgres") as superuser:
        superuser.execute("UPDATE askfirst.request SET card = %s", (json.dumps(value),))
    for question in desk.questions():
        assert set(change) & {"choices", "strategies"}
        assert not question.strategies and not question.proposed
        assert frame_of(question)
    file_manager().respond(asker.waits(), no(file_manager().find(asker.id)))
    assert asker.answer().decision == Decision.DENY


def frame_of(question: Question) -> list[Any]:
    return [*body(question, 80, 24), *details(question, 80)]


def test_a_programs_own_questions_cannot_allow_what_needs_others(project: Path) -> None:
    manager = ApprovalManager()
    asked = manager.request_approval(case("frobnicate", project, team=OTHERS))
    assert manager.pending() == ()
    assert "needs other people" in manager.wait_for_response(asked).reason
    assert manager.pending() == ()
