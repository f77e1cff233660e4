"""What the answering commands share: the manager with the whole gate behind it, times, and the list of what was just shown."""

from __future__ import annotations

import os
import sys
import time

from askfirst import jsontext
from askfirst.errors import AskfirstError, StoreError, UsageError
from askfirst.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from askfirst.approval.manager import ApprovalManager
    from askfirst.approval.question import Question

SHOWN_S = 300.0  # `approve --all` answers what was shown here within this time
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def answering_manager() -> ApprovalManager:
    """The shared manager; after every answer it judges the queue again, so that nobody waits for what a new rule covers."""
    from askfirst.world import World

    return World().manager()


def for_each(typed: Iterable[str], command: str, answer: Callable[[str], int]) -> int:
    """Answer every id: one that cannot be answered says why and does not keep the others waiting. The worst exit code."""
    worst = 0
    for one in typed:
        try:
            worst = max(worst, answer(one))
        except AskfirstError as error:
            print(f"askfirst {command}: {error}", file=sys.stderr)
            worst = max(worst, error.exit_code)
    return worst


def seconds_of(text: str) -> float:
    """`90s`, `30m`, `2h`, `1d`, also put together: `1h30m`."""
    total, number = 0.0, ""
    for char in text.strip().lower():
        if char.isdigit() and char.isascii():
            number += char
        elif char in _UNITS and number:
            total, number = total + int(number) * _UNITS[char], ""
        else:
            raise UsageError(f"`{text}` is not a time; write 30m, 2h or 1d")
    if number or total <= 0:
        raise UsageError(f"`{text}` is not a time; write 30m, 2h or 1d")
    return total


def ago(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{max(0, int(seconds))} s"


def until_words(at: float) -> str:
    now = time.localtime()
    then = time.localtime(at)
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)


# What this terminal was just shown


def _shown_path() -> str | None:
    from askfirst.digest import sha256_hex
    from askfirst.store import paths

    try:
        terminal = os.ttyname(0)
    except OSError:
        return None
    return os.path.join(paths.private_dir("shown"), sha256_hex(f"{terminal}\0{os.getsid(0)}")[:24])


def remember_shown(questions: tuple[Question, ...]) -> None:
    """What `approve --all` in this terminal would answer."""
    from askfirst.store import atomic

    path = _shown_path()
    if path is not None:
        data = jsontext.dumps({"at": time.time(), "digests": {i: q.digest for q in questions for i in q.ids}})
        atomic.write_atomic(path, data.encode())


def just_shown() -> dict[str, str]:
    """id -> digest of what `askfirst pending` has just listed in this terminal."""
    from askfirst.store import atomic

    path = _shown_path()
    try:
        value = jsontext.loads(atomic.read_private(path, 1 << 20)) if path is not None else {}
        if not 0 <= time.time() - float(value["at"]) <= SHOWN_S:
            return {}
        return {str(i): str(d) for i, d in value["digests"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StoreError):
        return {}


def print_question(question: Question) -> None:
    """The whole request on standard error, before it is answered: nobody allows what they have not seen."""
    from askfirst.text import console

    out = console(stderr=True)
    out.print(visible(question.text, newlines=True), style="bold")
    times = f", ×{question.count} from {question.agents} agents" if question.count > 1 else ""
    out.print(
        f"  {visible(question.agent)} in {visible(question.project)}{times}: {visible(question.why)}", style="dim"
    )
    if question.flagged:
        out.print("  FLAGGED FOR REVIEW: this session was refused often and fast", style="bold red")
    if question.danger:
        out.print(f"  DANGER: {visible(question.danger)}", style="bold red")
