"""Tools that change files: they only propose. A person reads the diff and applies it (`askfirst apply ID`)."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from askfirst import proposals
from askfirst.digest import sha256_hex
from askfirst.masking import MASKED_WHY, PLACEHOLDER, put_back, values_of
from askfirst.store.layers import flow_settings
from askfirst.toolbox.patch import patched
from askfirst.toolbox.place import Place, enter, inside, readable, text_of
from askfirst.toolbox.proposal_questions import put_to_people
from askfirst.toolbox.regexes import exact_spans, matched
from askfirst.toolbox.syntax_edits import Span, syntax_matches
from askfirst.toolbox.tool_result import Failure

MODES = ("exact", "regex", "ast")
OPERATIONS = ("replace", "append_after", "prepend_before", "delete")
MAX_EDITS = 200
EDITS_SCHEMA: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_EDITS,
    "items": {
        "type": "object",
        "properties": {
            "operation": {"enum": list(OPERATIONS), "default": "replace"},
            "match_mode": {
                "enum": list(MODES),
                "default": "exact",
                "description": "regex: RE2 syntax; ast: a pattern of ast-grep, `foo($A, $$$REST)`",
            },
            "spec": {"type": "string", "minLength": 1, "description": "the text, expression or pattern to find"},
            "content": {
                "type": "string",
                "default": "",
                "description": "the new text; not for delete. With ast, `$A` and `$$$REST` stand for what matched",
            },
            "count": {"type": "integer", "minimum": 1, "default": 1, "description": "how often spec must match"},
        },
        "required": ["spec"],
    },
}


def write_file(place: Place, path: str, content: str, base_hash: str = "") -> dict[str, Any]:
    enter(place, "write_file", path=path)
    real = _seen(place, path)
    _check_base(real, path, base_hash)
    return propose(place, path, real, _whole(place, path, real, content).encode("utf-8", "surrogatepass"), "fs.write")


def apply_patch(place: Place, path: str, patch: str, base_hash: str = "") -> dict[str, Any]:
    enter(place, "apply_patch", path=path)
    real = _seen(place, path)
    _check_base(real, path, base_hash)
    old = text_of(real, path)[1] if os.path.exists(real) else ""
    patch = _whole(place, path, real, patch)
    return propose(place, path, real, patched(old, patch).encode("utf-8", "surrogatepass"), "fs.apply_patch")


def _whole(place: Place, path: str, real: str, text: str) -> str:
    """The text with the secrets whose placeholders `read_file` has shown of this very file."""
    if not PLACEHOLDER.search(text):
        return text
    text = put_back(text, values_of(real, place.project, os.environ, flow_settings()))
    left = PLACEHOLDER.search(text)
    if left is not None:
        raise Failure("Denied", MASKED_WHY.format(left.group()), f"leave it out of `{path}`")
    return text


def _seen(place: Place, path: str) -> str:
    """The real path. A file that is there must be one the agent may read: a diff and a count of matches tell what is in
    it."""
    real = inside(place, path)
    return readable(place, path) if os.path.lexists(real) else real


def _check_base(real: str, path: str, base_hash: str) -> None:
    """The file must still be the one that the agent read."""
    if not base_hash:
        return
    wanted = base_hash.removeprefix("sha256:")
    try:
        with open(real, "rb") as file:
            found = sha256_hex(file.read())
    except OSError:
        found = "absent"
    if found != wanted:
        raise Failure("BaseChanged", f"`{path}` is not what it was when you read it", "read it again and propose again")


def propose(place: Place, path: str, real: str, content: bytes, method: str) -> dict[str, Any]:
    """Keep it for a person. Denied when the rules forbid the write; a write they allow is proposed all the same."""
    ttl_s = place.layers().settings.toolbox.hitl_ttl_seconds
    try:
        proposal, _, head = proposals.propose(
            place.project, path, real, content, proposals.Proposer(place.session), ttl_s=ttl_s
        )
    except proposals.Denied as denied:
        raise Failure("Denied", f"`{path}`: {denied.reason}", denied.advice) from None
    put_to_people(proposal, place.agent)
    answer = proposals.response(
        "hitl_required",
        method,
        proposal.path,
        hitl=proposals.hitl_of(proposal),
        data=proposals.data_of(proposal),
        head=head,
    )
    told = f"nothing is written yet: a person is asked, or runs `askfirst apply {proposal.id[:6]}`"
    return {**answer, "next": f"{told}; proposal_status tells the outcome"}


@dataclass(frozen=True)
class Edit:
    """One edit, checked."""

    operation: str
    mode: str
    spec: str
    content: str
    count: int


def edit_file(place: Place, path: str, edits: list[dict[str, Any]]) -> dict[str, Any]:
    """All edits or none: matches are counted before anything is made, and edits that touch each other are refused."""
    enter(place, "edit_file", path=path)
    real = _seen(place, path)
    text = text_of(real, path)[1]
    if not 0 < len(edits) <= MAX_EDITS:
        raise Failure("InvalidArgument", f"give 1 to {MAX_EDITS} edits")
    found_in = [_checked(given, number) for number, given in enumerate(edits, 1)]
    checked = [
        replace(e, spec=_whole(place, path, real, e.spec), content=_whole(place, path, real, e.content))
        for e in found_in
    ]
    pieces: list[tuple[int, int, str, int]] = []
    for number, (edit, found) in enumerate(zip(checked, _found(checked, text, path), strict=True), 1):
        if len(found) != edit.count:
            hint = "use count_matches, and give a longer piece of text, or the count you mean"
            raise Failure(
                "MatchCount", f"edit {number}: {len(found)} matches, not {edit.count}; nothing was changed", hint
            )
        pieces += [(m.start, m.end, _replacement(edit, text[m.start : m.end], m), number) for m in found]
    return propose(place, path, real, _edited(text, sorted(pieces)).encode("utf-8", "surrogatepass"), "fs.edit")


def _found(edits: list[Edit], text: str, path: str) -> list[list[Span]]:
    """Where each edit matches. All expressions run in one process, under one limit."""
    expressions = [e.spec for e in edits if e.mode == "regex"]
    by_expression = iter(matched("spans", expressions, text=text)["spans"] if expressions else ())
    return [
        syntax_matches(e.spec, text, path)
        if e.mode == "ast"
        else [Span(*span) for span in (next(by_expression) if e.mode == "regex" else exact_spans(e.spec, text))]
        for e in edits
    ]


def _edited(text: str, pieces: list[tuple[int, int, str, int]]) -> str:
    for (_, end, _, first), (start, _, _, second) in pairwise(pieces):
        if start < end:
            raise Failure(
                "Overlap",
                f"edits {first} and {second} touch the same text; nothing was changed",
                "put them into one edit",
            )
    out, at = [], 0
    for start, end, new, _ in pieces:
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])


def _checked(given: Any, number: int) -> Edit:
    if not isinstance(given, dict):
        raise Failure("InvalidArgument", f"edit {number} is not an object")
    edit = Edit(
        given.get("operation", "replace"),
        given.get("match_mode", "exact"),
        given.get("spec", ""),
        given.get("content", ""),
        given.get("count", 1),
    )
    if edit.operation not in OPERATIONS:
        raise Failure("InvalidArgument", f"edit {number}: operation is one of {', '.join(OPERATIONS)}")
    if edit.mode not in MODES:
        raise Failure("InvalidArgument", f"edit {number}: match_mode is one of {', '.join(MODES)}")
    if not isinstance(edit.spec, str) or not edit.spec or not isinstance(edit.content, str):
        raise Failure("InvalidArgument", f"edit {number}: spec and content are texts, and spec is not empty")
    if not isinstance(edit.count, int) or isinstance(edit.count, bool) or edit.count < 1:
        raise Failure("InvalidArgument", f"edit {number}: count is a number from 1")
    return edit


def _replacement(edit: Edit, old: str, match: Span) -> str:
    content = match.filled(edit.content)
    return {
        "replace": content,
        "delete": "",
        "append_after": old + content,
        "prepend_before": content + old,
    }[edit.operation]
