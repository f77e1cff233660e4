"""Proposals: a file's new content that an agent hands in and a person applies. Judged like every other write; this is
the one place where the commands and the MCP tools propose, and the answers they give carry the file broker's fields."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from askfirst import audit, jsontext
from askfirst.approval.identity import digest_of
from askfirst.approval.manager import file_manager
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, UsageError
from askfirst.files.big import compare
from askfirst.files.bind import CHANGED
from askfirst.files.change import classify, text_of, unified_diff
from askfirst.files.content import encode, look_at, style_of
from askfirst.files.merge import MergeError, from_answer, merge
from askfirst.knowledge.tools import PROPOSE
from askfirst.model import Answer, Decision, Finding, Layer, Origin, Request, Verdict, Write
from askfirst.policy.case import Case
from askfirst.policy.judge import judge
from askfirst.redact import redact
from askfirst.store import clock, ids, proposal_files
from askfirst.store.exchange import ABSENT
from askfirst.store.proposal_files import Proposal
from askfirst.world import World

SCHEMA_VERSION = "1.0"
MASK = b"<redacted:"
MAX_LOOK_BYTES = 64 << 20
UNMASK = "change only the lines that you mean, with edit_file or a patch, and leave the masked ones out"
PREVIEW = 8000  # characters of the diff in a response


APPLIED_BY_PEOPLE = "a proposed change is applied by a person"


class Denied(AskfirstError):
    """The rules forbid this write, so it is not even proposed."""

    def __init__(self, reason: str, advice: str, head: str) -> None:
        self.reason, self.advice, self.head = reason, advice, head
        super().__init__(reason)


@dataclass(frozen=True)
class Proposer:
    """Who proposes: the session, its call, and the batch that is applied as one."""

    session: str = ""
    tool_call_id: str = ""
    batch: str = ""


def propose(
    project: str,
    asked: str,
    path: str,
    content: bytes,
    by: Proposer,
    *,
    ttl_s: float = proposal_files.TTL_S,
) -> tuple[Proposal, Verdict, str]:
    """Keep new content for a person to read and apply: the proposal, what the rules say of it, and the record's head.

    `asked` is the path as the agent named it, `path` the real one. Raises Denied when the rules forbid the write, which
    is recorded and counted as for any other call; a write that they allow is proposed all the same.
    """
    by = by if by.session else replace(by, session=os.environ.get("CLAUDE_CODE_SESSION_ID", ""))
    case = judged(project, asked, path, content, session=by.session)
    masked = _masked(path, content)
    refused = _refusal(case) or _odd(case) or masked
    if refused:
        world = World()
        world.record(case)
        world.count(case)
        head = record("denied", "propose", {"path": asked, "why": refused, "session": by.session})
        deciding = case.verdict.deciding
        advice = UNMASK if refused == masked else deciding.advice if deciding is not None else ""
        raise Denied(refused, advice, head)
    named = os.path.abspath(os.path.join(project, asked))
    proposal = store(project, named, path, content, by, ttl_s=ttl_s)
    fields = {
        "path": proposal.path,
        "created": proposal.created,
        "base_hash": proposal.base_hash,
        "patch_hash": proposal.patch_hash,
        "tool_call_id": proposal.tool_call_id,
        "session": proposal.session,
        "hitl_id": proposal.id,
    }
    return proposal, case.verdict, record("hitl_required", "propose", fields)


def judged(project: str, asked: str, path: str, content: bytes | None, *, session: str = "") -> Case:
    """Writing this content there, judged by the rules of this moment; the one fact says what it does to the file."""
    given = {"file_path": path, "sha256": sha256_hex(content) if content is not None else ""}
    request = Request("propose", session, project, project, PROPOSE, given)
    layers = World().layers(request)
    found = look_at(path, project if _is_inside(project, path) else "")
    change = classify(path, found, content, layers.settings.writes, progress)
    write = Write(path, asked, "overwrite" if found.exists else "create", "propose", content, change=change)
    return Case(request, layers, (write,), judge((write,), layers))


def _refusal(case: Case) -> str:
    """Why the rules forbid it; "" when they do not. Asking is what a proposal is for."""
    if case.verdict.decision == Decision.DENY:
        return case.verdict.reason
    return "" if _is_inside(case.request.project, case.request.input["file_path"]) else "it is outside the project"


def _masked(path: str, content: bytes) -> str:
    """Why this content would put askfirst's own mask where a secret stands; "" when it holds no more of them than the
    file does."""
    try:
        with open(path, "rb") as file:
            there = file.read(MAX_LOOK_BYTES).count(MASK)
    except OSError:
        there = 0
    if content.count(MASK) <= there:
        return ""
    return "the content holds `<redacted:…>`, which stands for a secret that was not shown: the secret would be lost"


def _odd(case: Case) -> str:
    """Why the target is not an ordinary file."""
    return "; ".join(f.change.odd for f in case.facts if isinstance(f, Write) and f.change is not None)


def _is_inside(project: str, path: str) -> bool:
    return path.startswith(project.rstrip("/") + "/")


def store(
    project: str,
    asked: str,
    path: str,
    content: bytes,
    by: Proposer,
    *,
    ttl_s: float = proposal_files.TTL_S,
) -> Proposal:
    """Keep new content for a person to read and apply. `asked` is the absolute path as it was named, `path` the real
    one."""
    found = look_at(path)
    relative = os.path.relpath(path, project)
    if found.exists and found.data is None:
        if found.odd:
            raise UsageError(f"{relative}: {found.odd}")
        counts = compare(path, content, progress)
        diff, base = counts.diff, counts.base
    else:
        diff = unified_diff(relative, found.data if found.exists else None, content)
        base = sha256_hex(found.data or b"") if found.exists else ABSENT
    now = clock.wall()
    proposal = Proposal(
        id=ids.new_id(),
        project=project,
        path=relative,
        asked=asked,
        full_path=path,
        created=not found.exists,
        base_hash=base,
        new_hash=sha256_hex(content),
        patch_hash=sha256_hex(diff),
        diff=redact(diff),
        mode=found.mode,
        created_at=now,
        expires_at=now + ttl_s,
        steady_expiry=clock.steady() + ttl_s,
        boot=clock.boot_id(),
        ttl_s=float(ttl_s),
        tool_call_id=by.tool_call_id,
        session=by.session,
        batch=by.batch,
    )
    return proposal_files.create(proposal, content)


def progress(done: int, total: int) -> None:
    """How far the comparison of a large file got, for whoever waits at a terminal."""
    if sys.stderr.isatty():
        print(
            "\r" + (f"comparing: {done * 100 // total} %" if done < total else " " * 20 + "\r"),
            end="",
            file=sys.stderr,
            flush=True,
        )


def refusal(proposal: Proposal, content: bytes | None) -> str:
    """Why the rules of this moment forbid applying it; "" when they do not."""
    why = _refusal(judged(proposal.project, proposal.path, proposal.full_path, content, session=proposal.session))
    return f"{proposal.path}: {why}" if why else ""


# --- questions


def ask(proposal: Proposal, *, agent: str, gone: Callable[[], bool]) -> Answer:
    """Put the proposal before a person, where every other question is, and do what they say: apply it, perhaps merged
    with what is there, or discard it. Blocks until somebody, or its time, answers; `gone` ends the question."""
    case = _question_case(proposal, agent)
    manager = file_manager()
    asked = manager.request_approval(case, timeout_s=max(1.0, proposal.steady_expiry - clock.steady()))
    World().note_question(case, asked)
    answer = manager.wait_for_response(asked, gone=lambda: gone() or not _waits(proposal))
    if answer.decision == Decision.ALLOW:
        strategy, line = from_answer(answer.extra)
        content, _ = merged_content(proposal, proposal_files.new_content(proposal), strategy, line)
        proposal_files.apply(
            (proposal,), check=lambda p: refusal(p, content), by=answer.by, contents={proposal.id: content}
        )
    elif answer.state == "denied":
        proposal_files.discard(proposal)
    return answer


def unasked() -> tuple[Proposal, ...]:
    """What was proposed by a command that has ended, and is no question of anybody's: a person applies it by its id."""
    items = file_manager().store.items()
    asked = {item.body.get("request", {}).get("input", {}).get("hitl_id") for item in items}
    return tuple(p for p in proposal_files.waiting() if p.id not in asked)


def _waits(proposal: Proposal) -> bool:
    """Nobody has applied or discarded it by command meanwhile."""
    current = proposal_files.load(proposal.id)
    return current is not None and proposal_files.is_waiting(current)


def _question_case(proposal: Proposal, agent: str) -> Case:
    """Whatever the rules allow, a proposal is a person's to apply: its one finding asks."""
    content = proposal_files.new_content(proposal)
    case = judged(proposal.project, proposal.path, proposal.full_path, content, session=proposal.session)
    reason = case.verdict.reason if case.verdict.decision == Decision.ASK else APPLIED_BY_PEOPLE
    finding = Finding(case.facts[0], Decision.ASK, reason, Origin(Layer.NOTHING, "proposal"))
    given = {**case.request.input, "hitl_id": proposal.id}
    request = replace(case.request, agent=agent, input=given)
    layers = replace(case.layers, digest=digest_of(request))
    return Case(request, layers, case.facts, Verdict(Decision.ASK, reason, (finding,), case.verdict.notes))


def merged_content(proposal: Proposal, new: bytes, strategy: str, line: int | None) -> tuple[bytes, str]:
    """What is written, and what there is to warn of. A merge starts from what the proposal was made against."""
    if strategy == "replace":
        return new, ""
    old = look_at(proposal.full_path).data
    if old is None or sha256_hex(old) != proposal.base_hash:
        why = CHANGED if old is not None else "there is nothing to merge with"
        raise proposal_files.NotApplied([(proposal, f"{proposal.path}: {why}")])
    merged = merge(text_of(old), text_of(new), strategy, line)
    data = encode(merged.text, style_of(old))
    if data is None:
        raise MergeError(f"{proposal.path}: the merged text cannot be written in the file's encoding")
    return data, merged.warning


# --- responses


def response(
    status: str,
    method: str,
    path: str,
    *,
    hitl: dict[str, Any] | None = None,
    data: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
    head: str = "",
) -> dict[str, Any]:
    """`status` is allowed, hitl_required, denied or error."""
    answer: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "status": status,
        "op": {"method": method, "path": path},
    }
    for key, value in (("hitl", hitl), ("data", data), ("error", error)):
        if value is not None:
            answer[key] = value
    answer["audit"] = audit_link(head)
    return answer


def audit_link(head: str) -> dict[str, str]:
    """The record of the log that this response stands for, and the one before it."""
    if not head:
        return {}
    try:
        with open(os.path.join(audit.directory(), audit.CURRENT), "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 4 * audit.TAIL_BYTES))
            line = next((x for x in file.read().splitlines() if head.encode() in x[-80:]), b"")
        previous = jsontext.loads(line.decode())["prev_hash"] if line else ""
    except (OSError, ValueError, KeyError):
        previous = ""
    return {"prev_hash": prefixed(previous), "event_hash": prefixed(head)}


def prefixed(digest: str) -> str:
    return f"sha256:{digest}" if len(digest) == 64 else digest


def record(status: str, method: str, fields: dict[str, Any]) -> str:
    """Into the log; gives its head."""
    return audit.append(method, {**fields, "status": status}, durable=True)


def data_of(proposal: Proposal) -> dict[str, Any]:
    return {
        "path": proposal.path,
        "created": proposal.created,
        "base_hash": prefixed(proposal.base_hash),
        "patch_hash": prefixed(proposal.patch_hash),
        "patch_format": "unified_diff",
    }


def hitl_of(proposal: Proposal) -> dict[str, Any]:
    cut = proposal.diff if len(proposal.diff) <= PREVIEW else proposal.diff[:PREVIEW] + "\n… (truncated)\n"
    return {
        "hitl_id": proposal.id,
        "ttl_seconds": int(proposal.ttl_s),
        "summary": f"{'CREATE FILE' if proposal.created else 'MODIFY'} {proposal.path}",
        "diff_preview": cut,
    }
