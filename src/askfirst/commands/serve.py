"""`askfirst serve`: answer requests on a local page."""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
import threading

EXAMPLES = """examples:
  askfirst serve              opens the browser; the page lives as long as this command
  askfirst serve --no-open    prints the link instead
  askfirst serve --port 8765

The link holds a code that is good once and for 30 seconds; press Enter here for a fresh one.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="a port of loopback (default: any free one)")
    parser.add_argument("--no-open", action="store_true", help="print the link, open no browser")


def run(args: argparse.Namespace) -> int:
    from askfirst.approval.person import require_person
    from askfirst.approval.presence import announce
    from askfirst.cli.answering import answering_manager
    from askfirst.errors import UsageError
    from askfirst.web import open_server

    require_person("serve")
    if not 0 <= args.port <= 65535:
        raise UsageError("--port: a number from 0 to 65535")
    try:
        server = open_server(args.port, answering_manager())
    except OSError as error:
        raise UsageError(f"port {args.port}: {error.strerror}; choose another, or none") from None
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with announce("page"):
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
        server.live.start()
        try:
            show_link(server.guard.link(), open_it=not args.no_open)
            wait(stop, lambda: show_link(server.guard.link(), open_it=False))
        finally:
            server.stopping.set()
            server.live.stop()
            server.shutdown()
            server.server_close()
    print("page closed", flush=True)
    return 0


def show_link(link: str, *, open_it: bool) -> None:
    print(f"{link}\n(good once, for 30 s; press Enter for a fresh link, Ctrl-C to close the page)", flush=True)
    if open_it:
        import webbrowser

        # The link must not stand in a process list for longer than its code is good; browsers hand it on and forget it.
        if not webbrowser.open(link):
            print("no browser found here: open the link by hand", flush=True)


def wait(stop: threading.Event, fresh_link: object) -> None:
    """Until a signal, or the end of the terminal. Enter gives a fresh link."""
    assert callable(fresh_link)
    listening = sys.stdin.isatty()
    while not stop.is_set():
        if not listening:
            stop.wait(0.5)
            continue
        ready, _, _ = select.select([sys.stdin], [], [], 0.5)
        if ready:
            if os.read(sys.stdin.fileno(), 1024):
                fresh_link()
            else:
                listening = False
