"""`askfirst forget`: take back what was allowed or denied."""

from __future__ import annotations

import argparse

from askfirst.cli import forgetting
from askfirst.cli.forgetting import add_arguments

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """examples:
  askfirst forget 9k2m        an id that `askfirst grants` shows; takes effect with the agent's next call
  askfirst forget last        what was allowed or denied last in this project
A permanent yes leaves the project's rule file, too. After a denial is forgotten, the agent's next try is asked again.
"""


def run(args: argparse.Namespace) -> int:
    return forgetting.run(args, "forget")
