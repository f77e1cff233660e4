"""What the page switches: the pause, a session's flag, the browsers that may use it."""

from __future__ import annotations

import time
from typing import Any

from askfirst import __version__, audit
from askfirst.approval.answers import Refused
from askfirst.approval.manager import ApprovalManager
from askfirst.store import pause
from askfirst.store.alerts import clear
from askfirst.text import visible
from askfirst.web.live import Live
from askfirst.web.logins import Logins, PageLogin
from askfirst.web.server import Stale

MAX_PAUSE_S = 30 * 86400.0
MAX_REASON_CHARS = 200
Given = dict[str, Any]


class PageSettings:
    def __init__(self, manager: ApprovalManager, live: Live, logins: Logins, who: str) -> None:
        self._manager, self._live, self._logins, self._who = manager, live, logins, who

    def settings(self, _given: Given, login: PageLogin) -> dict[str, Any]:
        return {
            "version": __version__,
            "who": visible(self._who),
            "paused": visible(pause.why_paused()),
            "logins": [{**vars(one), "this": one.id == login.id} for one in self._logins.all()],
        }

    def pause(self, given: Given) -> dict[str, Any]:
        """Deny every call of every agent, for a while or until somebody ends it; what waits is withdrawn."""
        seconds, reason = given.get("seconds", 0), given.get("reason", "")
        if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 <= seconds <= MAX_PAUSE_S:
            raise Refused("`seconds` says for how long: 0 is until somebody ends it")
        if not isinstance(reason, str) or len(reason) > MAX_REASON_CHARS:
            raise Refused(f"a reason is a text of at most {MAX_REASON_CHARS} characters")
        until = time.time() + seconds if seconds else 0.0
        audit.append("pause", {"by": self._who, "until": until, "reason": reason}, durable=True)
        pause.pause(until, self._who, reason)
        return {
            "paused": visible(pause.why_paused()),
            "withdrawn": self._manager.withdraw_waiting("all agents are paused"),
        }

    def resume(self, _given: Given) -> dict[str, Any]:
        if not pause.resume():
            raise Stale("nothing is paused")
        audit.append("resume", {"by": self._who}, durable=True)
        return {"paused": ""}

    def clear_alert(self, given: Given) -> dict[str, Any]:
        if not clear(str(given.get("session", "")), self._who):
            raise Stale("this session is no longer flagged")
        return {"cleared": True}

    def end_login(self, given: Given) -> dict[str, Any]:
        """A browser may do nothing from now on."""
        wanted = str(given.get("id", ""))
        if not self._logins.end(wanted):
            raise Stale("this browser was ended already")
        self._live.end(wanted)
        return {"ended": wanted}
