"""`askfirst resident`: the warm process that judges calls, and its fast client."""

from __future__ import annotations

import argparse
import json

from askfirst.errors import UsageError
from askfirst.resident import build, serve, start
from askfirst.resident import socket_place as places
from askfirst.resident.condition import IN_PYTHON, Condition, look
from askfirst.resident.thin import is_off
from askfirst.store import atomic

EXAMPLES = """\
examples:
  askfirst resident              is it running, and which client do the hooks use?
  askfirst resident stop         end it; the next call is judged cold, and starts another
  askfirst resident start        start it now, also after it was found to differ from the cold hook
  askfirst resident build        recompile the fast client (`askfirst init` does it, too)

It starts by itself with a session's first call and ends by itself. It is only a cache: without it every answer is the
same and takes longer. `resident: off` in ~/.config/askfirst/config.yaml keeps it away.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", default="status", choices=("status", "start", "stop", "build", "run"), help="what to do"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--place", default=places.default(), help="the directory of its socket (default: %(default)s)")
    parser.add_argument("--lock", type=int, default=-1, help="for `run`: the descriptor of the lock that is held")
    parser.add_argument(
        "--idle",
        type=float,
        default=serve.IDLE_S,
        metavar="SECONDS",
        help="for `run`: end after so long without a call",
    )


def run(args: argparse.Namespace) -> int:
    if args.what == "run":
        return _run(args)
    if args.what == "build":
        built = build.build()
        print(f"{built.path}: built and tried\nrun `askfirst init` again, so that the agent's settings name it")
        return 0
    if args.what == "stop":
        stopped = start.stop(args.place)
        print("stopped" if stopped else "it was not running")
        return 0 if stopped else 1
    if args.what == "start":
        return _start(args.place)
    found = look(args.place)
    print(json.dumps(found.as_dict()) if args.json else "\n".join(_lines(found)))
    return 0


def _run(args: argparse.Namespace) -> int:
    """In this terminal, where nobody else holds the lock."""
    if not places.make(args.place):
        raise UsageError(f"{args.place}: is not a directory that only you can enter")
    lock = args.lock if args.lock >= 0 else start.lock(args.place)
    if lock < 0:
        print("it is running already; see `askfirst resident`")
        return 1
    serve.run(args.place, lock, idle_s=args.idle)
    return 0


def _start(place: str) -> int:
    atomic.remove(places.differs_path(place))
    if start.is_running(place):
        print("it is running already")
        return 0
    why = "ASKFIRST_RESIDENT=off is set" if is_off() else start.why_not(place)
    if why or not start.start_behind(place, at_once=True) or not start.wait_until_answering(place):
        log = places.log_path(place)
        print(f"it was not started: {why or f'see {log}'}")
        return 1
    print("started")
    return 0


def _lines(found: Condition) -> list[str]:
    trouble = f": {found.client_trouble}; run `askfirst resident build`" if found.client_trouble else ""
    return [
        f"process    {found.words}",
        f"client     {found.client or IN_PYTHON}{trouble}",
        f"socket     {found.socket}",
    ]
