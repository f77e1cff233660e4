"""The addresses of the page's API: which call of which subject each of them is. It takes and gives plain JSON."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from askfirst.approval.manager import ApprovalManager, user_name
from askfirst.web.live import Live
from askfirst.web.logins import Logins, PageLogin
from askfirst.web.page_answers import PageAnswers
from askfirst.web.page_grants import PageGrants
from askfirst.web.page_projects import PageProjects
from askfirst.web.page_records import PageRecords
from askfirst.web.page_sessions import PageSessions
from askfirst.web.page_settings import PageSettings

Call = Callable[[dict[str, Any]], dict[str, Any]]


class Api:
    """Bound to one manager and one person."""

    def __init__(
        self,
        manager: ApprovalManager,
        live: Live,
        logins: Logins,
        *,
        report: Callable[[int], dict[str, Any]] | None = None,
    ) -> None:
        who = page_user()
        answers, grants = PageAnswers(manager, live, who), PageGrants(manager, who)
        projects, records = PageProjects(manager, who), PageRecords(manager, grants, report=report)
        sessions = PageSessions(who)
        self._settings = PageSettings(manager, live, logins, who)
        self.reading: dict[str, Call] = {
            "/api/diff": answers.diff,
            "/api/request": records.request,
            "/api/history": records.history,
            "/api/figures": records.figures,
            "/api/log": records.log,
            "/api/verify": records.verify,
            "/api/team": records.team,
            "/api/grants": grants.kept,
            "/api/projects": projects.projects,
            "/api/project": projects.project,
            "/api/suggestions": projects.suggestions,
            "/api/agent-session": sessions.session,
        }
        self.changing: dict[str, Call] = {
            "/api/respond": answers.respond,
            "/api/respond-many": answers.respond_many,
            "/api/outcome": answers.outcome,
            "/api/next-try": answers.next_try,
            "/api/dismiss": answers.dismiss,
            "/api/merge": answers.merge,
            "/api/lines": answers.lines,
            "/api/revoke": grants.revoke,
            "/api/forget-denial": grants.forget_denial,
            "/api/take-out": projects.take_out,
            "/api/profile": projects.profile,
            "/api/add-entry": projects.add_entry,
            "/api/trust": projects.trust,
            "/api/untrust": projects.untrust,
            "/api/undo-change": sessions.undo_change,
            "/api/pause": self._settings.pause,
            "/api/resume": self._settings.resume,
            "/api/clear-alert": self._settings.clear_alert,
            "/api/end-login": self._settings.end_login,
        }

    def __call__(self, method: str, path: str, given: dict[str, Any], login: PageLogin) -> dict[str, Any] | None:
        """What is answered; None where there is no such address."""
        if (method, path) == ("GET", "/api/settings"):
            return self._settings.settings(given, login)
        call = (self.reading if method == "GET" else self.changing).get(path)
        return call(given) if call is not None else None


def page_user() -> str:
    return f"{user_name()} at the page (pid {os.getpid()})"
