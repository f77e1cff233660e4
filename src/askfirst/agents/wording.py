"""A verdict in words for the agent, redacted and compact: a model reads it, and the call it asked for may hold secrets."""

from __future__ import annotations

from askfirst.model import Decision, Layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Verdict

HEADS = {
    Decision.ALLOW: "askfirst: ",
    Decision.ASK: "askfirst asks a person: ",
    Decision.DENY: "askfirst denied this: ",
}
MAX_CHARACTERS = 2000
MAX_OTHERS = 3


def for_agent(verdict: Verdict) -> str:
    """The verdict's own sentence (what, which layer and rule, where, the way forward), what else was found, and the notes."""
    head = HEADS[verdict.decision]
    if verdict.decision == Decision.ALLOW:
        return head + verdict.reason
    from askfirst.redact import redact

    lines = [head + verdict.reason]
    strictest = [f for f in verdict.findings if f.decision == max(f.decision for f in verdict.findings)]
    # One rule may have found the same thing in several places: once is enough.
    others = dict.fromkeys(
        f.reason for f in strictest[1:] if f.origin != strictest[0].origin or f.origin.layer == Layer.NOTHING
    )
    others.pop(strictest[0].reason if strictest else "", None)
    if others:
        more = len(others) - MAX_OTHERS
        lines.append("Also: " + "; ".join(list(others)[:MAX_OTHERS]) + (f"; and {more} more" if more > 0 else ""))
    lines += [f"Note: {note}" for note in verdict.notes]
    text = redact("\n".join(lines))
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
