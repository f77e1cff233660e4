"""One session of an agent on the page: what it ran, asked, changed, was denied and has seen, with undo for each
change."""

from __future__ import annotations

from typing import Any

from askfirst import contained, proposals
from askfirst.approval.answers import Refused
from askfirst.audit.read import read_records
from askfirst.box import runs
from askfirst.errors import AskfirstError
from askfirst.report.session_page import SessionChange, SessionPage, page_of, sections
from askfirst.store import labels, proposal_files
from askfirst.text import one_line, visible
from askfirst.web.server import Stale

MAX_FILES = 20
Given = dict[str, Any]


class PageSessions:
    def __init__(self, who: str) -> None:
        self._who = who

    def session(self, given: Given) -> dict[str, Any]:
        page = _page(str(given.get("id", "")))
        return {
            "session": visible(page.session),
            "agent": visible(page.agent),
            "project": visible(page.project),
            "began": page.began,
            "ended": page.ended,
            "sections": [
                {"title": title, "rows": [visible(row) for row in rows]}
                for title, rows in sections(page)
                if rows and title != "Changed"
            ],
            "changes": [_change(change, page.project) for change in page.changes],
        }

    def undo_change(self, given: Given) -> dict[str, Any]:
        """Take one change of the session back: exactly that one."""
        page = _page(str(given.get("session", "")))
        wanted = next((c for c in page.changes if c.id and c.id == given.get("id")), None)
        if wanted is None or wanted.undone:
            raise Stale("this was taken back already")
        if wanted.how == "contained":
            files = contained.undo_by_person(runs.find(wanted.id), self._who)
        else:
            files = (self._undo_proposal(wanted),)
        return {"undone": [visible(file) for file in files]}

    def _undo_proposal(self, change: SessionChange) -> str:
        try:
            proposal = proposal_files.find(change.id)
            done, _ = proposal_files.undo(proposal, check=lambda p: proposals.refusal(p, None), by=self._who)
        except proposal_files.NotApplied as error:
            raise Refused(str(error)) from None
        return done.path


def _page(session: str) -> SessionPage:
    records = [r for r in read_records() if session and r.get("session") == session]
    if not records:
        raise AskfirstError(f"no session `{one_line(session, 40)}` is in the log")
    return page_of(session, records, [f"{label.kind}: {label.reason}" for label in labels.seen(session)])


def _change(change: SessionChange, project: str) -> dict[str, Any]:
    root = project.rstrip("/") + "/"
    return {
        "id": change.id,
        "files": [one_line(file.removeprefix(root), 200) for file in change.files[:MAX_FILES]],
        "more": max(0, len(change.files) - MAX_FILES),
        "at": change.at,
        "how": change.how,
        "undone": change.undone,
    }
