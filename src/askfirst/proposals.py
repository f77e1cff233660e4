"""What the commands around proposals share: the project, the policy's word, and JSON responses with the broker's fields."""

from __future__ import annotations

import os
import sys
import time

from askfirst import jsontext
from askfirst.model import Decision, Write
from askfirst.store import proposal_files
from askfirst.store.proposal_files import Proposal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from askfirst.model import Finding
    from askfirst.policy.rules import Layers

SCHEMA_VERSION = "1.0"
PREVIEW = 8000  # characters of the diff in a response


def layers_of(project: str) -> Layers:
    from askfirst.store.layers import load_layers

    return load_layers(project, now=time.time())


def judged(asked: str, path: str, content: bytes | None, layers: Layers) -> tuple[Finding, Write]:
    """What the rules say about writing this content there, and the write with what it does to the file."""
    from askfirst.files.change import classify
    from askfirst.files.content import look_at
    from askfirst.model import Finding, Layer, Origin
    from askfirst.policy.writes import judge_write

    found = look_at(path, layers.project if path.startswith(layers.project.rstrip("/") + "/") else "")
    change = classify(path, found, content, layers.settings.writes, progress)
    write = Write(path, asked, "overwrite" if found.exists else "create", "propose", content, change=change)
    finding = judge_write(write, layers)
    if layers.closed:
        finding = Finding(write, Decision.DENY, layers.closed, Origin(Layer.ORG_BLOCK, "broken block list"))
    return finding, write


def store(
    project: str,
    asked: str,
    path: str,
    content: bytes,
    *,
    ttl_s: float = proposal_files.TTL_S,
    session: str = "",
    tool_call_id: str = "",
    batch: str = "",
) -> Proposal:
    """Keep new content for a person to read and apply. `asked` is the absolute path as it was named, `path` the real one."""
    from askfirst.digest import sha256_hex
    from askfirst.errors import UsageError
    from askfirst.files.change import unified_diff
    from askfirst.files.content import look_at
    from askfirst.redact import redact
    from askfirst.store import clock, ids
    from askfirst.store.exchange import ABSENT

    found = look_at(path)
    relative = os.path.relpath(path, project)
    if found.exists and found.data is None:
        if found.odd:
            raise UsageError(f"{relative}: {found.odd}")
        from askfirst.files.big import compare

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
        tool_call_id=tool_call_id,
        session=session or os.environ.get("CLAUDE_CODE_SESSION_ID", ""),
        batch=batch,
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
    """Why the rules of this moment forbid it; "" when they do not. Asking is what a proposal is for."""
    finding, _ = judged(proposal.path, proposal.full_path, content, layers_of(proposal.project))
    outside = finding.origin.rule == "outside"
    return f"{proposal.path}: {finding.reason}" if finding.decision == Decision.DENY or outside else ""


# --- responses ------------------------------------------------------------------------------------------------------------------


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
    from askfirst import audit

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
    from askfirst import audit

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
