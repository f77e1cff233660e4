"""A proposal as a question: it waits in `watch`, on the page and in `pending` until somebody answers or its time is
over, while the agent goes on. `proposal_status` tells the outcome."""

from __future__ import annotations

import threading
import time
from typing import Any

from askfirst import proposals
from askfirst.errors import AskfirstError
from askfirst.redact import redact
from askfirst.store import proposal_files
from askfirst.store.proposal_files import Proposal
from askfirst.toolbox.place import Place, enter
from askfirst.toolbox.running import Gone
from askfirst.toolbox.tool_result import Failure

MAX_WAIT_S = 600
_TICK_S = 0.3
_said: dict[str, str] = {}  # id -> what the person, or an error, said
_ended = threading.Event()  # the server ends: its questions end with it


def put_to_people(proposal: Proposal, agent: str) -> None:
    """In a thread of its own: the tool answers at once."""
    threading.Thread(target=_ask, args=(proposal, agent), name=f"proposal-{proposal.id[:6]}", daemon=True).start()


def end_questions() -> None:
    _ended.set()


def _ask(proposal: Proposal, agent: str) -> None:
    try:
        answer = proposals.ask(proposal, agent=agent, gone=_ended.is_set)
        _said[proposal.id] = answer.reason
    except (AskfirstError, OSError) as error:
        # The proposal stays as it is, for `askfirst apply`; the agent is told when it asks.
        _said[proposal.id] = str(error)


def proposal_status(place: Place, hitl_id: str, wait_seconds: int = 0, *, gone: Gone | None = None) -> dict[str, Any]:
    enter(place, "proposal_status", hitl_id=hitl_id)
    if not 0 <= wait_seconds <= MAX_WAIT_S:
        raise Failure("InvalidArgument", f"wait_seconds is 0 to {MAX_WAIT_S}", "ask again later instead")
    until = time.monotonic() + wait_seconds
    while True:
        proposal = _mine(place, hitl_id)
        if not _is_open(proposal) or time.monotonic() >= until or (gone is not None and gone()):
            break
        time.sleep(_TICK_S)
    state = "expired" if proposal.is_expired() else proposal.state
    seconds = max(0, round(proposal.expires_at - time.time())) if state == "pending" else 0
    return {
        "hitl_id": proposal.id,
        "path": proposal.path,
        "state": state,
        "said": redact(_said.get(proposal.id, "")),
        "seconds_left": seconds,
        "next": _NEXT.get(state, ""),
    }


def _is_open(proposal: Proposal) -> bool:
    """Whether something is still to come."""
    return proposal_files.is_waiting(proposal) or proposal.state in (proposal_files.APPLYING, proposal_files.UNDOING)


_NEXT = {
    "pending": "a person has not answered yet; ask again, or wait with wait_seconds",
    "expired": "nobody answered in time; propose again if it is still wanted",
    "discarded": "a person said no; ask them what they want instead",
    "applied": "the file has the new content; read it before you change it again",
    "undone": "a person took it back; the file is as it was",
}


def _mine(place: Place, hitl_id: str) -> Proposal:
    """Of this project only: another one's proposals are not this agent's business."""
    try:
        proposal = proposal_files.find(hitl_id)
    except AskfirstError as error:
        raise Failure("ProposalNotFound", str(error), "write_file and edit_file give the id") from None
    if proposal.project != place.project:
        raise Failure("ProposalNotFound", f"no proposal with id `{hitl_id}`", "write_file and edit_file give the id")
    return proposal
