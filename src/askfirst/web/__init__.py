"""The approval page: the same queue in a browser, served on loopback from the standard library.

server   routes, bodies, streams          guard, logins   who may speak to it
live     what every open page is told     cards, diffs    a question as JSON
api      the addresses; page_*            what each of them does, a module for each subject
page/    the front end: plain HTML, CSS and modules of JavaScript, served as they are
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst.approval.manager import ApprovalManager, file_manager
from askfirst.web.api import Api
from askfirst.web.live import Live
from askfirst.web.logins import Logins
from askfirst.web.server import PageServer


def open_server(
    port: int = 0,
    manager: ApprovalManager | None = None,
    *,
    report: Callable[[int], dict[str, Any]] | None = None,
    origins: tuple[str, ...] = (),
) -> PageServer:
    """A server bound to loopback, not yet serving: `server.live.start()` and `serve_forever()` are the caller's.

    `report`: where a team answers, its figures over so many days. `origins`: addresses under which it is forwarded."""
    shared = manager if manager is not None else file_manager()
    live, logins = Live(shared, team=report is not None), Logins()
    return PageServer(port, live, Api(shared, live, logins, report=report), logins=logins, origins=origins)
