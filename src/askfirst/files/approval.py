"""The two moments around a person's answer: what the question says about a file, and what the answer is worth when it
comes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from askfirst.files.bind import binding, still_holds
from askfirst.files.merge import MergeError, from_answer
from askfirst.files.show import shown, updated_input
from askfirst.knowledge.tools import PATH_KEYS
from askfirst.model import Decision, Finding, Request, Verdict, Write
from askfirst.redact import redact


def question_fields(findings: Iterable[Finding], project: str) -> dict[str, Any]:
    """`change`, `diff`, `deleted`, `strategies` and `proposed` of a Question, redacted; {} when no file's change is
    asked about."""
    for finding in findings:
        if finding.decision == Decision.ASK and isinstance(finding.fact, Write) and finding.fact.change is not None:
            seen = shown(finding.fact, project)
            if seen.change:
                # A content with a secret is not merged by way of its masked text.
                proposed = redact(seen.proposed)
                ways = seen.strategies if proposed == seen.proposed else ()
                return {
                    "change": seen.change,
                    "diff": redact(seen.diff),
                    "deleted": tuple(map(redact, seen.deleted)),
                    "strategies": ways,
                    "proposed": proposed if ways else "",
                }
    return {}


def after_answer(request: Request, verdict: Verdict) -> Verdict:
    """An allowed file write, looked at again: void when the file is not the one the person saw; with the merged input
    where they chose one.

    Only for verdicts that a person's answer made; everything else comes back as it is. Of a command, the files that it
    was asked for."""
    if verdict.decision != Decision.ALLOW or verdict.answer is None:
        return verdict
    tool, base = request.tool in PATH_KEYS, ""
    for finding in verdict.findings:
        if not isinstance(finding.fact, Write) or not (tool or _is_asked_for(finding)):
            continue
        bound = binding(finding.fact, request.cwd if tool else "")
        if bound is not None:
            why = still_holds(bound)
            if why:
                return replace(verdict, decision=Decision.DENY, reason=why, updated_input=None)
            base = bound.base
    return _merged(request, verdict, base) if tool else verdict


def _is_asked_for(finding: Finding) -> bool:
    """A command's write that a person saw with what it takes away; only that can have changed under them."""
    change = finding.fact.change if isinstance(finding.fact, Write) else None
    return finding.decision == Decision.ASK and change is not None and bool(change.base)


def _merged(request: Request, verdict: Verdict, base: str) -> Verdict:
    extra = verdict.answer.extra if verdict.answer is not None else None
    try:
        strategy, _ = from_answer(extra)
        if strategy == "replace":
            return verdict
        return replace(
            verdict, updated_input=updated_input(request.tool, request.input, extra, cwd=request.cwd, base=base)
        )
    except MergeError as error:
        return replace(verdict, decision=Decision.DENY, reason=str(error), updated_input=None)
