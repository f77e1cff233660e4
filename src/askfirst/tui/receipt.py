"""What stays in the scroll-back after a request: one line that says how it ended, the same in every mode."""

from __future__ import annotations

import time

from rich.cells import cell_len

from askfirst.approval.answers import UNSETTLED
from askfirst.approval.question import Question
from askfirst.model import Answer, Decision, Duration
from askfirst.text import one_line, visible
from askfirst.tui.wrap import fit

MIN_TEXT_CELLS = 12  # a command cut shorter says nothing
ALLOWED = {
    Duration.ONCE: "allowed once",
    Duration.SESSION: "allowed for this session",
    Duration.TIMED: "allowed for a time",
    Duration.PERMANENT: "allowed permanently",
}
ENDED = {"expired": "denied: no one answered in time", "cancelled": "withdrawn"}


def outcome(answer: Answer) -> str:
    """What was decided, in words."""
    if answer.state in UNSETTLED:
        return UNSETTLED[answer.state]
    if answer.decision == Decision.ALLOW:
        if answer.duration == Duration.TIMED and answer.until:
            return f"allowed until {time.strftime('%H:%M', time.localtime(answer.until))}"
        return ALLOWED[answer.duration]
    return ENDED.get(answer.state, "denied")


def elsewhere(answer: Answer) -> str:
    """How a request ended that was not answered here: `no longer waiting: allowed once by the client's dialog`."""
    by = "" if answer.state in ENDED else f" by {answer.by}"
    why = f" ({answer.reason})" if answer.state == "cancelled" and answer.reason else ""
    return f"no longer waiting: {outcome(answer)}{by}{why}"


def receipt(question: Question, answer: Answer, at: str, width: int = 200, head: str = "") -> str:
    """`14:03:22 ✓ allowed for this session · k7m2w9 · make deploy · log 3fa91c02`, on one row.

    What does not fit is left out, the least important first.
    """
    mark = "·" if answer.state in UNSETTLED else "✓" if answer.decision == Decision.ALLOW else "✗"
    what = f"{mark} {outcome(answer)} · {short_id(question)}"
    reason = f" · reason: {visible(answer.reason)}" if answer.reason and answer.decision == Decision.DENY else ""
    times = f" (x{question.count})" if question.count > 1 else ""
    log = f" · log {head[:8]}" if head else ""
    full = f"{at} {what}"
    shortest = min(MIN_TEXT_CELLS, cell_len(one_line(question.subject, MIN_TEXT_CELLS)))
    ends = (times + reason + log, times + reason, times + log, times)
    for start, end in (*((full, end) for end in ends), (what, times), (what, "")):
        room = width - cell_len(start) - cell_len(end) - 3
        if room >= shortest:
            return f"{start} · {fit(one_line(question.subject, width), room)}{end}"
    return one_line(what, width)


def consequences(answer: Answer) -> list[str]:
    """Lines below the receipt: why a permanent approval counts for less, and the entry to add by hand."""
    if answer.decision != Decision.ALLOW or not answer.reason:
        return []
    return [f"         {line}" for line in visible(answer.reason, newlines=True).split("\n")]


def idle_row(words: str, width: int) -> str:
    """`askfirst watch · no requests · Ctrl-C quits`; without the name where it does not fit."""
    short = words.split(" · ", 1)[-1]
    return next((row for row in (f"  {words}", f"  {short}") if cell_len(row) <= width), fit(short, width))


def short_id(question: Question) -> str:
    return visible(question.id[:6])
