"""Judging again what was judged before: a text from the log, or a call from a client's transcript."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from askfirst.audit.read import read_backwards
from askfirst.errors import AskfirstError
from askfirst.gate import judged
from askfirst.knowledge.tools import RUNNERS, WRITERS
from askfirst.model import Decision, Finding, Layer, Request, Verdict
from askfirst.policy.case import Case
from askfirst.policy.rules import Layers
from askfirst.wording import LAYERS

MAX_RECORDS, MAX_CALLS = 2000, 40  # what a question looks back on, while somebody waits for it


@dataclass(frozen=True)
class PastCall:
    """One tool call of the past."""

    tool: str
    input: dict[str, Any]
    cwd: str
    project: str
    session: str
    text: str
    then: str  # what was decided then ("allow", "deny"); "" when that is unknown
    asked: bool = False  # a person was asked, or would have been, had one been there
    agent: str = "claude"
    refused: bool = False  # a person was asked, and did not allow it


def judge_again(call: PastCall, layers: Layers) -> Verdict:
    return judge_only(Request(call.agent, call.session, call.cwd, call.project, call.tool, call.input), layers)


def judge_only(request: Request, layers: Layers) -> Verdict:
    """The verdict of the current rules: no one is asked, and nothing is recorded."""
    return case_of(request, layers).verdict


def case_of(request: Request, layers: Layers) -> Case:
    try:
        return judged(request, layers)
    except AskfirstError as error:
        return Case(request, layers, (), Verdict(Decision.DENY, str(error)))


def past_case(call: PastCall, layers: Layers) -> Case:
    return case_of(Request(call.agent, call.session, call.cwd, call.project, call.tool, call.input), layers)


def asked_before(project: str, layers: Layers) -> tuple[Case, ...]:
    """The last calls of this project that a person was asked about, newest first, as they would be judged now."""
    found: dict[str, PastCall] = {}
    for call in calls_in_log(islice(read_backwards(), MAX_RECORDS)):
        if call.asked and call.project == project:
            found.setdefault(call.text, call)
        if len(found) >= MAX_CALLS:
            break
    return tuple(past_case(call, layers) for call in found.values())


def calls_in(value: dict[str, Any], project: str) -> Iterator[PastCall]:
    """The calls in one record: of askfirst's log, of a transcript, of a hook's own log, or {"command": …}."""
    if value.get("kind") in ("verdict", "observed") and "event_hash" in value:
        yield from calls_in_log((value,))
    elif isinstance(value.get("message"), dict):
        cwd = str(value.get("cwd") or project)
        session = str(value.get("sessionId", ""))
        content = value["message"].get("content")
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") == "tool_use" and isinstance(part.get("input"), dict):
                yield from _tool_call(str(part.get("name")), part["input"], cwd, project, session)
    elif isinstance(value.get("tool_input"), dict) and value.get("hook_event_name", "PreToolUse") == "PreToolUse":
        cwd, session = str(value.get("cwd") or project), str(value.get("session_id", ""))
        yield from _tool_call(str(value.get("tool_name")), value["tool_input"], cwd, project, session)
    elif isinstance(value.get("command"), str):
        yield from _tool_call("Bash", {"command": value["command"]}, str(value.get("cwd") or project), project, "")


def _tool_call(tool: str, given: dict[str, Any], cwd: str, project: str, session: str) -> Iterator[PastCall]:
    if tool in RUNNERS or tool in WRITERS:
        text = given.get("command") or given.get("file_path") or given.get("notebook_path") or tool
        yield PastCall(tool, given, cwd, project, session, str(text), "")


def calls_in_log(records: Iterable[dict[str, Any]]) -> Iterator[PastCall]:
    """Commands of the log. A text that was redacted or cut is not what ran, so it is left out."""
    for record in records:
        text = str(record.get("text", ""))
        if (
            record.get("kind") not in ("verdict", "observed")
            or record.get("tool") not in RUNNERS
            or "<redacted:" in text
            or len(text) >= 4000
        ):
            continue
        yield PastCall(
            tool="Bash",
            input={"command": text},
            cwd=str(record.get("cwd", "")),
            project=str(record.get("project", "")),
            session=str(record.get("session", "")),
            text=text,
            then=str(record.get("decision", "")),
            asked=isinstance(record.get("answer"), dict) or _is_unattended(record),
            refused=isinstance(record.get("answer"), dict) and record.get("decision") != "allow",
            agent=str(record.get("agent", "")),
        )


def _is_unattended(record: dict[str, Any]) -> bool:
    """Denied by no rule and by no person."""
    denied = record.get("decision") == "deny" and record.get("layer") == "nothing"
    return denied and not isinstance(record.get("answer"), dict)


def origin_text(finding: Finding | None) -> str:
    """`project rules: npm (allowed_commands.yaml:4)`: layer and rule, and the file by its name alone."""
    if finding is None:
        return ""
    origin = finding.origin
    rule = f": {origin.rule}" if origin.rule else ""
    place = f" ({os.path.basename(origin.source)}:{origin.line})" if origin.line else ""
    return f"{LAYERS[Layer(origin.layer)]}{rule}{place}"
