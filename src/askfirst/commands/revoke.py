"""`askfirst revoke`: take back what was allowed or denied."""

from __future__ import annotations

import argparse

from askfirst.cli import forgetting
from askfirst.cli.forgetting import add_arguments

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """examples:
  askfirst revoke 9k2m        an id that `askfirst grants` shows; takes effect with the agent's next call
The same as `askfirst forget`.
"""


def run(args: argparse.Namespace) -> int:
    return forgetting.run(args, "revoke")
