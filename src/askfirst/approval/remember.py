"""What an answer leaves behind: grants, a denial that is not asked again, a project rule; each with its record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst import audit
from askfirst.approval import codec
from askfirst.errors import AskfirstError
from askfirst.files.merge import in_words
from askfirst.model import Answer, Decision, Duration, Grant
from askfirst.redact import redact
from askfirst.store import clock, ids
from askfirst.store.allowlist import append, take_out
from askfirst.store.grants import Denial, FileGrants, MemoryGrants
from askfirst.store.paths import project_file
from askfirst.store.rulefiles import read_file

if TYPE_CHECKING:
    from askfirst.policy.case import Case
    from askfirst.policy.offers import Offer
    from askfirst.store.pending import Item


class Memory:
    """Turns answers into grants and rules."""

    def __init__(self, grants: FileGrants | MemoryGrants) -> None:
        self._grants = grants

    def remember(self, answered: list[Item], answer: Answer) -> Answer:
        """Store what the answer means for all requests behind a card, and return the answer that counts.

        A permanent one that no file could take counts for the session, and says why.
        """
        return self._kept(answered, answer)

    def _kept(self, answered: list[Item], answer: Answer) -> Answer:
        sessions = list(dict.fromkeys((i.body["request"]["session"], i.body["request"]["agent"]) for i in answered))
        item = answered[0]
        if answer.decision == Decision.DENY:
            for session, _ in sessions:
                self._grants.deny(_denial(item, answer, session))
            return answer
        for session, _ in sessions:
            self._grants.forget_denial(session, item.digest)
        if answer.duration == Duration.PERMANENT:
            answer = self._store_rule(item, answer)
        if answer.duration == Duration.SESSION:
            for session, agent in sessions:
                self._add(item, answer, session, agent)
        elif answer.duration in (Duration.TIMED, Duration.PERMANENT):
            self._add(item, answer, "", sessions[0][1])
        return answer

    def _store_rule(self, item: Item, answer: Answer) -> Answer:
        entries, project = _entries(item, answer), item.body["request"]["project"]
        try:
            read_file(project_file(project), inside=project)  # what hooks would refuse to read, no entry helps
            append(project, entries, most=int(item.body["most_entries"]))
        except AskfirstError as error:
            if not item.body["request"]["session"]:
                return replace(answer, duration=Duration.ONCE, state="once", reason=f"allowed once: {error}")
            return replace(
                answer, duration=Duration.SESSION, state="session", reason=f"allowed for the session: {error}"
            )
        return answer

    def _add(self, item: Item, answer: Answer, session: str, agent: str) -> None:
        request, question = item.body["request"], item.body["question"]
        grant = Grant(
            id=ids.new_id(),
            scopes=codec.scopes_from(_offer(item, answer)["scopes"]),
            duration=answer.duration,
            project=request["project"],
            session=session,
            agent=agent,
            created=clock.wall(),
            until=answer.until if answer.duration == Duration.TIMED else 0.0,
            by=answer.by,
            text=question["text"],
            digest=item.digest,
            entries=tuple(_entries(item, answer)) if answer.duration == Duration.PERMANENT else (),
        )
        _keep(self._grants, grant)


def _keep(grants: FileGrants | MemoryGrants, grant: Grant) -> None:
    record = {
        "id": grant.id,
        "duration": Duration(grant.duration).name.lower(),
        "project": grant.project,
        "session": grant.session,
        "agent": grant.agent,
        "by": grant.by,
        "text": str(grant.text)[: audit.MAX_TEXT_CHARS],
        "scopes": [s.shown for s in grant.scopes],
        "digest": grant.digest,
    }
    audit.append("grant", record, durable=True)
    grants.add(grant)


def store_offer(grants: FileGrants | MemoryGrants, case: Case, offer: Offer, by: str) -> str:
    """What a permanent yes to this offer would leave behind, without a request that waits. The file it stands in."""
    project = case.request.project
    read_file(project_file(project), inside=project)
    file = append(project, offer.entries, most=case.layers.settings.max_project_commands)
    given = {"session": "", "by": by, "created": clock.wall(), "entries": offer.entries}
    text = str(case.request.input.get("command", ""))
    _keep(grants, offer.grant(case, id=ids.new_id(), duration=Duration.PERMANENT, text=redact(text), **given))
    return file


def _denial(item: Item, answer: Answer, session: str) -> Denial:
    request, text = item.body["request"], str(item.body["question"]["text"])[: audit.MAX_TEXT_CHARS]
    return Denial(session, item.digest, answer.reason, item.id, text, request["project"], answer.by, clock.wall())


def _entries(item: Item, answer: Answer) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _offer(item, answer)["entries"]
    return found


def _offer(item: Item, answer: Answer) -> dict[str, Any]:
    """What was shown when the answer was given, and nothing else."""
    found: dict[str, Any] = item.body["offers"][answer.step]
    return found


def note_late(item: Item, answer: Answer, first: Answer) -> None:
    """Somebody, or time, was first: the answer that stands in the log did not count."""
    record = {"id": item.id, "state": answer.state, "by": answer.by, "digest": item.digest}
    audit.append("answer-late", {**record, "text": f"came after {first.by}: {first.state}"}, durable=False)


def note(answered: list[Item], answer: Answer, *, kind: str = "answer") -> None:
    """The answer itself, where it is given and before it counts: the hook that waits for it may be dead before it
    writes its verdict, and so may this process before it has told anybody else."""
    request, question = answered[0].body["request"], answered[0].body["question"]
    record = {
        "id": answered[0].id,
        "state": answer.state,
        "by": answer.by,
        "reason": redact(answer.reason)[: audit.MAX_TEXT_CHARS],
        "project": request["project"],
        "session": request["session"],
        "agent": request["agent"],
        "text": str(question["text"])[: audit.MAX_TEXT_CHARS],
        "digest": answered[0].digest,
        "requests": len(answered),
    }
    if answer.decision == Decision.ALLOW and answer.extra is not None:
        record["merge"] = in_words(answer.extra)
    audit.append(kind, record, durable=True)


def take_back(grants: FileGrants | MemoryGrants, grant: Grant, by: str) -> str:
    """End a grant; for a permanent one its entry leaves the project's rule file first.

    "" when it has ended, else why it has not.
    """
    record = {"id": grant.id, "project": grant.project, "by": by, "text": grant.text[: audit.MAX_TEXT_CHARS]}
    audit.append("revoke", {**record, "what": "grant"}, durable=True)
    left = take_out(grant.project, grant.entries) if grant.duration == Duration.PERMANENT else ""
    if not left:
        grants.revoke(grant.id)
    return left


def forget_denial(grants: FileGrants | MemoryGrants, denial: Denial, by: str) -> None:
    """Take a no back: the agent's next try asks again."""
    record = {"id": denial.id, "project": denial.project, "session": denial.session, "by": by, "text": denial.text}
    audit.append("revoke", {**record, "what": "denial", "digest": denial.digest}, durable=True)
    grants.forget_denial(denial.session, denial.digest)
