"""`askfirst resume`: end a pause."""

from __future__ import annotations

import argparse

from askfirst import audit
from askfirst.approval.person import require_person, who
from askfirst.store import pause

EXAMPLES = """examples:
  askfirst resume
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Takes none."""


def run(args: argparse.Namespace) -> int:
    require_person("resume")
    if not pause.resume():
        print("nothing was paused")
        return 1
    audit.append("resume", {"by": who()}, durable=True)
    print("the pause is over: calls are judged again")
    return 0
