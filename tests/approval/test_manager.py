"""The manager's promises, the same in memory and on files."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.approval.answers import AlreadyDecided, NotPending, Refused
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.question import Question
from askfirst.audit.read import read_records
from askfirst.errors import AskfirstError, StoreError
from askfirst.model import Answer, Decision, Duration, Request, Verdict
from askfirst.policy.case import Case
from askfirst.shell.surroundings import Surroundings
from askfirst.store import alerts, clock, ids, pause
from askfirst.store.pending import FilePending
from tests.approval.support import Waiter, case, layers, publish, request, say, verdict
from tests.waiting import until

Make = Callable[..., ApprovalManager]


@pytest.fixture(params=["memory", "files"])
def make(request: pytest.FixtureRequest) -> Make:
    """Makes managers that share one queue: the asking and the answering side."""
    if request.param == "files":
        return lambda **options: ApprovalManager(FilePending(), **options)
    first = ApprovalManager()

    def again(**options: object) -> ApprovalManager:
        return ApprovalManager(first.store, grants=first.grants, **options)  # type: ignore[arg-type]

    return again


def only(manager: ApprovalManager) -> Question:
    (question,) = manager.pending()
    return question


@pytest.mark.parametrize(
    ("decision", "duration", "state"),
    [
        (Decision.ALLOW, Duration.ONCE, "once"),
        (Decision.ALLOW, Duration.SESSION, "session"),
        (Decision.ALLOW, Duration.TIMED, "timed"),
        (Decision.ALLOW, Duration.PERMANENT, "permanent"),
        (Decision.DENY, Duration.ONCE, "denied"),
    ],
)
def test_the_waiting_side_gets_the_answer(
    make: Make, project: Path, decision: Decision, duration: Duration, state: str
) -> None:
    asking, answering = make(), make()
    waiter = Waiter(asking, publish(asking, "mytool build", project))
    question = only(answering)
    until = clock.wall() + 3600 if duration == Duration.TIMED else 0.0
    done = answering.respond(question.id, say(question, decision, duration, reason="why not", until=until))
    answer = waiter.answer()
    assert (answer.decision, answer.state, answer.by, answer.reason) == (decision, state, "ada at test", "why not")
    assert done.state == state
    assert answering.pending() == ()


def test_a_second_answer_is_told_who_was_first(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    question = only(manager)
    manager.respond(asked, say(question))
    for second in (say(question), say(question, Decision.DENY)):
        with pytest.raises(AlreadyDecided, match="allowed once by ada at test"):
            manager.respond(asked, second)
    assert manager.wait_for_response(asked).state == "once"
    with pytest.raises(AlreadyDecided):
        manager.find(asked[:8])


def test_silence_is_a_deny_and_never_a_rule(make: Make, project: Path) -> None:
    manager = make(timeout_s=0.05)
    asked = publish(manager, "mytool build", project)
    answer = manager.wait_for_response(asked)
    assert (answer.decision, answer.state, answer.by) == (Decision.DENY, "expired", "timeout")
    again = make()
    assert again.known_answer(case("mytool build", project)) is None, "a timeout is not remembered"


def test_an_answer_after_the_deadline_is_late_even_if_nobody_has_claimed_it(make: Make, project: Path) -> None:
    manager = make(timeout_s=0.05)
    asked = publish(manager, "mytool build", project)
    item = manager.store.find(asked)
    assert item is not None
    until(item.is_over)
    with pytest.raises(AlreadyDecided) as late:
        manager.respond(asked, Answer(Decision.ALLOW, by="ada", digest=item.digest))
    assert late.value.is_late
    assert manager.wait_for_response(asked).state == "expired"


def test_a_late_approval_can_be_kept_for_one_use(make: Make, project: Path) -> None:
    manager = make(timeout_s=0.05)
    asked = publish(manager, "mytool build", project)
    assert manager.wait_for_response(asked).state == "expired"
    question = manager.keep_late(asked[:6], "ada at shell")
    assert question.text == "mytool build"
    assert manager.known_answer(case("mytool other", project)) is None
    assert manager.known_answer(case("mytool build", project, session="s2")) is None, "of that session"
    first = manager.known_answer(case("mytool build", project))
    assert first is not None and first.decision == Decision.ALLOW and first.by == "ada at shell"
    assert manager.known_answer(case("mytool build", project)) is None, "used up"


def test_only_a_late_one_can_be_kept(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    manager.respond(asked, say(only(manager), Decision.ALLOW))
    with pytest.raises(Refused, match="not late"):
        manager.keep_late(asked, "ada")


def test_a_dead_client_withdraws_its_request(make: Make, project: Path) -> None:
    manager = make()
    dead = threading.Event()
    waiter = Waiter(manager, publish(manager, "mytool build", project), gone=dead.is_set)
    assert len(manager.pending()) == 1
    dead.set()
    assert waiter.answer().state == "cancelled"
    assert manager.pending() == ()


def test_a_request_that_vanishes_is_denied_at_once(project: Path) -> None:
    """Nobody can answer it any more, not even time: the waiter asked the store again and again."""
    manager = file_manager()
    asked = publish(manager, "mytool build", project)
    waiter = Waiter(manager, asked)
    store = FilePending()
    until(lambda: os.path.exists(store.bell(asked)), "the waiter to wait")
    shutil.rmtree(store.directory(asked))
    answer = waiter.answer()
    assert answer.decision == Decision.DENY and answer.reason == "the request is not in the store any more"


@pytest.mark.parametrize("how", [Duration.ONCE, Duration.SESSION])
def test_an_allow_is_in_the_log_before_it_counts(project: Path, monkeypatch: pytest.MonkeyPatch, how: Duration) -> None:
    """Whoever is killed right after the decision has left its record."""
    manager = file_manager()
    asked = publish(manager, "mytool build", project)
    seen: list[str] = []
    real = manager.store.decide

    def decide(id: str, decision: dict[str, Any]) -> dict[str, Any] | None:
        seen.extend(str(r["state"]) for r in read_records() if r["kind"] == "answer" and r["id"] == id)
        return real(id, decision)

    monkeypatch.setattr(manager.store, "decide", decide)
    manager.respond(asked, say(only(manager), duration=how))
    assert seen == [how.name.lower()]


def test_an_answer_that_cannot_be_recorded_does_not_count(project: Path) -> None:
    manager = file_manager()
    asked = publish(manager, "mytool build", project)
    Path(audit.directory(), audit.CURRENT).write_bytes(b"hello\n")
    with pytest.raises(StoreError):
        manager.respond(asked, say(only(manager)))
    assert manager.outcome(asked) is None


def test_cancel_and_withdraw_all(make: Make, project: Path) -> None:
    manager = make()
    first, second = publish(manager, "mytool a", project), publish(manager, "mytool b", project)
    manager.cancel(first, "answered in the client")
    assert manager.wait_for_response(first).reason == "answered in the client"
    manager.withdraw_all("terminated")
    assert manager.wait_for_response(second).state == "cancelled"
    manager.cancel(second, "too late is no error")
    manager.cancel(ids.new_id(), "neither is an unknown one")


def test_an_answer_must_carry_the_digest_of_what_was_shown(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    for digest in ("", "0" * 64):
        with pytest.raises(Refused, match="not the one that was shown"):
            manager.respond(asked, Answer(Decision.ALLOW, by="ada", digest=digest))
    assert len(manager.pending()) == 1


def test_a_decision_for_another_request_is_a_deny(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    from askfirst.approval.codec import answer_to

    forged = Answer(Decision.ALLOW, Duration.ONCE, "", "mallory", "once", 1.0, digest="f" * 64)
    assert manager.store.decide(asked, answer_to(forged)) is None
    answer = manager.wait_for_response(asked)
    assert answer.decision == Decision.DENY and "another request" in answer.reason


@pytest.mark.parametrize(
    "junk", [{}, {"decision": 1}, {"decision": 0, "duration": 9}, {"decision": 0, "duration": 0, "more": 1}]
)
def test_a_decision_that_is_none_is_a_deny(make: Make, project: Path, junk: dict[str, int]) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    assert manager.store.decide(asked, junk) is None
    assert manager.wait_for_response(asked).decision == Decision.DENY


def test_identical_requests_are_one_card_and_one_answer(make: Make, project: Path) -> None:
    manager = make()
    asked = [publish(manager, "mytool build", project, session=f"s{n % 3}") for n in range(6)]
    other = publish(manager, "mytool other", project)
    cards = manager.pending()
    assert [(c.count, c.agents) for c in cards] == [(6, 3), (1, 1)]
    assert set(cards[0].ids) == set(asked)
    manager.respond(cards[0].id, say(cards[0], duration=Duration.SESSION))
    assert [manager.wait_for_response(a).state for a in asked] == ["session"] * 6
    assert [q.id for q in manager.pending()] == [other]
    assert {g.session for g in manager.grants.all()} == {"s0", "s1", "s2"}, "a grant for each session"


def test_what_is_denied_is_denied_again_in_that_session_without_asking(make: Make, project: Path) -> None:
    manager = make()
    publish(manager, "mytool build", project)
    question = only(manager)
    manager.respond(question.id, say(question, Decision.DENY, reason="use make"))
    again = manager.known_answer(case("mytool build", project))
    assert again is not None and again.decision == Decision.DENY and "use make" in again.reason
    asked = publish(manager, "mytool build", project)
    assert manager.pending() == () and manager.wait_for_response(asked).state == "denied"
    assert manager.known_answer(case("mytool build", project, session="s2")) is None
    manager.grants.end_session("s1")
    assert manager.known_answer(case("mytool build", project)) is None


def test_a_pause_denies_what_rules_allow_and_ends(project: Path) -> None:
    """The pause is a rule like any other: the one judge says no, so nothing is asked."""
    from askfirst.gate import judged
    from askfirst.world import World, is_violation

    asked = request("git status", project)
    pause.pause(clock.wall() + 3600, "ada", "lunch")
    paused = judged(asked, World().layers(asked))
    assert paused.verdict.decision == Decision.DENY
    assert paused.verdict.reason.startswith("ada paused all agents") and "lunch" in paused.verdict.reason
    assert not is_violation(paused), "the agent has done nothing wrong"
    assert pause.resume() and not pause.resume()
    assert judged(asked, World().layers(asked)).verdict.decision == Decision.ALLOW
    pause.pause(clock.wall() - 1, "ada")
    assert pause.why_paused() == "", "its time is over"


def test_a_pause_that_comes_between_the_judging_and_the_question_denies(project: Path) -> None:
    from askfirst.world import World

    world, asked = World(dialog_open=True), case("mytool build", project)
    pause.pause(clock.wall() + 3600, "ada", "lunch")
    told = world.ask(asked).verdict
    assert told.decision == Decision.DENY and told.reason.startswith("ada paused all agents")
    assert file_manager().pending() == ()


def test_nobody_there_is_a_deny_at_once(make: Make, project: Path) -> None:
    from askfirst.approval.presence import announce

    manager = make(timeout_s=0.05)
    assert manager.ask(case("mytool build", project)) is None and manager.pending() == ()
    with announce("watch"):
        answer = manager.ask(case("mytool build", project))
        assert answer is not None and answer.state == "expired"


def test_a_new_grant_settles_what_it_covers_in_the_queue(make: Make, project: Path) -> None:
    allowed: set[str] = set()

    def rejudge(waiting: Request) -> Verdict | None:
        text = str(waiting.input["command"])
        if text == "mytool broken":
            raise AskfirstError("cannot be judged")
        decision = Decision.ALLOW if text in allowed else Decision.DENY if text == "mytool blocked" else Decision.ASK
        return Verdict(decision, "by the new rule")

    manager = make(rejudge=rejudge)
    covered, open_one, blocked = (publish(manager, f"mytool {t}", project) for t in ("covered", "open", "blocked"))
    broken, answered = publish(manager, "mytool broken", project), publish(manager, "mytool build", project)
    allowed.add("mytool covered")
    manager.respond(answered, say(manager.find(answered), duration=Duration.SESSION))
    assert manager.wait_for_response(covered).decision == Decision.ALLOW
    assert manager.wait_for_response(blocked).decision == Decision.DENY
    assert {q.id for q in manager.pending()} == {open_one, broken}, "what is not covered, or cannot be judged, waits on"


def test_settling_what_waits_is_a_use_of_the_grant(project: Path) -> None:
    from askfirst.world import World

    manager = World(dialog_open=True).manager()
    covered = [publish(manager, text, project) for text in ("mytool build && git status", "git log; mytool build")]
    other, answered = publish(manager, "othertool", project), publish(manager, "mytool build", project)
    manager.respond(answered, say(manager.find(answered), duration=Duration.SESSION))
    assert [manager.wait_for_response(one).by for one in covered] == ["rule", "rule"]
    (grant,) = manager.grants.all()
    assert manager.grants.uses()[grant.id].count == 2 and [q.id for q in manager.pending()] == [other]


def test_an_answer_that_is_not_offered_is_refused(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    question = only(manager)
    for answer in (
        say(question, duration=Duration.TIMED),
        say(question, duration=Duration.TIMED, until=clock.wall() + 1e9),
        say(question, duration=Duration.SESSION, step=3),
    ):
        with pytest.raises(Refused):
            manager.respond(asked, answer)
    assert manager.pending()


def test_a_flag_counts_for_what_waits_already_and_only_for_its_session(make: Make, project: Path) -> None:
    asking, answering = make(), make()
    waiting = [publish(asking, "mytool build", project, session=s) for s in ("bad", "good", "bad", "other")]
    assert only(answering).count == 4
    for _ in range(6):
        alerts.count_violation("bad", "claude", "sudo is never allowed")
    bad, good = sorted(answering.pending(), key=lambda q: not q.flagged)
    assert (bad.flagged, bad.confirm, bad.ids) == (True, True, (waiting[0], waiting[2]))
    assert (good.flagged, good.confirm, good.ids) == (False, False, (waiting[1], waiting[3]))
    assert [c.duration for c in bad.choices if not c.refused] == [Duration.ONCE]
    assert answering.find(waiting[2]).flagged and not answering.find(waiting[3]).flagged
    for duration in (Duration.SESSION, Duration.TIMED, Duration.PERMANENT):
        with pytest.raises(Refused, match="flagged for review"):
            answering.respond(bad.id, say(bad, duration=duration, until=clock.wall() + 60))
    answering.respond(good.id, say(good, duration=Duration.SESSION))
    assert only(answering).ids == bad.ids, "a yes to others is none to the flagged session"
    assert alerts.clear("bad", "ada")
    assert [c.duration for c in only(answering).choices if not c.refused] == list(Duration), "a person has cleared it"
    for _ in range(6):
        alerts.count_violation("bad", "claude", "sudo is never allowed")
    answering.respond(bad.id, say(bad))
    assert [asking.wait_for_response(w).state for w in waiting] == ["once", "session", "once", "session"]


@pytest.mark.parametrize("decision", [Decision.ALLOW, Decision.DENY])
def test_an_answer_stands_though_it_cannot_be_remembered(
    make: Make, project: Path, decision: Decision, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    question = only(manager)

    def full(*_: object) -> None:
        raise AskfirstError("no space left on device")

    monkeypatch.setattr(manager.grants, "add", full)
    monkeypatch.setattr(manager.grants, "deny", full)
    done = manager.respond(asked, say(question, decision, Duration.SESSION))
    assert manager.wait_for_response(asked).decision == done.decision == decision
    assert decision == Decision.DENY or (done.state == "once" and "no space left" in done.reason)


def test_unknown_ids(make: Make, project: Path) -> None:
    manager = make()
    asked = publish(manager, "mytool build", project)
    for typed in ("zzzz", "abc", "", "not-an-id", "../../etc"):
        with pytest.raises(AskfirstError):
            if not asked.startswith(typed) or not typed:
                manager.find(typed)
    with pytest.raises(NotPending):
        manager.respond(ids.new_id(), say(only(manager)))
    assert manager.find(asked[:6].upper()).id == asked


def test_too_many_requests_are_refused(make: Make, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from askfirst.approval import limits

    monkeypatch.setattr(limits, "MAX_PENDING_SESSION", 3)
    manager = make()
    asked = [publish(manager, f"mytool {n}", project) for n in range(4)]
    assert len(manager.pending()) == 3
    assert manager.wait_for_response(asked[3]).decision == Decision.DENY


def test_many_threads_ask_and_are_answered(make: Make, project: Path) -> None:
    manager = make()
    waiters = [Waiter(manager, publish(manager, f"mytool {n}", project)) for n in range(20)]
    for question in manager.pending():
        denied = question.text.endswith("3")
        manager.respond(question.id, say(question, Decision.DENY if denied else Decision.ALLOW))
    states = [w.answer().state for w in waiters]
    assert states == ["denied" if str(n).endswith("3") else "once" for n in range(20)]


def test_the_timeout_is_kept_between_one_and_thirty_minutes(project: Path) -> None:
    from askfirst.approval.limits import timeout_s

    found = [timeout_s(layers(project, approval_timeout_minutes=m).settings) for m in (-5, 0, 1, 5, 30, 31, 10_000)]
    assert found == [60, 60, 60, 300, 1800, 1800, 1800]


def test_a_file_manager_sees_what_another_process_asks(project: Path) -> None:
    asking, answering = file_manager(), file_manager()
    waiter = Waiter(asking, publish(asking, "mytool build", project))
    question = only(answering)
    answering.respond(question.id, say(question))
    assert waiter.answer().state == "once"


def test_a_rule_that_comes_between_the_judging_and_the_question_settles_it(project: Path) -> None:
    """A hook takes a moment from its verdict to its question; an answer given meanwhile must not leave it waiting."""
    from askfirst.store.allowlist import append
    from askfirst.world import World

    world, asked = World(dialog_open=True), case("mytool build", project)
    append(str(project), [{"name": "mytool"}], most=100)
    after = world.ask(asked).verdict
    assert after.decision == Decision.ALLOW and after.answer is not None and after.answer.by == "rule"
    assert file_manager().pending() == ()


def test_a_command_is_analysed_once_however_often_it_is_judged(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the verdict to the question and the look at rules that came in between: the same facts."""
    import askfirst.shell
    from askfirst.gate import decide
    from askfirst.store.allowlist import append
    from askfirst.world import World

    analysed: list[str] = []
    real = askfirst.shell.analyze

    def counted(text: str, where: Surroundings) -> tuple[Any, ...]:
        analysed.append(text)
        return real(text, where)

    monkeypatch.setattr("askfirst.gate.analyze", counted)

    class Meanwhile(World):
        def note_question(self, case: Case, asked: str) -> None:
            super().note_question(case, asked)
            append(str(project), [{"name": "mytool"}], most=100)

    verdict = decide(request("mytool build", project), Meanwhile(dialog_open=True))
    assert verdict.decision == Decision.ALLOW and analysed == ["mytool build"]


def test_rules_that_have_not_changed_are_not_judged_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from askfirst.gate import judged
    from askfirst.world import World

    world, asked = World(), request("mytool build", project)
    found = judged(asked, world.layers(asked))
    monkeypatch.setattr("askfirst.world.judge", None)
    assert world.judged_since(found) is None


def test_what_the_agent_is_told_names_who_denied(project: Path) -> None:
    from askfirst.world import World, answered

    manager = file_manager()
    publish(manager, "mytool build", project)
    question = only(manager)
    manager.respond(question.id, say(question, Decision.DENY, reason="use make"))
    told = World(dialog_open=True).ask(case("mytool build", project)).verdict
    assert told.reason == "a person denied exactly this earlier in this session: use make"
    people = Answer(Decision.DENY, reason="use make", by="ada at watch", state="denied")
    assert answered(verdict("mytool build", project), people).reason == "ada at watch said no: use make"
