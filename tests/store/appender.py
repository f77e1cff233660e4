"""Many processes that make approvals permanent at the same time: each appends its entries, one by one.

One thread, so that it can fork.
"""

from __future__ import annotations

import os
import sys

from askfirst.policy import config  # noqa: F401  # imported once, before the forks
from askfirst.store import yaml_insert  # noqa: F401
from askfirst.store.allowlist import NotStored, append


def one(project: str, name: str) -> bool:
    """False when the lock was not free in time, on a busy machine: a person would press P again."""
    try:
        append(project, [{"name": name}], most=100_000)
    except NotStored as error:
        if "holds its lock" not in error.reason:
            raise
        return False
    return True


def main(project: str, processes: int, count: int) -> int:
    started = []
    for number in range(processes):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for each in range(count):
                    stored = False
                    while not stored:
                        stored = one(project, f"tool-{number}-{each}")
                code = 0
            finally:
                os._exit(code)
        started.append(pid)
    return max(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in started)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
