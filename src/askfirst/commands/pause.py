"""`askfirst pause`: deny everything for a while."""

from __future__ import annotations

import argparse
import time

from askfirst import audit
from askfirst.approval.person import require_person, who
from askfirst.cli.answering import answering_manager
from askfirst.cli.printing import counted
from askfirst.cli.times import clock_time, seconds_of
from askfirst.store import pause

EXAMPLES = """examples:
  askfirst pause                        deny every call of every agent until `askfirst resume`
  askfirst pause --for 30m --reason "demo in the meeting room"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--for", dest="time", metavar="TIME", help="how long: 30m, 2h, 1d (default: until `askfirst resume`)"
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="tell the agents why")


def run(args: argparse.Namespace) -> int:
    require_person("pause")
    until = time.time() + seconds_of(args.time) if args.time is not None else 0.0
    audit.append("pause", {"by": who(), "until": until, "reason": args.reason}, durable=True)
    pause.pause(until, who(), args.reason)
    waiting = answering_manager().withdraw_waiting("all agents are paused")
    end = clock_time(until) if until else "`askfirst resume`"
    withdrawn = f"; {counted(waiting, 'waiting request')} withdrawn" if waiting else ""
    print(f"paused until {end}: every call is denied{withdrawn}")
    return 0
