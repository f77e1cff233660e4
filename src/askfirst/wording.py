"""A verdict in words. The same value is told twice: to the agent, which must know what to do instead and is never
advised to do what it may not; and to the person, who wants the rule, where it stands, and where to answer.
"""

from __future__ import annotations

from askfirst.model import Decision, Finding, Layer, Origin, Verdict
from askfirst.redact import redact

__all__ = ["EDITED", "LAYERS", "for_agent", "for_person", "of_merge", "of_origin", "way_to_allow"]

LAYERS = {
    Layer.HARDCODED_BLOCK: "hardcoded block",
    Layer.ORG_BLOCK: "organisation block",
    Layer.FLOW: "what the session has seen",
    Layer.ORG_ALLOW: "organisation allow",
    Layer.BUILTIN_ALLOW: "built-in rules",
    Layer.PROJECT_ALLOW: "project rules",
    Layer.GRANT: "a person's grant",
    Layer.NOTHING: "no rule",
}
MAX_CHARACTERS = 2000
MAX_OTHERS = 3
EDITED = (
    "askfirst: the person changed the content of this call before it was written. The file is not the text that you "
    "sent: read it before you build on it."
)
IN_THE_BOX = (
    "askfirst: {} was written by a command that ran contained: only contained commands of this session see it. Have it "
    "written below the project, if others are to read it."
)
PLACEHOLDERS = (
    "askfirst: secrets in this file are shown as `<redacted:NAME#ID>`. The file holds the values: leave a placeholder "
    "out of `old_string`, which must be found in the file; in the new text of an Edit or Write of this file it becomes "
    "the value again."
)
RULE_FILE = ".askfirst/allowed_commands.yaml"


def of_origin(origin: Origin) -> str:
    """`organisation block: npm, /etc/xdg/askfirst/config.yaml:5`."""
    words = LAYERS[Layer(origin.layer)]
    if origin.rule:
        words += f": {origin.rule}"
    if origin.source not in ("built-in", ""):
        words += f", {origin.source}" + (f":{origin.line}" if origin.line else "")
    return words


def for_agent(verdict: Verdict) -> str:
    """What happened to the call, and what to do instead."""
    if verdict.decision <= Decision.CONTAIN:
        return f"askfirst: {verdict.reason}"
    head = "askfirst denied this: " if verdict.decision == Decision.DENY else "askfirst asks a person: "
    deciding = verdict.deciding
    by_rule = deciding is not None and deciding.origin.layer != Layer.NOTHING
    instead = [f"Instead: {deciding.advice}"] if deciding is not None and deciding.advice else []
    return _lines(head + verdict.reason + (_by(deciding) if by_rule else ""), instead, verdict)


def for_person(verdict: Verdict) -> str:
    """Why it is asked or denied, by which rule, and how to allow it for longer than once."""
    more = []
    if verdict.decision == Decision.ASK:
        more.append("For the session or for good: answer in `askfirst watch`")
    return _lines(verdict.reason + _by(verdict.deciding), more, verdict)


def of_merge(verdict: Verdict) -> str:
    """For the agent, which hears only that its write has succeeded."""
    extra = verdict.answer.extra if verdict.answer is not None else None
    how = str((extra or {}).get("strategy") or "changed")
    return (
        f"askfirst: the person merged your content into the file that was there ({how}). The file is not "
        "the text that you sent: read it before you build on it."
    )


def _by(finding: Finding | None) -> str:
    """Which rule it was; that none was, the reason says itself."""
    if finding is None or finding.origin.layer == Layer.NOTHING:
        return ""
    return f" [{of_origin(finding.origin)}]"


def way_to_allow(finding: Finding) -> str:
    """How a person can have it allowed from now on; "" where no rule can say it."""
    return f"to always allow this, add to {RULE_FILE}: `{finding.entry}`" if finding.entry else ""


def _lines(first: str, more: list[str], verdict: Verdict) -> str:
    """Redacted and compact: a model reads it, and the call may hold secrets."""
    lines = [first, *_others(verdict), *more, *(f"Note: {note}" for note in verdict.notes)]
    text = redact("\n".join(lines))
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"


def _others(verdict: Verdict) -> list[str]:
    strictest = [f for f in verdict.findings if f.decision == max(f.decision for f in verdict.findings)]
    # One rule may have found the same thing in several places: once is enough.
    others = dict.fromkeys(
        f.reason for f in strictest[1:] if f.origin != strictest[0].origin or f.origin.layer == Layer.NOTHING
    )
    others.pop(strictest[0].reason if strictest else "", None)
    if not others:
        return []
    more = len(others) - MAX_OTHERS
    return ["Also: " + "; ".join(list(others)[:MAX_OTHERS]) + (f"; and {more} more" if more > 0 else "")]
