"""What the answering commands share: the manager with the gate behind it, and what this terminal was just shown."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable

from askfirst import jsontext
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.question import Question
from askfirst.cli.printing import counted
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, StoreError
from askfirst.store import atomic, paths
from askfirst.text import console, visible
from askfirst.world import World

MAX_LISTED = 160  # characters of a command in a list; what is longer is not read there
SHOWN_S = 300.0  # `approve --all` answers what was shown here within this time
FLAGGED = "FLAGGED FOR REVIEW: calls of this session were denied often and fast; `askfirst alerts` shows why"


def answering_manager() -> ApprovalManager:
    """The shared manager. After every answer it judges the queue again: no one waits for what a new rule covers."""
    return World().manager()


def for_each(typed: Iterable[str], command: str, answer: Callable[[str], int]) -> int:
    """Answer every id, and give the worst exit code. One that fails says why and does not keep the others waiting."""
    worst = 0
    for one in typed:
        try:
            worst = max(worst, answer(one))
        except AskfirstError as error:
            print(f"askfirst {command}: {error}", file=sys.stderr)
            worst = max(worst, error.exit_code)
    return worst


def remember_shown(questions: tuple[Question, ...]) -> None:
    """What `approve --all` in this terminal would answer."""
    path = _shown_path()
    if path is not None:
        data = jsontext.dumps({"at": time.time(), "digests": {i: q.digest for q in questions for i in q.ids}})
        atomic.write_atomic(path, data.encode())


def just_shown() -> dict[str, str]:
    """id -> digest of what `askfirst pending` has just listed in this terminal."""
    path = _shown_path()
    try:
        value = jsontext.loads(atomic.read_private(path, 1 << 20)) if path is not None else {}
        if not 0 <= time.time() - float(value["at"]) <= SHOWN_S:
            return {}
        return {str(i): str(d) for i, d in value["digests"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StoreError):
        return {}


def _shown_path() -> str | None:
    try:
        terminal = os.ttyname(0)
    except OSError:
        return None
    return os.path.join(paths.private_dir("shown"), sha256_hex(f"{terminal}\0{os.getsid(0)}")[:24])


def times_asked(question: Question) -> str:
    """`×3 from 2 agents`, for a question that was asked more than once; "" otherwise."""
    return f"×{question.count} from {counted(question.agents, 'agent')}" if question.count > 1 else ""


def print_question(question: Question) -> None:
    """The whole request on standard error, before it is answered: no one allows what they have not seen."""
    out = console(stderr=True)
    out.print(visible(question.text, newlines=True), style="bold")
    times = f", {times_asked(question)}" if question.count > 1 else ""
    asked_by = f"{visible(question.agent)} in {visible(question.project)}{times}"
    out.print(f"  {asked_by}: {visible(question.why)}", style="dim")
    if question.flagged:
        out.print(f"  {FLAGGED}", style="bold red")
    if question.danger:
        out.print(f"  DANGER: {visible(question.danger)}", style="bold red")
