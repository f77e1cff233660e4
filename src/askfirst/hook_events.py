"""The moments at which an agent calls the hook, and what askfirst does at each.

| moment | what happens |
|---|---|
| before a tool | the gate decides |
| before that, where only then a command may be changed | what is to run contained does; all else waits for the next |
| the client's dialog is open | the same request waits in askfirst's queue too; the first answer wins |
| after a tool | secrets in its result are masked, or count as seen; a yes in the client's dialog closes the card |
| settings changed | a change that would switch the gate off does not come into force |
| session starts | says so when the repository tries to switch the gate off; what dead sessions left is put away |
| session ends | what was allowed for the session ends with it; what it has seen waits for it to be resumed |
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import audit
from askfirst.agents.event import (
    AFTER_FAILURE,
    AFTER_TOOL,
    BEFORE_CHANGE,
    BEFORE_TOOL,
    DIALOG_OPEN,
    SESSION_ENDS,
    SESSION_STARTS,
    SETTINGS_CHANGED,
    Event,
    Reply,
)
from askfirst.approval.answers import CLIENT_DIALOG
from askfirst.errors import HookInputError
from askfirst.gate import conclude, decide, judged, remembered
from askfirst.knowledge.tools import LEFT_TO_CLIENT, READERS, RUNNERS
from askfirst.model import Decision, Layer, Request, Verdict
from askfirst.policy.rules import Label
from askfirst.redact import redact
from askfirst.store import alerts, dialogs, labels, twice, whole_results
from askfirst.store.layers import flow_settings
from askfirst.store.observe import observing_since
from askfirst.store.sessions import forget_dead, is_new, remember_client
from askfirst.wording import IN_THE_BOX, PLACEHOLDERS, of_merge
from askfirst.world import World

if TYPE_CHECKING:
    from askfirst.agents.wire import Wire
    from askfirst.hook import Around


class Moment:
    """One call of the hook: the agent's words, the event, and what the process around it offers."""

    def __init__(self, agent: Wire, event: Event, environ: Mapping[str, str], around: Around) -> None:
        self.agent, self.event, self.environ, self.around = agent, as_written(event), environ, around
        self.ran_contained = self.event is not event

    def world(self, **options: Any) -> World:
        """What the gate touches: files and people, or what the program around it handed in."""
        around = self.around
        if around.world is not None:
            return around.world(gone=around.gone, waiting=around.waiting, **options)
        return World(gone=around.gone, waiting=around.waiting, commit=around.commit, **options)

    def reply(self) -> Reply:
        actions = {
            BEFORE_CHANGE: self.before_change,
            BEFORE_TOOL: self.before_tool,
            DIALOG_OPEN: self.dialog_open,
            AFTER_TOOL: self.after_tool,
            AFTER_FAILURE: self.after_tool,
            SETTINGS_CHANGED: self.settings_changed,
            SESSION_STARTS: self.session_starts,
            SESSION_ENDS: self.session_ends,
        }
        action = actions.get(self.event.name)
        if action is None:
            return self.neutral()
        if self.event.request is None or self.around.world is not None:
            return action()
        if twice.comes_twice(self.event.session):
            return twice.once(self.event.session, self.event.data, action, self.around.waiting)
        begins = is_new(self.event.session) and not twice.has_started(self.event.session)
        reply = action()
        if begins:  # of an agent that does not tell when its sessions start
            self.around.commit()
            self.put_away()
        return reply

    def put_away(self) -> None:
        """What was left behind by others: clients that are gone, sessions and records of long ago."""
        forget_dead()
        self.world().start_session()

    def neutral(self) -> Reply:
        return self.agent.neutral(self.event)

    @property
    def request(self) -> Request:
        assert self.event.request is not None
        return self.event.request

    def is_left_to_client(self, verdict: Verdict) -> bool:
        """Reading and the like, where nobody but the built-in rules has spoken: the client may still ask on its own."""
        return (
            self.request.tool in LEFT_TO_CLIENT
            and verdict.decision == Decision.ALLOW
            and verdict.answer is None
            and all(f.origin.layer == Layer.BUILTIN_ALLOW for f in verdict.findings)
        )

    def refuse_tampering(self) -> None:
        """Some agents let a repository set variables for the hook itself."""
        why = self.agent.tampering(self.event.project)
        if why:
            raise HookInputError(why)

    def before_tool(self) -> Reply:
        self.refuse_tampering()  # first: a repository could name a state of its own, in which calls are only observed
        self.take_over()
        self.put_back_secrets()
        if self.observes():
            return self.neutral()
        if "askfirst outside" in str(self.request.input.get("command", "")):
            from askfirst.outside import wanted

            request = wanted(self.request)
            if request is not None:
                return self.answer_outside(request)
        if self.agent.changes_before and self.is_prepared():
            return self.neutral()
        own_rules = self.own_rules if self.agent.changes_commands and not self.agent.changes_before else None
        verdict = decide(self.request, self.world(client_asks=self.request.attended, own_rules=own_rules))
        if self.is_left_to_client(verdict):
            return self.neutral()
        return self.agent.answer(self.event, verdict)

    def before_change(self) -> Reply:
        self.refuse_tampering()
        if self.observes():
            return self.neutral()
        world = self.world(own_rules=self.own_rules)
        case = world.contain(judged(self.request, world.layers(self.request)))
        if case.verdict.decision != Decision.CONTAIN:
            return self.neutral()
        return self.agent.answer(self.event, remembered(case, world))

    def is_prepared(self) -> bool:
        """Whether the client asks about the line that it was given a moment ago."""
        from askfirst.box.runs import waits

        command = self.request.input.get("command")
        return isinstance(command, str) and waits(command, self.agent.name, self.event.session)

    def take_over(self) -> None:
        """The first call of a session that was forked: it goes on with what the other one has seen."""
        if not labels.is_forked(self.event.session):
            return
        from askfirst.seen import parents_of

        self.around.commit()

        transcript = self.event.data.get("transcript_path")
        labels.inherit(
            self.event.session, self.event.project, parents_of(transcript) if isinstance(transcript, str) else ()
        )

    def answer_outside(self, request: Request) -> Reply:
        """The agent asks for a command to run as it is, after it failed contained: an ordinary question about that
        command, and a yes runs it."""
        if not self.agent.changes_commands or self.agent.changes_before:
            why = "run the command itself: what failed contained is asked about the next time"
            return self.agent.refuse(self.event, f"askfirst: {why}")
        from askfirst.outside import told

        world = self.world(client_asks=request.attended)
        verdict = conclude(told(judged(request, world.layers(request))), world)
        if verdict.decision == Decision.DENY:
            return self.agent.answer(self.event, verdict)
        return self.agent.answer(self.event, replace(verdict, updated_input=request.input))

    def own_rules(self, texts: tuple[str, ...]) -> str:
        return self.agent.own_rules(texts, self.event.project, self.environ)

    def put_back_secrets(self) -> None:
        """Placeholders for secrets of the file that is written become the secrets again; the gate judges what is
        written then."""
        if not self.agent.masks or "<redacted:" not in str(self.request.input):
            return
        from askfirst.masking import restored

        request = restored(self.request, os.environ, flow_settings())
        if request is not self.request:
            self.event = replace(self.event, request=request, restored=True)

    def observes(self) -> bool:
        """Where a person only wants to see what would happen: the call is judged and logged, and left to the client. A
        pause holds all the same."""
        if not observing_since():
            return False
        world = self.world()
        case = judged(self.request, world.layers(self.request))
        if case.layers.closed_by == "pause":
            return False
        if self.event.name == BEFORE_TOOL:
            world.note_observed(case)
        return True

    def dialog_open(self) -> Reply:
        """The client also asks for its own reasons (rules, files): only what the gate asks is answered here."""
        self.refuse_tampering()
        self.put_back_secrets()
        if self.observes():
            return self.neutral()
        world = self.world(dialog_open=True, client=self.agent.client_pid(self.environ))
        case = judged(self.request, world.layers(self.request))
        if case.verdict.decision == Decision.ALLOW:
            return self.neutral()
        said = dialogs.notes_of(self.request.session, self.request.tool, self.request.input)
        notes = tuple(dict.fromkeys((*case.verdict.notes, *said)))
        verdict = conclude(replace(case, verdict=replace(case.verdict, notes=notes)), world)
        if verdict.answer is not None and verdict.answer.by == CLIENT_DIALOG:
            # It is answered there. An allow from here might meet another dialog that shows the same.
            return self.neutral()
        if verdict.updated_input is not None and verdict.decision == Decision.ALLOW:
            world.tell_after(replace(self.request, input=verdict.updated_input), of_merge(verdict))
        return self.agent.answer(self.event, verdict)

    def after_tool(self) -> Reply:
        self.around.commit()
        left_in_box = ""
        if (self.request.tool in RUNNERS or self.request.tool in READERS) and not self.ran_contained:
            left_in_box = self.look_at_box()
        output = self.masked_result()
        if "commit" in str(self.request.input.get("command", "")):
            from askfirst.seen import review

            review(self.event.project)  # a commit that a person has said yes to
        learned = self.world().learn(self.request)
        context = self.agent.changed_by_person(self.event) or left_in_box
        if output is not None and self.request.tool in READERS:
            context = context or PLACEHOLDERS
        if learned is None:
            return self.agent.after(self.event, context=context, output=output)
        said = {"message": learned.for_person, "context": learned.for_model or context}
        return self.agent.after(self.event, output=output, **said)

    def look_at_box(self) -> str:
        """What the model should know after a call that did not run contained: a file that it missed lies in the box."""
        from askfirst.box import runs

        if self.request.tool in RUNNERS and self.request.tool_use_id:
            self.see_whether_it_was_dropped()
        path = runs.only_in_box(self.agent.name, self.event.session, str(self.request.input))
        return IN_THE_BOX.format(path) if path else ""

    def see_whether_it_was_dropped(self) -> None:
        """Clients have lost what a hook puts in a command's place, and ran it as it was. It was to be contained: that
        must not happen twice."""
        from askfirst.box import dropped, runs

        if runs.still_waits(self.event.session, self.request.tool_use_id):
            text = redact(audit.text_of(self.request))[:200]
            why = f"`{text}` was to run contained, and the client ran it as it is; nothing of it is contained any more"
            dropped.note(self.agent.name, text)
            alerts.flag(self.event.session, self.agent.name, self.event.project, why)

    def masked_result(self) -> Any:
        """What the model is shown instead of the result; None where it is shown as it is. What is shown of a secret
        counts as seen, what is masked does not."""
        from askfirst.masking import file_shown, masker_of, shows_nothing, texts_in

        settings, call = flow_settings(), self.request.tool_use_id
        result = self.event.data.get("tool_response" if self.event.name == AFTER_TOOL else "error")
        masker = masker_of(self.event.project, os.environ, settings, file_shown(self.request))
        masked = masker.value(result)
        can = settings.redact_output and self.agent.masks and self.event.name == AFTER_TOOL and not observing_since()
        shows = masker.found > 0 and not can
        labels.note_ran(self.event.session, call, masked=can and shows_nothing(self.request, masked, masker))
        if shows:
            seen = Label("secret", f"the result of `{redact(audit.text_of(self.request))[:100]}`", time.time(), call)
            labels.note(self.event.session, self.event.project, (seen,))
        if not can or not masker.found:
            return None
        if settings.keep_whole and self.request.tool not in READERS:
            about = (
                self.event.session,
                self.event.project,
                self.request.tool,
                redact(audit.text_of(self.request))[:200],
            )
            whole_results.keep(about, masker.marks, "\n".join(filter(None, texts_in(result))))
        return masked

    def settings_changed(self) -> Reply:
        why = self.agent.settings_changed(self.event, self.environ)
        if not why:
            return self.neutral()
        record = {"session": self.event.session, "project": self.event.project, "text": why, "decision": "deny"}
        self.world().note_settings_change(record)
        return self.agent.block_change(
            f"askfirst: {why}. This session keeps the settings it had; to remove the gate, run `askfirst uninstall`"
        )

    def session_starts(self) -> Reply:
        self.around.commit()
        twice.note_start(self.event.session)
        pid = self.agent.client_pid(self.environ)
        self.put_away()
        if pid:
            remember_client(pid, self.event.session)  # for the MCP server of this client
        self.go_on()
        found = [*self.agent.session_troubles(self.event.project), self.agent.tampering(self.event.project)]
        problems = "; ".join(filter(None, found))
        message = f"askfirst: {problems}. Run `askfirst doctor`." if problems else ""
        return self.agent.neutral(self.event, message=message)

    def go_on(self) -> None:
        """What a resumed session had seen counts again; what a person has committed since is theirs."""
        from askfirst.seen import review

        labels.note_began(self.event.session, self.event.project, str(self.event.data.get("source", "")))
        review(self.event.project)

    def session_ends(self) -> Reply:
        from askfirst.seen import settle

        self.around.commit()
        twice.note_end(self.event.session)
        self.world().end_session(self.event.session, self.agent.name)
        settle(self.event.session, self.event.project)
        labels.note_ended(self.event.session, for_good=self.event.data.get("reason") == "clear")
        return self.neutral()


def as_written(event: Event) -> Event:
    """After a contained call, and in the client's own dialog, the client names the line that started the box: what the
    agent wrote is what people see and what is learned from."""
    request = event.request
    if request is None or event.name == BEFORE_TOOL or request.tool not in RUNNERS:
        return event
    from askfirst.box.runs import original_of

    command = request.input.get("command")
    if not isinstance(command, str) or "askfirst" not in command:
        return event
    plan = original_of(command)
    return event if plan is None else replace(event, request=replace(request, input=dict(plan.input)))


def reply_to(agent: Wire, event: Event, environ: Mapping[str, str], around: Around) -> Reply:
    return Moment(agent, event, environ, around).reply()
