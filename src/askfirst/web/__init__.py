"""The approval page: the same queue in a browser, served on loopback from the standard library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.web.api import Api, flagged, page_user
from askfirst.web.live import Live
from askfirst.web.server import PageServer


def open_server(
    port: int = 0, manager: ApprovalManager | None = None, *, report: Callable[[int], dict[str, Any]] | None = None
) -> PageServer:
    """A server bound to loopback, not yet serving: `server.live.start()` and `serve_forever()` are the caller's.

    `report`: where a team answers, its figures over so many days."""
    shared = manager if manager is not None else file_manager()
    live = Live(shared.pending, shared.outcome, flagged, team=report is not None)
    return PageServer(port, live, Api(shared, page_user(), report=report))
