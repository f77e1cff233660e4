"""A person is asked in the real client: headless through askfirst's surfaces, interactively through both at once."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval.answers import CLIENT_DIALOG
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.audit.read import read_records
from askfirst.model import Answer, Decision, Duration
from askfirst.store.grants import FileGrants
from tests.e2e.client import OPEN, Client
from tests.e2e.fake_model import FakeModel, bash
from tests.e2e.terminal import Screen
from tests.waiting import until


@pytest.fixture
def script(client: Client) -> str:
    """A program that no rule knows, and that leaves a trace."""
    path = client.project / "do-it.sh"
    path.write_text("#!/bin/sh\ntouch RAN\necho it-ran\n")
    path.chmod(0o755)
    client.init()
    return "./do-it.sh"


def card(manager: ApprovalManager) -> Question:
    found = until(manager.pending, "the request")
    assert isinstance(found[0], Question)
    return found[0]


def say(
    manager: ApprovalManager,
    question: Question,
    decision: Decision,
    duration: Duration = Duration.ONCE,
    reason: str = "",
) -> None:
    manager.respond(question.id, Answer(decision, duration, reason, "a person at a test", digest=question.digest))


def test_headless_waits_for_a_person_and_a_session_answer_stands(client: Client, script: str) -> None:
    models: list[FakeModel] = []
    with announce("test"):
        run = threading.Thread(
            target=lambda: models.append(client.run([[bash(script)], [bash(script)], [bash("no-such-program")]], OPEN))
        )
        run.start()
        manager = file_manager()
        first = card(manager)
        assert not (client.project / "RAN").exists()
        say(manager, first, Decision.ALLOW, Duration.SESSION)
        second = card(manager)  # the script again was not asked for: this is the third call
        assert "no-such-program" in second.text
        say(manager, second, Decision.DENY, reason="use the other one")
        run.join(timeout=180)
    results = models[0].tool_results()
    assert "it-ran" in results[0] and "it-ran" in results[1] and "use the other one" in results[2]


@pytest.mark.parametrize("words", [(), (OPEN,)], ids=["auto", "open"])
def test_while_the_clients_dialog_is_open_another_surface_answers(
    client: Client, script: str, words: tuple[str, ...]
) -> None:
    with FakeModel([[bash(script)]]) as model, Screen(client, model, *words) as screen:
        screen.until("requires confirmation")
        manager = file_manager()
        assert not (client.project / "RAN").exists()
        say(manager, card(manager), Decision.ALLOW)
        until((client.project / "RAN").exists, "the command")
        screen.until("done")
    assert "it-ran" in model.tool_results()[0]


def test_a_yes_in_the_clients_dialog_closes_the_card(client: Client, script: str) -> None:
    with FakeModel([[bash(script)]]) as model, Screen(client, model) as screen:
        screen.until("requires confirmation")
        manager = file_manager()
        card(manager)
        screen.press_until("Enter", lambda _: (client.project / "RAN").exists())
        until(lambda: not manager.pending(), "the card to close")
        screen.until("done")


def test_a_yes_in_the_clients_dialog_is_known_while_the_command_runs_and_can_be_remembered(
    client: Client, script: str
) -> None:
    (client.project / "do-it.sh").write_text("#!/bin/sh\ntouch RAN\nwhile [ ! -e GO ]; do sleep 0.1; done\n")
    ran, go = client.project / "RAN", client.project / "GO"
    with FakeModel([[bash(script)], [bash(script)]]) as model, Screen(client, model) as screen:
        manager = file_manager()
        for first in (True, False):
            screen.until("requires confirmation")
            card(manager)
            screen.press_until("Enter", lambda _: ran.exists())
            until(lambda: not manager.pending(), "the card to close while the command runs")
            assert not go.exists()
            ran.unlink()
            go.touch()
            if first:
                until(manager.pending, "the second question")
                go.unlink()
        screen.until("you have allowed this twice")
        screen.until("● done")
    answers = [r["answer"] for r in read_records() if isinstance(r.get("answer"), dict)]
    assert answers == [{"state": "once", "by": CLIENT_DIALOG, "reason": ""}] * 2
    assert "correction" not in {r["kind"] for r in read_records()}


def test_the_log_is_corrected_when_the_question_was_lost_and_the_command_ran(client: Client, script: str) -> None:
    with FakeModel([[bash(script)]]) as model, Screen(client, model) as screen:
        screen.until("requires confirmation")
        manager = file_manager()
        asked = card(manager).id
        for hook in hooks_that_wait(client):
            os.kill(hook, signal.SIGKILL)
        until(lambda: not manager.pending(), "the question to end with its hook")
        assert lost(asked)["state"] == "cancelled"
        screen.press_until("Enter", lambda _: (client.project / "RAN").exists())
        screen.until("● done")
    (record,) = [r for r in read_records() if r["kind"] == "correction"]
    assert (record["id"], record["was"], record["decision"]) == (asked, "cancelled", "allow")
    assert record["answer"]["by"] == CLIENT_DIALOG


def hooks_that_wait(client: Client) -> list[int]:
    """The hook's processes below this test's own client."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            home = f"HOME={client.home}".encode() in (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended, or is another user's
        if home and b"hook" in words:
            found.append(int(entry.name))
    return found


def lost(asked: str) -> dict[str, Any]:
    return next(r for r in read_records() if r["kind"] == "answer" and r["id"] == asked)


def test_without_the_clients_dialog_only_askfirst_asks(client: Client, script: str) -> None:
    place = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst" / "config.yaml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("version: 2\nclient_dialog: off\n")
    with announce("test"), FakeModel([[bash(script)]]) as model, Screen(client, model) as screen:
        manager = file_manager()
        asked = card(manager)
        assert "requires confirmation" not in screen.text() and not (client.project / "RAN").exists()
        say(manager, asked, Decision.ALLOW)
        assert "requires confirmation" not in screen.until("● done")
    assert "it-ran" in model.tool_results()[0]


def test_escape_in_the_clients_dialog_withdraws_the_card(client: Client, script: str) -> None:
    with FakeModel([[bash(script)]]) as model, Screen(client, model) as screen:
        screen.until("requires confirmation")
        manager = file_manager()
        card(manager)
        screen.press_until("Escape", lambda text: "requires confirmation" not in text)
        until(lambda: not manager.pending(), "the card to close")
    assert not Path(client.project / "RAN").exists()


def test_watch_in_another_window_and_the_clients_dialog_answer_in_turn(client: Client, script: str) -> None:
    other = client.project / "other.sh"
    other.write_text("#!/bin/sh\ntouch RAN2\n")
    other.chmod(0o755)
    turns = [[bash(script)], [bash(script)], [bash("./other.sh")]]
    with FakeModel(turns) as model, Screen(client, model) as screen:
        watch = screen.watch()
        watch.until(lambda: "do-it.sh" in watch.frame(), "the card")
        screen.until("requires confirmation")
        assert not (client.project / "RAN").exists()
        watch.press("s", lambda: "✓ allowed for this session" in watch.text())
        # The same again is not asked for; the next card is the third call, and the client's own dialog answers it.
        watch.until(lambda: "other.sh" in watch.frame(), "the second card")
        screen.press_until("Enter", lambda _: (client.project / "RAN2").exists())
        watch.until(
            lambda: "no longer waiting: allowed once by the client's dialog" in watch.text(), "the card to close"
        )
        screen.until("● done")
        assert [grant.duration for grant in FileGrants().all()] == [Duration.SESSION]
        screen.say("/clear")
        until(lambda: FileGrants().all() == (), "the session's grants to end with it")
    assert [("it-ran" in r) for r in model.tool_results()] == [True, True, False]
