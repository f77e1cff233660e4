"""`askfirst serve`: answer requests on a local page."""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from askfirst.approval.manager import ApprovalManager
from askfirst.approval.person import require_person
from askfirst.approval.presence import Presence, announce
from askfirst.cli.answering import answering_manager
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import joined_here, of_team, team_manager
from askfirst.errors import StoreError, UsageError
from askfirst.store import atomic, paths
from askfirst.web import open_server
from askfirst.web.guard import CODE_S

EXAMPLES = """examples:
  askfirst serve              open the page in the browser; it lasts as long as this command
  askfirst serve --no-open    print the link instead
  askfirst serve --port 8765
  askfirst serve --team       the team's requests, too, and its report

The link works once, within 30 seconds; press Enter here for a new one.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=0, help="the port on the loopback interface (default: any free one)"
    )
    parser.add_argument("--team", action="store_true", help=TEAM_HELP)
    parser.add_argument("--no-open", action="store_true", help="print the link; do not open a browser")


def run(args: argparse.Namespace) -> int:
    require_person("serve")
    if not 0 <= args.port <= 65535:
        raise UsageError(f"--port: {args.port} is not between 0 and 65535")
    try:
        server = open_server(args.port, _manager(args), report=_report if args.team else None)
    except OSError as error:
        raise UsageError(f"--port {args.port}: {error.strerror}; choose another port, or leave --port out") from None
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    lost = False
    with announce("page") as presence:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
        server.live.start()
        try:
            _show_link(server.guard.link(), open_it=not args.no_open)
            lost = _wait(stop, presence, lambda: _show_link(server.guard.link(), open_it=False))
        finally:
            server.stopping.set()
            server.live.stop()
            server.shutdown()
            server.server_close()
    if lost:
        raise StoreError(f"{paths.state_dir()}: the state directory is gone, so nothing can be answered; start again")
    print("the page is closed", flush=True)
    return 0


def _manager(args: argparse.Namespace) -> ApprovalManager:
    return team_manager("page", at_terminal=False) if args.team else answering_manager()


def _report(days: int) -> dict[str, Any]:
    """What the page shows of the team's figures."""
    found: dict[str, Any] = of_team("tally").report(joined_here(), days).as_json()
    return found


def _show_link(link: str, *, open_it: bool) -> None:
    print(f"{link}\n(works once, within 30 s; press Enter for a new link, Ctrl-C to close the page)", flush=True)
    if not open_it:
        return
    file = _private_page(link)
    if webbrowser.open(f"file://{quote(file)}"):
        print("the browser gets it from a private file; if it cannot read that, open the link yourself", flush=True)
    else:
        print("no browser was found; open the link yourself", flush=True)


def _private_page(link: str) -> str:
    """A file that only this user can read and that leads to the link. The link itself would stand in the browser's
    arguments, which every user of this machine can list, and one of them could be quicker than the browser."""
    directory = paths.private_dir("page")
    for name in os.listdir(directory):
        atomic.remove(os.path.join(directory, name))
    path = os.path.join(directory, atomic.random_name("open-") + ".html")
    leads = f'<meta http-equiv="refresh" content="0;url={link}">'
    text = f'<!doctype html><meta charset="utf-8">{leads}<title>askfirst</title>'
    atomic.new_file(path, text.encode())
    forget = threading.Timer(CODE_S, atomic.remove, (path,))
    forget.daemon = True
    forget.start()
    return path


def _wait(stop: threading.Event, presence: Presence, show_new_link: Callable[[], None]) -> bool:
    """Until a signal comes, or what this page announced is gone (True). Enter at the terminal shows a new link."""
    listening = sys.stdin.isatty()
    while not stop.is_set():
        if not presence.is_announced():
            return True
        if not listening:
            stop.wait(0.5)
            continue
        ready, _, _ = select.select([sys.stdin], [], [], 0.5)
        if ready:
            if os.read(sys.stdin.fileno(), 1024):
                show_new_link()
            else:
                listening = False
    return False
