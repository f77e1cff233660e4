"""The moments of a session: asked in a terminal, in the client's dialog or by nobody; learned later; ended with it."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.agents import wire_of
from askfirst.agents.claude.install import INSTALLER
from askfirst.agents.table import AGENTS
from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.merging import merged
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.audit.describe import outcome_of
from askfirst.audit.read import read_records
from askfirst.box import withheld
from askfirst.box.plan import Withheld
from askfirst.hook import Around, client_gone, respond
from askfirst.model import Answer, Decision, Duration
from askfirst.processes import _children, started_below
from askfirst.report.figures import figures_of
from askfirst.store import paths
from askfirst.store.grants import FileGrants
from askfirst.world import World
from tests.hook.process import Result, event, run, run_bash, start
from tests.waiting import until

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
UNKNOWN = "some-unknown-program --flag"


@contextmanager
def waiting(
    value: dict[str, Any], cwd: Path, env: dict[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], ApprovalManager, Question]]:
    """A hook that waits, the manager of an approver, and the card it sees."""
    process = start(cwd, env=env)
    assert process.stdin is not None
    process.stdin.write(json.dumps(value).encode())
    process.stdin.close()
    process.stdin = None
    manager = file_manager()
    cards = until(manager.pending, "the request")
    try:
        yield process, manager, cards[0]
    finally:
        process.kill()
        process.communicate()


def finish(process: subprocess.Popen[bytes]) -> Result:
    stdout, stderr = process.communicate(timeout=120)
    return Result(process.returncode, stdout, stderr)


def answer(question: Question, decision: Decision, duration: Duration = Duration.ONCE, reason: str = "") -> Answer:
    return Answer(decision, duration, reason, "a person at a test", digest=question.digest)


def dialog(result: Result) -> dict[str, Any]:
    output = result.value["hookSpecificOutput"]
    assert output["hookEventName"] == "PermissionRequest"
    found = output["decision"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    "tool", ["Read", "Grep", "Glob", "TodoWrite", "Task", "WebSearch", "AskUserQuestion", "ExitPlanMode"]
)
def test_tools_that_run_and_write_nothing_are_left_to_the_client(tool: str, project: Path) -> None:
    result = run(event(tool, cwd=project, file_path="/etc/passwd"), cwd=project)
    assert (result.returncode, result.value) == (0, {})


def test_an_event_nobody_knows_is_answered_neutrally(project: Path) -> None:
    assert run(event(cwd=project, name="SomethingNew", command="sudo ls"), cwd=project).value == {}


def test_headless_and_nobody_there_is_denied_at_once_with_the_line_to_run(project: Path) -> None:
    result = run_bash(UNKNOWN, cwd=project)
    assert result.decision == "deny"
    assert "No one is available to approve this" in result.reason and "askfirst watch" in result.reason
    # The rule file is not the agent's to write: it is not told to.
    assert "allowed_commands.yaml" not in result.reason


def test_headless_waits_for_a_person(project: Path) -> None:
    with announce("test"), waiting(event(cwd=project, command=UNKNOWN), project) as (process, manager, card):
        manager.respond(card.id, answer(card, Decision.ALLOW, Duration.SESSION))
        assert finish(process).decision == "allow"
    # The grant stands: nobody is asked, nobody is needed.
    assert run_bash(UNKNOWN, cwd=project).decision == "allow"
    assert run(event(cwd=project, session="another", command=UNKNOWN), cwd=project).decision == "deny"


def test_a_no_reaches_the_agent_with_its_reason_and_stands_for_the_session(project: Path) -> None:
    with announce("test"):
        with waiting(event(cwd=project, command=UNKNOWN), project) as (process, manager, card):
            manager.respond(card.id, answer(card, Decision.DENY, reason="use the other one"))
            result = finish(process)
        assert result.decision == "deny" and "use the other one" in result.reason
        again = run_bash(UNKNOWN, cwd=project)  # denied again without asking
        assert again.decision == "deny" and "use the other one" in again.reason


def test_the_session_ends_and_its_grants_with_it(project: Path) -> None:
    with announce("test"), waiting(event(cwd=project, command=UNKNOWN), project) as (process, manager, card):
        manager.respond(card.id, answer(card, Decision.ALLOW, Duration.SESSION))
        finish(process)
    ended = {"hook_event_name": "SessionEnd", "session_id": "session-1", "cwd": str(project), "reason": "clear"}
    # On a busy machine its few seconds may not be enough; the grants then end with the next such event, or by age.
    until(lambda: run(ended, cwd=project).value == {})
    assert run_bash(UNKNOWN, cwd=project).decision == "deny"


def test_an_attended_client_is_told_to_ask(project: Path) -> None:
    result = run_bash(UNKNOWN, cwd=project, env=ATTENDED)
    assert result.decision == "ask"
    assert run_bash("ls", cwd=project, env=ATTENDED).decision == "allow"
    assert run_bash("sudo ls", cwd=project, env=ATTENDED).decision == "deny"


def test_while_the_clients_dialog_is_open_another_surface_can_answer(project: Path) -> None:
    request = event(cwd=project, name="PermissionRequest", command=UNKNOWN)
    with waiting(request, project, ATTENDED) as (process, manager, card):
        manager.respond(card.id, answer(card, Decision.ALLOW))
        assert dialog(finish(process)) == {"behavior": "allow"}
    with waiting(request, project, ATTENDED) as (process, manager, card):
        manager.respond(card.id, answer(card, Decision.DENY, reason="not today"))
        found = dialog(finish(process))
        assert found["behavior"] == "deny" and "not today" in found["message"]


def test_what_the_box_withheld_is_told_beside_the_question_on_every_surface(project: Path) -> None:
    """The dialog's own hook sees CMD alone: what was found out before it is handed on."""
    withheld.remember(str(project), (UNKNOWN.split()[0],), Withheld("network", "could not resolve host: example.org"))
    reason = "it ran contained before, without the network, and failed there; its output ended with “could not resolve"
    asked = run(event(cwd=project, command=f"askfirst outside -- {UNKNOWN}"), cwd=project, env=ATTENDED)
    assert asked.decision == "ask" and reason in asked.reason
    given = asked.value["hookSpecificOutput"]["updatedInput"]
    request = event(cwd=project, name="PermissionRequest", **given)
    with waiting(request, project, ATTENDED) as (process, manager, card):
        assert isinstance(card, Question) and any(reason in note for note in card.notes)
        manager.respond(card.id, answer(card, Decision.DENY))
        finish(process)
    bare = run(event(cwd=project, session="other", command=UNKNOWN), cwd=project, env=ATTENDED)
    assert bare.decision == "ask" and reason not in bare.reason, "nothing says so where no box is on"


def test_the_clients_own_questions_are_left_to_the_client(project: Path) -> None:
    assert run(event(cwd=project, name="PermissionRequest", command="ls"), cwd=project, env=ATTENDED).value == {}
    assert (
        run(event("Read", cwd=project, name="PermissionRequest", file_path="/x"), cwd=project, env=ATTENDED).value == {}
    )
    blocked = run(event(cwd=project, name="PermissionRequest", command="sudo ls"), cwd=project, env=ATTENDED)
    assert dialog(blocked)["behavior"] == "deny"


def test_a_yes_in_the_clients_dialog_is_learned_after_the_tool_ran(project: Path) -> None:
    with waiting(event(cwd=project, name="PermissionRequest", command=UNKNOWN), project, ATTENDED) as (
        process,
        manager,
        _,
    ):
        other = event(cwd=project, name="PostToolUse", command="another-program")
        assert run(other, cwd=project, env=ATTENDED).value == {}
        assert len(manager.pending()) == 1
        (project / "sub").mkdir()
        done = event(cwd=project / "sub", name="PostToolUse", command=UNKNOWN)  # its `cd` has moved the directory
        assert run(done, cwd=project, env=ATTENDED).value == {}
        assert finish(process).value == {}, "another dialog with the same text may still be open"
        assert manager.pending() == ()
    assert list(read_records())[-1]["answer"]["by"] == "the client's dialog"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the processes of others are not seen here")
@pytest.mark.parametrize(
    ("runs", "known"),
    [
        ("source /dev/null && eval 'sleep 600 # x' \\< /dev/null && pwd -P", True),
        ("source /dev/null && eval 'sleep 601 # eval '\"'\"'sleep 600 # x'\"'\"'' && true", False),
    ],
)
def test_a_yes_in_the_clients_dialog_is_known_once_the_command_runs(project: Path, runs: str, known: bool) -> None:
    asked = "sleep 600 # x"
    script = "import subprocess, sys, time; sys.stdin.readline(); subprocess.Popen(sys.argv[1:]); time.sleep(600)"
    client = subprocess.Popen([sys.executable, "-c", script, "bash", "-c", "-l", runs], stdin=subprocess.PIPE)
    assert client.stdin is not None
    try:
        assert not started_below(client.pid, asked, since=0.0)
        client.stdin.write(b"yes\n")
        client.stdin.flush()
        children = until(lambda: _children(client.pid), "the command")
        until(lambda: b"eval" in Path(f"/proc/{children[0]}/cmdline").read_bytes(), "its shell")
        assert started_below(client.pid, asked, since=0.0) == known
        assert not started_below(client.pid, asked, since=time.time() + 5), "what ran before the question is no answer"
    finally:
        for child in _children(client.pid):
            os.kill(child, signal.SIGKILL)
        client.kill()
        client.communicate()


def test_the_waiting_hook_ends_when_the_command_runs(project: Path) -> None:
    asked = "some-unknown-program; sleep 600"
    script = "import subprocess, sys, time; sys.stdin.readline(); subprocess.Popen(sys.argv[1:]); time.sleep(600)"
    told = f"eval '{asked}'"
    client = subprocess.Popen([sys.executable, "-c", script, "bash", "-c", told], stdin=subprocess.PIPE)
    assert client.stdin is not None
    request = event(cwd=project, name="PermissionRequest", command=asked)
    try:
        with waiting(request, project, {**ATTENDED, "CLAUDE_PID": str(client.pid)}) as (process, manager, _):
            client.stdin.write(b"yes\n")
            client.stdin.flush()
            assert finish(process).value == {}
            assert manager.pending() == ()
    finally:
        for child in _children(client.pid):
            os.kill(child, signal.SIGKILL)
        client.kill()
        client.communicate()
    assert list(read_records())[-1]["answer"] == {"state": "once", "by": "the client's dialog", "reason": ""}


def asked_and_ran(project: Path, number: str, *, deny: bool) -> dict[str, Any]:
    """A call that the client's dialog asks for, its yes there, and what the hook says after it; `deny`: somebody at
    another surface says no in between, too late."""
    before = {**event(cwd=project, command=UNKNOWN), "tool_use_id": number}
    assert run(before, cwd=project, env=ATTENDED).decision == "ask"
    request = event(cwd=project, name="PermissionRequest", command=UNKNOWN)
    with waiting(request, project, ATTENDED) as (process, manager, card):
        if deny:
            manager.respond(card.id, answer(card, Decision.DENY))
            finish(process)
        after = {**event(cwd=project, name="PostToolUse", command=UNKNOWN), "tool_use_id": number}
        said = run(after, cwd=project, env=ATTENDED).value
        finish(process)
    return said


def test_a_denial_of_what_ran_is_corrected_and_taken_back(project: Path) -> None:
    assert asked_and_ran(project, "toolu_9", deny=True) == {}
    record = list(read_records())[-1]
    assert (record["kind"], record["was"], record["decision"]) == ("correction", "denied", "allow")
    assert FileGrants().denials() == ()
    assert outcome_of(record) == "ran, though denied"
    found = figures_of(read_records())
    assert found.answers == {"once": 1} and found.decisions.get("deny", 0) == 0
    again = {**event(cwd=project, name="PostToolUse", command=UNKNOWN), "tool_use_id": "toolu_other"}
    assert run(again, cwd=project, env=ATTENDED).value == {}
    assert sum(r["kind"] == "correction" for r in read_records()) == 1, "only of the call that was asked"


def test_after_the_second_same_yes_the_person_is_told_how_to_be_asked_less(project: Path) -> None:
    first, second, third = (asked_and_ran(project, f"toolu_{n}", deny=False) for n in range(3))
    assert first == third == {}
    assert "askfirst remember" in second["systemMessage"] and "\n" not in second["systemMessage"]


def test_the_model_is_told_of_a_merge_in_the_dialog_once_the_write_is_done(project: Path) -> None:
    file = project / "notes.py"
    file.write_text("".join(f"line_{n} = {n}\n" for n in range(200)))
    given = {"file_path": str(file), "content": "new = 1\n"}
    request = event("Write", cwd=project, name="PermissionRequest", **given)
    with waiting(request, project, ATTENDED) as (process, manager, card):
        assert "append" in card.strategies
        yes = replace(answer(card, Decision.ALLOW), extra=merged(card, "append", None).extra)
        manager.respond(card.id, yes)
        changed = dialog(finish(process))["updatedInput"]
    after = event("Write", cwd=project, name="PostToolUse", **changed)
    said = [run(after, cwd=project, env=ATTENDED).value for _ in range(2)]
    assert "(append)" in said[0]["hookSpecificOutput"]["additionalContext"] and said[1] == {}


@pytest.mark.parametrize(("modified", "told"), [(True, True), (False, False), (None, False)])
def test_the_model_is_told_when_the_person_edited_its_call(project: Path, modified: bool | None, told: bool) -> None:
    after = event("Write", cwd=project, name="PostToolUse", file_path=str(project / "a.txt"), content="x")
    said = run({**after, "tool_response": {"userModified": modified}}, cwd=project, env=ATTENDED).value
    output = said.get("hookSpecificOutput", {})
    assert ("read it before" in output.get("additionalContext", "")) == told
    assert not told or output["hookEventName"] == "PostToolUse"


def test_the_client_dialog_can_be_switched_off(project: Path) -> None:
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("version: 2\nclient_dialog: off\n")
    result = run_bash(UNKNOWN, cwd=project, env=ATTENDED)
    assert result.decision == "deny" and "askfirst watch" in result.reason
    with announce("test"), waiting(event(cwd=project, command=UNKNOWN), project, ATTENDED) as (process, manager, card):
        manager.respond(card.id, answer(card, Decision.ALLOW))
        assert finish(process).decision == "allow"


def test_the_question_of_a_dead_hook_ends_in_the_log(project: Path) -> None:
    with announce("test"), waiting(event(cwd=project, command=UNKNOWN), project) as (process, manager, card):
        process.kill()
        process.wait()
        assert manager.pending() == ()
        record = list(read_records())[-1]
        assert (record["kind"], record["id"], record["state"]) == ("answer", card.id, "cancelled")


def test_a_dangerous_command_is_not_left_to_a_dialog_that_cannot_ask_for_confirm(project: Path) -> None:
    result = run_bash("kubectl delete namespace production", cwd=project, env=ATTENDED)
    assert result.decision == "deny" and "askfirst watch" in result.reason
    asked = event(cwd=project, command="kubectl delete namespace production")
    with announce("test"), waiting(asked, project, ATTENDED) as (process, manager, card):
        assert card.confirm
        manager.respond(card.id, answer(card, Decision.ALLOW))
        assert finish(process).decision == "allow"


def test_a_pause_denies_everything(project: Path) -> None:
    from askfirst.store.pause import pause, resume

    pause(0, "a test", "looking into something")
    for command in ("ls", "sudo ls", UNKNOWN):
        assert "looking into something" in run_bash(command, cwd=project).reason
    resume()
    assert run_bash("ls", cwd=project).decision == "allow"


def test_approvals_switched_off_block_at_once(project: Path) -> None:
    import os

    file = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("version: 1\napproval_enabled: false\n")
    with announce("test"):
        for env in ({}, ATTENDED):
            assert run_bash(UNKNOWN, cwd=project, env=env).decision == "deny"
    assert run_bash("ls", cwd=project).decision == "allow"


def test_too_many_violations_flag_the_session(project: Path) -> None:
    reasons = [run_bash("sudo ls", cwd=project).reason for _ in range(7)]
    assert "flagged for review" not in reasons[0]
    assert "flagged for review" in reasons[-1]


def test_secrets_do_not_come_back_to_the_agent(project: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    result = run_bash(f"sudo deploy --token {token}", cwd=project)
    assert result.decision == "deny" and token not in result.stdout.decode()


# Settings


def change(project: Path, file: Path, source: str = "local_settings") -> dict[str, Any]:
    return {
        "hook_event_name": "ConfigChange",
        "session_id": "s",
        "cwd": str(project),
        "source": source,
        "file_path": str(file),
    }


def test_a_change_that_switches_the_gate_off_is_refused(project: Path) -> None:
    INSTALLER.install("local", str(project))
    file = project / ".claude/settings.local.json"
    good = file.read_text()
    assert run(change(project, file), cwd=project).value == {}
    weaker = json.loads(good)
    weaker["hooks"]["PreToolUse"][0]["hooks"][0]["async"] = True
    narrower = json.loads(good)
    narrower["hooks"]["PreToolUse"][0]["matcher"] = "Write"
    table = {
        "emptied": "{}",
        "not JSON": "{",
        "an array": "[]",
        "all hooks off": json.dumps({**json.loads(good), "disableAllHooks": True}),
        "our hook gone": json.dumps({"hooks": {"PreToolUse": []}}),
        "made async": json.dumps(weaker),
        "fewer tools": json.dumps(narrower),
        "no longer closed on failure": good.replace("|| exit 2", "|| true"),
    }
    for name, text in table.items():
        file.write_text(text)
        value = run(change(project, file), cwd=project).value
        assert value.get("decision") == "block" and str(file) in value["reason"], name
    file.unlink()
    assert run(change(project, file), cwd=project).value.get("decision") == "block"
    # Other changes are the person's own business.
    file.write_text(json.dumps({**json.loads(good), "model": "opus"}))
    assert run(change(project, file), cwd=project).value == {}
    file.write_text("{}")
    assert run(change(project, file, "policy_settings"), cwd=project).value == {}


def test_another_file_may_still_hold_the_gate(project: Path) -> None:
    INSTALLER.install("user", str(project))
    file = project / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text("{}")
    assert run(change(project, file, "project_settings"), cwd=project).value == {}
    file.write_text('{"disableAllHooks": true}')  # this one reaches into the user's hooks as well
    assert run(change(project, file, "project_settings"), cwd=project).value.get("decision") == "block"


def test_a_plugin_watches_its_own_switch(project: Path) -> None:
    env = {"CLAUDE_PLUGIN_ROOT": "/somewhere"}
    file = project / ".claude/settings.json"
    file.parent.mkdir()
    for text, blocked in (
        ("{}", False),
        ('{"enabledPlugins": {"askfirst@x": false}}', True),
        ('{"enabledPlugins": {"other@x": false}}', False),
    ):
        file.write_text(text)
        assert (
            run(change(project, file, "project_settings"), cwd=project, env=env).value.get("decision") == "block"
        ) is blocked


def test_a_session_start_says_what_the_repository_tries(project: Path) -> None:
    started = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(project), "source": "startup"}
    assert run(started, cwd=project).value == {}
    file = project / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"disableAllHooks": true, "enabledPlugins": {"askfirst@x": false}}')
    message = run(started, cwd=project).value["systemMessage"]
    assert "disableAllHooks" in message and "enabledPlugins" in message and "askfirst doctor" in message


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_that_begins_puts_away_what_is_long_over(agent: str, project: Path) -> None:
    """Only one agent tells when a session starts: for the others the first call does it, and no later one."""
    raw = json.dumps(wire_of(agent).sample(str(project), "ls")).encode()
    places = [("sessions", "made-x"), ("sessions", "since-x"), ("grants", "session-x")]
    long_over = [Path(paths.private_dir(folder)) / name for folder, name in places]
    for left in ([], long_over):
        for path in long_over:
            path.write_text("")
            os.utime(path, (1.0, 1.0))
        assert respond(wire_of(agent), raw, {}).exit_code == 0
        assert [path for path in long_over if path.exists()] == left


def test_a_client_that_tells_when_it_starts_pays_for_it_there(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[str] = []
    monkeypatch.setattr(World, "start_session", lambda self: starts.append("x"))
    for value in ({"hook_event_name": "SessionStart", "session_id": "session-1", "cwd": str(project)}, None):
        value = value or event(cwd=project, command="ls")
        respond(wire_of("claude"), json.dumps(value).encode(), {})
    assert starts == ["x"]


@pytest.mark.parametrize("tool", ["Read", "NotebookRead", "Grep", "WebFetch"])
@pytest.mark.parametrize("given", [{"url": 5, "path": []}, {"file_path": ["a"], "path": 5, "url": [7]}])
def test_a_reading_tool_that_names_no_file_is_not_understood(tool: str, given: dict[str, Any], project: Path) -> None:
    from askfirst.errors import HookInputError
    from askfirst.gate import facts_of
    from askfirst.model import Request
    from askfirst.policy.rules import Settings

    with pytest.raises(HookInputError):
        facts_of(Request("claude", "s", str(project), str(project), tool, given), Settings())


def test_the_end_of_a_session_has_a_shorter_time(project: Path) -> None:
    for name, hurries in (("SessionEnd", True), ("SessionStart", False)):
        hurried: list[bool] = []

        def hurry(seen: list[bool] = hurried) -> None:
            seen.append(True)

        raw = json.dumps({"hook_event_name": name, "session_id": "s", "cwd": str(project), "reason": "other"}).encode()
        respond(wire_of("claude"), raw, {}, Around(ending=hurry))
        assert bool(hurried) == hurries


@pytest.mark.parametrize("kind", ["pipe", "socket"])
@pytest.mark.parametrize("system", ["this one", "macOS"])
def test_a_client_that_is_gone_is_noticed(kind: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS tells of nothing that was not asked for: its poll is made of kqueue filters for the events given."""
    real = select.poll

    class Poll:
        def __init__(self) -> None:
            self.real, self.asked = real(), 0

        def register(self, handle: int, events: int) -> None:
            self.asked = events
            self.real.register(handle, events)

        def poll(self, timeout: float) -> list[tuple[int, int]]:
            return self.real.poll(timeout) if self.asked & (select.POLLIN | select.POLLOUT) else []

    if system == "macOS":
        monkeypatch.setattr(select, "poll", Poll)
    if kind == "pipe":
        theirs, ours = os.pipe()
    else:
        theirs, ours = (end.detach() for end in socket.socketpair())
    gone = client_gone(ours, lambda: False)
    assert not gone()
    os.close(theirs)
    assert gone()
    os.close(ours)


def test_reading_is_judged_and_logged_like_a_command(project: Path) -> None:
    (project / ".env").write_text("A=1\n")
    assert run(event("Read", cwd=project, file_path=str(project / "a.py")), cwd=project).value == {}
    denied = run(event("Read", cwd=project, file_path=str(project / ".env")), cwd=project)
    assert denied.decision == "deny" and "holds secrets" in denied.reason
    asked = run(event("Grep", cwd=project, pattern="x", glob=".env*"), cwd=project, env=ATTENDED)
    assert asked.decision == "ask"
    told = [(r["tool"], r["decision"], r["text"]) for r in read_records() if r["kind"] == "verdict"]
    assert told == [
        ("Read", "allow", str(project / "a.py")),
        ("Read", "deny", str(project / ".env")),
        ("Grep", "ask", "Grep"),
    ]


def test_a_tool_that_a_rule_allows_is_allowed_and_one_that_passes_is_left_to_the_client(project: Path) -> None:
    documentation = run(event("WebFetch", cwd=project, url="https://docs.python.org/3/"), cwd=project)
    assert documentation.decision == "allow"
    assert run(event("WebSearch", cwd=project, query="x"), cwd=project).value == {}


def test_an_older_registration_is_brought_up_to_date(project: Path) -> None:
    INSTALLER.install("user", str(project))
    file = Path(INSTALLER.settings_path("user", str(project)))
    new = file.read_text()
    settings = json.loads(new)
    settings["hooks"]["PostToolUse"][0]["matcher"] = "^(Bash|Write|Edit)$"
    file.write_text(json.dumps(settings))
    INSTALLER.install("user", str(project))
    assert [g["matcher"] for g in json.loads(file.read_text())["hooks"]["PostToolUse"]] == ["*"]
