"""Somebody is told elsewhere that a question waits: by a webhook, ntfy, a Slack-compatible webhook, the desktop, a bell
or the terminal's title (`notify:` in the organisation's or the user's file).

The hook starts a child of its own for it and goes on: the child waits until it is due, looks whether the question still
waits, tells it, tries again a few times, and ends. So nothing depends on a server, and nothing holds up the hook. What
is told is redacted and says where to answer; it is never enough to answer, which takes a person at a terminal or at the
page.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.approval.presence import approvers
from askfirst.approval.question import Question
from askfirst.errors import AskfirstError
from askfirst.policy.rules import Notice, Settings
from askfirst.redact import redact
from askfirst.store import alerts
from askfirst.store.layers import org_files, settings_of
from askfirst.text import one_line

WAITING, ALERT, FLOW = "waiting", "alert", "flow"
REMOTE = frozenset(("webhook", "ntfy", "slack", "desktop"))
TRIES, TIMEOUT_S, FIRST_PAUSE_S = 4, 5.0, 1.0
LOOK_AGAIN_S = 10.0
MAX_SUMMARY, MAX_WHY = 160, 300
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CHILD = "import sys; sys.path.append(sys.argv.pop(1)); from askfirst.notices import main; main(sys.argv[1:])"


@dataclass(frozen=True)
class Message:
    """What is told."""

    event: str  # waiting, alert, flow
    id: str  # the beginning of the question's id, or of the session's
    title: str
    summary: str
    why: str
    project: str
    agent: str
    answer: str  # where

    def in_words(self) -> str:
        return "\n".join(filter(None, (self.summary, self.why, f"project {self.project}, {self.agent}", self.answer)))


TRIAL = Message(WAITING, "trial", "askfirst: a trial", "nothing waits", "`askfirst doctor --tell`", "", "", "")


def reaches_somebody(settings: Settings) -> bool:
    """Whether a person is told who need not be at any terminal now: then a question may wait for them."""
    return any(n.kind in REMOTE and not {WAITING, FLOW}.isdisjoint(n.on) for n in settings.notify)


def start(settings: Settings, event: str, id: str, client: int = 0) -> None:
    """Start the child that tells it. A failure is not the hook's: the question waits all the same."""
    if not settings.notify:
        return
    try:
        subprocess.Popen(
            [sys.executable, "-I", "-c", _CHILD, ROOT, event, id, str(client)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return


def main(words: list[str]) -> None:
    """In the child."""
    event, asked, client = words
    try:
        tell(settings_of(org_files()).notify, event, asked, client=int(client))
    except (AskfirstError, OSError):
        return


def tell(
    notices: tuple[Notice, ...],
    event: str,
    id: str,
    *,
    client: int = 0,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Each in its time, for as long as there is something to tell."""
    began = time.monotonic()
    for notice in sorted(notices, key=lambda n: n.after_s if event == WAITING else 0):
        if event not in notice.on:
            continue
        due = notice.after_s if event == WAITING else 0
        while (left_s := began + due - time.monotonic()) > 0 and message_of(event, id) is not None:
            sleep(min(left_s, LOOK_AGAIN_S))  # a child must not outlive its question for long
        message = message_of(event, id)
        if message is None:
            return
        send(notice, message, client=client, sleep=sleep)


def message_of(event: str, id: str) -> Message | None:
    """None where nothing waits any more."""
    if event == ALERT:
        found = next((a for a in alerts.alerts() if a.session == id), None)
        if found is None:
            return None
        title = f"askfirst: a session was flagged after {found.violations} violations"
        answer = f"look at it with `askfirst alerts`; session {found.session[:8]}"
        why = one_line(redact(found.last), MAX_WHY)
        return Message(event, id[:8], title, "", why, os.path.basename(found.project), found.agent, answer)
    question = _waiting(file_manager(), id)
    if question is None:
        return None
    title = "askfirst: a question about a flow" if event == FLOW else "askfirst: a question waits"
    answer = f"answer in `askfirst watch`, on the page of `askfirst serve`, or with `askfirst approve {id[:8]}`"
    summary = f"{question.tool}: {one_line(redact(question.text), MAX_SUMMARY)}"
    why, project = one_line(redact(question.why), MAX_WHY), os.path.basename(question.project)
    return Message(event, id[:8], title, summary, why, project, question.agent, answer)


def _waiting(manager: ApprovalManager, id: str) -> Question | None:
    return next((card for card in manager.pending() if id in card.all_ids()), None)


# -- how it is told


def why_not(notice: Notice) -> str:
    """What can be seen from here that keeps it from working; "" for nothing."""
    if notice.kind == "desktop" and shutil.which("osascript" if sys.platform == "darwin" else "notify-send") is None:
        return "this machine has no program for it (notify-send)"
    if notice.url.startswith("http://") and urlsplit(notice.url).hostname not in ("127.0.0.1", "localhost", "::1"):
        return "it is sent unencrypted"
    return ""


def send(
    notice: Notice,
    message: Message,
    *,
    client: int = 0,
    tries: int = TRIES,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Whether it was told, after a few tries."""
    ways: dict[str, Callable[[], bool]] = {
        "webhook": lambda: _post_json(notice.url, asdict(message)),
        "slack": lambda: _post_json(notice.url, {"text": f"*{message.title}*\n{message.in_words()}"}),
        "ntfy": lambda: _post(
            notice.url,
            message.in_words().encode(),
            {"Title": message.title, "Tags": "question", "Priority": "high" if message.event != WAITING else "default"},
        ),
        "desktop": lambda: _on_desktop(message),
        "bell": lambda: _to_terminals(b"\a", client),
        "title": lambda: _to_terminals(b"\x1b]0;" + message.title.encode("ascii", "replace") + b"\a", client),
    }
    pause_s = FIRST_PAUSE_S
    for left in range(tries - 1, -1, -1):
        if ways[notice.kind]():
            return True
        if left:
            sleep(pause_s)
            pause_s *= 3
    return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """What is told goes where the file says, and nowhere else."""
        return None


def _post_json(url: str, value: dict[str, str]) -> bool:
    return _post(url, json.dumps(value).encode(), {"Content-Type": "application/json"})


def _post(url: str, data: bytes, headers: dict[str, str]) -> bool:
    request = urllib.request.Request(url, data, {"User-Agent": "askfirst", **headers}, method="POST")
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=TIMEOUT_S) as answer:
            return 200 <= int(answer.status) < 300
    except (OSError, ValueError):
        return False


def _on_desktop(message: Message) -> bool:
    if sys.platform == "darwin":
        words = ["osascript", "-e", "on run a", "-e", "display notification (item 2 of a) with title (item 1 of a)"]
        argv = [*words, "-e", "end run", message.title, message.in_words()]
    else:
        argv = ["notify-send", "--app-name=askfirst", "--", message.title, message.in_words()]
    if shutil.which(argv[0]) is None:
        return False
    try:
        return subprocess.run(argv, timeout=TIMEOUT_S, capture_output=True, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _to_terminals(data: bytes, client: int) -> bool:
    """To the terminals of the agent's client and of everybody who could answer. Neither draws anything."""
    pids = [client, *(a.pid for a in approvers())]
    told = False
    for terminal in {t for pid in pids if pid > 1 and (t := _terminal_of(pid))}:
        try:
            fd = os.open(terminal, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                os.write(fd, data)
                told = True
            finally:
                os.close(fd)
        except OSError:
            continue
    return told


def _terminal_of(pid: int) -> str:
    for number in (1, 2, 0):
        try:
            path = os.readlink(f"/proc/{pid}/fd/{number}")
        except OSError:
            continue
        if path.startswith(("/dev/pts/", "/dev/tty")):
            return path
    return ""
