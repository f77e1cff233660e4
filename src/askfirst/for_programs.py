"""askfirst for programs: ask what the rules say, and ask a person.

    import askfirst

    askfirst.check("git status", project="~/app").allowed        True
    askfirst.check_write("src/a.py", "x = 1\\n", project="~/app")
    askfirst.check_tool("WebFetch", {"url": "https://docs.python.org/3/"})

    manager = askfirst.ApprovalManager(project="~/app")
    asked = manager.request_approval("swift build", timeout_seconds=60)
    …                                     in another thread: manager.respond(asked, ApprovalDecision.ALLOW_SESSION)
    manager.wait_for_response(asked)      ApprovalDecision.ALLOW_SESSION

The same rules, the same judge, the same offers and the same log as in the hook. Nothing here runs or writes what it is
asked about. What goes wrong raises an AskfirstError; a program that cannot get an answer must not go on.
"""

from __future__ import annotations

import enum
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from askfirst.agents.project import project_of
from askfirst.approval.identity import digest_of
from askfirst.approval.make_question import make_question_and_offers
from askfirst.approval.manager import ApprovalManager, NotPending, Refused
from askfirst.approval.person import NotAPerson, ancestors, record_violation, user_name, why_not_a_person
from askfirst.approval.question import Question
from askfirst.errors import UsageError
from askfirst.gate import judged
from askfirst.model import Answer, Decision, Duration, Request
from askfirst.policy.case import Case
from askfirst.policy.rules import Rule
from askfirst.store import ids
from askfirst.store.allowlist import append
from askfirst.store.layers import load_layers
from askfirst.wording import for_person

__all__ = ["ApprovalDecision", "Checked", "ProgramApprovals", "check", "check_tool", "check_write", "persist_command"]

PREFIX = "req_"
AGENT = "program"
DEFAULT_TIMEOUT_S = 300


class ApprovalDecision(enum.Enum):
    """How a question ended. Whatever is not an ALLOW means: do not run it."""

    ALLOW_ONCE = "once"
    ALLOW_SESSION = "session"
    ALLOW_PERMANENT = "permanent"
    DENY = "deny"
    TIMEOUT = "timeout"

    @property
    def allowed(self) -> bool:
        return self in _DURATIONS


_DURATIONS = {
    ApprovalDecision.ALLOW_ONCE: Duration.ONCE,
    ApprovalDecision.ALLOW_SESSION: Duration.SESSION,
    ApprovalDecision.ALLOW_PERMANENT: Duration.PERMANENT,
}


@dataclass(frozen=True)
class Checked:
    """What the rules say to a call, now. `ask`: no rule decides, a person would."""

    decision: str  # allow, ask, deny
    reason: str
    dangerous: str = ""  # its consequences, where CONFIRM would have to be typed

    @property
    def allowed(self) -> bool:
        return self.decision == "allow"


def check(command: str, *, project: str | Path = ".", cwd: str | Path | None = None, session: str = "") -> Checked:
    """What the rules say to a shell command."""
    return check_tool("Bash", {"command": command}, project=project, cwd=cwd, session=session)


def check_write(path: str | Path, content: str, *, project: str | Path = ".", session: str = "") -> Checked:
    """What the rules say to a file's new content."""
    given = os.path.join(_directory(project), os.path.expanduser(path))
    return check_tool("Write", {"file_path": given, "content": content}, project=project, session=session)


def check_tool(
    tool: str,
    input: Mapping[str, Any],
    *,
    project: str | Path = ".",
    cwd: str | Path | None = None,
    session: str = "",
) -> Checked:
    """What the rules say to a call of any tool, by the name that Claude Code has for it."""
    verdict = _case(tool, input, project, cwd, session).verdict
    danger = next((f.danger for f in verdict.findings if f.danger), "")
    return Checked(Decision(verdict.decision).name.lower(), for_person(verdict), danger)


class ProgramApprovals:
    """Asks a person about commands, from any thread of this program, and waits. `askfirst.ApprovalManager`.

    Within the program unless a manager is handed in; `askfirst.approval.manager.file_manager()` is the one that
    `askfirst watch` and the page answer.
    """

    def __init__(self, project: str | Path = ".", *, session: str = "", manager: ApprovalManager | None = None) -> None:
        self.project = project_of(_directory(project))
        self.session = session or f"{AGENT}-{os.getpid()}-{id(self)}"
        self._manager = manager or ApprovalManager()
        self._decided: dict[str, ApprovalDecision] = {}
        self._answering = threading.Lock()  # whoever has waited finds what the answer means already stored

    def request_approval(
        self, command: str, is_dangerous: bool = False, timeout_seconds: float = DEFAULT_TIMEOUT_S
    ) -> str:
        """Publish the question and give back its id. What rules or grants decide is answered at once."""
        case = self._judged(command)
        if is_dangerous:
            case = _with_danger(case)
        decided = _by_rule(case)
        if decided is None:
            return PREFIX + self._manager.request_approval(case, timeout_s=timeout_seconds)
        asked = PREFIX + ids.new_id()
        self._decided[asked] = decided
        return asked

    def wait_for_response(self, request_id: str, timeout_seconds: float = DEFAULT_TIMEOUT_S) -> ApprovalDecision:
        """Block until somebody answers, or time does."""
        if request_id in self._decided:
            return self._decided.pop(request_id)
        until = time.monotonic() + timeout_seconds
        answer = self._manager.wait_for_response(_plain_id(request_id), gone=lambda: time.monotonic() >= until)
        with self._answering:
            return _decision_of(answer)

    def respond(self, request_id: str, decision: ApprovalDecision, reason: str = "") -> None:
        """Answer a question. Raises NotPending or AlreadyDecided when it is too late, Refused for what its card does
        not offer."""
        question = self._question(_plain_id(request_id))
        if decision is ApprovalDecision.TIMEOUT:
            raise Refused("time is not a person: answer with DENY")
        allowed = Decision.ALLOW if decision.allowed else Decision.DENY
        duration = _DURATIONS.get(decision, Duration.ONCE)
        answer = Answer(allowed, duration, reason, user_name(), digest=question.digest)
        with self._answering:
            self._manager.respond(question.id, answer)

    def pending(self) -> dict[str, Question]:
        """The open questions, as every surface shows them: id -> question."""
        return {PREFIX + question.id: question for question in self._manager.pending()}

    def is_session_allowed(self, command: str) -> bool:
        """Whether a person has allowed this command for this session."""
        verdict = self._judged(command).verdict
        return verdict.decision == Decision.ALLOW and bool(verdict.grants_used)

    def persist_command(self, command: str, description: str = "") -> str:
        return persist_command(self.project, command, description)

    def _judged(self, command: str) -> Case:
        case = _case("Bash", {"command": command}, self.project, None, self.session)
        layers = replace(case.layers, grants=(*case.layers.grants, *self._manager.grants_for(case.request)))
        return judged(case.request, layers)

    def _question(self, id: str) -> Question:
        question = next((q for q in self._manager.pending() if id in q.all_ids()), None)
        if question is None:
            raise NotPending(f"no question with the id `{PREFIX}{id}` waits for an answer")
        return question


def persist_command(project_dir: str | Path, command: str, description: str = "") -> str:
    """Add to the project's rule file what P would add for this command, in force at once; the file's path. Raises
    Refused, with the reason, where P is not offered, and NotAPerson below an agent: it must not approve itself."""
    why = why_not_a_person(os.environ, True, ancestors)
    if why:
        record_violation("persist_command", why)
        raise NotAPerson(f"refused: {why}")
    case = _case("Bash", {"command": command}, project_dir, None, "")
    question, found = make_question_and_offers(case)
    choice = question.choice(Duration.PERMANENT)
    if choice is None or choice.refused:
        raise Refused(choice.refused if choice is not None else "it cannot be made permanent")
    entries = [
        {**entry, "description": description} if description else dict(entry) for entry in found[question.step].entries
    ]
    if not entries:
        raise Refused("the rules decide it already, so there is nothing to add")
    return append(case.request.project, entries, most=case.layers.settings.max_project_commands)


def _case(tool: str, input: Mapping[str, Any], project: str | Path, cwd: str | Path | None, session: str) -> Case:
    place = _directory(project)
    request = Request(AGENT, session, _directory(cwd) if cwd is not None else place, project_of(place), tool, input)
    layers = load_layers(request.project, session=session, agent=AGENT, now=time.time())
    return judged(request, replace(layers, digest=digest_of(request)))


def _directory(path: str | Path) -> str:
    real = os.path.realpath(os.path.expanduser(path))
    if not os.path.isdir(real):
        raise UsageError(f"{path}: is not a directory")
    return real


def _with_danger(case: Case) -> Case:
    """The program calls it dangerous: the card says so, and nothing of it is made permanent."""
    rule = Rule("*", warning="the program that asks calls it dangerous")
    return judged(case.request, replace(case.layers, dangerous=(*case.layers.dangerous, rule)))


def _by_rule(case: Case) -> ApprovalDecision | None:
    if case.verdict.decision == Decision.ASK:
        return None
    return ApprovalDecision.ALLOW_ONCE if case.verdict.decision == Decision.ALLOW else ApprovalDecision.DENY


def _plain_id(request_id: str) -> str:
    return request_id.removeprefix(PREFIX)


def _decision_of(answer: Answer) -> ApprovalDecision:
    if answer.decision == Decision.ALLOW:
        return next(d for d, duration in _DURATIONS.items() if duration == answer.duration)
    return ApprovalDecision.TIMEOUT if answer.state in ("expired", "cancelled") else ApprovalDecision.DENY
