"""What is allowed, what would happen, and asking ahead. An agent may ask here; only people answer, and only
elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import file_digest
from typing import Any

from askfirst import audit
from askfirst.agents import wire_of
from askfirst.approval.answers import denied_before
from askfirst.approval.identity import digest_of
from askfirst.approval.limits import LATE_S
from askfirst.approval.manager import file_manager
from askfirst.containing import foreseen
from askfirst.gate import decide, judged
from askfirst.model import Decision, Duration, Request, Verdict
from askfirst.redact import redact
from askfirst.report.allowed import list_allowed_commands as listed
from askfirst.report.rejudge import origin_text
from askfirst.store import ids
from askfirst.store.grants import Denial, FileGrants
from askfirst.store.pending import Item
from askfirst.toolbox.place import Place, enter, inside
from askfirst.toolbox.tool_result import Failure
from askfirst.world import World

Gone = Callable[[], bool]

MAX_COMMAND = 100_000
MAX_FINDINGS = 100


def list_allowed_commands(place: Place) -> dict[str, Any]:
    return listed(place.layers())


def check_command(place: Place, command: str, cwd: str = "") -> dict[str, Any]:
    """What the gate would answer, and why. Nobody is asked and nothing is run."""
    request = _request(place, command, cwd, "")
    case = judged(request, World().layers(request))
    wire = wire_of(place.agent)
    if wire.changes_commands:
        case = foreseen(case, lambda texts: wire.own_rules(texts, place.project, None))
    verdict = case.verdict
    reason = FileGrants().denied(request.session, case.digest) if verdict.decision == Decision.ASK else None
    if reason is not None:
        verdict = replace(verdict, decision=Decision.DENY, reason=denied_before(reason))
    return _told(verdict)


def request_approval(
    place: Place, command: str, reason: str, cwd: str = "", *, gone: Gone | None = None
) -> dict[str, Any]:
    """Ask ahead. The reason is shown to the person as the agent's own words. Blocks until somebody, or time,
    answers."""
    request = _request(place, command, cwd, reason)
    verdict = decide(request, World(gone=gone))
    answer = verdict.answer
    if verdict.decision == Decision.ALLOW and answer is not None and answer.duration == Duration.ONCE:
        # It was given for one run, which is still to come: the same text, in the same directory, within ten minutes.
        FileGrants().keep_once(request.session, digest_of(request), time.time() + LATE_S, answer.by)
    told = _told(verdict)
    if answer is not None:
        told["answer"] = answer.state
    return told


def pending_requests(place: Place) -> dict[str, Any]:
    """Requests of this session that wait for a person. Others may wait for the same: each session sees its own."""
    manager = file_manager()
    manager.sweep()
    mine = [i for i in manager.store.items() if i.body.get("request", {}).get("session") == place.session]
    return {"pending": [_waiting(item) for item in mine]}


def _waiting(item: Item) -> dict[str, Any]:
    question = item.body.get("question", {})
    left = max(0, round(item.deadline - time.time()))
    return {
        "id": item.id[:6],
        "command": question.get("text", ""),
        "why": question.get("why", ""),
        "seconds_left": left,
    }


def delete_file(place: Place, path: str, *, gone: Gone | None = None) -> dict[str, Any]:
    """Asks always, whatever the rules say about `rm`; the file must be the one that was there when it was asked."""
    enter(place, "delete_file", path=path)
    real = inside(place, path)
    if os.path.islink(os.path.join(place.project, path)):
        raise Failure(
            "InvalidPath", f"`{path}` is a symbolic link", f"its target is {os.path.relpath(real, place.project)}"
        )
    before = _content_hash(real, path)
    plain = Request(place.agent, place.session, place.project, place.project, "DeleteFile", {"file_path": real})
    _refuse_denied(plain)
    # No earlier yes may count for it, so no other request may look like this one.
    verdict = decide(replace(plain, input={**plain.input, "this_call": ids.new_id()}), World(gone=gone))
    if verdict.decision != Decision.ALLOW:
        if verdict.answer is not None and verdict.answer.state == "denied":
            said = verdict.answer
            shown = f"delete {os.path.relpath(real, place.project)}"
            FileGrants().deny(
                Denial(
                    plain.session, digest_of(plain), said.reason, ids.new_id(), shown, plain.project, said.by, said.at
                )
            )
        raise Failure("Denied", verdict.reason, "leave the file, or ask the person what they want")
    if inside(place, real) != real or _content_hash(real, path) != before:
        raise Failure("BaseChanged", f"`{path}` changed since it was approved", "ask again")
    audit.append(
        "write", {"path": real, "how": "delete", "session": place.session, "text": f"deleted {path}"}, durable=True
    )
    os.unlink(real)
    return {"deleted": os.path.relpath(real, place.project)}


def _refuse_denied(request: Request) -> None:
    reason = FileGrants().denied(request.session, digest_of(request))
    if reason is not None:
        raise Failure("Denied", denied_before(reason), "leave the file")


def _content_hash(real: str, shown: str) -> str:
    if not os.path.isfile(real):
        raise Failure(
            "FileNotFound", f"`{shown}` does not exist or is not a file", "use list_files to see what is there"
        )
    with open(real, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _request(place: Place, command: str, cwd: str, reason: str) -> Request:
    if not command.strip() or len(command) > MAX_COMMAND:
        raise Failure("InvalidArgument", f"a command has 1 to {MAX_COMMAND} characters")
    where = os.path.realpath(os.path.join(place.project, cwd)) if cwd else place.cwd
    given = {"command": command} | ({"description": reason[:2000]} if reason else {})
    return Request(place.agent, place.session, where, place.project, "Bash", given)


def _told(verdict: Verdict) -> dict[str, Any]:
    findings = [
        {
            "decision": f.decision.name.lower(),
            "reason": redact(f.reason),
            "by": origin_text(f),
            "advice": f.advice,
        }
        for f in sorted(verdict.findings, key=lambda f: -f.decision)[:MAX_FINDINGS]
    ]
    return {
        "decision": verdict.decision.name.lower(),
        "reason": redact(verdict.reason),
        "findings": findings,
        "notes": list(verdict.notes),
    }
