"""What is learned when a tool has run: a yes in the client's own dialog, and that a record was wrong.

A person may say yes there while the question still stands in `watch`, where another answer, or time, then comes too
late: the log says denied for what ran. That is corrected here with a record of its own, and the denial, which would
count for the rest of the session, is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass

from askfirst import audit
from askfirst.approval import codec
from askfirst.approval.answers import CLIENT_DIALOG, client_yes
from askfirst.model import Answer, Decision, Duration, Request
from askfirst.store import dialogs
from askfirst.store.grants import FileGrants
from askfirst.store.pending import FilePending, Item

TELL_AT = 2  # the second same yes is the moment to say how to be asked less


@dataclass(frozen=True)
class Learned:
    """What to say after a tool has run."""

    for_person: str = ""
    for_model: str = ""


def learn_from_client(request: Request) -> Learned:
    """The tool has run. The client's directory may have moved on with a `cd`: session, tool and input are compared."""
    told = dialogs.take_tell(request.session, request.tool, request.input)
    was_asked = dialogs.take_call(request.session, request.tool_use_id)
    item = _close_card(request) or (_asked_before(request) if was_asked else None)
    return Learned(_how_to_remember(item) if item is not None else "", told)


def _close_card(request: Request) -> Item | None:
    """The card that still waits for this call: its person has said yes in the client's dialog."""
    store = FilePending()
    for item in store.items():
        asked = item.body.get("request", {})
        if asked.get("attended") and (asked.get("session"), asked.get("tool"), asked.get("input")) == (
            request.session,
            request.tool,
            dict(request.input),
        ):
            first = store.decide(item.id, codec.answer_to(client_yes(item.digest)))
            return item if first is None else _settled(item, codec.answer_from(first))
    return None


def _asked_before(request: Request) -> Item | None:
    """The request of this call, which has an answer already."""
    store = FilePending()
    for name in dialogs.take_asked(request.session, request.tool, request.input):
        item, found = store.find(name), store.decision(name)
        if item is not None and found is not None:
            return _settled(item, codec.answer_from(found))
    return None


def _settled(item: Item, answer: Answer) -> Item | None:
    """The item, where it was the client's dialog that allowed it. The tool has run, so any other word than a yes is
    corrected."""
    if answer.decision == Decision.DENY:
        _correct(item, answer)
        return item
    return item if answer.by == CLIENT_DIALOG else None


def _correct(item: Item, answer: Answer) -> None:
    request, question = item.body["request"], item.body["question"]
    record = {name: request[name] for name in ("agent", "session", "project", "cwd", "tool")}
    record |= {"id": item.id, "digest": item.digest, "text": str(question["text"])[: audit.MAX_TEXT_CHARS]}
    record |= {"decision": "allow", "answer": {"state": "once", "by": CLIENT_DIALOG, "reason": ""}}
    audit.append("correction", {**record, "was": answer.state, "was_by": answer.by}, durable=True)
    FileGrants().forget_denial(request["session"], item.digest)


def _how_to_remember(item: Item) -> str:
    """One line for the person who has said the same yes for the second time; else ""."""
    question = codec.question_from(item.body["question"])
    session = question.choice(Duration.SESSION)
    if session is None or session.refused:
        return ""
    scopes = item.body["offers"][question.step]["scopes"]
    if dialogs.count_yes(question.session, scopes) != TELL_AT:
        return ""
    return (
        f"askfirst: you have allowed this twice. To be asked no more in this session for {session.scope}: "
        f"askfirst remember {item.id[:6]} --session"
    )
