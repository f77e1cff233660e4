"""`askfirst serve`: answer requests on a local page."""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

from askfirst import jsontext
from askfirst.approval.manager import ApprovalManager
from askfirst.approval.person import require_person
from askfirst.approval.presence import Presence, announce
from askfirst.cli.answering import answering_manager
from askfirst.cli.printing import plain_table
from askfirst.cli.teamwork import HELP as TEAM_HELP
from askfirst.cli.teamwork import joined_here, of_team, team_manager
from askfirst.cli.times import roughly
from askfirst.errors import AskfirstError, StoreError, UsageError
from askfirst.store import atomic, pages, paths
from askfirst.text import console, one_line
from askfirst.web import open_server
from askfirst.web.guard import plain_origin
from askfirst.web.logins import CODE_S, PageLogin
from askfirst.web.qr import print_code
from askfirst.web.server import PageServer

EXAMPLES = """examples:
  askfirst serve              open the page in the browser; it lasts as long as this command
  askfirst serve --no-open    print the link instead
  askfirst serve --port 8765 --origin https://laptop.example.ts.net     also under an address that you forward
  askfirst serve --sessions   which browsers use it; `--end ID` ends one, `--end all` all of them
  askfirst serve --team       also the team's requests, and its report

The link works once, within 30 seconds; press Enter here for a new one, and Q and Enter for a QR code.
Forwarding, and the page on a phone: examples/page.md
"""
ALL = "all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=0, help="the port on the loopback interface (default: any free one)"
    )
    parser.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="an address under which you forward the page (ssh -L, Tailscale); every other one is refused",
    )
    parser.add_argument("--team", action="store_true", help=TEAM_HELP)
    parser.add_argument("--no-open", action="store_true", help="print the link; do not open a browser")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--sessions", action="store_true", help="list the browsers that use the page; serve nothing")
    instead.add_argument("--end", metavar="ID", default="", help=f"end a browser's session, or `{ALL}`; serve nothing")
    parser.add_argument("--json", action="store_true", help="with --sessions or --end: print one JSON list")


def run(args: argparse.Namespace) -> int:
    if args.sessions:
        return _list_sessions(args)
    require_person("serve")
    if args.end:
        return _end_session(args)
    if args.json:
        raise UsageError("--json: the page is for a person; add --sessions or --end ID")
    if not 0 <= args.port <= 65535:
        raise UsageError(f"--port: {args.port} is not between 0 and 65535")
    origins = tuple(map(plain_origin, args.origin))
    try:
        server = open_server(args.port, _manager(args), report=_report if args.team else None, origins=origins)
    except OSError as error:
        raise UsageError(f"--port {args.port}: {error.strerror}; choose another port, or leave --port out") from None
    return _serve(server, origins, open_it=not args.no_open)


def _serve(server: PageServer, origins: tuple[str, ...], *, open_it: bool) -> int:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    lost = False
    with announce("page") as presence, pages.OpenPage(server.server_address[1]) as page:
        server.logins.came = _say_came
        server.logins.changed = lambda: page.note_logins([vars(login) for login in server.logins.all()])
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.5}, daemon=True).start()
        server.live.start()
        try:
            _show_link(server, origins, open_it=open_it)
            lost = _wait(stop, presence, lambda typed: _answer_key(server, origins, typed), lambda: _end(server, page))
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


# Browsers that use it


def _say_came(login: PageLogin) -> None:
    at = time.strftime("%H:%M:%S", time.localtime(login.since))
    print(f"{at} a browser has opened the page: {one_line(login.browser, 60)}, at {login.address} (session {login.id})")
    print(f"         was it not you? askfirst serve --end {login.id}", flush=True)


def _end(server: PageServer, page: pages.OpenPage) -> None:
    for name in page.to_end():
        if server.logins.end(name):
            server.live.end(name)
            print(f"{time.strftime('%H:%M:%S')} session {name} was ended", flush=True)


def _list_sessions(args: argparse.Namespace) -> int:
    found = pages.logins()
    if args.json:
        print(jsontext.dumps([{"port": port, **login} for port, login in found]))
    elif not found:
        print("no browser uses a page" if pages.open_ports() else "no page is open; `askfirst serve` opens one")
    else:
        table = plain_table("session", "browser", "address", "for", unbroken=("session",))
        for _, login in found:
            cells = (login.get("id"), login.get("browser"), login.get("address"))
            table.add_row(*(one_line(str(c), 60) for c in cells), roughly(time.time() - float(login.get("since", 0))))
        console().print(table)
    return 0 if found else 1


def _end_session(args: argparse.Namespace) -> int:
    meant = [(port, str(login.get("id"))) for port, login in pages.logins() if args.end in (ALL, login.get("id"))]
    if not meant:
        raise AskfirstError(f"no session `{one_line(args.end, 40)}`; see `askfirst serve --sessions`")
    for port, name in meant:
        pages.want_ended(port, name)
    if args.json:
        print(jsontext.dumps([{"port": port, "id": name} for port, name in meant]))
    else:
        print("\n".join(f"ended: {name}" for _, name in meant))
    return 0


# The link


def _show_link(server: PageServer, origins: tuple[str, ...], *, open_it: bool) -> None:
    link = server.link()
    for one in (link, *(server.link(origin) for origin in origins)):
        print(one, flush=True)
    print("(works once, within 30 s; Enter: a new link, Q Enter: a QR code, Ctrl-C: close the page)", flush=True)
    if not open_it:
        return
    file = _private_page(link)
    if webbrowser.open(f"file://{quote(file)}"):
        print("the browser gets it from a private file; if it cannot read that, open the link yourself", flush=True)
    else:
        print("no browser was found; open the link yourself", flush=True)


def _answer_key(server: PageServer, origins: tuple[str, ...], typed: str) -> None:
    if typed.strip().lower() == "q":
        _show_qr(server, origins)
    else:
        _show_link(server, origins, open_it=False)


def _show_qr(server: PageServer, origins: tuple[str, ...]) -> None:
    """For a phone: the address that is forwarded. The page itself listens on this machine alone."""
    if not origins:
        print("a phone needs an address that you forward: start with --origin URL (see examples/page.md)", flush=True)
        return
    link = server.link(origins[0])
    try:
        print_code(link, sys.stdout)
        print(f"{link}\n(works once, within 30 s)", flush=True)
    except UsageError as error:
        print(error, flush=True)


def _private_page(link: str) -> str:
    """A file that only this user can read and that leads to the link. The link itself would stand in the browser's
    arguments, which every user of this machine can list, and one of them could be quicker than the browser."""
    directory = paths.private_dir("page")
    path = os.path.join(directory, atomic.random_name(f"open-{urlsplit(link).port}-") + ".html")
    leads = f'<meta http-equiv="refresh" content="0;url={link}">'
    text = f'<!doctype html><meta charset="utf-8">{leads}<title>askfirst</title>'
    atomic.new_file(path, text.encode())
    forget = threading.Timer(CODE_S, atomic.remove, (path,))
    forget.daemon = True
    forget.start()
    return path


def _wait(stop: threading.Event, presence: Presence, typed: Callable[[str], None], look: Callable[[], None]) -> bool:
    """Until a signal comes, or what this page announced is gone (True). A line at the terminal is handed on."""
    listening = sys.stdin.isatty()
    while not stop.is_set():
        if not presence.is_announced():
            return True
        look()
        if not listening:
            stop.wait(0.5)
            continue
        ready, _, _ = select.select([sys.stdin], [], [], 0.5)
        if ready:
            line = os.read(sys.stdin.fileno(), 1024)
            listening = bool(line)
            if line:
                typed(line.decode("utf-8", "replace"))
    return False
