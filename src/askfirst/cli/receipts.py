"""What is printed after an answer: what it covers, and where that is stored."""

from __future__ import annotations

from askfirst.approval.answers import UNSETTLED
from askfirst.approval.question import Question
from askfirst.cli.times import clock_time
from askfirst.model import Answer
from askfirst.text import one_line, visible


def receipt(question: Question, answer: Answer) -> str:
    named = {"once": "allowed once", "session": "allowed for its session", "permanent": "allowed permanently"}
    words = (named | UNSETTLED).get(answer.state) or f"allowed until {clock_time(answer.until)}"
    times = f"  (×{question.count})" if question.count > 1 else ""
    lines = [f"{words}: {one_line(question.text, 200)}{times}"]
    choice = question.choice(answer.duration)
    if choice is not None and answer.state not in ("once", "refused"):
        lines += [f"  covers {visible(choice.scope)}"] if choice.scope else []
    if answer.reason:
        lines.append(f"  {visible(answer.reason, newlines=True)}")
    elif answer.state == "permanent" and choice is not None:
        lines.append(f"  stored in {visible(choice.file)}")
    return "\n".join(lines)
