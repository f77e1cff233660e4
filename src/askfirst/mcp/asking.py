"""What is allowed, what would happen, and asking ahead. An agent may ask here; only people answer, and only elsewhere."""

from __future__ import annotations

import os
import shlex
import time
from typing import Any

from askfirst.approval.identity import digest_of
from askfirst.approval.limits import LATE_S
from askfirst.approval.manager import file_manager
from askfirst.commands.allowed import list_allowed_commands as listed
from askfirst.digest import sha256_hex
from askfirst.gate import decide, facts_of
from askfirst.mcp.place import Place, inside, text_of
from askfirst.mcp.result import Failure
from askfirst.model import Decision, Duration, Request, Verdict
from askfirst.policy.judge import judge
from askfirst.redact import redact
from askfirst.report.rejudge import origin_text
from askfirst.store import audit
from askfirst.store.grants import FileGrants
from askfirst.world import World

MOST_COMMAND = 100_000


def list_allowed_commands(place: Place) -> dict[str, Any]:
    return listed(place.layers())


def check_command(place: Place, command: str, cwd: str = "") -> dict[str, Any]:
    """What the gate would answer, and why. Nobody is asked and nothing is run."""
    request = _request(place, command, cwd, "")
    layers = place.layers()
    return _told(judge(facts_of(request, layers.settings), layers))


def request_approval(place: Place, command: str, reason: str, cwd: str = "") -> dict[str, Any]:
    """Ask ahead. The reason is shown to the person as the agent's own words. Blocks until somebody, or time, answers."""
    request = _request(place, command, cwd, reason)
    verdict = decide(request, World())
    answer = verdict.answer
    if verdict.decision == Decision.ALLOW and answer is not None and answer.duration == Duration.ONCE:
        # It was given for one run, which is still to come: the same text, in the same directory, within ten minutes.
        FileGrants().keep_once(request.session, digest_of(request), time.time() + LATE_S, answer.by)
    told = _told(verdict)
    if answer is not None:
        told["answer"] = answer.state
    return told


def pending_requests(place: Place) -> dict[str, Any]:
    """Requests of this session that wait for a person."""
    waiting = [q for q in file_manager().pending() if q.session == place.session]
    return {
        "pending": [
            {"id": q.id[:6], "command": q.text, "why": q.why, "seconds_left": max(0, round(q.deadline - time.time()))} for q in waiting
        ]
    }


def delete_file(place: Place, path: str) -> dict[str, Any]:
    """Asks always, whatever the rules say about `rm`; the file must be the one that was there when it was asked."""
    real = inside(place, path)
    before = sha256_hex(text_of(real, path)[0])
    request = _request(place, f"rm -- {shlex.quote(real)}", "", f"delete {path}")
    layers = place.layers()
    world = World()
    verdict = judge(facts_of(request, layers.settings), layers)
    if verdict.decision != Decision.DENY:
        asked = verdict.replace(decision=Decision.ASK, reason=f"deletes {os.path.relpath(real, place.project)}; deleting always asks")
        verdict = world.ask(request, asked, layers)
    world.audit(request, verdict)
    if verdict.decision != Decision.ALLOW:
        raise Failure("Denied", redact(verdict.reason), "leave the file, or ask the person what they want")
    if sha256_hex(text_of(real, path)[0]) != before:
        raise Failure("BaseChanged", f"`{path}` changed since it was approved", "ask again")
    audit.append("write", {"path": real, "how": "delete", "session": place.session, "text": f"deleted {path}"}, durable=True)
    os.unlink(real)
    return {"deleted": os.path.relpath(real, place.project)}


def _request(place: Place, command: str, cwd: str, reason: str) -> Request:
    if not command.strip() or len(command) > MOST_COMMAND:
        raise Failure("InvalidArgument", f"a command has 1 to {MOST_COMMAND} characters")
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
        for f in verdict.findings
    ]
    return {"decision": verdict.decision.name.lower(), "reason": redact(verdict.reason), "findings": findings, "notes": list(verdict.notes)}
