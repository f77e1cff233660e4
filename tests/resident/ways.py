"""Judge calls in one of two ways, and print what comes out, one line each.

python -m tests.resident.ways cold|warm PLACE CALLS.jsonl
"""

from __future__ import annotations

import json
import os
import sys
import traceback

from askfirst import hook_events  # noqa: F401  # imported before the fork, as a cold hook has it
from askfirst.agents import wire_of
from askfirst.hook import respond
from askfirst.resident import protocol
from askfirst.resident.recovery import Lost, reply_kept
from askfirst.resident.thin import Exchange


def cold(raw: bytes) -> bytes:
    """In a child that has judged nothing before."""
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            reply = respond(wire_of("claude"), raw, os.environ)
            os.write(writable, json.dumps([reply.stdout.decode(), reply.exit_code, reply.stderr]).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as told:
        said = told.read()
    os.waitpid(pid, 0)
    return said


def warm(place: str, raw: bytes) -> bytes:
    """What is handed over is judged cold, as the client would."""
    asked = Exchange(place, os.urandom(protocol.KEY_BYTES))
    found = asked.ask([], raw)
    if found is None:
        kept = reply_kept(place, Lost.of(asked.how[1])) if asked.how else None
        return cold(raw) if kept is None else json.dumps([kept.stdout.decode(), kept.exit_code, kept.stderr]).encode()
    return json.dumps([found.stdout.decode(), found.exit_code, found.stderr.decode()]).encode()


def main(words: list[str]) -> int:
    way, place, calls = words
    here = os.environ["PWD"]
    with open(calls, "rb") as file:
        lines = file.read().splitlines()
    os.chdir(here)
    for line in lines:
        print((cold(line) if way == "cold" else warm(place, line)).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
