"""`askfirst pause`: deny everything for a while."""

from __future__ import annotations

import argparse
import time

from askfirst.cli.answering import seconds_of, until_words

EXAMPLES = """examples:
  askfirst pause                        every agent's every call is denied until `askfirst resume`
  askfirst pause --for 30m --reason "demo in the meeting room"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--for", dest="time", metavar="TIME", help="how long: 30m, 2h, 1d (default: until `askfirst resume`)"
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="goes to the agents")


def run(args: argparse.Namespace) -> int:
    from askfirst import audit
    from askfirst.approval.person import require_person, who
    from askfirst.cli.answering import answering_manager
    from askfirst.store import pause

    require_person("pause")
    until = time.time() + seconds_of(args.time) if args.time is not None else 0.0
    audit.append("pause", {"by": who(), "until": until, "reason": args.reason}, durable=True)
    pause.pause(until, who(), args.reason)
    manager = answering_manager()
    waiting = manager.pending()
    for question in waiting:
        # A pause is not a person's no to this very text: it is not remembered as one.
        for waiting_id in question.ids:
            manager.cancel(waiting_id, "all agents are paused")
    print(
        f"paused {f'until {until_words(until)}' if until else 'until `askfirst resume`'}; {len(waiting)} waiting requests were withdrawn"
    )
    return 0
