"""The answering commands, as a person types them."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst import audit
from askfirst.approval import person
from askfirst.approval.codec import answer_to
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import announce
from askfirst.audit import verdict_record
from askfirst.audit.read import read_records
from askfirst.cli import answering, main
from askfirst.cli.times import seconds_of
from askfirst.commands import watch
from askfirst.model import Answer, Decision, Duration, Request
from askfirst.policy.judge import judge
from askfirst.policy.offers import offers
from askfirst.report.rejudge import case_of
from askfirst.report.used import uses_of_permanent
from askfirst.store import alerts, pause
from askfirst.store.grants import FileGrants
from askfirst.store.ids import new_id
from askfirst.store.layers import load_layers
from askfirst.store.pending import FilePending
from askfirst.world import World
from tests.approval.support import case, command, publish

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "ancestors", lambda: ())
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def typed(*words: str) -> tuple[int, str]:
        try:
            code = main(list(words))
        except SystemExit as wrong:  # what argparse itself refuses
            code = int(str(wrong.code))
        found = capsys.readouterr()
        return code, found.out + found.err

    return typed


@pytest.fixture
def manager() -> ApprovalManager:
    return file_manager()


def test_pending_lists_what_waits(run: Run, manager: ApprovalManager, project: Path) -> None:
    assert run("pending") == (0, "nothing waits\n")
    first = publish(manager, "mytool build", project)
    for session in ("s1", "s2"):
        publish(manager, "mytool other", project, session=session)
    code, text = run("pending")
    assert code == 0 and first[:4] in text and "mytool build" in text and "×2 from 2 agents" in text
    code, text = run("pending", "--json")
    cards = [json.loads(line) for line in text.splitlines()]
    assert [c["text"] for c in cards] == ["mytool build", "mytool other"] and cards[1]["count"] == 2
    code, text = run("pending", first[:5])
    assert "--permanent" in text and "- name: mytool" in text and "asked because" in text


@pytest.mark.parametrize(
    ("options", "state", "words"),
    [
        ((), "once", "allowed once"),
        (("--once",), "once", "allowed once"),
        (("--session",), "session", "allowed for its session"),
        (("--for", "2h"), "timed", "allowed until"),
        (("--permanent",), "permanent", "allowed permanently"),
        (("--session", "--widen"), "session", "any arguments"),
        (("--session", "--scope", "1"), "session", "covers exactly `mytool build`"),
    ],
)
def test_approve(
    run: Run, manager: ApprovalManager, project: Path, options: tuple[str, ...], state: str, words: str
) -> None:
    asked = publish(manager, "mytool build", project)
    code, text = run("approve", asked[:5], *options)
    assert code == 0 and words in text and "mytool build" in text
    answer = manager.wait_for_response(asked)
    assert answer.state == state and answer.by == person.who()
    if state == "permanent":
        assert (
            (project / ".askfirst" / "allowed_commands.yaml")
            .read_text()
            .endswith('  - name: mytool\n    args: ["build ..."]\n    paths: project\n')
        )


def test_deny_with_a_reason(run: Run, manager: ApprovalManager, project: Path) -> None:
    asked = publish(manager, "mytool build", project)
    assert run("deny", asked[:5], "--reason", "use make")[0] == 0
    answer = manager.wait_for_response(asked)
    assert (answer.decision, answer.reason) == (Decision.DENY, "use make")


def test_each_id_that_cannot_be_answered_says_why(run: Run, manager: ApprovalManager, project: Path) -> None:
    assert "no request with id `zzzz`" in run("approve", "zzzz")[1]
    assert "not an id" in run("deny", "x")[1]
    decided = publish(manager, "mytool a", project)
    run("deny", decided[:6])
    code, text = run("deny", decided[:6])
    assert code == 1 and "already decided: denied by" in text
    twins = [publish(manager, f"mytool {n}", project) for n in "bc"]
    store = FilePending()
    for number, name in enumerate(twins):
        twin = "abcd" + str(number) + name[5:]
        os.rename(os.path.join(store.root, name), os.path.join(store.root, twin))
        path = Path(store.root, twin, "request.json")
        os.lseek(manager.store._held[name], 0, 0)  # type: ignore[union-attr]
        with open(path, "r+b") as file:  # the same file: its lock stays
            file.write(path.read_bytes().replace(name.encode(), twin.encode()))
    code, text = run("approve", "abcd")
    assert code == 1 and "matches 2 ids: abcd0, abcd1" in text
    assert run("approve", "abcd0")[0] == 0


def test_one_id_that_cannot_be_answered_does_not_keep_the_others_waiting(
    run: Run, manager: ApprovalManager, project: Path
) -> None:
    first, second, third = (publish(manager, f"mytool {n}", project) for n in "abc")
    code, text = run("approve", "zzzz", first[:8], second[:8])
    assert code == 1 and "no request with id `zzzz`" in text and text.count("allowed once") == 2
    code, text = run("deny", first[:8], third[:8])
    assert code == 1 and "already decided" in text and "denied: mytool c" in text
    assert manager.pending() == ()


def test_a_late_approval_is_told_and_can_be_kept(run: Run, project: Path) -> None:
    manager = ApprovalManager(FilePending(), timeout_s=0.05)
    asked = publish(manager, "mytool build", project)
    assert manager.wait_for_response(asked).state == "expired"
    assert f"no one answered in time; `askfirst approve {asked[:6]} --keep`" in watch._ended(asked), "and watch says so"
    code, text = run("approve", asked[:6])
    assert code == 1 and "too late" in text and f"askfirst approve {asked[:6]} --keep" in text
    code, text = run("approve", asked[:6], "--keep")
    assert code == 0 and text.startswith("kept: the same request is allowed once until")
    answer = manager.known_answer(case("mytool build", project))
    assert answer is not None and answer.decision == Decision.ALLOW
    assert run("deny", asked[:6])[0] == 1


@pytest.mark.parametrize("sure", [True, False])
def test_a_late_approval_of_what_is_dangerous_wants_confirm_too(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, sure: bool
) -> None:
    monkeypatch.setattr("askfirst.commands.approve.confirmed", lambda: sure)
    manager = ApprovalManager(FilePending(), timeout_s=0.05)
    deploy = case("flyctl deploy", project, danger="deploys to production")
    asked = manager.request_approval(deploy)
    assert manager.wait_for_response(asked).state == "expired"
    code, text = run("approve", asked[:6], "--keep")
    assert (code, "DANGER: deploys to production" in text, "kept: the same" in text) == (0 if sure else 1, True, sure)
    assert (manager.known_answer(deploy) is not None) == sure


def test_all_answers_only_what_was_just_shown(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(answering, "_shown_path", lambda: str(tmp_path / "shown"))
    shown = [publish(manager, f"mytool {n}", project) for n in "ab"]
    assert "nothing was shown here" in run("approve", "--all")[1]
    answering.remember_shown(manager.pending())
    new = publish(manager, "mytool c", project)
    twin = publish(manager, "mytool b", project, session="s2")  # the same words, of a session that was not on screen
    code, text = run("approve", "--all", "--session")
    assert code == 0 and text.count("allowed for its session") == 1
    assert "still waiting, because it is new: mytool b" in text and "still waiting, because it is new: mytool c" in text
    assert manager.wait_for_response(shown[0]).state == "session"
    assert [q.ids for q in manager.pending()] == [(shown[1], twin), (new,)]
    monkeypatch.setattr(answering, "SHOWN_S", -1.0)
    assert "nothing was shown here" in run("approve", "--all")[1]


def test_all_leaves_what_the_list_does_not_show_and_what_is_dangerous(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(answering, "_shown_path", lambda: str(tmp_path / "shown"))
    plain = publish(manager, "mytool build", project)
    publish(manager, "mytool " + "x" * 200, project)
    manager.request_approval(case("flyctl deploy", project, danger="deploys to production"))
    answering.remember_shown(manager.pending())
    code, text = run("approve", "--all", "--session")
    assert code == 1 and text.count("still waiting") == 2
    for why in ("the list does not show all of it", "it needs CONFIRM"):
        assert why in text
    assert "covers exactly `mytool build`" in text, "the row shows no more than the words"
    assert manager.wait_for_response(plain).state == "session"


def test_wrong_use(run: Run) -> None:
    assert run("approve")[0] == 2
    assert run("approve", "abcd", "--all")[0] == 2
    assert run("approve", "abcd", "--for", "soon")[0] == 2
    for text in ("-1h", "0m", "1h30", "h", ""):
        assert run("pause", f"--for={text}")[0] == 2, text
        assert run("approve", "abcd", f"--for={text}")[0] == 2, text
    assert run("pause", "--for", "-1h")[0] == 2
    assert pause.why_paused() == ""


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86400), ("1h30m", 5400), ("2H", 7200)]
)
def test_times(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


def test_a_flagged_session_stands_out_and_gets_once_with_confirm(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, other = publish(manager, "mytool build", project, session="bad"), publish(manager, "mytool other", project)
    assert "FLAGGED" not in run("pending")[1]
    for _ in range(6):
        alerts.count_violation("bad", "claude", "sudo is never allowed")
    (line,) = [line for line in run("pending")[1].splitlines() if "FLAGGED FOR REVIEW" in line]
    assert "mytool build" in line
    assert "FLAGGED FOR REVIEW" in run("pending", asked[:6])[1]
    assert [json.loads(line)["flagged"] for line in run("pending", "--json")[1].splitlines()] == [True, False]
    code, text = run("approve", asked[:6], "--session")
    assert code == 1 and "flagged for review, so each call is allowed once at most" in text
    monkeypatch.setattr("askfirst.commands.approve.confirmed", lambda: False)
    code, text = run("approve", asked[:6])
    assert code == 1 and "CONFIRM was not typed" in text and len(manager.pending()) == 2
    assert run("approve", other[:6], "--session")[0] == 0, "others are not touched"
    monkeypatch.setattr("askfirst.commands.approve.confirmed", lambda: True)
    assert run("approve", asked[:6])[0] == 0 and manager.wait_for_response(asked).state == "once"


def test_pause_and_resume(run: Run, manager: ApprovalManager, project: Path) -> None:
    asked = publish(manager, "mytool build", project)
    code, text = run("pause", "--for", "30m", "--reason", "demo")
    assert code == 0 and "every call is denied; 1 waiting request withdrawn" in text
    assert manager.wait_for_response(asked).state == "cancelled"
    assert "demo" in pause.why_paused()
    assert run("resume") == (0, "the pause is over: calls are judged again\n")
    assert run("resume") == (1, "nothing was paused\n")
    assert manager.known_answer(case("mytool build", project)) is None, "a pause is not a person's no to this text"
    assert [r["kind"] for r in read_records()] == ["pause", "resume"]


def test_grants_and_revoke(run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert "no grants" in run("grants")[1]
    for text, options in (("mytool a", ("--session",)), ("mytool b", ("--for", "2h")), ("mytool c", ("--permanent",))):
        run("approve", publish(manager, text, project)[:6], *options)
    by_text = {g.text: g for g in FileGrants().all()}
    FileGrants().note_use(by_text["mytool a"].id, time.time())
    request = Request("claude", "s2", str(project), str(project), "Bash", {"command": "echo hi && mytool c more"})
    seen = case_of(request, World().layers(request))
    assert seen.verdict.decision == Decision.ALLOW
    audit.append("verdict", verdict_record(request, seen.verdict, digest=seen.digest, ms=1.0), durable=False)
    code, shown = run("grants")
    assert all(
        words in shown
        for words in ("session s1", "until", "permanent", "`mytool a` with any further words", "1×", "never")
    )
    rows = [json.loads(line) for line in run("grants", "--json")[1].splitlines()]
    assert {r["duration"]: r["uses"] for r in rows} == {"permanent": 1, "session": 1, "timed": 0}
    for grant in by_text.values():
        assert run("revoke", grant.id[:8])[0] == 0
    assert FileGrants().all() == ()
    assert "mytool" not in (project / ".askfirst" / "allowed_commands.yaml").read_text()
    code, text = run("revoke", "zzzz")
    assert code == 1 and "no grant or denial with id" in text
    monkeypatch.chdir("/")
    assert "--all" in run("grants")[1]


def test_the_uses_of_a_permanent_yes_are_counted_although_its_files_have_changed(project: Path) -> None:
    script = project / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    request = Request("claude", "s1", str(project), str(project), "Bash", {"command": "./run.sh"})
    asked = case_of(request, World().layers(request))
    offer = next(o for o in offers(asked) if o.entries)
    grant = offer.grant(asked, id=new_id(), duration=Duration.PERMANENT, created=time.time() - 1)
    allowed = replace(asked.verdict, decision=Decision.ALLOW)
    audit.append("verdict", verdict_record(request, allowed, digest=asked.digest, ms=1.0), durable=False)
    script.write_text("#!/bin/sh\nid\n")
    assert uses_of_permanent([grant])[grant.id].count == 1


def answered_once(manager: ApprovalManager, text: str, project: Path, **more: str) -> str:
    """A request that was allowed once, as a yes in the client's dialog is."""
    asked = publish(manager, text, project, **more)
    item = manager.store.find(asked)
    assert item is not None
    said = Answer(Decision.ALLOW, by="the client's dialog", state="once", at=time.time(), digest=item.digest)
    manager.store.decide(asked, answer_to(said))
    assert manager.wait_for_response(asked).decision == Decision.ALLOW
    return asked


@pytest.mark.parametrize("named", ["id", "last"])
@pytest.mark.parametrize(
    ("options", "words", "again"),
    [
        (("--session",), "allowed for its session", "mytool build again"),
        (("--session", "--scope", "1"), "covers exactly `mytool build`", "mytool build"),
        (("--for", "2h"), "allowed until", "mytool build again"),
        (("--permanent",), "allowed permanently", ""),
    ],
)
def test_a_yes_is_remembered_afterwards(
    run: Run,
    manager: ApprovalManager,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str,
    options: tuple[str, ...],
    words: str,
    again: str,
) -> None:
    monkeypatch.chdir(project)
    asked = answered_once(manager, "mytool build", project)
    code, text = run("remember", asked[:6] if named == "id" else "last", *options)
    assert code == 0 and words in text and "mytool build" in text
    if options == ("--permanent",):
        assert "- name: mytool" in (project / ".askfirst" / "allowed_commands.yaml").read_text()
        return
    layers = load_layers(str(project), session="s1", agent="claude", now=time.time())
    assert judge((command(again, project),), layers).decision == Decision.ALLOW
    assert judge((command("mytool deploy", project),), layers).decision == Decision.ASK
    assert [r["kind"] for r in read_records()][-2:] == ["remember", "grant"]


def test_remember_says_what_it_could_cover_and_refuses_the_rest(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert "nothing was allowed in this project" in run("remember", "last", "--session")[1]
    assert run("remember", "zzzz", "--session")[0] == 1
    waiting = publish(manager, "mytool wait", project)
    assert "still waits" in run("remember", waiting[:6], "--session")[1]
    asked = answered_once(manager, "mytool build", project)
    code, text = run("remember", asked[:6])
    assert code == 0 and "--scope 1  exactly `mytool build`" in text and FileGrants().all() == ()
    nameless = answered_once(manager, "mytool x", project, session="")
    code, text = run("remember", nameless[:6], "--session")
    assert code == 1 and "did not say which session" in text
    assert run("remember", asked[:6], "--scope", "99", "--session")[0] == 2
    value = json.loads(run("remember", asked[:6], "--session", "--json")[1].splitlines()[0])
    assert (value["state"], value["id"]) == ("session", asked)


def test_what_is_gone_from_the_store_is_remembered_from_the_log(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "mytool").write_text("#!/bin/sh\n")
    (project / "mytool").chmod(0o755)
    for asked, text in (("0" * 26, "./mytool build"), ("1" * 26, "./mytool cut")):
        request = Request("claude", "s1", str(project), str(project), "Bash", {"command": text})
        seen = case_of(request, World().layers(request))
        record = verdict_record(request, seen.verdict, digest=seen.digest, ms=1.0)
        if text.endswith("cut"):
            record["text"] = text[:-1]
        audit.append("question", {**record, "id": asked}, durable=False)
    code, text = run("remember", "0000", "--session")
    assert code == 0, text
    assert code == 0 and "allowed for its session" in text and FileGrants().all()[0].session == "s1"
    code, text = run("remember", "1111", "--session")
    assert code == 1 and "whole of this request" in text


def test_a_denial_is_listed_explained_and_forgotten(
    run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    asked = publish(manager, "./mytool build", project)
    run("deny", asked[:6], "--reason", "use make")
    manager.wait_for_response(asked)
    code, shown = run("grants")
    assert "DENIED: use make" in shown and asked[:4] in shown and "session s1" in shown
    (value,) = [json.loads(line) for line in run("grants", "--json")[1].splitlines()]
    assert (value["denied"], value["id"], value["text"]) == (True, asked, "./mytool build")
    code, text = run("explain", "--session", "s1", "./mytool build")
    assert code == 1 and "denied exactly this earlier in this session: use make" in text
    assert "a person is asked" in run("explain", "./mytool build")[1]
    assert run("forget", "last")[0] == 0
    assert (
        FileGrants().denials() == () and "a person is asked" in run("explain", "--session", "s1", "./mytool build")[1]
    )
    code, text = run("forget", "last")
    assert code == 1 and "nothing was allowed or denied" in text


def test_forget_takes_the_id_of_the_request_as_well(run: Run, manager: ApprovalManager, project: Path) -> None:
    asked = answered_once(manager, "mytool build", project)
    run("remember", asked[:6], "--session")
    code, text = run("forget", asked[:6])
    assert code == 0 and "revoked" in text and FileGrants().all() == ()


def test_a_denied_request_can_be_approved_after_all(run: Run, manager: ApprovalManager, project: Path) -> None:
    asked = publish(manager, "mytool build", project)
    run("deny", asked[:6])
    manager.wait_for_response(asked)
    code, text = run("approve", asked[:6], "--session")
    assert code == 1 and f"askfirst remember {asked[:6]} --session" in text
    code, text = run("approve", asked[:6])
    assert code == 0 and "allowed once until" in text and FileGrants().denials() == ()
    first, second = (manager.known_answer(case("mytool build", project)) for _ in range(2))
    assert first is not None and first.decision == Decision.ALLOW and second is None, "for one use"


def test_an_entry_that_a_person_has_changed_is_revoked_by_hand(
    run: Run, manager: ApprovalManager, project: Path
) -> None:
    run("approve", publish(manager, "mytool c", project)[:6], "--permanent")
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.write_text("version: 2\ncommands: [{name: mytool, args: ['c ...'], paths: project}]\n")
    (grant,) = FileGrants().all()
    code, text = run("revoke", grant.id[:6])
    assert code == 1 and "by hand" in text and FileGrants().all() == (grant,)
    path.write_text("version: 1\ncommands: []\n")
    assert run("revoke", grant.id[:6])[0] == 0


def test_status(run: Run, manager: ApprovalManager, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(manager, "mytool build", project)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello\n")))
    monkeypatch.chdir(project)
    assert run("propose", "notes.txt")[0] == 0
    with announce("watch"):
        code, text = run("status")
    assert code == 0 and "watch (pid" in text and "mytool build" in text and "log " in text
    assert "CREATE notes.txt; `askfirst pending" in text
    value = json.loads(run("status", "--json")[1])
    assert value["waiting"] == 1 and value["approvers"] == [] and value["paused"] == ""


def test_a_file_that_cannot_be_extended_counts_for_the_session(
    run: Run, manager: ApprovalManager, project: Path
) -> None:
    asked = publish(manager, "mytool build", project)
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir()
    path.write_text("x: &a 1\nversion: 1\n")
    code, text = run("approve", asked[:6], "--permanent")
    assert code == 0 and "allowed for its session" in text and "anchors" in text and "- name: mytool" in text
    (grant,) = FileGrants().all()
    assert grant.duration == Duration.SESSION
    assert path.read_text() == "x: &a 1\nversion: 1\n"


def test_a_new_rule_settles_the_queue(run: Run, manager: ApprovalManager, project: Path) -> None:
    same = publish(manager, "mytool build again", project)  # `args` are prefixes: the entry covers it too
    other = publish(manager, "mytool deploy", project)
    asked = publish(manager, "mytool build", project)
    assert run("approve", asked[:8], "--permanent")[0] == 0
    assert manager.wait_for_response(same).by == "rule"
    assert [q.id for q in manager.pending()] == [other]


@pytest.mark.parametrize("words", [("approve", "abcd"), ("deny", "abcd"), ("pause",), ("resume",), ("revoke", "abcd")])
def test_an_agent_cannot_answer(run: Run, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "ancestors", lambda: (("bash", "bash"), ("claude", "claude")))
    code, text = run(*words)
    assert code == 1 and "an agent (claude) started this" in text
    assert [r["kind"] for r in read_records()] == ["violation"]


def test_without_a_terminal_nobody_can_answer() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "askfirst", "approve", "abcd"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
    )
    assert done.returncode == 1 and "refused" in done.stderr and done.stdout == ""


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.screen, inner = pty.openpty()
        argv = [sys.executable, "-m", "tests.approval.as_person", *words]
        self.process = subprocess.Popen(argv, cwd=ROOT, stdin=inner, stdout=inner, stderr=inner, start_new_session=True)
        os.close(inner)
        self.seen = b""

    def until(self, words: bytes) -> None:
        deadline = time.monotonic() + 60
        while words not in self.seen:
            assert time.monotonic() < deadline, self.seen
            self._read(deadline)

    def _read(self, deadline: float) -> bool:
        if not select.select([self.screen], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return False
        try:
            part = os.read(self.screen, 65536)
        except OSError:
            return False
        self.seen += part
        return bool(part)

    def type(self, text: bytes) -> None:
        os.write(self.screen, text)

    def end(self) -> int:
        deadline = time.monotonic() + 60
        while self._read(deadline):
            pass
        code = self.process.wait(60)
        os.close(self.screen)
        return code


@pytest.fixture
def danger(manager: ApprovalManager, project: Path) -> Iterator[str]:
    yield manager.request_approval(case("flyctl deploy", project, danger="deploys to production"))


@pytest.mark.parametrize(
    ("typed", "allowed"),
    [(b"CONFIRM\n", True), (b"confirm\n", False), (b"\n", False), (b"y\n", False), (b"\x04", False)],
)
def test_danger_wants_confirm_typed_in_full(manager: ApprovalManager, danger: str, typed: bytes, allowed: bool) -> None:
    terminal = Terminal("approve", danger[:8], "--session")
    terminal.until(b"Type CONFIRM")
    terminal.type(typed)
    code = terminal.end()
    assert code == (0 if allowed else 1), terminal.seen
    assert (manager.pending() == ()) == allowed
