"""`askfirst watch`: the approver in a terminal. While it runs, hooks know that a person can be asked."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from askfirst import audit
from askfirst.approval.codec import answer_from
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.person import require_person, who
from askfirst.approval.presence import announce
from askfirst.audit.read import Tail, total_bytes
from askfirst.cli.answering import answering_manager
from askfirst.cli.printing import counted
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import joined_here, team_manager
from askfirst.errors import AskfirstError
from askfirst.store import alerts
from askfirst.store.pending import FilePending
from askfirst.text import one_line
from askfirst.tui.receipt import elsewhere
from askfirst.tui.setting import Setting
from askfirst.tui.watch import watch_here

EXAMPLES = """examples:
  askfirst watch                 in a second terminal or a tmux pane, beside the agent
  askfirst watch --once          answer what waits now, then exit
  askfirst watch --team          also the team's requests, wherever they are asked
  ACCESSIBLE=1 askfirst watch    plain lines for a screen reader: an answer is a word and an id

Keys: S session, P permanently, T for a time, O once, D deny, W another scope, N next, V view, ? help; Ctrl-C leaves.
S, P, T, O and D answer only while the dialog says "ready", so that keys meant for another window never answer; Esc goes
back and never answers. `askfirst forget last` takes the last answer back.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="answer what waits now, then exit")
    parser.add_argument("--team", action="store_true", help=TEAM_HELP)
    parser.add_argument("--no-bell", action="store_true", help="no bell and no desktop notification")


def run(args: argparse.Namespace) -> int:
    require_person("watch")
    team = Team() if args.team else None
    setting = Setting(
        by=who("watch"),
        once=args.once,
        quiet=args.no_bell,
        idle=f"askfirst watch{' --team' if args.team else ''} · no requests · Ctrl-C quits",
        head=_head,
        ended=team.ended if team else _ended,
        receipts=NewRecords("contained", _of_contained),
        news=News(NewAlerts(), NewRecords("correction", _of_correction), *((team.news,) if team else ())),
    )
    code = watch_here(team.manager if team else answering_manager, setting, around=lambda: announce("watch"))
    return 0 if code == 130 else code  # Ctrl-C is how one leaves


class Team:
    """The team's requests beside this machine's. Made in the process that draws."""

    def __init__(self) -> None:
        joined_here()  # said before anything is drawn
        self._made: ApprovalManager | None = None

    def manager(self) -> ApprovalManager:
        # The dialog has the terminal, so nothing else may ask there: a key must do without its passphrase.
        self._made = team_manager("watch", at_terminal=False)
        return self._made

    def ended(self, id: str) -> str:
        answer = self._made.outcome(id) if self._made is not None else None
        return _ended(id) or (elsewhere(answer) if answer is not None else "")

    def news(self) -> tuple[str, ...]:
        desk = getattr(self._made, "desk", None)
        return tuple(desk.news()) if desk is not None else ()


def _ended(id: str) -> str:
    """Who or what ended a request that was not answered here."""
    try:
        found = FilePending().decision(id)
        if found is None:
            return ""
        answer = answer_from(found)
        again = f"; `askfirst approve {id[:6]} --keep` allows one more try" if answer.state == "expired" else ""
        return elsewhere(answer) + again
    except (AskfirstError, OSError, ValueError, TypeError, KeyError):
        return ""


def _head() -> str:
    """The audit log's last hash: with it a receipt can prove later that nothing was cut off."""
    try:
        return audit.head()[1]
    except (AskfirstError, OSError):
        return ""


class News:
    """Everything that is told above the dialog."""

    def __init__(self, *sources: Callable[[], tuple[str, ...]]) -> None:
        self._sources = sources

    def __call__(self) -> tuple[str, ...]:
        return tuple(line for source in self._sources for line in source())


class NewRecords:
    """A line for each new record of a kind in the log."""

    def __init__(self, kind: str, in_words: Callable[[dict[str, Any]], str]) -> None:
        self._kind, self._in_words = kind, in_words
        self._size = -1
        self._tail: Tail | None = None

    def __call__(self) -> tuple[str, ...]:
        try:
            if self._tail is None:
                self._tail = Tail(audit.head()[0])
            size = total_bytes()
            if size == self._size:
                return ()
            self._size = size
            found = [record for record in self._tail.look() if record.get("kind") == self._kind]
        except (AskfirstError, OSError):
            return ()
        return tuple(map(self._in_words, found))


def _of_correction(record: dict[str, Any]) -> str:
    """An answer that turned out not to be true."""
    text = one_line(str(record.get("text", "")), 60)
    return f"corrected: not {record.get('was')}, it ran: allowed in the client's dialog · {text}"


def _of_contained(record: dict[str, Any]) -> str:
    """`▣ ran contained · k7m2w9 · ./build.sh · 3 files changed, 1 kept aside: askfirst apply k7m2w9`."""
    run, kept = str(record.get("run", ""))[:6], record.get("kept") or []
    changed = counted(int(record.get("changed", 0)), "file") + " changed"
    aside = f", {len(kept)} kept aside: askfirst apply {run}" if kept else ""
    return f"▣ ran contained · {run} · {one_line(str(record.get('text', '')), 60)} · {changed}{aside}"


class NewAlerts:
    """A line for each session that was flagged since the last call."""

    def __init__(self) -> None:
        self._known: set[str] | None = None

    def __call__(self) -> tuple[str, ...]:
        try:
            found = alerts.alerts()
        except (AskfirstError, OSError):
            return ()
        fresh = [a for a in found if self._known is not None and a.session not in self._known]
        self._known = {a.session for a in found}
        return tuple(_line(alert) for alert in fresh)


def _line(alert: alerts.Alert) -> str:
    session = f"session {alert.session[:8]} of {alert.agent or 'an agent'}"
    after = counted(alert.violations, "violation")
    return f"! {session} was flagged after {after}: {alert.last}; `askfirst alerts` shows it"
