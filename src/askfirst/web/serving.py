"""Putting the page together: manager, live queue, api, server."""

from __future__ import annotations

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.web.api import Api, flagged, outcome_of, page_user
from askfirst.web.live import Live
from askfirst.web.server import PageServer


def open_server(port: int = 0, manager: ApprovalManager | None = None) -> PageServer:
    """A server bound to loopback, not yet serving: `server.live.start()` and `serve_forever()` are the caller's."""
    shared = manager if manager is not None else file_manager()
    live = Live(shared.pending, lambda request_id: outcome_of(shared, request_id), flagged)
    return PageServer(port, live, Api(shared, page_user()))
