"""Runs an askfirst command as a person would: with a terminal of its own, and nothing said about the processes above.

    python -m tests.approval.as_person approve 7f3a          standard input must be a terminal

The tests themselves may run below an agent; what `person.ancestors` finds is tested on its own.
"""

from __future__ import annotations

import os
import sys

from askfirst.approval import person
from askfirst.cli import main

if __name__ == "__main__":
    os.close(os.open(os.ttyname(0), os.O_RDWR))  # the first terminal that a new session opens controls it
    person.ancestors = lambda: ()
    sys.exit(main(sys.argv[1:]))
