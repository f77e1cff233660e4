"""What the gate touches: rule files, people, the audit log, the count of violations. `gate.decide` calls these in order.

How a person is asked depends on who draws the dialog. A client that can (an attended Claude Code) is told `ask` before the tool runs,
and the waiting happens in the hook that it calls while its dialog is open. Everywhere else the hook waits itself, if an approver
is alive to answer; if none is, it says so at once: nobody waits five minutes for nobody.
"""

from __future__ import annotations

import os
import time

from askfirst.approval.identity import digest_of
from askfirst.model import Answer, Decision, Duration, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from askfirst.approval.manager import ApprovalManager
    from askfirst.model import Request
    from askfirst.policy.rules import Layers, Settings

NOBODY = "Nobody is there to be asked now: a person has to start `askfirst watch` in another terminal; then try again"
IN_THEIR_OWN_WORDS = (
    "denied before",
    "pause",
    "settings",
    "rule",
    "limit",
)  # who denies without being a person at this question


class World:
    """The real one: files and people.

    client_asks   the client draws a dialog of its own when it is told `ask`
    dialog_open   that dialog is open now, so somebody is there
    gone          has the client gone away while a person is waited for?
    waiting       called before the waiting begins: from then on a person's time counts, not the machine's
    """

    nobody = NOBODY

    def __init__(
        self,
        *,
        client_asks: bool = False,
        dialog_open: bool = False,
        gone: Callable[[], bool] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> None:
        self.client_asks, self.dialog_open = client_asks, dialog_open
        self.gone, self.waiting = gone, waiting
        self.started = time.perf_counter()
        self.settings: Settings | None = None  # of the layers that were loaded last

    def layers(self, request: Request) -> Layers:
        from askfirst.store.layers import load_layers

        layers = load_layers(request.project, session=request.session, agent=request.agent, now=time.time())
        self.settings = layers.settings
        return layers

    def paused(self) -> Verdict | None:
        """A pause denies everything, whatever the rules say."""
        from askfirst.store import paths

        if not os.path.lexists(os.path.join(paths.state_dir(), "pause.json")):
            return None
        from askfirst.store.pause import paused

        why = paused()
        return Verdict(Decision.DENY, why) if why else None

    def ask(self, request: Request, verdict: Verdict, layers: Layers) -> Verdict:
        """The verdict after a person was asked. Still ASK where the client's own dialog does it; a deny at once where nobody is there."""
        manager = self.manager()
        known = manager.settled(request, layers)
        if known is not None:
            return answered(verdict, known)
        if self.client_asks and not needs_confirm(verdict, layers, request):
            return verdict
        if not self.dialog_open and not self.somebody_there():
            return verdict.replace(decision=Decision.DENY, reason=f"{verdict.reason}. {self.nobody}")
        if self.waiting is not None:
            self.waiting()
        try:
            asked = manager.request_approval(request, verdict, layers)
            self.note_question(request, verdict, asked)
            manager.judge_again(
                asked
            )  # a rule or grant may have come between the judging and the question: nobody waits for nothing
            from askfirst.files.approval import after_answer

            # Between the question and the answer the file may have changed, or the person chose to merge.
            return after_answer(request, answered(verdict, self.wait(manager, asked)))
        except BaseException:
            # SIGTERM: a person pressed Esc in the client, or the client ends.
            self.withdraw(manager)
            self.audit(request, answered(verdict, Answer(Decision.DENY, by="client", state="cancelled")))
            raise

    # What differs where an agent runs inside a program of its own (sdk.py)

    def manager(self) -> ApprovalManager:
        from askfirst.approval.manager import file_manager

        return file_manager(self.rejudge)

    def rejudge(self, request: Request) -> Verdict:
        """A waiting request against the rules and grants of this moment."""
        from askfirst.gate import facts_of
        from askfirst.policy.judge import judge

        layers = self.layers(request).replace(digest=digest_of(request))
        return judge(facts_of(request, layers.settings), layers)

    def somebody_there(self) -> bool:
        from askfirst.approval.presence import approver_alive

        return approver_alive()

    def wait(self, manager: ApprovalManager, asked: str) -> Answer:
        return manager.wait_for_response(asked, gone=self.gone)

    def withdraw(self, manager: ApprovalManager) -> None:
        """This process asks one thing at a time, so everything it has asked is what it asked now."""
        manager.withdraw_all("the client ended this call")

    def note_uses(self, grants: tuple[str, ...]) -> None:
        from askfirst.store.grants import note_uses

        note_uses(grants, time.time())

    def learn(self, request: Request) -> None:
        """The tool has run: a card that still waits for it was answered in the client's own dialog."""
        learn_from_client(request)

    def end_session(self, session: str) -> None:
        from askfirst.store.grants import FileGrants

        FileGrants().end_session(session)

    # The record

    def note_question(self, request: Request, verdict: Verdict, asked: str) -> None:
        from askfirst import audit

        record = audit.verdict_record(
            request, verdict, digest=digest_of(request), ms=(time.perf_counter() - self.started) * 1000
        )
        audit.append("question", {**record, "id": asked}, durable=False)

    def audit(self, request: Request, verdict: Verdict) -> None:
        from askfirst import audit

        ms = (time.perf_counter() - self.started) * 1000
        record = audit.verdict_record(request, verdict, digest=digest_of(request), ms=ms)
        if self.settings is not None and self.settings.role:
            from askfirst.policy.roles import severity

            record["severity"] = severity(verdict, self.settings)
        head = audit.append("verdict", record, durable=verdict.decision != Decision.ALLOW or verdict.answer is not None)
        if self.settings is not None and self.settings.syslog:
            from askfirst.audit.anchor import anchor

            anchor(head, enabled=True)

    def heed(self, request: Request, verdict: Verdict, layers: Layers) -> Verdict:
        """Count what must be counted: a violation of a block or of scope, the use of a grant. A flagged session is told so."""
        if verdict.decision == Decision.ALLOW:
            if verdict.grants_used:
                self.note_uses(verdict.grants_used)
            return verdict
        from askfirst.store import alerts

        if is_violation(verdict):
            alerts.count_violation(
                request.session, request.agent, verdict.reason[:200], layers.settings, project=request.project
            )
        if alerts.is_flagged(request.session):
            note = (
                "this session is flagged for review after too many violations: stop, and ask the person what they want"
            )
            return verdict.replace(notes=(*verdict.notes, note))
        return verdict


def is_violation(verdict: Verdict) -> bool:
    """Denied by a rule, not by a person or by their absence."""
    return (
        verdict.decision == Decision.DENY
        and verdict.answer is None
        and any(f.decision == Decision.DENY for f in verdict.findings)
    )


def needs_confirm(verdict: Verdict, layers: Layers, request: Request) -> bool:
    """What wants CONFIRM typed must not pass with one Enter in a dialog that cannot ask for it."""
    if any(f.danger for f in verdict.findings) and layers.settings.confirm_danger:
        return True
    from askfirst.store import alerts

    return alerts.is_flagged(request.session)


def answered(verdict: Verdict, answer: Answer) -> Verdict:
    """The verdict after a person, or time, has spoken."""
    said = f": {answer.reason}" if answer.reason else ""
    by = answer.by or "a person"
    if answer.decision == Decision.ALLOW:
        return verdict.replace(decision=Decision.ALLOW, reason=f"allowed by {by}{said}", answer=answer)
    if by in IN_THEIR_OWN_WORDS and answer.reason:
        return verdict.replace(decision=Decision.DENY, reason=answer.reason, answer=answer)
    words = {"expired": "nobody answered in time", "cancelled": "withdrawn"}.get(
        answer.state, f"a person said no ({by})"
    )
    return verdict.replace(decision=Decision.DENY, reason=f"{words}{said}", answer=answer)


def learn_from_client(request: Request) -> None:
    """The tool has run, so the person said yes in the client's dialog: close the card that waits for the same call.

    The client's event says nothing of the dialog, and its directory may have moved on with a `cd`: session, tool and input are compared.
    """
    from askfirst.store import paths

    try:
        if not os.listdir(os.path.join(paths.state_dir(), "pending")):
            return
    except FileNotFoundError:
        return
    from askfirst.approval.codec import answer_to
    from askfirst.store.pending import FilePending

    store = FilePending()
    for item in store.items():
        asked = item.body.get("request", {})
        if asked.get("attended") and (asked.get("session"), asked.get("tool"), asked.get("input")) == (
            request.session,
            request.tool,
            dict(request.input),
        ):
            answer = Answer(
                Decision.ALLOW, Duration.ONCE, "", "the client's dialog", "once", time.time(), digest=item.digest
            )
            store.decide(item.id, answer_to(answer))
            return
