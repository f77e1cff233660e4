"""The approval page: the same queue in a browser, served on loopback from the standard library."""

from __future__ import annotations

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.web.api import Api, flagged, page_user
from askfirst.web.live import Live
from askfirst.web.server import PageServer


def open_server(port: int = 0, manager: ApprovalManager | None = None) -> PageServer:
    """A server bound to loopback, not yet serving: `server.live.start()` and `serve_forever()` are the caller's."""
    shared = manager if manager is not None else file_manager()
    return PageServer(port, Live(shared.pending, shared.outcome, flagged), Api(shared, page_user()))
