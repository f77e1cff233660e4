"""The API for programs: the command approval document's own tests, and the examples page."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import askfirst
from askfirst import ApprovalDecision, ApprovalManager
from askfirst.approval.answers import AlreadyDecided, NotPending, Refused
from askfirst.approval.person import NotAPerson
from askfirst.errors import UsageError
from tests.docs import ROOT, blocks


@pytest.fixture
def manager(project: Path) -> ApprovalManager:
    return ApprovalManager(project)


# -- as the document uses it


def test_approval_manager_request(manager: ApprovalManager) -> None:
    assert manager.request_approval("swift", is_dangerous=False).startswith("req_")


def test_approval_manager_respond(manager: ApprovalManager) -> None:
    request_id = manager.request_approval("swift", is_dangerous=False, timeout_seconds=30)
    thread = threading.Thread(target=manager.respond, args=(request_id, ApprovalDecision.ALLOW_SESSION))
    thread.start()
    assert manager.wait_for_response(request_id, timeout_seconds=30) == ApprovalDecision.ALLOW_SESSION
    thread.join()


def test_approval_timeout(manager: ApprovalManager) -> None:
    request_id = manager.request_approval("swift", is_dangerous=False, timeout_seconds=0.2)
    assert manager.wait_for_response(request_id, timeout_seconds=30) == ApprovalDecision.TIMEOUT
    with pytest.raises((AlreadyDecided, NotPending)):
        manager.respond(request_id, ApprovalDecision.ALLOW_SESSION)


def test_the_waiting_side_has_a_limit_of_its_own(manager: ApprovalManager) -> None:
    request_id = manager.request_approval("swift")
    assert manager.wait_for_response(request_id, timeout_seconds=0.2) == ApprovalDecision.TIMEOUT


def test_session_allowed(manager: ApprovalManager) -> None:
    assert not manager.is_session_allowed("swift")
    request_id = manager.request_approval("swift", is_dangerous=False, timeout_seconds=30)
    manager.respond(request_id, ApprovalDecision.ALLOW_SESSION)
    manager.wait_for_response(request_id)
    assert manager.is_session_allowed("swift")
    assert not manager.is_session_allowed("swift; sudo id") and not manager.is_session_allowed("ls")


def test_persist_command(project: Path, manager: ApprovalManager) -> None:
    manager.persist_command("frobnicate build", "builds the app")
    rules = project / ".askfirst" / "allowed_commands.yaml"
    assert "frobnicate" in rules.read_text() and "builds the app" in rules.read_text()
    assert askfirst.check("frobnicate build", project=project).allowed
    assert not askfirst.check("frobnicate wipe", project=project).allowed
    with pytest.raises(Refused):
        askfirst.persist_command(project, "ls")


def test_an_agent_does_not_approve_itself(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    with pytest.raises(NotAPerson):
        askfirst.persist_command(project, "frobnicate build")
    assert not (project / ".askfirst").exists()


def test_concurrent_approvals(manager: ApprovalManager) -> None:
    ids = [manager.request_approval(f"frob{n}", timeout_seconds=60) for n in range(20)]
    got: dict[str, ApprovalDecision] = {}

    def wait(request_id: str) -> None:
        got[request_id] = manager.wait_for_response(request_id, timeout_seconds=60)

    threads = [threading.Thread(target=wait, args=(i,)) for i in ids]
    for thread in threads:
        thread.start()
    for number, request_id in enumerate(ids):
        manager.respond(request_id, ApprovalDecision.ALLOW_ONCE if number % 2 else ApprovalDecision.DENY)
    for thread in threads:
        thread.join()
    assert [got[i].allowed for i in ids] == [bool(n % 2) for n in range(20)]


# -- what the rules decide needs nobody; nothing is wider than its card


@pytest.mark.parametrize(
    ("command", "decision"), [("git status", ApprovalDecision.ALLOW_ONCE), ("sudo id", ApprovalDecision.DENY)]
)
def test_rules_answer_at_once(command: str, decision: ApprovalDecision, manager: ApprovalManager) -> None:
    assert manager.wait_for_response(manager.request_approval(command)) == decision
    assert not manager.pending()


def test_what_is_not_offered_is_refused(manager: ApprovalManager) -> None:
    asked = manager.request_approval("frobnicate", is_dangerous=True)
    assert "dangerous" in manager.pending()[asked].danger
    with pytest.raises(Refused):
        manager.respond(asked, ApprovalDecision.ALLOW_PERMANENT)
    with pytest.raises(Refused):
        manager.respond(asked, ApprovalDecision.TIMEOUT)
    with pytest.raises(NotPending):
        manager.respond("req_nothing", ApprovalDecision.DENY)


def test_check(project: Path) -> None:
    assert askfirst.check("sudo id", project=project).decision == "deny"
    assert askfirst.check("terraform destroy", project=project).dangerous
    assert askfirst.check_write("a.py", "x = 1\n", project=project).allowed
    assert askfirst.check_write(".claude/settings.json", "{}", project=project).decision == "deny"
    with pytest.raises(UsageError):
        askfirst.check("ls", project=project / "missing")
    with pytest.raises(AttributeError):
        askfirst.nothing  # noqa: B018


@pytest.mark.parametrize("number", range(2))
def test_the_examples_run(number: int, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "examples" / "python-api.md").read_text(encoding="utf-8")
    monkeypatch.chdir(project)
    exec(compile(list(blocks(page, "python"))[number], "python-api.md", "exec"), {"__name__": "example"})


def test_the_examples_of_frameworks_are_python() -> None:
    page = (ROOT / "examples" / "python-api.md").read_text(encoding="utf-8")
    assert [compile(block, "python-api.md", "exec") for block in blocks(page, "py")]
