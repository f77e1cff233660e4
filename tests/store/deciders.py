"""One of many deciders: goes over all waiting requests and tries to decide each.

Prints how often it won, and what it saw.
"""

from __future__ import annotations

import os
import sys

from askfirst.store.pending import FilePending


def main(number: int) -> None:
    os.fsync = lambda fd: None  # who wins does not depend on the disk
    store = FilePending()
    names = sorted(store.pending_ids())
    print("ready", flush=True)
    sys.stdin.readline()
    state = "expired" if number == 0 else "once"
    for name in names[number:] + names[:number]:
        first = store.decide(name, {"state": state, "by": number, "padding": "z" * 2000})
        seen = {"by": number} if first is None else first
        print(name, "won" if first is None else "lost", seen["by"])


if __name__ == "__main__":
    main(int(sys.argv[1]))
