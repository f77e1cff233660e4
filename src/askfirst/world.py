"""What the gate touches: rule files, people, the audit log, the count of violations. `gate.decide` calls these in
order.

How a person is asked depends on who draws the dialog. A client that can (an attended Claude Code) is told `ask` before
the tool runs, and the waiting happens in the hook that it calls while its dialog is open. Everywhere else the hook
waits itself, if an approver is alive to answer; if none is, it says so at once: nobody waits five minutes for nobody.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import audit
from askfirst.agents.table import DEFAULT
from askfirst.approval.identity import digest_of
from askfirst.approval.presence import approver_alive
from askfirst.audit.anchor import anchor
from askfirst.errors import AskfirstError
from askfirst.gate import judged
from askfirst.knowledge.tools import FILE_TOOLS, RUNNERS
from askfirst.model import Answer, Decision, Layer, Request, Verdict, Write
from askfirst.policy.judge import judge
from askfirst.policy.roles import severity
from askfirst.policy.writes import FROM_HISTORY
from askfirst.processes import started_below
from askfirst.store import alerts, dialogs, labels, paths, whole_results
from askfirst.store.grants import FileGrants, note_uses
from askfirst.store.layers import load_layers, org_files, settings_of
from askfirst.store.session_files import forget_made, note_made, own_files

if TYPE_CHECKING:
    from askfirst.approval.manager import ApprovalManager
    from askfirst.box.plan import Plan
    from askfirst.containing import OwnRules
    from askfirst.learning import Learned
    from askfirst.policy.case import Case
    from askfirst.policy.rules import Layers

NO_ONE = "No one is available to approve this. Ask the user to start `askfirst watch` in another terminal, then retry"
FLAGGED = "this session is flagged for review after too many violations: stop, and ask the user what they want"
MAKING = ("create", "overwrite", "append")
# Who denies without being a person at this question: their reason says it all.
IN_THEIR_OWN_WORDS = ("denied before", "rule", "limit", "team", "timeout")


class World:
    """The real one: files and people.

    client_asks   the client draws a dialog of its own when it is told `ask`
    dialog_open   that dialog is open now, so somebody is there
    gone          has the client gone away while a person is waited for?
    client        the process of the client whose dialog is open; 0 when that is not known
    own_rules     what the agent's own rules say about a command that would run contained; None where its hook cannot
                  change a command, so that nothing does
    waiting       called before the waiting begins: from then on a person's time counts, not the machine's
    commit        called before the first effect. Until then nothing has happened that a second judgement would repeat
    """

    no_one = NO_ONE
    by_client = True  # it is the agent's client that runs what is decided here

    def __init__(
        self,
        *,
        client_asks: bool = False,
        dialog_open: bool = False,
        client: int = 0,
        own_rules: OwnRules | None = None,
        gone: Callable[[], bool] | None = None,
        waiting: Callable[[], None] | None = None,
        commit: Callable[[], None] | None = None,
    ) -> None:
        self.client_asks, self.dialog_open, self.client = client_asks, dialog_open, client
        self.gone, self.waiting, self.own_rules = gone, waiting, own_rules
        self.commit = commit if commit is not None else lambda: None
        self.started = time.perf_counter()
        self.head = ""  # of the log, after what was recorded last

    def layers(self, request: Request) -> Layers:
        """The rules and grants in force at this moment, for this request."""
        layers = load_layers(request.project, session=request.session, agent=request.agent, now=time.time())
        return replace(layers, digest=digest_of(request))

    def contain(self, case: Case) -> Case:
        """The case with the line that runs it contained, where it is to be and can be."""
        box = case.layers.settings.box
        if self.own_rules is None or not (box.unknown or box.allowed):
            return case
        from askfirst.containing import contained

        return contained(case, self.own_rules, self.line_in_box, shown=self.is_shown(case.request.agent))

    def beside_the_box(self, case: Case) -> Case:
        """An allowed call, contained or asked about where a contained command that goes on may change what it uses."""
        if not os.path.isdir(os.path.join(paths.state_dir(), "box", "sessions")):
            return case
        from askfirst.box.alongside import with_live

        found = with_live(case)
        return case if found is case else self.contain(found)

    def line_in_box(self, plan: Plan) -> str:
        """What runs a plan contained; the run is ready when this returns."""
        from askfirst.box import dropped
        from askfirst.box.runs import prepare

        run = prepare(plan)
        if self.by_client:
            dropped.note_given(plan.agent, run.place)
        return run.command_line

    def is_shown(self, agent: str) -> bool:
        """Whether the client runs what the hook puts in a command's place. Where the hook hears what has run, it would
        see that one was not (Moment.see_whether_it_was_dropped)."""
        from askfirst.box import dropped

        return not self.by_client or agent == DEFAULT or dropped.has_taken(agent)

    def ask(self, case: Case) -> Case:
        """The case after a person was asked. Still ASK where the client's own dialog does it; denied where no one is
        available."""
        from askfirst.files.approval import after_answer

        left_to_client = self.client_asks and case.layers.settings.client_dialog and not needs_confirm(case)
        may_wait = case.layers.settings.team is not None or (not left_to_client and self.is_there(case))
        if may_wait and self.waiting is not None:
            self.waiting()
        self.commit()
        manager = self.manager()
        by_client = left_to_client and not manager.needs_others(case)
        try:
            answer = manager.ask(
                case,
                by_client=by_client,
                there=lambda: self.is_there(case),
                changed=self.judged_since,
                waiting=lambda asked: self.note_question(case, asked),
                wait=lambda asked: self.wait(manager, asked, case.request),
            )
            if answer is None and by_client:
                self.leave_to_client(case)
                return case
            if answer is None:
                reason = f"{case.verdict.reason}. {self.no_one}"
                return replace(case, verdict=replace(case.verdict, decision=Decision.DENY, reason=reason))
            # Between the question and the answer the file may have changed, or the person chose to merge.
            return replace(case, verdict=after_answer(case.request, answered(case.verdict, answer)))
        except BaseException:
            # SIGTERM: a person pressed Esc in the client, or the client ends.
            self.withdraw(manager)
            cancelled = Answer(Decision.DENY, by="client", state="cancelled")
            self.record(replace(case, verdict=answered(case.verdict, cancelled)))
            raise

    def judged_since(self, case: Case) -> Verdict | None:
        """The verdict of this moment, where rules or grants have changed since the case was judged. Its facts have
        not."""
        layers = self.layers(case.request)
        if replace(layers, now=case.layers.now) == case.layers:
            return None
        return judge(case.facts, layers)

    # What differs where an agent runs inside a program of its own (sdk.py)

    def manager(self) -> ApprovalManager:
        from askfirst.approval.manager import file_manager

        return file_manager(self.rejudge, self.asked_before)

    def asked_before(self, case: Case) -> tuple[Case, ...]:
        """What this project's log says was asked before: a question shows what each of its answers would have allowed
        of it."""
        from askfirst.report.rejudge import asked_before

        try:
            return asked_before(case.request.project, case.layers)
        except (AskfirstError, OSError):
            return ()  # a question without its history is still a question

    def rejudge(self, request: Request) -> Verdict:
        """A waiting request against the rules and grants of this moment."""
        return judged(request, self.layers(request)).verdict

    def is_there(self, case: Case) -> bool:
        """Whether anybody may answer: then the question is asked, and waited for."""
        return self.dialog_open or self.somebody_there() or is_told_elsewhere(case)

    def somebody_there(self) -> bool:
        return approver_alive()

    def wait(self, manager: ApprovalManager, asked: str, request: Request) -> Answer:
        if not self.dialog_open:
            return manager.wait_for_response(asked, gone=self.gone)
        dialogs.note_asked(request.session, request.tool, request.input, asked)
        return manager.wait_for_response(asked, gone=self.gone, allowed=self.has_started(request))

    def has_started(self, request: Request) -> Callable[[], bool] | None:
        """Whether the command runs already, below the client: then its person has said yes in the client's dialog."""
        command = request.input.get("command")
        if not self.client or request.tool not in RUNNERS or not isinstance(command, str):
            return None
        since = time.time()
        return lambda: started_below(self.client, command, since=since)

    def leave_to_client(self, case: Case) -> None:
        """The client draws its dialog: when the tool has run, it was answered there. The same question waits elsewhere,
        too, asked by the hook of that dialog, which does not know what was found out here."""
        request = case.request
        dialogs.note_call(request.session, request.tool_use_id)
        dialogs.note_notes(request.session, request.tool, request.input, case.verdict.notes)

    def withdraw(self, manager: ApprovalManager) -> None:
        """This process asks one thing at a time, so everything it has asked is what it asked now."""
        manager.withdraw_all("the client ended this call")

    def note_uses(self, grants: tuple[str, ...]) -> None:
        note_uses(grants, time.time())

    def note_made(self, case: Case) -> None:
        """Files that are not there yet and that this call makes: the session may delete them again. Where a file goes
        away under its own name (`mv`, `gzip`), what is made holds what a person had."""
        from askfirst.files import MOVERS

        writes = [f for f in case.facts if isinstance(f, Write)]
        if any(f.how == "move" or f.by in MOVERS for f in writes):
            made = _moved(writes, case.request.session, MOVERS)
            note_made(case.request.session, sorted(made), [f.path or "" for f in writes if f.path not in made])
            return
        made, deleted = _made_and_deleted(writes)
        changed, unknown = _changed(writes, case.request.session)
        note_made(case.request.session, _not_there(made), sorted(deleted - made | unknown), changed)

    def note_seen(self, case: Case) -> None:
        """What the call will show to its session, and the files that strangers' text may go into. Where the client's
        dialog is open, the call's own hook has noted it, to count once it has run."""
        if case.verdict.decision == Decision.DENY or self.dialog_open:
            return
        from askfirst.seen import note_seen

        self.commit()
        note_seen(case, time.time())

    def learn(self, request: Request) -> Learned | None:
        """The tool has run: a card that still waits for it was answered in the client's own dialog."""
        from askfirst.learning import learn_from_client

        self.commit()
        known = dialogs.has_any(request.session, request.tool, request.input, request.tool_use_id)
        if not known and not os.listdir(paths.private_dir("pending")):
            return None
        return learn_from_client(request)

    def tell_after(self, request: Request, words: str) -> None:
        """What the model is to be told once this call has run."""
        dialogs.note_tell(request.session, request.tool, request.input, words)

    def end_session(self, session: str, agent: str = "") -> None:
        from askfirst.box.runs import end_session

        FileGrants().end_session(session)
        forget_made(session)
        end_session(agent, session)

    def start_session(self) -> None:
        """What was left behind is put away: sessions that ended without a word, records older than the organisation
        keeps them. Nothing depends on it, so a failure is not the hook's."""
        from askfirst.audit.upkeep import remove_older
        from askfirst.box import runs

        try:
            runs.sweep()
            dialogs.sweep(time.time())
            FileGrants().sweep(time.time())
            alerts.sweep(time.time())
            labels.sweep(time.time())
            whole_results.sweep(time.time())
            keep_days = settings_of(org_files()).keep_days
            if keep_days:
                remove_older(keep_days * 86400.0)
        except (AskfirstError, OSError):
            return

    # The record

    def note_question(self, case: Case, asked: str) -> None:
        from askfirst.report.causes import main_cause

        record = {**self._as_record(case), "id": asked, "cause": main_cause(case.verdict)}
        audit.append("question", record, durable=False)
        self.tell_elsewhere(case, asked)

    def tell_elsewhere(self, case: Case, asked: str) -> None:
        """Whoever the settings name hears that a question waits, and at once where it is about a flow."""
        if not case.layers.settings.notify:
            return
        from askfirst import notices

        if any(f.decision == Decision.ASK and f.origin.layer == Layer.FLOW for f in case.verdict.findings):
            notices.start(case.layers.settings, notices.FLOW, asked, self.client)
        notices.start(case.layers.settings, notices.WAITING, asked, self.client)

    def note_observed(self, case: Case) -> None:
        """What would have been decided. The log never says that it was."""
        self.commit()
        audit.append("observed", self._as_record(case), durable=False)

    def note_settings_change(self, record: dict[str, Any]) -> None:
        """A change of settings that did not come into force."""
        self.commit()
        audit.append("settings-change", record, durable=True)

    def record(self, case: Case) -> None:
        self.commit()
        record, settings, verdict = self._as_record(case), case.layers.settings, case.verdict
        if settings.role:
            record["severity"] = severity(verdict, settings)
        head = self.head = audit.append(
            "verdict", record, durable=verdict.decision > Decision.CONTAIN or verdict.answer is not None
        )
        if settings.syslog:
            anchor(head, enabled=True)

    def _as_record(self, case: Case) -> dict[str, Any]:
        return audit.verdict_record(
            case.request, case.verdict, digest=case.digest, ms=(time.perf_counter() - self.started) * 1000
        )

    def count(self, case: Case) -> Verdict:
        """Count a violation of a block or of scope, or the use of a grant. A flagged session is told so."""
        request, verdict = case.request, case.verdict
        if verdict.decision <= Decision.CONTAIN:
            if verdict.grants_used:
                self.note_uses(verdict.grants_used)
            if any(isinstance(fact, Write) for fact in case.facts):
                self.note_made(case)
            return verdict
        if is_violation(case):
            settings = case.layers.settings
            flags = alerts.count_violation(
                request.session, request.agent, verdict.reason[:200], settings, project=request.project
            )
            if flags and settings.notify:
                from askfirst import notices

                notices.start(settings, notices.ALERT, request.session, self.client)
        if alerts.is_flagged(request.session):
            return replace(verdict, notes=(*verdict.notes, FLAGGED))
        return verdict


def is_told_elsewhere(case: Case) -> bool:
    """Whether somebody hears of the question who is at no terminal now: it waits for them."""
    if not case.layers.settings.notify:
        return False
    from askfirst.notices import reaches_somebody

    return reaches_somebody(case.layers.settings)


def is_violation(case: Case) -> bool:
    """Denied by a rule about this call: not by a person or their absence, nor because everything is denied now."""
    verdict = case.verdict
    return (
        verdict.decision == Decision.DENY
        and verdict.answer is None
        and not case.layers.closed
        and any(f.decision == Decision.DENY and f.origin.rule != "masked-secret" for f in verdict.findings)
    )


def needs_confirm(case: Case) -> bool:
    """What wants CONFIRM typed must not pass with one Enter in a dialog that cannot ask for it."""
    if any(f.danger for f in case.verdict.findings) and case.layers.settings.confirm_danger:
        return True
    return alerts.is_flagged(case.request.session)


def answered(verdict: Verdict, answer: Answer) -> Verdict:
    """The verdict after a person, or time, has spoken."""
    said = f": {answer.reason}" if answer.reason else ""
    by = answer.by or "a person"
    if answer.decision == Decision.ALLOW:
        return replace(verdict, decision=Decision.ALLOW, reason=f"allowed by {by}{said}", answer=answer)
    if by in IN_THEIR_OWN_WORDS and answer.reason:
        return replace(verdict, decision=Decision.DENY, reason=answer.reason, answer=answer)
    words = {"expired": "no one answered in time", "cancelled": "withdrawn"}.get(answer.state, f"{by} said no")
    return replace(verdict, decision=Decision.DENY, reason=f"{words}{said}", answer=answer)


def _made_and_deleted(writes: list[Write]) -> tuple[set[str], set[str]]:
    made = {f.path for f in writes if f.how in MAKING and f.by not in FROM_HISTORY and not f.below and f.path}
    return made, {f.path or "" for f in writes if f.how == "delete"}


def _changed(writes: list[Write], session: str) -> tuple[dict[str, str], set[str]]:
    """What a file tool leaves in files that held what git's HEAD has, or what this session had left there before; and
    those of the session's changed files of which that is not so any more."""
    edits = [w for w in writes if w.by in FILE_TOOLS and w.path and w.change is not None and w.change.base]
    if not edits:
        return {}, set()
    from askfirst.files.head import is_in_head

    known, changed, unknown = own_files(session), {}, set()
    for write in edits:
        path, change = write.path or "", write.change
        if change is None or known.get(path) == "":
            continue  # the session made it
        own = change.new and (known.get(path) == change.base or is_in_head(path))
        if own:
            changed[path] = change.new
        elif path in known:
            unknown.add(path)
    return changed, unknown


def _moved(writes: list[Write], session: str, movers: frozenset[str]) -> set[str]:
    """`sed x a > a.tmp && mv a.tmp a`: where all that is moved was made by the session, what it is moved to is, too."""
    moves = [f for f in writes if f.by in movers or f.how == "move"]
    own = _own([f for f in writes if f not in moves], session)
    sources = {f.path for f in moves if f.how == "move"}
    if not sources or not sources <= own or {(f.by, f.below) for f in moves} != {("mv", False)}:
        return set()
    targets, _ = _made_and_deleted(moves)
    return targets & own | set(_not_there(targets))


def _own(writes: list[Write], session: str) -> set[str]:
    """Files that the session has made, and those that these writes make."""
    made, _ = _made_and_deleted(writes)
    known = own_files(session)
    return {*_not_there(made), *(path for path in known if not known[path])}


def _not_there(places: set[str]) -> list[str]:
    return sorted(place for place in places if not os.path.lexists(place))
